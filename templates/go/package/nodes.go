package main

import (
	"fmt"
	"iter"

	"greeter/messages"
	"greeter/svcnode"
)

// greet greets a person by name.
func greet(ctx *svcnode.Context, in *messages.GreetRequest) (*messages.GreetReply, error) {
	if in.GetName() == "" {
		// A retry would send the same input, so it could not succeed.
		return nil, svcnode.Fail("name must not be empty", svcnode.Final())
	}
	ctx.Log("info", fmt.Sprintf("greeting, attempt %d", ctx.Attempt))
	return &messages.GreetReply{Text: "Hello, " + in.GetName() + "!"}, nil
}

// greetAll greets each person of a stream as soon as they arrive.
func greetAll(
	_ *svcnode.Context, in iter.Seq2[*messages.GreetRequest, error],
) iter.Seq2[*messages.GreetReply, error] {
	return func(yield func(*messages.GreetReply, error) bool) {
		for request, err := range in {
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(&messages.GreetReply{Text: "Hello, " + request.GetName() + "!"}, nil) {
				return
			}
		}
	}
}

// welcome greets a person, and asks a human for the name if it is missing.
func welcome(_ *svcnode.Context, in *messages.GreetRequest) (*messages.GreetReply, error) {
	if in.GetName() == "" {
		// In a flow, the run waits for the decision, which becomes the input of a new call:
		// nothing of this call is kept. Put what the node needs into the question, so that the
		// decision can return it (docs/node-containers.md, "Asking a human").
		return nil, svcnode.Ask(map[string]any{"question": "Who should be welcomed?"})
	}
	return &messages.GreetReply{Text: "Welcome, " + in.GetName() + "!"}, nil
}
