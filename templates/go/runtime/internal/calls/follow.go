package calls

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"slices"
	"time"

	"github.com/coder/websocket"

	"svc.runtime/svc"
)

const (
	followPath = "/invocations/v1/debug-stream?session_id="
	// largestPage is the most events that a page can have.
	largestPage = 1_000
	// leastReconnects is the least number of connections in a row that may be lost, unless
	// retries are turned off. With their delays, the service may be away for about twenty
	// seconds.
	leastReconnects = 8
)

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
	// cursor is where the last page begins, or "".
	cursor string
	// hasBegun is true once a page has been read, hasRead once all have been.
	hasBegun, hasRead bool
	// readySince is when the last socket got ready, or zero if it did not.
	readySince time.Time
	// isClosed is true if the last socket closed as if all were said.
	isClosed bool
	// isOver is true once the run has ended, or the caller has stopped.
	isOver bool
}

// run follows until the run has ended. Connections that are lost one after the other are
// the attempts of one call, unless they gave a new event or were ready for longer than the
// longest delay. They do not draw on the retry budget.
func (f *follower[Out]) run() error {
	call, end, err := f.execution.begin(f.ctx, slices.Concat(f.options, []svc.Option{svc.WithoutTimeout()}))
	if err != nil {
		return err
	}
	defer end()
	if call.MaxRetries > 0 {
		call.MaxRetries = max(call.MaxRetries, leastReconnects)
	}
	f.call = call
	connect := &request{method: http.MethodGet, path: followPath + f.execution.id + "&decode=true"}
	for retries, known := 0, 0; ; known = len(f.seen) {
		f.readySince = time.Time{}
		lost, err := f.attempt(connect)
		if f.isOver || err != nil && !f.isLost(err, &lost) {
			return err
		}
		hasLasted := !f.readySince.IsZero() && time.Since(f.readySince) > call.LongestDelay
		if len(f.seen) > known || hasLasted {
			retries, connect.attempts = 0, 1
		}
		connect.isResumed = true
		if failure := call.waitToRetry(connect, lost, &retries); failure != nil {
			return call.described(failure, connect)
		}
	}
}

// isLost reports whether an error is like a lost connection: once the run is being
// followed, a page or a record that cannot be read for now is.
func (f *follower[Out]) isLost(err error, lost **svc.APIError) bool {
	return f.hasBegun && errors.As(err, lost) && f.call.mayPass(*lost)
}

// attempt reads the pages and listens. It returns why the connection was lost, unless the
// run is over.
func (f *follower[Out]) attempt(connect *request) (lost *svc.APIError, err error) {
	if err := f.readPages(); err != nil || f.isOver {
		return nil, err
	}
	lost, err = f.listen(connect)
	if err != nil || f.isOver {
		return nil, err
	}
	return lost, f.endWithRecord()
}

// endWithRecord ends if the socket closed regularly and the record says that the run has
// ended. It then yields what the socket has kept back: a branch has no final event.
func (f *follower[Out]) endWithRecord() error {
	if !f.isClosed {
		return nil
	}
	record, err := f.execution.Get(f.ctx, f.options...)
	if err != nil || !record.HasEnded() {
		return err
	}
	err = f.readPages()
	f.isOver = f.isOver || err == nil
	return err
}

// readPages yields what is stored from the last page on.
func (f *follower[Out]) readPages() error {
	for {
		page, err := f.execution.eventPage(f.ctx, svc.EventFilter{PageSize: largestPage}, f.cursor, f.options)
		if err != nil {
			return err
		}
		f.hasBegun = true
		for _, event := range page.events {
			if ending := f.call.ending(f.ctx); ending != nil {
				return page.answer.named(ending)
			}
			// One without an id is older than ids, so that the first reading has it.
			if event.ULID == "" && !f.hasRead || !f.knows(event) {
				f.give(event)
			}
			if f.isOver {
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
	f.isClosed = false
	socket, lost, err := f.connect(connect)
	if socket == nil {
		return lost, err
	}
	f.readySince = time.Now()
	defer socket.close()
	ctx, end := context.WithCancel(f.ctx)
	defer end()
	pump := socket.pump(ctx)
	for isFirst := true; !f.isOver; isFirst = false {
		event, lost, err := f.receive(socket, pump.next)
		if event == nil {
			return lost, err
		}
		if f.knows(event) {
			continue
		}
		if isFirst {
			// There may be more between the last page and this event.
			if err := f.readPages(); err != nil || f.isOver {
				return nil, err
			}
		}
		if !f.knows(event) {
			f.give(event)
		}
	}
	return nil, nil
}

// connect opens the socket. The timeout of the call ends when the service is ready.
func (f *follower[Out]) connect(connect *request) (opened *socket, lost *svc.APIError, err error) {
	call, end, err := f.execution.begin(f.ctx, slices.Concat(f.options, []svc.Option{svc.WithMaxRetries(0)}))
	if err != nil {
		return nil, nil, err
	}
	defer end()
	connect.socket = &socket{}
	if _, err := call.exchange(connect); err != nil {
		if errors.As(err, &lost) && call.ctx.Err() == nil {
			return nil, lost, nil
		}
		return nil, nil, err
	}
	ready, lost, err := f.receive(connect.socket, func() ([]byte, error) { return connect.socket.read(call.ctx) })
	if ready == nil {
		connect.socket.close()
		if failure := call.ending(call.ctx); failure != nil {
			return nil, nil, connect.socket.answer.named(failure)
		}
		return nil, lost, err
	}
	return connect.socket, nil, nil
}

// receive returns the next event of a socket. It is nil if the connection was lost.
func (f *follower[Out]) receive(socket *socket, next func() ([]byte, error)) (event *svc.ExecutionEvent, lost *svc.APIError, err error) {
	message, err := next()
	if err == nil {
		err = f.ctx.Err()
	}
	if err != nil {
		lost, err = f.interruption(socket, err)
		return nil, lost, err
	}
	event = readEvent(message)
	if event == nil {
		answer := *socket.answer
		answer.Body = message
		return nil, nil, invalidAnswer(&answer, "an event is not a JSON object", nil)
	}
	return event, nil, nil
}

// knows reports whether an event was yielded. One without an id was, since it is older
// than ids.
func (f *follower[Out]) knows(event *svc.ExecutionEvent) bool {
	return event.ULID == "" || f.seen[event.ULID]
}

func (f *follower[Out]) give(event *svc.ExecutionEvent) {
	f.seen[event.ULID] = true
	goesOn := f.yield(event, nil)
	f.isOver = !goesOn || event.Type == svc.EventFlowCompleted || event.Type == svc.EventFlowFailed
}

// interruption explains the end of a socket: the end of the context, or a lost connection.
func (f *follower[Out]) interruption(socket *socket, err error) (lost *svc.APIError, failure error) {
	answer := socket.answer
	if ending := f.call.ending(f.ctx); ending != nil {
		return nil, answer.named(ending)
	}
	f.isClosed = websocket.CloseStatus(err) == websocket.StatusNormalClosure
	if invalid := socket.messageTooLong(err); invalid != nil {
		return nil, invalid
	}
	message := "the events were cut off: " + closeReason(err) + parenthesized(answer.requestText())
	return answer.failure(svc.ErrStreamInterrupted, message, err), nil
}
