package calls

import (
	"context"
	"net/http"
	"time"
	"unicode/utf8"

	"svc.runtime/internal/protojson"
	"svc.runtime/svc"
)

func (e *execution[Out]) Fork(ctx context.Context, fork svc.Fork, options ...svc.Option) (*svc.Execution[Out], error) {
	body, err := forkBody(fork)
	if err != nil {
		return nil, err
	}
	call, end, err := e.begin(ctx, options)
	if err != nil {
		return nil, err
	}
	defer end()
	response, err := call.exchange(&request{
		method: http.MethodPost, path: executionsPath + e.id + "/fork",
		body: func(time.Duration) []byte { return body }, createsExecution: true,
	})
	if err != nil {
		return nil, err
	}
	fields, err := objectOf(response)
	if err != nil {
		return nil, err
	}
	id, err := executionIDIn(fields, response)
	if err != nil {
		return nil, err
	}
	forked := &execution[Out]{id: id, connection: e.connection, output: e.output}
	return forked.handle(), nil
}

// forkBody encodes the request that forks a run.
func forkBody(fork svc.Fork) ([]byte, error) {
	if !utf8.ValidString(fork.CheckpointID) {
		return nil, &svc.APIError{Kind: svc.ErrMessage, Message: "the id of the checkpoint is not valid UTF-8"}
	}
	body, separator := []byte("{"), ""
	if fork.CheckpointID != "" {
		body = protojson.AppendString(append(body, `"checkpoint_id":`...), fork.CheckpointID)
		separator = ","
	}
	input, err := decisionValue(fork.Input)
	if err != nil {
		return nil, err
	}
	if input != nil {
		name := "input"
		if _, isBytes := fork.Input.([]byte); isBytes {
			name = "payload"
		}
		body = append(append(body, separator+`"`+name+`":`...), input...)
	}
	return append(body, '}'), nil
}
