package svcnode

import (
	"iter"

	"google.golang.org/protobuf/proto"
)

// Port fixes a port of a generic node to a message of the package.
type Port func(*Node)

// Input fixes the input of a generic node to the type of a message.
func Input(message proto.Message) Port {
	return func(n *Node) { n.input = message.ProtoReflect().Type() }
}

// Output fixes the output of a generic node to the type of a message.
func Output(message proto.Message) Port {
	return func(n *Node) { n.output = message.ProtoReflect().Type() }
}

// Generic makes a generic node of a handler with one input and one output. Ports are open
// unless they are fixed. The message of an open port is known only at the call: the handler
// receives a dynamic message, and creates its output with Context.NewOutput.
func Generic(
	name string, handler func(*Context, proto.Message) (proto.Message, error), fixed ...Port,
) Node {
	return newNode(Node{name: name, mode: "unary", unary: oneByOne(handler)}, fixed)
}

// GenericPipeline makes a generic node of a handler from a stream to a stream. See Pipeline and
// Generic.
func GenericPipeline(
	name string,
	handler func(*Context, iter.Seq2[proto.Message, error]) iter.Seq2[proto.Message, error],
	fixed ...Port,
) Node {
	return newNode(Node{name: name, mode: "pipeline", pipeline: frameByFrame(handler)}, fixed)
}

func newNode(made Node, fixed []Port) Node {
	for _, fix := range fixed {
		fix(&made)
	}
	return made
}
