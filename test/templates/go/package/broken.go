package main

import (
	"errors"
	"iter"
	"math"
	"time"

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
func broken(ctx *svcnode.Context, in *messages.GreetRequest) (*messages.GreetReply, error) {
	switch in.GetName() {
	case "error":
		return nil, errors.New("the shop is closed")
	case "failure":
		return nil, svcnode.Fail("the name is taken")
	case "empty":
		return nil, errors.New("")
	case "bytes":
		ctx.Log("info", "half \xff.")
		return nil, svcnode.Fail("half \xff.", svcnode.Final())
	case "payload":
		return nil, svcnode.Fail("taken", svcnode.Final(), svcnode.Payload(math.NaN()))
	case "nil":
		var failure *svcnode.Failure
		return nil, failure
	case "half":
		return nil, &svcnode.Pause{Timeout: 500 * time.Millisecond, Escalate: time.Second}
	case "negative":
		return nil, &svcnode.Pause{Timeout: -5 * time.Second}
	case "question":
		return nil, svcnode.Ask(make(chan int))
	}
	return nil, nil
}
