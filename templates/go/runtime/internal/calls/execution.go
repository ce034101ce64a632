package calls

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"svc.runtime/internal/protojson"
	"svc.runtime/svc"
)

// Bounds of the delay between polls of a run.
const (
	firstLook   = 100 * time.Millisecond
	longestLook = 2 * time.Second
	// longestPoll is the timeout of each poll request if attempts have none.
	longestPoll = 30 * time.Second
)

const executionsPath = "/invocations/v1/executions/"

// execution makes the calls of an svc.Execution.
type execution[Out any] struct {
	id         string
	connection *Connection
	output     protojson.Codec[Out]
}

// handle returns the public handle of the execution.
func (e *execution[Out]) handle() *svc.Execution[Out] {
	return svc.NewExecution(e.id, svc.ExecutionCalls[Out]{
		Get:    e.Get,
		Cancel: e.Cancel,
		Wait:   e.Wait,
		Pauses: e.Pauses,
		Resume: e.Resume,
		Fork:   e.Fork,
		Events: e.Events,
		Follow: e.Follow,
	})
}

func (e *execution[Out]) Get(ctx context.Context, options ...svc.Option) (*svc.ExecutionRecord, error) {
	call, end, err := e.begin(ctx, options)
	if err != nil {
		return nil, err
	}
	defer end()
	return e.record(call)
}

func (e *execution[Out]) record(call *call) (*svc.ExecutionRecord, error) {
	response, err := call.get(executionsPath + e.id)
	if err != nil {
		return nil, err
	}
	return readRecord(response)
}

func (e *execution[Out]) Cancel(ctx context.Context, options ...svc.Option) (*svc.ExecutionRecord, error) {
	call, end, err := e.begin(ctx, options)
	if err != nil {
		return nil, err
	}
	defer end()
	response, err := call.post(executionsPath+e.id+"/cancel", nil)
	if err == nil {
		return readRecord(response)
	}
	var failure *svc.APIError
	if errors.As(err, &failure) && failure.Attempts > 1 && failure.Status == http.StatusConflict && strings.EqualFold(failure.Code, "EXECUTION_NOT_CANCELLABLE") {
		// An earlier attempt may have canceled the run although its response was lost.
		if record := e.canceledRecord(call); record != nil {
			return record, nil
		}
	}
	return nil, err
}

// canceledRecord returns the record of the run if it is canceled, or nil.
func (e *execution[Out]) canceledRecord(call *call) *svc.ExecutionRecord {
	record, err := e.record(call)
	if err != nil || record.Status != svc.ExecutionCanceled {
		return nil
	}
	return record
}

func (e *execution[Out]) Wait(ctx context.Context, options ...svc.Option) (Out, error) {
	call, end, err := e.begin(ctx, options)
	if err != nil {
		var none Out
		return none, err
	}
	defer end()
	return e.wait(call)
}

func (e *execution[Out]) Events(ctx context.Context, filter svc.EventFilter, options ...svc.Option) iter.Seq2[*svc.ExecutionEvent, error] {
	return func(yield func(*svc.ExecutionEvent, error) bool) {
		for at := new(position); ; {
			page, err := e.eventPage(ctx, filter, at, options)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, event := range page.events {
				if !yield(event, nil) {
					return
				}
			}
			if !at.advance(page.nextCursor) {
				return
			}
		}
	}
}

// begin starts a call. It rejects malformed ids.
func (e *execution[Out]) begin(ctx context.Context, options []svc.Option) (*call, context.CancelFunc, error) {
	if !isExecutionID(e.id) {
		return nil, nil, &svc.APIError{Kind: svc.ErrMessage, Message: "the execution id must be 32 hexadecimal digits"}
	}
	call, end, err := e.connection.begin(ctx, options)
	if err != nil {
		return nil, nil, err
	}
	call.executionID = e.id
	return call, end, nil
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

func (e *execution[Out]) wait(call *call) (Out, error) {
	call.executionID = e.id
	output, err := e.poll(call)
	var failure *svc.APIError
	if !errors.As(err, &failure) || failure.Kind != svc.ErrTimedOut || call.ctx.Err() == nil {
		return output, err
	}
	late := &svc.APIError{
		Kind:           svc.ErrWaitTimedOut,
		Message:        fmt.Sprintf("execution %s did not end in time and may still be running", e.id),
		Method:         failure.Method,
		Path:           failure.Path,
		ExecutionID:    e.id,
		RequestID:      failure.RequestID,
		Attempts:       failure.Attempts,
		IdempotencyKey: failure.IdempotencyKey,
		Err:            endOf(call.ctx),
	}
	explain(late, call.lostLook)
	return output, late
}

// poll polls the run until it ends or pauses. The run continues during an outage of the
// service, so a transient failure is followed by the next poll, unless retries are disabled. A
// poll request is not retried itself, and it always has an attempt timeout, so that one
// unanswered request cannot use up the whole wait.
func (e *execution[Out]) poll(call *call) (Out, error) {
	isRetrying := call.MaxRetries > 0
	call.MaxRetries = 0
	if call.AttemptTimeout == 0 {
		call.AttemptTimeout = e.connection.longestPoll
	}
	for delay := firstLook; ; delay = min(delay*3/2, longestLook) {
		output, response, err := e.look(call)
		if err == nil && response == nil {
			return output, nil
		}
		interval := jittered(delay)
		if err == nil {
			if failure := call.sleep(interval); failure != nil {
				return output, response.named(failure)
			}
			continue
		}
		var lost *svc.APIError
		if !errors.As(err, &lost) || !isRetrying || !call.mayPass(lost) {
			return output, err
		}
		if lost.RetryAfter != nil {
			interval += *lost.RetryAfter
		}
		call.lostLook = lost
		look := &request{method: lost.Method, path: lost.Path, attempts: lost.Attempts}
		if failure := call.pause(look, lost, interval); failure != nil {
			return output, call.described(failure, look)
		}
	}
}

// jittered returns a random delay between half of the given delay and all of it.
func jittered(delay time.Duration) time.Duration { return delay/2 + rand.N(delay/2) }

// look returns the output of the run, or the response if the run has not ended.
func (e *execution[Out]) look(call *call) (output Out, running *response, err error) {
	response, err := call.get(executionsPath + e.id)
	if err != nil {
		return output, nil, err
	}
	record, err := readRecord(response)
	if err != nil {
		return output, nil, err
	}
	if record.HasEnded() {
		output, err = e.result(call, record, response)
		return output, nil, err
	}
	if record.PauseID != "" {
		return output, nil, pausedFailure(record.PauseID, response)
	}
	return output, response, nil
}

// result reads the result of an ended run from its final event. response is the response that
// contains the record.
func (e *execution[Out]) result(call *call, record *svc.ExecutionRecord, response *response) (Out, error) {
	var none Out
	filter := svc.EventFilter{Types: []svc.EventType{svc.EventFlowCompleted, svc.EventFlowFailed}}
	for at := new(position); ; {
		page, err := e.readPage(call, filter, at)
		if err != nil {
			return none, err
		}
		for _, event := range page.events {
			switch event.Type {
			case svc.EventFlowCompleted:
				return e.read(event.Output, page.response)
			case svc.EventFlowFailed:
				return none, flowFailure(event.ErrorMessage, page.response)
			}
		}
		if !at.advance(page.nextCursor) {
			return none, invalidResponse(page.response, "the events of execution "+e.id+" have no final event", nil)
		}
	}
}

func (e *execution[Out]) read(output json.RawMessage, response *response) (Out, error) {
	if output == nil {
		var none Out
		return none, invalidResponse(response, "output is missing", nil)
	}
	return readOutput(e.output, output, response)
}

func (e *execution[Out]) eventPage(ctx context.Context, filter svc.EventFilter, at *position, options []svc.Option) (*eventPage, error) {
	call, end, err := e.begin(ctx, options)
	if err != nil {
		return nil, err
	}
	defer end()
	return e.readPage(call, filter, at)
}

func (e *execution[Out]) readPage(call *call, filter svc.EventFilter, at *position) (*eventPage, error) {
	response, err := call.get(executionsPath + e.id + "/events?" + eventQuery(filter, at.cursor))
	if err != nil {
		return nil, err
	}
	return readEventPage(response, at)
}
