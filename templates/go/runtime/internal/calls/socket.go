package calls

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"svc.runtime/internal/config"
	"svc.runtime/svc"
)

// longestSilence is how long a connection may be silent before it counts as lost. In this time,
// the service pings sockets three times and sends six comments in streams.
const longestSilence = 90 * time.Second

// socket is a WebSocket with the service.
type socket struct {
	conn *websocket.Conn
	// response is the response to the handshake.
	response *response
	// silence closes the connection if it is silent for too long.
	silence *time.Timer
	// isSilent is true once silence has closed the connection.
	isSilent atomic.Bool
	// limit is the maximum time without a ping or a message.
	limit time.Duration
	// deadline is the end of the attempt, which includes the first message, or zero if attempts
	// have no timeout.
	deadline time.Time
}

// isOpen reports whether the handshake has succeeded.
func (s *socket) isOpen() bool { return s != nil && s.conn != nil }

// close closes the connection at once.
func (s *socket) close() { _ = s.conn.CloseNow() }

// read returns the next message. The connection is closed when ctx ends.
func (s *socket) read(ctx context.Context) ([]byte, error) {
	s.silence.Reset(s.limit)
	defer s.silence.Stop()
	_, data, err := s.conn.Read(ctx)
	if err != nil && s.isSilent.Load() {
		err = fmt.Errorf("nothing has arrived for %v", s.limit)
	}
	return data, err
}

// readyContext returns the context for the first message of a socket.
func (c *call) readyContext(socket *socket) (context.Context, context.CancelFunc) {
	if socket.deadline.IsZero() {
		return context.WithCancel(c.ctx)
	}
	return context.WithDeadline(c.ctx, socket.deadline)
}

// pump receives the messages of a socket even while no caller takes them, so that pings are
// answered. It holds at most one message.
type pump struct {
	messages chan []byte
	// ended is closed when the socket has ended. lost then says why.
	ended chan struct{}
	lost  error
}

// pump receives in a goroutine until ctx ends or the socket is closed. It then closes the
// socket, so that no Send keeps waiting.
func (s *socket) pump(ctx context.Context) *pump {
	pump := &pump{messages: make(chan []byte), ended: make(chan struct{})}
	go func() {
		defer close(pump.ended)
		defer s.close()
		for {
			message, err := s.read(ctx)
			if err != nil {
				pump.lost = err
				return
			}
			select {
			case pump.messages <- message:
			case <-ctx.Done():
				pump.lost = ctx.Err()
				return
			}
		}
	}()
	return pump
}

// next waits for a message.
func (p *pump) next() ([]byte, error) {
	select {
	case message := <-p.messages:
		return message, nil
	case <-p.ended:
		return nil, p.lost
	}
}

// messageTooLong returns the error for a message that is too long, or nil if reading failed for
// another reason.
func (s *socket) messageTooLong(err error) *svc.APIError {
	if !errors.Is(err, websocket.ErrMessageTooBig) {
		return nil
	}
	return invalidResponse(s.response, tooLong, err)
}

// closeReason explains why a socket was closed.
func closeReason(err error) string {
	var closed websocket.CloseError
	if errors.As(err, &closed) {
		reason := closed.Reason
		if reason == "" && closed.Code == websocket.StatusMessageTooBig {
			reason = "message too big"
		}
		return strings.TrimRight(fmt.Sprintf("the service closed with %d %s", closed.Code, reason), " ")
	}
	return err.Error()
}

// sendHandshake sends the request once and returns the head of the response if the socket is
// open. Any other response is read completely.
func (c *call) sendHandshake(ctx context.Context, request *request) (*response, *svc.APIError) {
	outgoing, err := c.outgoing(ctx, request)
	if err != nil {
		return nil, configurationError(fmt.Sprintf("cannot send the request: %v", c.APIKey.RedactError(err)))
	}
	opened := request.socket
	refusal := &refusal{}
	conn, incoming, err := dial(ctx, outgoing, refusal.recordedBy(c.HTTP), func() { opened.silence.Reset(opened.limit) })
	switch {
	case err == nil:
		conn.SetReadLimit(longestMessage)
		opened.conn, opened.limit = conn, longestSilence
		if c.AttemptTimeout > 0 {
			opened.deadline, _ = ctx.Deadline()
		}
		opened.silence = time.AfterFunc(opened.limit, func() {
			opened.isSilent.Store(true)
			opened.close()
		})
		opened.silence.Stop()
		opened.response = c.responseFrom(request, incoming, nil)
		return opened.response, nil
	case refusal.response != nil:
		return c.wholeResponse(ctx, c.responseFrom(request, refusal.response, refusal.body), refusal.err)
	case incoming != nil:
		return nil, invalidResponse(c.responseFrom(request, incoming, nil), "not a WebSocket: "+err.Error(), err)
	}
	return nil, c.connectionFailure(ctx, err)
}

// refusal records a response that does not open a socket. The WebSocket library keeps only the
// first bytes of its body.
type refusal struct {
	client   config.HTTPClient
	response *http.Response
	body     []byte
	err      error
}

// recordedBy returns an HTTP client that sends requests with the given one and records a
// refusal.
func (r *refusal) recordedBy(client config.HTTPClient) *http.Client {
	r.client = client
	if own, ok := client.(*http.Client); ok {
		// The client's Timeout would end the open connection.
		unlimited := *own
		unlimited.Timeout = 0
		r.client = &unlimited
	}
	return &http.Client{
		Transport:     r,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// RoundTrip implements http.RoundTripper.
func (r *refusal) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := responseOf(r.client.Do(request))
	if err != nil || response.StatusCode == http.StatusSwitchingProtocols {
		return response, err
	}
	defer func() { _ = response.Body.Close() }()
	r.response = response
	r.body, r.err = io.ReadAll(io.LimitReader(response.Body, longestRefusal))
	recorded := *response
	recorded.Body = io.NopCloser(bytes.NewReader(r.body))
	return &recorded, nil
}
