package calls

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"net/url"
	"strings"
	"time"

	"svc.runtime/internal/config"
	"svc.runtime/internal/protojson"
	"svc.runtime/svc"
)

const (
	nodesPath   = "/invocations/v1/nodes/"
	streamsPath = nodesPath + "streams"
)

// CreateSplit creates a stream of a pipeline node.
func (n *Node[In, Out]) CreateSplit(ctx context.Context, connection *Connection, options []svc.Option) (*svc.SplitStream[In, Out], error) {
	call, end, err := connection.begin(ctx, options)
	if err != nil {
		return nil, err
	}
	defer end()
	ref, err := url.PathUnescape(strings.TrimPrefix(n.path, nodesPath))
	if err != nil {
		return nil, configurationError("the path of the node is malformed")
	}
	body := append(protojson.AppendString([]byte(`{"node_ref":`), ref), '}')
	response, err := call.post(streamsPath, func(time.Duration) []byte { return body })
	if err != nil {
		return nil, err
	}
	fields, err := objectOf(response)
	if err != nil {
		return nil, err
	}
	id := fields.text("stream_id")
	if !isStreamID(id) {
		return nil, invalidResponse(response, "stream_id is missing or malformed", nil)
	}
	return n.Split(connection, id), nil
}

// Split returns a handle to a stream by its id. It sends no request.
func (n *Node[In, Out]) Split(connection *Connection, id string) *svc.SplitStream[In, Out] {
	split := &split[In, Out]{node: n, connection: connection, id: id}
	return svc.NewSplitStream(id, svc.SplitStreamCalls[In, Out]{Upload: split.Upload, Output: split.Output})
}

// split makes the calls of an svc.SplitStream.
type split[In, Out any] struct {
	node       *Node[In, Out]
	connection *Connection
	id         string
}

// begin starts a call. It rejects malformed ids.
func (s *split[In, Out]) begin(ctx context.Context, options []svc.Option) (*call, context.CancelFunc, error) {
	if !isStreamID(s.id) {
		return nil, nil, &svc.APIError{Kind: svc.ErrMessage, Message: "the id of a stream must be of letters, digits, - and _"}
	}
	return s.connection.beginStream(ctx, options)
}

func isStreamID(id string) bool {
	const allowed = "-_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	return id != "" && strings.Trim(id, allowed) == ""
}

func (s *split[In, Out]) Upload(ctx context.Context, inputs iter.Seq2[In, error], options ...svc.Option) (*svc.Upload, error) {
	lines, err := newInputLines(s.node.input, inputs)
	if err != nil {
		return nil, err
	}
	defer lines.end()
	call, end, err := s.begin(ctx, options)
	if err != nil {
		return nil, err
	}
	defer end()
	// The source can be read only once, so the request cannot be retried.
	call.MaxRetries, call.AttemptTimeout = 0, 0
	response, err := call.exchange(&request{
		method: http.MethodPost, path: streamsPath + "/" + s.id + "/input", createsExecution: true, stream: &openStream{lines: lines, isAnsweredByJSON: true},
	})
	if err := call.inputFailure(lines.err(), err); err != nil {
		return nil, err
	}
	fields, err := objectOf(response)
	if err != nil {
		return nil, err
	}
	if err := checkInput(lines, fields, response); err != nil {
		return nil, err
	}
	return &svc.Upload{ExecutionID: response.ExecutionID, InputFrames: lines.sent()}, nil
}

// Output reads the output after an event. After a lost connection, it resumes after the last
// event received.
func (s *split[In, Out]) Output(ctx context.Context, after string, options ...svc.Option) iter.Seq2[Out, error] {
	return func(yield func(Out, error) bool) {
		var none Out
		call, end, err := s.begin(ctx, options)
		if err != nil {
			yield(none, err)
			return
		}
		defer end()
		if !config.IsVisible(after) {
			yield(none, &svc.APIError{Kind: svc.ErrMessage, Message: "the id of an event must contain only visible ASCII characters"})
			return
		}
		stream := &frameStream[Out]{output: s.node.output, failure: svc.ErrNodeFailed, call: call}
		request := &request{method: http.MethodGet, path: streamsPath + "/" + s.id + "/output"}
		if failure := stream.readThrough(request, after, yield); failure != nil {
			yield(none, call.described(failure, request))
		}
	}
}

// readThrough reads the output until the last frame and reconnects when the connection is lost.
// Consecutive connections without a frame in between count as attempts of one call. Once the
// stream is open, at least leastReconnects of them are retried, and they do not draw on the
// retry budget. After a message without an id of its own, readThrough does not reconnect,
// because the service would repeat the message.
func (s *frameStream[Out]) readThrough(request *request, after string, yield func(Out, error) bool) *svc.APIError {
	lastID, isUnmarked := after, false
	give := func(message Out, err error) bool {
		isUnmarked = s.parser.id == "" || s.parser.id == lastID
		lastID = s.parser.id
		if s.call.Response != nil {
			s.call.Response.LastEventID = lastID
		}
		return yield(message, err)
	}
	for retries := 0; ; {
		request.stream = &openStream{after: after}
		failure := s.readOnce(request, give)
		if failure == nil || isUnmarked {
			return failure
		}
		if s.response != nil {
			s.call.outlast()
			request.isResumed = true
		}
		if last := s.parser.id; last != "" && last != after {
			after, retries = last, 0
		}
		if failure := s.call.waitToRetry(request, failure, &retries); failure != nil {
			return failure
		}
	}
}

// readOnce yields the messages of one response.
func (s *frameStream[Out]) readOnce(request *request, yield func(Out, error) bool) *svc.APIError {
	response, failure := s.call.attempt(request)
	if failure != nil {
		return failure
	}
	s.call.connection.budget.succeeded(request.isRetry)
	if response.Status == http.StatusNoContent {
		return nil
	}
	if request.stream.body == nil {
		return invalidResponse(response, "not an event stream", nil)
	}
	defer request.stream.close()
	s.response = response
	errors.As(s.read(request.stream, yield), &failure)
	return failure
}
