package svcnode

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"greeter/svcnode/protocol"
)

// Failure ends a call as failed. Any other error of a handler counts as a failure that may be
// retried.
type Failure struct {
	Message string
	// Retryable says whether a further attempt may succeed.
	Retryable bool
	// Payload is any JSON value for FLOW_FAILED of a flow. Direct calls return only the
	// message.
	Payload any
}

func (f *Failure) Error() string { return f.Message }

// FailOption changes a failure.
type FailOption func(*Failure)

// Final marks a failure that no further attempt can resolve.
func Final() FailOption { return func(f *Failure) { f.Retryable = false } }

// Payload adds a JSON value for FLOW_FAILED of a flow. Direct calls return only the message.
func Payload(value any) FailOption { return func(f *Failure) { f.Payload = value } }

// Fail returns an error that ends the call as failed. The call may be retried unless the
// failure is final.
func Fail(message string, options ...FailOption) error {
	failure := &Failure{Message: message, Retryable: true}
	for _, option := range options {
		option(failure)
	}
	return failure
}

// Pause ends a call with a question to a human. The decision becomes the input of another call
// of the node, which does not receive the current input again.
type Pause struct {
	// Question is any JSON value.
	Question any
	// ResumeSchema is the full name of the decision's message. The default is that of the
	// input.
	ResumeSchema string
	// Timeout and Escalate are rounded up to whole seconds. A zero Timeout is the default, and
	// a zero Escalate is never. A negative one fails the call.
	Timeout, Escalate time.Duration
}

func (p *Pause) Error() string { return "the node asks a human" }

// Ask returns an error that ends the call with a question to a human.
func Ask(question any) error { return &Pause{Question: question} }

// endingOf returns the message that ends a call with an error of its handler.
func endingOf(err error) *protocol.NodeMessage {
	var pause *Pause
	if errors.As(err, &pause) && pause != nil {
		sent, invalid := pause.message()
		if invalid == nil {
			return &protocol.NodeMessage{Kind: &protocol.NodeMessage_Pause{Pause: sent}}
		}
		err = invalid
	}
	sent := &protocol.Failure{Message: textOf(err), Retryable: true}
	var own *Failure
	if errors.As(err, &own) && own != nil {
		sent.Retryable = own.Retryable
		payload, invalid := own.payload()
		if invalid != nil {
			sent.Message += fmt.Sprintf(" (without its payload, which is not a JSON value: %v)", invalid)
		}
		sent.FailurePayloadJson = payload
	}
	return &protocol.NodeMessage{Kind: &protocol.NodeMessage_Error{Error: sent}}
}

// payload returns the payload as JSON text, or "" if there is none.
func (f *Failure) payload() (string, error) {
	if f.Payload == nil {
		return "", nil
	}
	text, err := json.Marshal(f.Payload)
	return string(text), err
}

func (p *Pause) message() (*protocol.Pause, error) {
	question, err := json.Marshal(p.Question)
	if err != nil {
		return nil, fmt.Errorf("the question of a pause is not a JSON value: %w", err)
	}
	timeout, err := seconds("Timeout", p.Timeout)
	if err != nil {
		return nil, err
	}
	escalate, err := seconds("Escalate", p.Escalate)
	if err != nil {
		return nil, err
	}
	return &protocol.Pause{
		InterruptPayloadJson: string(question),
		ResumeSchema:         wellFormed(p.ResumeSchema),
		TimeoutSeconds:       timeout,
		EscalateAfterSeconds: escalate,
	}, nil
}

// seconds rounds a duration of a pause up to whole seconds.
func seconds(name string, value time.Duration) (uint32, error) {
	whole := int64(value / time.Second)
	if value%time.Second > 0 {
		whole++
	}
	if value < 0 || whole > math.MaxUint32 {
		return 0, fmt.Errorf(
			"%s of a pause must be from 0 to %d seconds, got %v", name, uint32(math.MaxUint32), value)
	}
	return uint32(whole), nil
}

// textOf returns the text of an error. fmt handles errors whose Error method panics, such as
// nil pointers.
func textOf(err error) string { return wellFormed(fmt.Sprint(err)) }

// wellFormed replaces invalid UTF-8, which the protocol cannot carry.
func wellFormed(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }
