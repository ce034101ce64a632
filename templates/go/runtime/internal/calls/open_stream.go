package calls

import (
	"context"
	"io"
	"mime"
	"net/http"
	"time"

	"svc.runtime/svc"
)

// openStream is what a request for a stream has beyond others.
type openStream struct {
	// lines is the streamed input, or nil.
	lines io.ReadCloser
	// isAnsweredByJSON is true if the response is no event stream.
	isAnsweredByJSON bool
	// after is the id of the last message of an earlier response, or "".
	after string
	// body is the body of the response. It is open after a successful attempt.
	body io.ReadCloser
	// cancel releases the attempt that opened the body.
	cancel context.CancelFunc
}

// close closes the response, if it is open.
func (s *openStream) close() {
	if s != nil && s.body != nil {
		s.cancel()
		_ = s.body.Close()
	}
}

// header sets the headers that differ from those of other requests.
func (s *openStream) header(header http.Header) {
	if !s.isAnsweredByJSON {
		header.Set("Accept", "text/event-stream, application/json")
	}
	if s.lines != nil {
		header.Set("Content-Type", "application/x-ndjson")
	}
	if s.after != "" {
		header.Set("Last-Event-ID", s.after)
	}
}

// sendStream sends the request once and returns the head of its event stream. Another
// response is read as a whole. The timeout of attempts ends with the head.
func (c *call) sendStream(request *request) (*response, *svc.APIError) {
	stream := request.stream
	ctx, cancel := context.WithCancel(c.ctx)
	if stream.lines != nil {
		// A transport reads the input until its end, whatever becomes of the request.
		context.AfterFunc(ctx, func() { _ = stream.lines.Close() })
	}
	stop := func() bool { return true }
	if c.AttemptTimeout > 0 {
		stop = time.AfterFunc(c.AttemptTimeout, cancel).Stop
	}
	incoming, failure := c.do(ctx, request)
	if failure != nil {
		cancel()
		return nil, failure
	}
	if isEventStream(incoming) && !stream.isAnsweredByJSON && stop() {
		stream.body, stream.cancel = incoming.Body, cancel
		return c.responseFrom(request, incoming, nil), nil
	}
	defer cancel()
	return c.readResponse(ctx, request, incoming)
}

func isEventStream(response *http.Response) bool {
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	return response.StatusCode >= 200 && response.StatusCode <= 299 && kind == "text/event-stream"
}
