package svc

import (
	"context"
	"iter"
)

// Execution is a handle to a run of a flow, created by starting the flow or from the
// id of an earlier run.
type Execution[Out any] struct {
	id    string
	calls ExecutionCalls[Out]
}

// ExecutionCalls are the functions behind the methods of an [Execution]. A method whose
// function is nil panics with the name of the function.
type ExecutionCalls[Out any] struct {
	Get    func(ctx context.Context, options ...Option) (*ExecutionRecord, error)
	Cancel func(ctx context.Context, options ...Option) (*ExecutionRecord, error)
	Wait   func(ctx context.Context, options ...Option) (Out, error)
	Pauses func(ctx context.Context, options ...Option) ([]*Pause, error)
	Resume func(ctx context.Context, pauseID string, decision Decision, options ...Option) (*ResumedPause, error)
	Fork   func(ctx context.Context, fork Fork, options ...Option) (*Execution[Out], error)
	Events func(ctx context.Context, filter EventFilter, options ...Option) iter.Seq2[*ExecutionEvent, error]
	Follow func(ctx context.Context, options ...Option) iter.Seq2[*ExecutionEvent, error]
}

// Fork configures [Execution.Fork]. The zero value continues from the latest checkpoint with
// the input that the node had.
type Fork struct {
	// CheckpointID is where the fork continues. If empty, it is the latest checkpoint.
	CheckpointID string
	// Input is what the pending node starts with, as the value of a [Decision]. If nil,
	// it is the input that the node had.
	Input any
}

// NewExecution returns a handle. Clients create their own handles; use NewExecution to fake one
// in tests, with the functions that the tests call.
func NewExecution[Out any](id string, calls ExecutionCalls[Out]) *Execution[Out] {
	return &Execution[Out]{id: id, calls: calls}
}

// String names the execution.
func (e *Execution[Out]) String() string { return "execution " + e.id }

// ID returns the execution id.
func (e *Execution[Out]) ID() string { return e.id }

// Get retrieves the current state of the run.
func (e *Execution[Out]) Get(ctx context.Context, options ...Option) (*ExecutionRecord, error) {
	fakeHas("ExecutionCalls.Get", e.calls.Get != nil)
	return e.calls.Get(ctx, options...)
}

// Cancel cancels the run and returns its state. Running nodes are asked to stop. The error has
// the status 409 if the run has ended, unless an earlier attempt canceled it and only its
// response was lost.
func (e *Execution[Out]) Cancel(ctx context.Context, options ...Option) (*ExecutionRecord, error) {
	fakeHas("ExecutionCalls.Cancel", e.calls.Cancel != nil)
	return e.calls.Cancel(ctx, options...)
}

// Wait waits for the run to end and returns its output. The error is [ErrFlowFailed]
// if the run failed or was canceled, [ErrFlowPaused] if it waits for a decision, and
// [ErrWaitTimedOut] if it did not end in time. The run then continues. The time is the
// timeout of the call, 60 seconds by default: pass [WithTimeout] to wait for longer, or
// [WithoutTimeout] to wait until ctx ends.
//
// Wait survives an outage of the service. If it cannot read the state of the run because of a
// connection error or the status 408, 429 or 5xx, it polls again until it times out, no earlier
// than Retry-After allows. A Retry-After above a minute ends the wait at once with that error.
// Each poll is limited by the timeout of [WithAttemptTimeout], or 30 seconds, and is followed
// by the next poll. Polls do not draw on the retry budget. To fail with the first such error,
// pass [WithMaxRetries] with 0.
func (e *Execution[Out]) Wait(ctx context.Context, options ...Option) (Out, error) {
	fakeHas("ExecutionCalls.Wait", e.calls.Wait != nil)
	return e.calls.Wait(ctx, options...)
}

// Pauses lists the pauses of the run, oldest first. At most one is [PauseWaiting].
func (e *Execution[Out]) Pauses(ctx context.Context, options ...Option) ([]*Pause, error) {
	fakeHas("ExecutionCalls.Pauses", e.calls.Pauses != nil)
	return e.calls.Pauses(ctx, options...)
}

// Resume decides on a pause of the run, which then continues. The first decision
// wins; AlreadyResumed is true for a later one. The Code of an error says why a decision was
// refused: invalid_resume_value leaves the pause waiting, pause_not_waiting and
// execution_not_resumable are final.
func (e *Execution[Out]) Resume(ctx context.Context, pauseID string, decision Decision, options ...Option) (*ResumedPause, error) {
	fakeHas("ExecutionCalls.Resume", e.calls.Resume != nil)
	return e.calls.Resume(ctx, pauseID, decision, options...)
}

// Fork starts a run that continues from a checkpoint of this one. If this run has not
// ended, it ends with the status FORKED. App keys cannot fork. The Code of an error is
// execution_not_forkable if the run cannot be continued.
func (e *Execution[Out]) Fork(ctx context.Context, fork Fork, options ...Option) (*Execution[Out], error) {
	fakeHas("ExecutionCalls.Fork", e.calls.Fork != nil)
	return e.calls.Fork(ctx, fork, options...)
}

// Events iterates over the events of the run so far, oldest first, loading pages
// lazily. It ends at the present and does not wait for further events. It stops after
// an error. The timeout applies to each page.
func (e *Execution[Out]) Events(ctx context.Context, filter EventFilter, options ...Option) iter.Seq2[*ExecutionEvent, error] {
	fakeHas("ExecutionCalls.Events", e.calls.Events != nil)
	return e.calls.Events(ctx, filter, options...)
}

// Follow iterates over all events of the run, oldest first and as they happen, until the run
// has ended. It continues across pauses and lost connections, and yields no event twice. An
// event of the type [EventHITLPaused] says that a decision is due. Leaving the loop, or
// canceling ctx, closes the connection.
//
// It stops after an error. Consecutive lost connections are retried like the attempts of a
// call, and a new event resets their count; when the retries are exhausted, the error is
// [ErrStreamInterrupted]. After the first page, they do not draw on the retry budget. The
// timeout applies to each page, and to each connection until it is ready, which takes at most
// ten seconds; only ctx limits the whole loop. With [WithoutTimeout], each page after the first
// is limited by the timeout of [WithAttemptTimeout], or 30 seconds. Where WebSockets are
// blocked, Follow reads the stored events about once a second instead, and tries a WebSocket
// again after each minute.
func (e *Execution[Out]) Follow(ctx context.Context, options ...Option) iter.Seq2[*ExecutionEvent, error] {
	fakeHas("ExecutionCalls.Follow", e.calls.Follow != nil)
	return e.calls.Follow(ctx, options...)
}
