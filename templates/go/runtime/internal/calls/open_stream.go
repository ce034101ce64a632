package calls

import (
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"sync/atomic"
	"time"

	"svc.runtime/svc"
)

// openStream is the part of a request that is specific to streams.
type openStream struct {
	// lines is the streamed input, or nil.
	lines io.ReadCloser
	// isAnsweredByJSON is true if the response is JSON instead of an event stream.
	isAnsweredByJSON bool
	// after is the id of the last message of an earlier response, or "".
	after string
	// body is the body of the response. It is open after a successful attempt.
	body io.ReadCloser
	// cancel ends the attempt that opened the body.
	cancel context.CancelFunc
	// silence ends the attempt if nothing arrives for too long.
	silence *time.Timer
	// isSilent is true once silence has ended the attempt.
	isSilent atomic.Bool
	// limit is the maximum time without data from the body.
	limit time.Duration
}

// begin takes ownership of the body of a response.
func (s *openStream) begin(body io.ReadCloser, cancel context.CancelFunc) {
	s.body, s.cancel, s.limit = body, cancel, longestSilence
	s.silence = time.AfterFunc(s.limit, func() {
		s.isSilent.Store(true)
		cancel()
	})
	s.silence.Stop()
}

// Read reads from the body.
func (s *openStream) Read(buffer []byte) (int, error) {
	s.silence.Reset(s.limit)
	defer s.silence.Stop()
	count, err := s.body.Read(buffer)
	if err != nil && err != io.EOF && s.isSilent.Load() {
		err = fmt.Errorf("nothing has arrived for %v", s.limit)
	}
	return count, err
}

// close closes the response, if it is open.
func (s *openStream) close() {
	if s != nil && s.body != nil {
		s.cancel()
		_ = s.body.Close()
	}
}

// header sets the headers specific to streams.
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

// sendStream sends the request once and returns the head of its event stream. Any other
// response is read completely. The attempt timeout ends when the head arrives.
func (c *call) sendStream(request *request) (*response, *svc.APIError) {
	stream := request.stream
	ctx, cancel := context.WithCancel(c.ctx)
	if stream.lines != nil {
		// Otherwise, the transport would keep reading the input after the request has ended.
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
		stream.begin(incoming.Body, cancel)
		return c.responseFrom(request, incoming, nil), nil
	}
	defer cancel()
	return c.readResponse(ctx, request, incoming)
}

func isEventStream(response *http.Response) bool {
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	return response.StatusCode >= 200 && response.StatusCode <= 299 && kind == "text/event-stream"
}
