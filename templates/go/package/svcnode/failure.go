package svcnode

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"greeter/svcnode/protocol"
)

// Failure ends a call as failed. Any other error of a handler counts as one that
// may be retried.
type Failure struct {
	Message string
	// Retryable says whether a further attempt may succeed.
	Retryable bool
	// Payload is any JSON value for FLOW_FAILED of a flow. Direct calls return the
	// message alone.
	Payload any
}

func (f *Failure) Error() string { return f.Message }

// FailOption changes a failure.
type FailOption func(*Failure)

// Final says that no further attempt can succeed.
func Final() FailOption { return func(f *Failure) { f.Retryable = false } }

// Payload adds a JSON value for FLOW_FAILED of a flow. Direct calls return the
// message alone.
func Payload(value any) FailOption { return func(f *Failure) { f.Payload = value } }

// Fail returns an error that ends the call as failed; it may be retried unless it
// is final.
func Fail(message string, options ...FailOption) error {
	failure := &Failure{Message: message, Retryable: true}
	for _, option := range options {
		option(failure)
	}
	return failure
}

// Pause ends a call with a question to a human. The decision is the input of
// another call of the node, which does not get the present input again.
type Pause struct {
	// Question is any JSON value.
	Question any
	// ResumeSchema is the full name of the decision's message; by default that of
	// the input.
	ResumeSchema string
	// Timeout and Escalate have whole seconds; zero for the default and for never.
	Timeout, Escalate time.Duration
}

func (p *Pause) Error() string { return "the node asks a human" }

// Ask returns an error that ends the call with a question to a human.
func Ask(question any) error { return &Pause{Question: question} }

// endingOf returns an error of a handler as the message that ends its call.
func endingOf(err error) *protocol.NodeMessage {
	var pause *Pause
	if errors.As(err, &pause) {
		text, jsonErr := json.Marshal(pause.Question)
		if jsonErr == nil {
			return &protocol.NodeMessage{Kind: &protocol.NodeMessage_Pause{Pause: &protocol.Pause{
				InterruptPayloadJson: string(text),
				ResumeSchema:         pause.ResumeSchema,
				TimeoutSeconds:       uint32(pause.Timeout / time.Second),
				EscalateAfterSeconds: uint32(pause.Escalate / time.Second),
			}}}
		}
		err = fmt.Errorf("the question of a pause: %w", jsonErr)
	}
	failure := &Failure{Message: err.Error(), Retryable: true}
	var own *Failure
	if errors.As(err, &own) {
		failure.Retryable, failure.Payload = own.Retryable, own.Payload
	}
	sent := &protocol.Failure{Message: failure.Message, Retryable: failure.Retryable}
	if failure.Payload != nil {
		if text, jsonErr := json.Marshal(failure.Payload); jsonErr == nil {
			sent.FailurePayloadJson = string(text)
		}
	}
	return &protocol.NodeMessage{Kind: &protocol.NodeMessage_Error{Error: sent}}
}
