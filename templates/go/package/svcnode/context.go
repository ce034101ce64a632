package svcnode

import (
	"context"
	"encoding/json"
	"fmt"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"greeter/svcnode/protocol"
)

const maxProgressBytes = 65_536

// Context is the context of a call. It is done when the caller gives up or the
// deadline passes.
type Context struct {
	context.Context
	// ExecutionID has 32 hex characters; it is also the trace id.
	ExecutionID string
	Node        string
	TenantID    string
	// PlacementID is the id of the node in the flow; empty on a direct call.
	PlacementID string
	// Attempt is the number of the attempt, starting at 1.
	Attempt int
	// IdempotencyID is the same on every attempt of a step.
	IdempotencyID string
	Traceparent   string
	// Config is the resolved config profile.
	Config  map[string]any
	Secrets map[string]string
	// Resumed is set if the input is a human's decision on a pause of this node.
	Resumed *Resumed
	// Binding is set in calls of an Instance.
	Binding *Binding

	ports ports
	send  func(*protocol.NodeMessage) error
}

// Resumed names the pause that the input decides, and who decided.
type Resumed struct{ PauseID, By string }

// NewOutput returns an empty output of the node. For a generic node with an open output, it is
// a dynamic message of the bound type.
func (c *Context) NewOutput() proto.Message { return c.ports.output.New().Interface() }

// Log writes a line to the log of the execution: debug, info, warn or error.
func (c *Context) Log(level, message string) {
	c.say(&protocol.NodeMessage{Kind: &protocol.NodeMessage_Log{
		Log: &protocol.Log{Level: wellFormed(level), Message: wellFormed(message)},
	}})
}

// Progress sends a progress frame: any JSON value, at most 64 KiB as text.
func (c *Context) Progress(kind string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("progress: %w", err)
	}
	if len(text) > maxProgressBytes {
		return fmt.Errorf("a progress frame has at most %d bytes of JSON", maxProgressBytes)
	}
	c.say(&protocol.NodeMessage{Kind: &protocol.NodeMessage_Progress{
		Progress: &protocol.Progress{Kind: wellFormed(kind), Json: string(text)},
	}})
	return nil
}

// Mutate adds nodes and edges to the graph of this run.
func (c *Context) Mutate(fragment any) error {
	text, err := json.Marshal(fragment)
	if err != nil {
		return fmt.Errorf("mutation: %w", err)
	}
	c.say(&protocol.NodeMessage{Kind: &protocol.NodeMessage_Mutation{
		Mutation: &protocol.Mutation{FragmentJson: string(text)},
	}})
	return nil
}

// say sends a message. It ignores the error of a caller that has gone, which Done reports.
func (c *Context) say(message *protocol.NodeMessage) { _ = c.send(message) }

// Recording returns a context for tests, and the messages that are sent with it. If the output
// of a generic node is open, pass a message of the type that NewOutput is to create.
func Recording(
	ctx context.Context, output ...proto.Message,
) (*Context, *[]*protocol.NodeMessage) {
	sent := &[]*protocol.NodeMessage{}
	var ports ports
	for _, message := range output {
		ports.output = message.ProtoReflect().Type()
	}
	return &Context{
		ports:   ports,
		Context: ctx,
		Node:    "Test",
		Attempt: 1,
		Config:  map[string]any{},
		Secrets: map[string]string{},
		send: func(message *protocol.NodeMessage) error {
			*sent = append(*sent, message)
			return nil
		},
	}, sent
}

func contextOf(
	ctx context.Context, call *protocol.CallContext, node Node,
	send func(*protocol.NodeMessage) error,
) (*Context, error) {
	bound, err := readBinding(call.GetBinding())
	if err != nil {
		return nil, err
	}
	ports, err := node.portsOf(bound)
	if err != nil {
		return nil, err
	}
	config := map[string]any{}
	if text := call.GetConfigJson(); text != "" {
		if err := json.Unmarshal([]byte(text), &config); err != nil {
			return nil, status.Errorf(codes.InvalidArgument, "the config of the call: %v", err)
		}
	}
	made := &Context{
		Context:       ctx,
		ExecutionID:   call.GetExecutionId(),
		Node:          call.GetNode(),
		TenantID:      call.GetTenantId(),
		PlacementID:   call.GetPlacementId(),
		Attempt:       int(call.GetAttempt()),
		IdempotencyID: call.GetIdempotencyId(),
		Traceparent:   call.GetTraceparent(),
		Config:        config,
		Secrets:       call.GetSecrets(),
		Binding:       bound,
		ports:         ports,
		send:          send,
	}
	if id := call.GetResumedPauseId(); id != "" {
		made.Resumed = &Resumed{PauseID: id, By: call.GetResumedBy()}
	}
	return made, nil
}
