package svc

import (
	"context"
	"iter"
	"time"
)

// Session is a live session with a pipeline node: messages travel both ways at the same
// time. It has no record and cannot be continued. Close it when you are done with it. It is
// safe for concurrent use.
type Session[In, Out any] struct {
	calls SessionCalls[In, Out]
}

// SessionCalls are the functions behind the methods of a [Session]. A method whose function is
// nil panics with the name of the function.
type SessionCalls[In, Out any] struct {
	ExecutionID string
	Limits      SessionLimits
	Send        func(ctx context.Context, input In) error
	Messages    func(ctx context.Context) iter.Seq2[Out, error]
	Close       func() error
}

// SessionLimits are the limits of a session. 0 means that the service did not state the limit.
type SessionLimits struct {
	// InputMessageBytes and InputBytes limit one message, and all messages together.
	InputMessageBytes, InputBytes int64
	// InputMessages is the maximum number of messages that can be sent.
	InputMessages int64
	// OutputBytes limits the output.
	OutputBytes int64
	// Duration is how long the session can last.
	Duration time.Duration
	// Stall is the time within which each message of the service must be received.
	Stall time.Duration
}

// NewSession returns a session. Clients open their own sessions; use NewSession to fake one in
// tests, with the functions that the tests call.
func NewSession[In, Out any](calls SessionCalls[In, Out]) *Session[In, Out] {
	return &Session[In, Out]{calls: calls}
}

// String names the session.
func (s *Session[In, Out]) String() string { return "session " + s.calls.ExecutionID }

// ExecutionID returns the id of the session in logs. The session has no execution record.
func (s *Session[In, Out]) ExecutionID() string { return s.calls.ExecutionID }

// Limits returns the limits that the service enforces.
func (s *Session[In, Out]) Limits() SessionLimits { return s.calls.Limits }

// Send sends a message. It blocks while the node does not receive. The error is [ErrMessage],
// and the session stays open, if the message is invalid or larger than InputMessageBytes of
// [Session.Limits]. After the session has ended, the error says why. Canceling ctx while a
// message is being sent ends the session.
func (s *Session[In, Out]) Send(ctx context.Context, input In) error {
	fakeHas("SessionCalls.Send", s.calls.Send != nil)
	return s.calls.Send(ctx, input)
}

// Messages iterates over the messages of the node as they arrive, until the session has ended.
// The end of the input cannot be sent, so most nodes wait for more: leave the loop after the
// last message that you need. A message does not name the input that it answers, unless the
// node adds it. Leaving the loop keeps the session open; another loop continues. The error is
// [ErrNodeFailed] if the node failed, and [ErrStreamInterrupted], with the reason, if the
// session ended otherwise before its last message; every later loop yields it, too. After
// Close, the loop ends without an error.
//
// Only one loop reads at a time. Another loop waits until the first one is left, so a loop
// within the body of another waits forever, unless its ctx ends.
func (s *Session[In, Out]) Messages(ctx context.Context) iter.Seq2[Out, error] {
	fakeHas("SessionCalls.Messages", s.calls.Messages != nil)
	return s.calls.Messages(ctx)
}

// Close ends the session, which cancels the node. It is safe to call more than once.
func (s *Session[In, Out]) Close() error {
	fakeHas("SessionCalls.Close", s.calls.Close != nil)
	return s.calls.Close()
}
