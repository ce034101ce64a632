package svc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"time"
)

// Bounds of the delay between polls of a run.
const (
	firstLook   = 100 * time.Millisecond
	longestLook = 2 * time.Second
)

const executionsPath = "/invocations/v1/executions/"

// Execution is a handle to a run of a flow, created by starting the flow or from the
// id of an earlier run.
type Execution[Out any] struct {
	id         string
	connection *Connection
	output     Codec[Out]
}

// ID returns the execution id.
func (e *Execution[Out]) ID() string { return e.id }

// Get retrieves the current state of the run.
func (e *Execution[Out]) Get(ctx context.Context, options ...Option) (*ExecutionRecord, error) {
	call, end, err := e.begin(ctx, options)
	if err != nil {
		return nil, err
	}
	defer end()
	record, _, err := e.get(call)
	return record, err
}

// Wait waits for the run to end and returns its output. The error is [ErrFlowFailed]
// if the run failed or was cancelled, and [ErrWaitTimedOut] if it did not end in
// time. The run then continues.
func (e *Execution[Out]) Wait(ctx context.Context, options ...Option) (Out, error) {
	call, end, err := e.begin(ctx, options)
	if err != nil {
		var none Out
		return none, err
	}
	defer end()
	return e.wait(call)
}

// Events iterates over the events of the run so far, oldest first, loading pages
// lazily. It stops after an error.
func (e *Execution[Out]) Events(ctx context.Context, filter EventFilter, options ...Option) iter.Seq2[*ExecutionEvent, error] {
	return func(yield func(*ExecutionEvent, error) bool) {
		for cursor := ""; ; {
			page, err := e.eventPage(ctx, filter, cursor, options)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, event := range page.events {
				if !yield(event, nil) {
					return
				}
			}
			if cursor = page.nextCursor; cursor == "" {
				return
			}
		}
	}
}

// begin starts a call. It rejects malformed ids.
func (e *Execution[Out]) begin(ctx context.Context, options []Option) (*call, context.CancelFunc, error) {
	if !isExecutionID(e.id) {
		return nil, nil, &APIError{Kind: ErrMessage, Message: "the execution id must be 32 hexadecimal digits"}
	}
	return e.connection.begin(ctx, options)
}

func isExecutionID(id string) bool {
	for _, char := range []byte(id) {
		isDigit := '0' <= char && char <= '9' || 'a' <= char && char <= 'f' || 'A' <= char && char <= 'F'
		if !isDigit {
			return false
		}
	}
	return len(id) == 32
}

func (e *Execution[Out]) get(call *call) (*ExecutionRecord, *Response, error) {
	answer, err := call.get(executionsPath + e.id)
	if err != nil {
		return nil, nil, err
	}
	record, err := readRecord(answer)
	return record, answer, err
}

func (e *Execution[Out]) wait(call *call) (Out, error) {
	output, err := e.poll(call)
	if err == nil || !errors.Is(err, ErrTimedOut) {
		return output, err
	}
	return output, &APIError{
		Kind:        ErrWaitTimedOut,
		Message:     fmt.Sprintf("execution %s did not end in time; it continues to run", e.id),
		ExecutionID: e.id,
		Err:         errors.Unwrap(err),
	}
}

// poll polls the run until it ends.
func (e *Execution[Out]) poll(call *call) (Out, error) {
	var none Out
	for delay := firstLook; ; delay = min(delay*3/2, longestLook) {
		record, _, err := e.get(call)
		if err != nil {
			return none, err
		}
		if record.HasEnded() {
			return e.result(call, record)
		}
		if failure := call.sleep(delay/2 + rand.N(delay/2)); failure != nil {
			return none, failure
		}
	}
}

// result reads the result of an ended run from its final event.
func (e *Execution[Out]) result(call *call, record *ExecutionRecord) (Out, error) {
	var none Out
	if record.Status == "FORKED" {
		return none, &APIError{
			Kind:        ErrFlowFailed,
			Message:     fmt.Sprintf("execution %s was forked", e.id),
			ExecutionID: e.id,
		}
	}
	filter := EventFilter{Types: []string{"FLOW_COMPLETED", "FLOW_FAILED"}}
	for cursor := ""; ; {
		page, err := e.readPage(call, filter, cursor)
		if err != nil {
			return none, err
		}
		for _, event := range page.events {
			switch event.Type {
			case "FLOW_COMPLETED":
				return e.read(event.Output, page.answer)
			case "FLOW_FAILED":
				return none, flowFailure(event.text("error"), e.id, page.answer)
			}
		}
		if cursor = page.nextCursor; cursor == "" {
			return none, &APIError{
				Kind:        ErrInvalidAnswer,
				Message:     fmt.Sprintf("the events of execution %s have no final event", e.id),
				ExecutionID: e.id,
			}
		}
	}
}

func (e *Execution[Out]) read(output json.RawMessage, answer *Response) (Out, error) {
	if output == nil {
		var none Out
		return none, invalidAnswer(answer, "output is missing", nil)
	}
	return readOutput(e.output, output, answer)
}

func (e *Execution[Out]) eventPage(ctx context.Context, filter EventFilter, cursor string, options []Option) (*eventPage, error) {
	call, end, err := e.begin(ctx, options)
	if err != nil {
		return nil, err
	}
	defer end()
	return e.readPage(call, filter, cursor)
}

func (e *Execution[Out]) readPage(call *call, filter EventFilter, cursor string) (*eventPage, error) {
	answer, err := call.get(executionsPath + e.id + "/events?" + filter.query(cursor))
	if err != nil {
		return nil, err
	}
	return readEventPage(answer)
}
