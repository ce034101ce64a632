package svcnode

import (
	"fmt"
	"iter"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"greeter/svcnode/protocol"
)

// Node is a node with its handler.
type Node struct {
	name string
	mode string
	// input and output are nil for an open port of a generic node.
	input, output protoreflect.MessageType
	// unary returns the serialized output.
	unary func(ctx *Context, input []byte) ([]byte, error)
	// pipeline sends the serialized frames.
	pipeline func(ctx *Context, frames iter.Seq2[[]byte, error], send func([]byte) error) error
}

// Unary makes a node of a handler with one input and one output. The call fails if the
// handler returns neither a message nor an error.
func Unary[I any, PI interface {
	*I
	proto.Message
}, O proto.Message](name string, handler func(*Context, PI) (O, error)) Node {
	var output O
	return Node{
		name:   name,
		mode:   "unary",
		input:  PI(new(I)).ProtoReflect().Type(),
		output: output.ProtoReflect().Type(),
		unary:  oneByOne(handler),
	}
}

// Pipeline makes a node of a handler from a stream to a stream. The handler blocks while the
// caller does not read. When the caller gives up, the input yields an error.
func Pipeline[I any, PI interface {
	*I
	proto.Message
}, O proto.Message](
	name string, handler func(*Context, iter.Seq2[PI, error]) iter.Seq2[O, error],
) Node {
	var output O
	return Node{
		name:     name,
		mode:     "pipeline",
		input:    PI(new(I)).ProtoReflect().Type(),
		output:   output.ProtoReflect().Type(),
		pipeline: frameByFrame(handler),
	}
}

func oneByOne[I, O proto.Message](
	handler func(*Context, I) (O, error),
) func(*Context, []byte) ([]byte, error) {
	return func(ctx *Context, data []byte) ([]byte, error) {
		input, err := decode[I](ctx, data)
		if err != nil {
			return nil, refusal{fmt.Errorf("the input is not its message: %w", err)}
		}
		answer, err := handler(ctx, input)
		if err != nil {
			return nil, err
		}
		return encode(ctx, answer)
	}
}

func frameByFrame[I, O proto.Message](
	handler func(*Context, iter.Seq2[I, error]) iter.Seq2[O, error],
) func(*Context, iter.Seq2[[]byte, error], func([]byte) error) error {
	return func(
		ctx *Context, frames iter.Seq2[[]byte, error], send func([]byte) error,
	) error {
		for answer, err := range handler(ctx, decoded[I](ctx, frames)) {
			if err != nil {
				return err
			}
			data, err := encode(ctx, answer)
			if err != nil {
				return err
			}
			if err := send(data); err != nil {
				return err
			}
		}
		return nil
	}
}

func decoded[I proto.Message](
	ctx *Context, frames iter.Seq2[[]byte, error],
) iter.Seq2[I, error] {
	return func(yield func(I, error) bool) {
		for data, err := range frames {
			var input I
			if err == nil {
				var broken error
				if input, broken = decode[I](ctx, data); broken != nil {
					err = refusal{fmt.Errorf("a frame is not its message: %w", broken)}
				}
			}
			if !yield(input, err) || err != nil {
				return
			}
		}
	}
}

func decode[I proto.Message](ctx *Context, data []byte) (I, error) {
	message := ctx.ports.input.New().Interface()
	// The port has the handler's message; a generic handler accepts any message.
	input := message.(I)
	return input, proto.Unmarshal(data, message)
}

func encode(ctx *Context, answer proto.Message) ([]byte, error) {
	wanted := ctx.ports.output.Descriptor().FullName()
	// A nil pointer would be encoded as an empty message.
	if answer == nil || !answer.ProtoReflect().IsValid() {
		return nil, fmt.Errorf("%s returned no message and no error", ctx.Node)
	}
	if given := answer.ProtoReflect().Descriptor().FullName(); given != wanted {
		return nil, fmt.Errorf("%s returned a %s, not a %s", ctx.Node, given, wanted)
	}
	return proto.Marshal(answer)
}

func (n Node) served() *protocol.ServedNode {
	return &protocol.ServedNode{
		Name:          n.name,
		InputMessage:  nameOf(n.input),
		OutputMessage: nameOf(n.output),
		Mode:          n.mode,
	}
}

// nameOf returns the full name of a port's message, or "" for an open port.
func nameOf(port protoreflect.MessageType) string {
	if port == nil {
		return ""
	}
	return string(port.Descriptor().FullName())
}

// refusal is the error of a call that does not match the package.
type refusal struct{ error }
