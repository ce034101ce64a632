package calls

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"svc.runtime/svc"
)

// Open opens a live session, and retries if the connection is lost before the service is ready.
// The timeout applies until then; ctx limits the whole session.
func (n *Node[In, Out]) Open(ctx context.Context, connection *Connection, options []svc.Option) (*svc.Session[In, Out], error) {
	opening, end, err := connection.begin(ctx, options)
	if err != nil {
		return nil, err
	}
	defer end()
	connect := &request{method: http.MethodGet, path: n.path + "/live"}
	for retries := 0; ; {
		calls, failure := n.open(ctx, opening, connect)
		if failure == nil {
			connection.budget.succeeded(connect.isRetry)
			return svc.NewSession(*calls), nil
		}
		if failure := opening.waitToRetry(connect, failure, &retries); failure != nil {
			return nil, opening.described(failure, connect)
		}
	}
}

// open makes one attempt to open a session.
func (n *Node[In, Out]) open(ctx context.Context, opening *call, connect *request) (*svc.SessionCalls[In, Out], *svc.APIError) {
	connect.socket = &socket{}
	response, failure := opening.attempt(connect)
	if failure != nil {
		return nil, failure
	}
	own, end := context.WithCancel(ctx)
	call := &call{Config: opening.Config, connection: opening.connection, ctx: own}
	opened := connect.socket
	session := &session[In, Out]{
		node: n, call: call, socket: opened, reading: make(turn, 1), sending: make(turn, 1),
		stream: frameStream[Out]{output: n.output, failure: svc.ErrNodeFailed, call: call, response: response},
	}
	session.end = sync.OnceFunc(func() {
		end()
		opened.close()
	})
	calls, err := session.ready(opening)
	if errors.As(err, &failure) {
		session.end()
		session.log(failure)
		return nil, failure
	}
	session.pump = opened.pump(own)
	return calls, nil
}

// session is a live session.
type session[In, Out any] struct {
	node   *Node[In, Out]
	call   *call
	socket *socket
	limits svc.SessionLimits
	pump   *pump
	end    func()
	// logging ensures that the failure of the session is logged once.
	logging sync.Once
	// isClosed is true once the caller has closed the session.
	isClosed atomic.Bool
	// isComplete is true once the last frame has arrived without an error.
	isComplete atomic.Bool
	// failure is the error of the frame that ended the session.
	failure atomic.Pointer[error]
	// stream reads the frames. reading guards it.
	stream  frameStream[Out]
	reading turn
	// sending guards sent, the number of messages sent.
	sending turn
	sent    int64
	// sendContext is the context of the Send that is writing, or of the Send that cut off the
	// session when its context ended, or nil.
	sendContext atomic.Pointer[context.Context]
}

// turn is a mutex whose waiters stop waiting when a context ends. Its capacity is 1.
type turn chan struct{}

// take locks the turn. It reports false if the context of the caller has ended, or if the
// context of the session ends while it waits.
func (t turn) take(ctx, session context.Context) bool {
	if ctx.Err() != nil {
		return false
	}
	select {
	case t <- struct{}{}:
		return true
	default:
	}
	select {
	case t <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	case <-session.Done():
		return false
	}
}

func (t turn) leave() { <-t }

// ready waits until the service is ready and returns the calls of the session.
func (s *session[In, Out]) ready(opening *call) (*svc.SessionCalls[In, Out], error) {
	ctx, end := opening.readyContext(s.socket)
	defer end()
	message, err := s.socket.read(ctx)
	if err != nil {
		if failure := opening.ending(ctx); failure != nil {
			return nil, failure
		}
		return nil, s.interruption(err)
	}
	response := s.stream.frameResponse(message)
	fields, err := objectOf(response)
	if err != nil {
		return nil, err
	}
	// The id is not written again, so the errors of concurrent calls can read it.
	s.stream.response.ExecutionID = fields.text("execution_id")
	if fields.text("type") != "SESSION_READY" || s.stream.response.ExecutionID == "" {
		return nil, invalidResponse(response, "the session does not begin with SESSION_READY", nil)
	}
	s.limits = readLimits(fields["limits"])
	return &svc.SessionCalls[In, Out]{
		ExecutionID: s.stream.response.ExecutionID,
		Limits:      s.limits,
		Send:        s.Send,
		Messages:    s.Messages,
		Close:       s.Close,
	}, nil
}

func readLimits(data json.RawMessage) svc.SessionLimits {
	var limits struct {
		InputFrameBytes int64 `json:"input_frame_bytes"`
		InputBytes      int64 `json:"input_bytes"`
		InputFrames     int64 `json:"input_frames"`
		OutputBytes     int64 `json:"output_bytes"`
		SessionSeconds  int64 `json:"session_seconds"`
		StallSeconds    int64 `json:"stall_seconds"`
	}
	// Malformed limits are treated as absent.
	_ = json.Unmarshal(data, &limits)
	return svc.SessionLimits{
		InputMessageBytes: limits.InputFrameBytes,
		InputBytes:        limits.InputBytes,
		InputMessages:     limits.InputFrames,
		OutputBytes:       limits.OutputBytes,
		Duration:          time.Duration(limits.SessionSeconds) * time.Second,
		Stall:             time.Duration(limits.StallSeconds) * time.Second,
	}
}

func (s *session[In, Out]) Send(ctx context.Context, input In) error {
	if !s.sending.take(ctx, s.call.ctx) {
		return s.waitFailure(ctx, "sending")
	}
	defer s.sending.leave()
	if err := s.call.ctx.Err(); err != nil || s.isComplete.Load() {
		return s.interruption(err)
	}
	data, err := s.node.input.Marshal(input)
	if size, limit := int64(len(data)), s.limits.InputMessageBytes; err == nil && limit > 0 && size > limit {
		err = &svc.APIError{Kind: svc.ErrMessage, Message: fmt.Sprintf("%d bytes of JSON; the service takes %d", size, limit)}
	}
	if err != nil {
		return namingInput(err, s.sent)
	}
	if ctx.Err() != nil {
		return s.waitFailure(ctx, "sending")
	}
	isFirst := s.sendContext.CompareAndSwap(nil, &ctx)
	err = s.socket.conn.Write(ctx, websocket.MessageText, data)
	if err == nil || isFirst && ctx.Err() == nil {
		s.sendContext.Store(nil)
	}
	if err != nil {
		return s.sendFailure(ctx, err)
	}
	s.sent++
	return nil
}

// sendFailure returns the error for a message that could not be sent. The reason why the
// session ended says more than the failed write.
func (s *session[In, Out]) sendFailure(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return s.waitFailure(ctx, "sending")
	}
	select {
	case <-ctx.Done():
		return s.waitFailure(ctx, "sending")
	case <-s.pump.ended:
		return s.interruption(s.pump.lost)
	case <-time.After(time.Second):
		// The pump still holds a frame that nothing reads, so the reason behind it is unknown.
		return s.interruption(err)
	}
}

// waitFailure returns the error of sending or receiving after the context of the caller or of
// the session has ended. The end of the session takes precedence.
func (s *session[In, Out]) waitFailure(ctx context.Context, work string) error {
	if err := s.call.ctx.Err(); err != nil {
		return s.interruption(err)
	}
	return s.contextFailure(ctx, work)
}

// contextFailure returns the error for a context that ended before sending or receiving
// completed.
func (s *session[In, Out]) contextFailure(ctx context.Context, work string) error {
	response := s.stream.response
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return response.failure(svc.ErrTimedOut, work+" did not complete within its timeout"+response.runAndRequest(), endOf(ctx))
	}
	return response.failure(svc.ErrCanceled, work+" was canceled"+response.runAndRequest(), endOf(ctx))
}

func (s *session[In, Out]) Messages(ctx context.Context) iter.Seq2[Out, error] {
	return func(yield func(Out, error) bool) {
		var none Out
		if !s.reading.take(ctx, s.call.ctx) {
			if !s.isLeft() {
				yield(none, s.waitFailure(ctx, "receiving"))
			}
			return
		}
		defer s.reading.leave()
		if failure := s.failure.Load(); failure != nil {
			yield(none, *failure)
			return
		}
		for !s.stream.isEnded {
			frame, err := s.receive(ctx)
			if err != nil {
				yield(none, err)
			}
			if frame == nil {
				return
			}
			message, isMessage, err := s.stream.frame(frame)
			if err == nil && s.stream.isEnded {
				err = s.stream.checkEnd(frame)
			}
			if err != nil {
				s.failure.Store(&err)
				s.log(err)
				s.end()
			} else if s.stream.isEnded {
				s.isComplete.Store(true)
			}
			if isMessage && !yield(message, nil) {
				return
			}
			if err != nil {
				yield(none, err)
				return
			}
		}
	}
}

// receive waits for a frame. It returns nil after Close.
func (s *session[In, Out]) receive(ctx context.Context) ([]byte, error) {
	if ctx.Err() != nil {
		return nil, s.contextFailure(ctx, "receiving")
	}
	select {
	case frame := <-s.pump.messages:
		return frame, nil
	case <-ctx.Done():
		return nil, s.contextFailure(ctx, "receiving")
	case <-s.pump.ended:
	}
	if s.isLeft() {
		return nil, nil
	}
	return nil, s.interruption(s.pump.lost)
}

// isLeft reports whether the caller closed the session before it failed.
func (s *session[In, Out]) isLeft() bool { return s.isClosed.Load() && s.failure.Load() == nil }

func (s *session[In, Out]) Close() error {
	s.isClosed.Store(true)
	s.end()
	return nil
}

// interruption returns the error for a session that can no longer send or receive.
func (s *session[In, Out]) interruption(err error) error {
	response := s.stream.response
	if failure := s.failure.Load(); failure != nil {
		return *failure
	}
	if s.isClosed.Load() {
		return response.failure(svc.ErrStreamInterrupted, "the session is closed"+response.runAndRequest(), nil)
	}
	if s.isComplete.Load() {
		return response.failure(svc.ErrStreamInterrupted, "the session has ended"+response.runAndRequest(), nil)
	}
	failure := s.call.ending(s.call.ctx)
	if failure != nil {
		failure = response.named(failure)
	} else if failure = s.socket.messageTooLong(err); failure == nil {
		reason := closeReason(err)
		if sending := s.sendContext.Load(); sending != nil && (*sending).Err() != nil {
			reason = "the context of a Send ended before the message was sent"
		}
		failure = response.failure(svc.ErrStreamInterrupted, "the session was cut off: "+reason+response.runAndRequest(), err)
	}
	s.log(failure)
	return failure
}

// log logs the failure of the session.
func (s *session[In, Out]) log(failure error) {
	s.logging.Do(func() { s.call.logStream(s.stream.response, failure) })
}
