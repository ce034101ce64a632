package main

import (
	"errors"
	"iter"

	"greeter/messages"
	"greeter/svcnode"
)

func main() {
	svcnode.Main(packageYAML,
		svcnode.Unary("Greet", panicking),
		svcnode.Pipeline("GreetAll", silent),
		svcnode.Unary("Welcome", broken),
	)
}

func panicking(*svcnode.Context, *messages.GreetRequest) (*messages.GreetReply, error) {
	var missing *messages.GreetReply
	return &messages.GreetReply{Text: missing.Text}, nil
}

func silent(
	*svcnode.Context, iter.Seq2[*messages.GreetRequest, error],
) iter.Seq2[*messages.GreetReply, error] {
	return func(yield func(*messages.GreetReply, error) bool) { yield(nil, nil) }
}

// broken fails in the way that its input names.
func broken(_ *svcnode.Context, in *messages.GreetRequest) (*messages.GreetReply, error) {
	switch in.GetName() {
	case "error":
		return nil, errors.New("the shop is closed")
	case "failure":
		return nil, svcnode.Fail("the name is taken")
	}
	return nil, nil
}
