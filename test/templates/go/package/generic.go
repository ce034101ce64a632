package main

import (
	"iter"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"greeter/messages"
	"greeter/svcnode"
)

func main() {
	svcnode.Main(packageYAML,
		svcnode.Unary("Greet", greet),
		svcnode.Pipeline("GreetAll", greetAll),
		svcnode.Unary("Welcome", welcome),
		svcnode.Generic("Turn", turn),
		svcnode.Generic("Fill", fill, svcnode.Input(&messages.GreetRequest{})),
		svcnode.Generic("Name", name, svcnode.Output(&messages.GreetReply{})),
		svcnode.GenericPipeline("TurnAll", turnAll),
		svcnode.Generic("Wrong", wrong),
	)
}

// turn copies the fields that the output has, too.
func turn(ctx *svcnode.Context, in proto.Message) (proto.Message, error) {
	ctx.Log("info", "bound by "+ctx.Binding.Instance)
	out := ctx.NewOutput()
	data, err := proto.Marshal(in)
	if err != nil {
		return nil, err
	}
	return out, proto.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(data, out)
}

func fill(ctx *svcnode.Context, in proto.Message) (proto.Message, error) {
	out := ctx.NewOutput()
	text := out.ProtoReflect().Descriptor().Fields().ByName("text")
	out.ProtoReflect().Set(text, protoreflect.ValueOfString(in.(*messages.GreetRequest).GetName()))
	return out, nil
}

func name(ctx *svcnode.Context, in proto.Message) (proto.Message, error) {
	out := ctx.NewOutput().(*messages.GreetReply)
	out.Text = string(in.ProtoReflect().Descriptor().FullName())
	return out, nil
}

func turnAll(
	ctx *svcnode.Context, in iter.Seq2[proto.Message, error],
) iter.Seq2[proto.Message, error] {
	return func(yield func(proto.Message, error) bool) {
		for message, err := range in {
			if err == nil {
				message, err = turn(ctx, message)
			}
			if !yield(message, err) || err != nil {
				return
			}
		}
	}
}

func wrong(_ *svcnode.Context, in proto.Message) (proto.Message, error) { return in, nil }
