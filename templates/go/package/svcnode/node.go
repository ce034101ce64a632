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
	name          string
	mode          string
	input, output protoreflect.MessageDescriptor
	// unary returns the serialized output.
	unary func(ctx *Context, input []byte) ([]byte, error)
	// pipeline sends the serialized frames.
	pipeline func(ctx *Context, frames iter.Seq2[[]byte, error], send func([]byte) error) error
}

// Unary makes a node of a handler with one input and one output.
func Unary[I any, PI interface {
	*I
	proto.Message
}, O proto.Message](name string, handler func(*Context, PI) (O, error)) Node {
	var output O
	return Node{
		name:   name,
		mode:   "unary",
		input:  PI(new(I)).ProtoReflect().Descriptor(),
		output: output.ProtoReflect().Descriptor(),
		unary: func(ctx *Context, data []byte) ([]byte, error) {
			input := PI(new(I))
			if err := proto.Unmarshal(data, input); err != nil {
				return nil, refusal{fmt.Errorf("the input is not its message: %w", err)}
			}
			answer, err := handler(ctx, input)
			if err != nil {
				return nil, err
			}
			return proto.Marshal(answer)
		},
	}
}

// Pipeline makes a node of a handler from a stream to a stream. The handler waits
// while the caller does not read. When the caller gives up, the input yields an
// error.
func Pipeline[I any, PI interface {
	*I
	proto.Message
}, O proto.Message](
	name string, handler func(*Context, iter.Seq2[PI, error]) iter.Seq2[O, error],
) Node {
	var output O
	return Node{
		name:   name,
		mode:   "pipeline",
		input:  PI(new(I)).ProtoReflect().Descriptor(),
		output: output.ProtoReflect().Descriptor(),
		pipeline: func(
			ctx *Context, frames iter.Seq2[[]byte, error], send func([]byte) error,
		) error {
			for answer, err := range handler(ctx, decoded[I, PI](frames)) {
				if err != nil {
					return err
				}
				data, err := proto.Marshal(answer)
				if err != nil {
					return err
				}
				if err := send(data); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func decoded[I any, PI interface {
	*I
	proto.Message
}](frames iter.Seq2[[]byte, error]) iter.Seq2[PI, error] {
	return func(yield func(PI, error) bool) {
		for data, err := range frames {
			input := PI(new(I))
			if err == nil {
				if broken := proto.Unmarshal(data, input); broken != nil {
					err = refusal{fmt.Errorf("a frame is not its message: %w", broken)}
				}
			}
			if !yield(input, err) || err != nil {
				return
			}
		}
	}
}

func (n Node) served() *protocol.ServedNode {
	return &protocol.ServedNode{
		Name:          n.name,
		InputMessage:  string(n.input.FullName()),
		OutputMessage: string(n.output.FullName()),
		Mode:          n.mode,
	}
}

// refusal is the error of a call that does not fit the package.
type refusal struct{ error }
