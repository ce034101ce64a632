package svc

import (
	"context"
	"iter"
)

// SplitStream is a stream of a pipeline node whose input and output travel in separate
// requests: one upload, and any number of readers, including ones in other processes. It
// expires after 10 minutes.
type SplitStream[In, Out any] struct {
	id    string
	calls SplitStreamCalls[In, Out]
}

// SplitStreamCalls are the functions behind the methods of a [SplitStream]. A method whose
// function is nil panics with the name of the function.
type SplitStreamCalls[In, Out any] struct {
	Upload func(ctx context.Context, inputs iter.Seq2[In, error], options ...Option) (*Upload, error)
	Output func(ctx context.Context, after string, options ...Option) iter.Seq2[Out, error]
}

// Upload is the result of a complete upload.
type Upload struct {
	// ExecutionID is the id of the execution.
	ExecutionID string
	// InputFrames is the number of messages that the node received, which equals the number
	// sent.
	InputFrames int64
}

// NewSplitStream returns a handle. Clients create their own handles; use NewSplitStream to fake
// one in tests, with the functions that the tests call.
func NewSplitStream[In, Out any](id string, calls SplitStreamCalls[In, Out]) *SplitStream[In, Out] {
	return &SplitStream[In, Out]{id: id, calls: calls}
}

// String names the stream.
func (s *SplitStream[In, Out]) String() string { return "stream " + s.id }

// ID returns the id of the stream. Another process can get a handle from it.
func (s *SplitStream[In, Out]) ID() string { return s.id }

// Upload sends the messages of a source as they are read, and returns when the node has ended
// and its output is stored. The output says whether the node succeeded. A stream takes one
// upload: the error of another one has the status 409. An upload is not retried. If the service
// did not receive all messages, the error is [ErrStreamInterrupted]. The first error of inputs
// ends the upload and is the error of the call.
//
// A separate goroutine reads inputs, and a panic there is raised again by the call, as an
// [*InputPanic]. If the call ends first, inputs is stopped at its next message; if it blocks,
// it can outlast the call.
func (s *SplitStream[In, Out]) Upload(ctx context.Context, inputs iter.Seq2[In, error], options ...Option) (*Upload, error) {
	fakeHas("SplitStreamCalls.Upload", s.calls.Upload != nil)
	return s.calls.Upload(ctx, inputs, options...)
}

// Output iterates over the output from its beginning, as it is stored, until its last message.
// After a lost connection, it resumes where it stopped; consecutive lost connections without a
// message in between count as attempts of one call. The error is [ErrNodeFailed] if the node
// failed, and [ErrStreamInterrupted] if the stream could not be read to its end. Leaving the
// loop closes the connection, not the stream.
func (s *SplitStream[In, Out]) Output(ctx context.Context, options ...Option) iter.Seq2[Out, error] {
	fakeHas("SplitStreamCalls.Output", s.calls.Output != nil)
	return s.calls.Output(ctx, "", options...)
}

// OutputAfter iterates over the output after an event of the stream, as Output does. The
// [WithResponse] option of a loop stores the id of its last message in LastEventID.
func (s *SplitStream[In, Out]) OutputAfter(ctx context.Context, id string, options ...Option) iter.Seq2[Out, error] {
	fakeHas("SplitStreamCalls.Output", s.calls.Output != nil)
	return s.calls.Output(ctx, id, options...)
}
