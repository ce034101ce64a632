package calls

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"slices"

	"github.com/coder/websocket"

	"svc.runtime/svc"
)

const followPath = "/invocations/v1/debug-stream?session_id="

// Follow yields the events of the run until its last one: the stored ones, then those
// of a socket. After a lost connection it begins where it was.
func (e *execution[Out]) Follow(ctx context.Context, options ...svc.Option) iter.Seq2[*svc.ExecutionEvent, error] {
	return func(yield func(*svc.ExecutionEvent, error) bool) {
		follower := &follower[Out]{execution: e, ctx: ctx, options: options, yield: yield, seen: map[string]bool{}}
		if err := follower.run(); err != nil {
			yield(nil, err)
		}
	}
}

// follower follows one run.
type follower[Out any] struct {
	execution *execution[Out]
	ctx       context.Context
	options   []svc.Option
	yield     func(*svc.ExecutionEvent, error) bool
	// call has the configuration of the requests, and no deadline.
	call *call
	// seen has the ids of the events that were yielded.
	seen map[string]bool
	// cursor is where the last page began, or "".
	cursor string
	// hasRead is true once all pages have been read.
	hasRead bool
	// isOver is true once the run has ended, or the caller has stopped.
	isOver bool
}

// run follows until the run has ended. Connections that are lost one after the other,
// without an event in between, count as the attempts of one call.
func (f *follower[Out]) run() error {
	call, end, err := f.execution.begin(f.ctx, append(slices.Clone(f.options), svc.WithoutTimeout()))
	if err != nil {
		return err
	}
	defer end()
	f.call = call
	connect := &request{method: http.MethodGet, path: followPath + f.execution.id}
	for retries, known := 0, 0; ; known = len(f.seen) {
		if err := f.readPages(); err != nil || f.isOver {
			return err
		}
		lost, err := f.listen(connect)
		if err != nil || f.isOver {
			return err
		}
		if len(f.seen) > known {
			retries = 0
		}
		delay, again := call.nextDelay(connect, lost, &retries)
		if !again {
			return call.described(lost, connect)
		}
		if failure := call.sleep(delay); failure != nil {
			return call.described(failure, connect)
		}
	}
}

// readPages yields what is stored from the last page on.
func (f *follower[Out]) readPages() error {
	for {
		page, err := f.execution.eventPage(f.ctx, svc.EventFilter{}, f.cursor, f.options)
		if err != nil {
			return err
		}
		for _, event := range page.events {
			if f.take(event, !f.hasRead); f.isOver {
				return nil
			}
		}
		if page.nextCursor == "" {
			f.hasRead = true
			return nil
		}
		f.cursor = page.nextCursor
	}
}

// listen yields the events of a socket. It returns why the connection was lost, unless
// the run is over.
func (f *follower[Out]) listen(connect *request) (lost *svc.APIError, err error) {
	socket, err := f.connect(connect)
	if err != nil {
		return nil, err
	}
	defer socket.close()
	for !f.isOver {
		message, err := socket.read(f.ctx)
		if err != nil {
			return f.interruption(err)
		}
		if event := readEvent(message); event != nil {
			f.take(event, false)
		}
	}
	return nil, nil
}

// connect opens the socket. The timeout of the call ends with the handshake.
func (f *follower[Out]) connect(connect *request) (*socket, error) {
	call, end, err := f.execution.begin(f.ctx, f.options)
	if err != nil {
		return nil, err
	}
	defer end()
	connect.socket = &socket{}
	if _, err := call.exchange(connect); err != nil {
		return nil, err
	}
	return connect.socket, nil
}

// take yields an event unless it is known. An event without an id is older than ids, so
// that only the first reading of the pages has it.
func (f *follower[Out]) take(event *svc.ExecutionEvent, isFirstReading bool) {
	if f.seen[event.ULID] || event.ULID == "" && !isFirstReading {
		return
	}
	if event.ULID != "" {
		f.seen[event.ULID] = true
	}
	goesOn := f.yield(event, nil)
	f.isOver = !goesOn || event.Type == "FLOW_COMPLETED" || event.Type == "FLOW_FAILED"
}

// interruption explains the end of a socket: the end of the run, of the context, or a
// lost connection.
func (f *follower[Out]) interruption(err error) (lost *svc.APIError, failure error) {
	if ending := f.call.ending(f.ctx); ending != nil {
		ending.ExecutionID = f.execution.id
		return nil, ending
	}
	if websocket.CloseStatus(err) == websocket.StatusNormalClosure {
		f.isOver = true
		return nil, nil
	}
	err = f.call.APIKey.RedactError(err)
	return &svc.APIError{
		Kind:    svc.ErrStreamInterrupted,
		Message: fmt.Sprintf("the events were cut off: %v", err),
		Err:     err,
	}, nil
}
