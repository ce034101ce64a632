package svcnode

import (
	"fmt"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"greeter/svcnode/protocol"
)

// Binding is what an Instance binds to the open ports of a generic node.
type Binding struct {
	// Instance is the name of the Instance, as <handle>/<name>@<version>.
	Instance string
	// Input and Output are nil for ports that are not open.
	Input, Output protoreflect.MessageDescriptor
}

// ports are the messages of a node in one call.
type ports struct{ input, output protoreflect.MessageType }

// portsOf returns the messages of a node: the declared ones, and for open ports those that the
// call binds.
func (n Node) portsOf(bound *Binding) (ports, error) {
	if bound == nil {
		bound = &Binding{}
	}
	input, err := n.port("input", n.input, bound.Input)
	if err != nil {
		return ports{}, err
	}
	output, err := n.port("output", n.output, bound.Output)
	return ports{input, output}, err
}

func (n Node) port(
	port string, declared protoreflect.MessageType, bound protoreflect.MessageDescriptor,
) (protoreflect.MessageType, error) {
	if declared != nil {
		return declared, nil
	}
	if bound != nil {
		return dynamicpb.NewMessageType(bound), nil
	}
	return nil, status.Errorf(codes.FailedPrecondition,
		"the %s of %s is generic, and the call does not bind a message to it: "+
			"call an Instance", port, n.name)
}

// readBinding reads the binding of a call, or returns nil if the call binds nothing.
func readBinding(sent *protocol.Binding) (*Binding, error) {
	if sent == nil {
		return nil, nil
	}
	files, err := filesOf(sent.GetDescriptorSet())
	if err != nil {
		return nil, status.Errorf(codes.InvalidArgument,
			"the binding of %s cannot be read: %v", sent.GetInstance(), err)
	}
	bound := &Binding{Instance: sent.GetInstance()}
	for _, port := range []struct {
		name string
		into *protoreflect.MessageDescriptor
	}{{sent.GetInputMessage(), &bound.Input}, {sent.GetOutputMessage(), &bound.Output}} {
		if port.name == "" {
			continue
		}
		found, _ := files.FindDescriptorByName(protoreflect.FullName(port.name))
		message, ok := found.(protoreflect.MessageDescriptor)
		if !ok {
			return nil, status.Errorf(codes.InvalidArgument,
				"the binding of %s does not define %s", bound.Instance, port.name)
		}
		*port.into = message
	}
	return bound, nil
}

func filesOf(descriptorSet []byte) (*protoregistry.Files, error) {
	set := &descriptorpb.FileDescriptorSet{}
	if err := proto.Unmarshal(descriptorSet, set); err != nil {
		return nil, err
	}
	files, err := protodesc.NewFiles(set)
	if err != nil {
		return nil, fmt.Errorf("its files: %w", err)
	}
	return files, nil
}
