package calls

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"svc.runtime/internal/protojson"
	"svc.runtime/svc"
)

// Flow describes a compiled flow. Generated clients run it.
type Flow[In, Out any] struct {
	graphID string
	input   protojson.Codec[In]
	output  protojson.Codec[Out]
}

// NewFlow returns the description of a flow with the given graph id.
func NewFlow[In, Out any](graphID string, input protojson.Codec[In], output protojson.Codec[Out]) *Flow[In, Out] {
	return &Flow[In, Out]{graphID: graphID, input: input, output: output}
}

const (
	invokePath = "/invocations/v1/flows/invoke"
	warmPath   = "/invocations/v1/flows/warm"
)

// longestWait is the maximum time that a request waits for a run to end. It is below the idle
// timeout of common proxies. Afterwards, the client polls.
const longestWait = 50 * time.Second

// Run runs the flow and returns its output.
func (f *Flow[In, Out]) Run(ctx context.Context, connection *Connection, input In, options []svc.Option) (Out, error) {
	var none Out
	call, end, err := connection.begin(ctx, options)
	if err != nil {
		return none, err
	}
	defer end()
	opening, err := f.opening(input)
	if err != nil {
		return none, err
	}
	response, err := call.invoke(func(left time.Duration) []byte {
		// A proxy that has cut off a slow response would cut off the next one, too.
		if seconds := waitSeconds(min(left, longestResponse(call.HTTP))); seconds > 0 && call.failedSince.IsZero() {
			return fmt.Appendf(bytes.Clone(opening), `,"wait":true,"timeout_seconds":%d}`, seconds)
		}
		return append(bytes.Clone(opening), '}')
	})
	if err != nil {
		return none, err
	}
	fields, execution, err := f.executionOf(connection, response)
	if err != nil {
		return none, err
	}
	var result object
	if json.Unmarshal(fields["result"], &result) == nil && result != nil {
		if string(result["success"]) != "true" {
			return none, flowFailure(result.text("error_message"), response)
		}
		return execution.read(result["output"], response)
	}
	if fields.text("execution_status") == "PAUSED" {
		return none, pausedFailure(fields.text("pause_id"), response)
	}
	return execution.wait(call)
}

// Start starts the flow without waiting for it to end.
func (f *Flow[In, Out]) Start(ctx context.Context, connection *Connection, input In, options []svc.Option) (*svc.Execution[Out], error) {
	call, end, err := connection.begin(ctx, options)
	if err != nil {
		return nil, err
	}
	defer end()
	opening, err := f.opening(input)
	if err != nil {
		return nil, err
	}
	response, err := call.invoke(func(time.Duration) []byte { return append(bytes.Clone(opening), '}') })
	if err != nil {
		return nil, err
	}
	_, execution, err := f.executionOf(connection, response)
	if err != nil {
		return nil, err
	}
	return execution.handle(), nil
}

// invoke sends the request that creates a run.
func (c *call) invoke(body bodyWriter) (*response, error) {
	return c.exchange(&request{method: http.MethodPost, path: invokePath, body: body, createsExecution: true})
}

// Execution returns a handle to an earlier run by its id. It sends no request.
func (f *Flow[In, Out]) Execution(connection *Connection, id string) *svc.Execution[Out] {
	return f.execution(connection, id).handle()
}

func (f *Flow[In, Out]) execution(connection *Connection, id string) *execution[Out] {
	return &execution[Out]{id: id, connection: connection, output: f.output}
}

// Warm warms up the nodes of the flow without running it.
func (f *Flow[In, Out]) Warm(ctx context.Context, connection *Connection, options []svc.Option) error {
	call, end, err := connection.begin(ctx, options)
	if err != nil {
		return err
	}
	defer end()
	body := fmt.Appendf(nil, `{"graph_id":%s}`, protojson.AppendString(nil, f.graphID))
	_, err = call.post(warmPath, func(time.Duration) []byte { return body })
	return err
}

// opening encodes the beginning of the request body, up to the fields that control waiting.
func (f *Flow[In, Out]) opening(input In) ([]byte, error) {
	data, err := f.input.Marshal(input)
	if err != nil {
		return nil, err
	}
	opening := protojson.AppendString([]byte(`{"graph_id":`), f.graphID)
	opening = append(opening, `,"input":`...)
	return append(opening, data...), nil
}

func (f *Flow[In, Out]) executionOf(connection *Connection, response *response) (object, *execution[Out], error) {
	fields, err := objectOf(response)
	if err != nil {
		return nil, nil, err
	}
	id, err := executionIDIn(fields, response)
	if err != nil {
		return nil, nil, err
	}
	return fields, f.execution(connection, id), nil
}

// executionIDIn returns the id of the run that the response names.
func executionIDIn(fields object, response *response) (string, error) {
	id, err := requiredText(fields, "execution_id", response)
	if err == nil && !isExecutionID(id) {
		nameless := *response
		nameless.ExecutionID = ""
		err = invalidResponse(&nameless, "execution_id is malformed", nil)
	}
	return id, err
}

// waitSeconds returns how many whole seconds the service should wait for the run to end. One
// second is reserved for the response to arrive. If less than two seconds are left, it returns
// 0: the service does not wait, and returns the id of the run at once.
func waitSeconds(left time.Duration) int {
	return max(0, int(min(left/time.Second-1, longestWait/time.Second)))
}

// flowFailure returns the error for a failed run, with the error message of the run.
func flowFailure(reason string, response *response) *svc.APIError {
	if reason == "" {
		reason = "no error message"
	}
	return response.failure(svc.ErrFlowFailed, reason+response.runAndRequest(), nil)
}
