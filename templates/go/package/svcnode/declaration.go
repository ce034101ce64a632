package svcnode

import (
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

	"greeter/svcnode/protocol"
)

// The service accepts no larger description.
const maxDescriptionBytes = 262_144

// declaration is what package.yaml declares about the nodes.
type declaration struct {
	Name    string
	Version string
	Nodes   []struct{ Name, Mode, Input, Output string }
}

func readDeclaration(packageYAML []byte) (declaration, error) {
	var declared declaration
	if err := yaml.Unmarshal(packageYAML, &declared); err != nil {
		return declared, fmt.Errorf("package.yaml: %w", err)
	}
	return declared, nil
}

// check reports nodes without a handler, handlers without a node, and handlers whose messages
// differ from those of their nodes.
func (d declaration) check(nodes map[string]Node) error {
	var problems []error
	declared := map[string]bool{}
	for _, node := range d.Nodes {
		declared[node.Name] = true
		found, ok := nodes[node.Name]
		if !ok {
			problems = append(problems, fmt.Errorf("the node %s has no handler", node.Name))
			continue
		}
		mode := node.Mode
		if mode == "" {
			mode = "unary"
		}
		served := found.served()
		if served.GetMode() != mode || served.GetInputMessage() != node.Input ||
			served.GetOutputMessage() != node.Output {
			problems = append(problems, fmt.Errorf(
				"the handler of %s is for %s %s to %s, package.yaml says %s %s to %s", node.Name,
				served.GetMode(), portText(served.GetInputMessage()),
				portText(served.GetOutputMessage()),
				mode, portText(node.Input), portText(node.Output)))
		}
	}
	for name := range nodes {
		if !declared[name] {
			problems = append(problems, fmt.Errorf("package.yaml declares no node %s", name))
		}
	}
	return errors.Join(problems...)
}

func portText(message string) string {
	if message == "" {
		return "(any message)"
	}
	return message
}

// describe returns the nodes and the descriptors of their messages.
func (d declaration) describe(nodes map[string]Node) (*protocol.DescribeResponse, error) {
	served := &protocol.ServedPackage{Name: d.Name, Version: d.Version}
	set := &descriptorpb.FileDescriptorSet{}
	added := map[string]bool{}
	for _, node := range d.Nodes {
		found := nodes[node.Name]
		served.Nodes = append(served.Nodes, found.served())
		for _, port := range []protoreflect.MessageType{found.input, found.output} {
			if port != nil {
				addFile(set, added, port.Descriptor().ParentFile())
			}
		}
	}
	data, err := proto.Marshal(set)
	if err != nil {
		return nil, err
	}
	served.DescriptorSet = data
	description := &protocol.DescribeResponse{Packages: []*protocol.ServedPackage{served}}
	if proto.Size(description) > maxDescriptionBytes {
		// The service then compares only the names, not the fields.
		served.DescriptorSet = nil
	}
	return description, nil
}

// addFile adds a file after the files that it imports. It omits those of google.protobuf.
func addFile(
	set *descriptorpb.FileDescriptorSet, added map[string]bool, file protoreflect.FileDescriptor,
) {
	if added[file.Path()] || strings.HasPrefix(file.Path(), "google/protobuf/") {
		return
	}
	added[file.Path()] = true
	for index := range file.Imports().Len() {
		addFile(set, added, file.Imports().Get(index).FileDescriptor)
	}
	set.File = append(set.File, protodesc.ToFileDescriptorProto(file))
}
