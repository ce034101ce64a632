package svc

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// Flow is a compiled flow and what it takes and gives. Generated clients run it.
type Flow[In, Out any] struct {
	graphID string
	input   Codec[In]
	output  Codec[Out]
}

// NewFlow describes a flow by the id of its graph.
func NewFlow[In, Out any](graphID string, input Codec[In], output Codec[Out]) *Flow[In, Out] {
	return &Flow[In, Out]{graphID: graphID, input: input, output: output}
}

const (
	invokePath = "/invocations/v1/flows/invoke"
	warmPath   = "/invocations/v1/flows/warm"
)

// longestWait is how long one request may wait for the end of a run: shorter than
// proxies let a connection stay silent. The run is looked at from then on.
const longestWait = 50 * time.Second

// Run runs the flow and waits for its output.
func (f *Flow[In, Out]) Run(ctx context.Context, connection *Connection, input In, options []Option) (Out, error) {
	var none Out
	opening, err := f.opening(input)
	if err != nil {
		return none, err
	}
	call, end, err := connection.begin(ctx, options)
	if err != nil {
		return none, err
	}
	defer end()
	answer, err := call.post(invokePath, func() []byte {
		return fmt.Appendf(bytes.Clone(opening), `,"wait":true,"timeout_seconds":%d}`, waitSeconds(call.timeLeft()))
	})
	if err != nil {
		return none, err
	}
	fields, execution, err := f.executionOf(connection, answer)
	if err != nil {
		return none, err
	}
	var result object
	if json.Unmarshal(fields["result"], &result) == nil && result != nil {
		if string(result["success"]) != "true" {
			return none, flowFailure(result.text("error_message"), execution.id, answer)
		}
		return execution.read(result["output"], answer)
	}
	if fields.text("execution_status") == "PAUSED" {
		return none, &APIError{
			Kind:        ErrFlowPaused,
			Message:     fmt.Sprintf("execution %s waits for a decision", execution.id),
			Status:      answer.Status,
			Header:      answer.Header,
			Body:        answer.Body,
			ExecutionID: execution.id,
			PauseID:     fields.text("pause_id"),
		}
	}
	return execution.wait(call)
}

// Start starts the flow and does not wait for it.
func (f *Flow[In, Out]) Start(ctx context.Context, connection *Connection, input In, options []Option) (*Execution[Out], error) {
	opening, err := f.opening(input)
	if err != nil {
		return nil, err
	}
	call, end, err := connection.begin(ctx, options)
	if err != nil {
		return nil, err
	}
	defer end()
	answer, err := call.post(invokePath, func() []byte { return append(bytes.Clone(opening), '}') })
	if err != nil {
		return nil, err
	}
	_, execution, err := f.executionOf(connection, answer)
	return execution, err
}

// Execution finds a run of the flow by its id. It sends nothing.
func (f *Flow[In, Out]) Execution(connection *Connection, id string) *Execution[Out] {
	return &Execution[Out]{id: id, connection: connection, output: f.output}
}

// Warm gets the flow ready to run without running it.
func (f *Flow[In, Out]) Warm(ctx context.Context, connection *Connection, options []Option) error {
	call, end, err := connection.begin(ctx, options)
	if err != nil {
		return err
	}
	defer end()
	body := fmt.Appendf(nil, `{"graph_id":%s}`, appendString(nil, f.graphID))
	_, err = call.post(warmPath, func() []byte { return body })
	return err
}

// opening writes the request up to the fields that say how to wait.
func (f *Flow[In, Out]) opening(input In) ([]byte, error) {
	data, err := f.input.Marshal(input)
	if err != nil {
		return nil, err
	}
	opening := appendString([]byte(`{"graph_id":`), f.graphID)
	opening = append(opening, `,"input":`...)
	return append(opening, data...), nil
}

func (f *Flow[In, Out]) executionOf(connection *Connection, answer *Response) (object, *Execution[Out], error) {
	fields, err := objectOf(answer)
	if err != nil {
		return nil, nil, err
	}
	id, err := requiredText(fields, "execution_id", answer)
	if err != nil {
		return nil, nil, err
	}
	if !isExecutionID(id) {
		return nil, nil, invalidAnswer(answer, "its execution_id is none", nil)
	}
	return fields, f.Execution(connection, id), nil
}

// waitSeconds leaves a second for the way back, so that the answer to a wait
// arrives.
func waitSeconds(left time.Duration) int {
	return max(1, int(min(left/time.Second-1, longestWait/time.Second)))
}

// flowFailure is the failure of a run that failed, in the run's own words.
func flowFailure(reason, executionID string, answer *Response) *APIError {
	if reason == "" {
		reason = "the flow gave no reason"
	}
	return &APIError{
		Kind:        ErrFlowFailed,
		Message:     reason + " (execution " + executionID + ")",
		Status:      answer.Status,
		Header:      answer.Header,
		Body:        answer.Body,
		ExecutionID: executionID,
	}
}
