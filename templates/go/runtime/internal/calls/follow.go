package calls

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/coder/websocket"

	"svc.runtime/svc"
)

const (
	// leastLasting is how long a socket must have been ready to reset the retry count, even
	// without retry delays.
	leastLasting = 100 * time.Millisecond
	followPath   = "/invocations/v1/debug-stream"
	// largestPage is the maximum number of events in a page.
	largestPage = 1_000
	// mostMissed is the number of consecutive sockets that may fail to become ready before the
	// follower polls pages instead.
	mostMissed = 3
	// pagePace is the maximum delay between two polls of the pages.
	pagePace = time.Second
	// longestOpening is the maximum time for a socket to become ready.
	longestOpening = 10 * time.Second
	// socketPause is how long the follower polls pages before it tries a socket again.
	socketPause = time.Minute
)

// Follow yields the events of the run until its last one: the stored events, then those of a
// socket. After a lost connection, it resumes where it stopped.
func (e *execution[Out]) Follow(ctx context.Context, options ...svc.Option) iter.Seq2[*svc.ExecutionEvent, error] {
	return func(yield func(*svc.ExecutionEvent, error) bool) {
		if err := newFollower(ctx, e, options, yield).run(); err != nil {
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
	// opening is the maximum time for a socket to become ready. pause is how long pages are
	// polled before a socket is tried again.
	opening, pause time.Duration
	// call holds the configuration of the requests. It has no deadline.
	call *call
	// seen contains the ids of the events yielded so far.
	seen map[string]bool
	// at is the beginning of the last page.
	at position
	// hasBegun is true once a page has been read, and hasRead once all pages have been read.
	hasBegun, hasRead bool
	// readySince is when the socket of the current attempt became ready, or zero.
	readySince time.Time
	// missed is the number of consecutive sockets that failed to become ready. missedAt is when
	// the last of them failed.
	missed   int
	missedAt time.Time
	// isClosed is true if the last socket was closed normally, which can mean that the run has
	// ended.
	isClosed bool
	// isOver is true once the run has ended or the caller has left the loop.
	isOver bool
}

func newFollower[Out any](
	ctx context.Context, execution *execution[Out], options []svc.Option, yield func(*svc.ExecutionEvent, error) bool,
) *follower[Out] {
	return &follower[Out]{
		execution: execution, ctx: ctx, options: options, yield: yield, seen: map[string]bool{},
		opening: longestOpening, pause: socketPause,
	}
}

// run follows the run until it ends. Consecutive lost connections count as attempts of one
// call, unless one of them delivered a new event or stayed ready for longer than the longest
// retry delay. They do not draw on the retry budget.
func (f *follower[Out]) run() error {
	call, end, err := f.execution.begin(f.ctx, slices.Concat(f.options, []svc.Option{svc.WithoutTimeout()}))
	if err != nil {
		return err
	}
	defer end()
	call.outlast()
	f.call = call
	connect := &request{method: http.MethodGet, path: followPath + "?session_id=" + f.execution.id + "&decode=true"}
	for retries, known := 0, 0; ; known = len(f.seen) {
		f.readySince = time.Time{}
		err := f.attempt(connect)
		var lost *svc.APIError
		if f.isOver {
			return nil
		}
		if err != nil && !f.isLost(err, &lost) {
			return err
		}
		hasLasted := !f.readySince.IsZero() && time.Since(f.readySince) > max(call.LongestDelay, leastLasting)
		if len(f.seen) > known || hasLasted || err == nil {
			retries, connect.attempts, call.lost = 0, 1, nil
		}
		connect.isResumed = true
		var failure *svc.APIError
		if err == nil {
			failure = call.sleep(jittered(pagePace))
		} else {
			failure = call.backOff(connect, lost, &retries)
		}
		if failure != nil {
			return call.described(failure, connect)
		}
	}
}

// isLost reports whether an error is handled like a lost connection. Once the first page has
// been read, this includes transient failures to read a page or a record, and blocked sockets.
func (f *follower[Out]) isLost(err error, lost **svc.APIError) bool {
	return f.hasBegun && errors.As(err, lost) && (isBlocked(*lost) || f.call.mayPass(*lost))
}

// isBlocked reports whether something other than the service, such as a proxy, has refused a
// socket. If a proxy drops the Upgrade header, the service responds with 426.
func isBlocked(failure *svc.APIError) bool {
	switch failure.Status {
	case 0, http.StatusSwitchingProtocols, http.StatusUnauthorized:
		return false
	}
	return failure.Path == followPath && (failure.Code == "" || failure.Status == http.StatusUpgradeRequired)
}

// attempt reads the pages, then listens on a socket unless sockets are blocked. Its error says
// why the connection was lost. It is nil if the run is over or if the follower continues to
// poll pages.
func (f *follower[Out]) attempt(connect *request) error {
	known := len(f.seen)
	if err := f.readPages(); err != nil || f.isOver {
		return err
	}
	if f.missed == mostMissed && time.Since(f.missedAt) < f.pause {
		if len(f.seen) > known {
			return nil
		}
		return f.endWithRecord()
	}
	err := f.listen(connect)
	if f.isClosed && !f.isOver {
		return cmp.Or(f.endWithRecord(), err)
	}
	return err
}

// endWithRecord stops following if the record says that the run has ended. It first yields the
// events stored since, because a branch has no final event.
func (f *follower[Out]) endWithRecord() error {
	record, err := f.record()
	if err != nil || !record.HasEnded() {
		return err
	}
	err = f.readPages()
	f.isOver = f.isOver || err == nil
	return err
}

// begin starts the call that reads a page or a record. After the first page, the request is not
// retried, because the next connection serves as its retry, and it has the timeout of a poll.
func (f *follower[Out]) begin() (*call, context.CancelFunc, error) {
	call, end, err := f.execution.begin(f.ctx, f.options)
	if err != nil || !f.hasBegun {
		return call, end, err
	}
	call.MaxRetries = 0
	if call.AttemptTimeout == 0 {
		call.AttemptTimeout = f.execution.connection.longestPoll
	}
	return call, end, nil
}

// record returns the record of the run.
func (f *follower[Out]) record() (*svc.ExecutionRecord, error) {
	call, end, err := f.begin()
	if err != nil {
		return nil, err
	}
	defer end()
	return f.execution.record(call)
}

// page returns the page at the position of the follower.
func (f *follower[Out]) page() (*eventPage, error) {
	call, end, err := f.begin()
	if err != nil {
		return nil, err
	}
	defer end()
	return f.execution.readPage(call, svc.EventFilter{PageSize: largestPage}, &f.at)
}

// readPages yields the stored events from the last page on.
func (f *follower[Out]) readPages() error {
	for {
		page, err := f.page()
		if err != nil {
			return err
		}
		f.hasBegun = true
		for _, event := range page.events {
			if ending := f.call.ending(f.ctx); ending != nil {
				return page.response.named(ending)
			}
			// An event without an id predates event ids, so only the first pass over the pages
			// yields it.
			if event.ULID == "" && !f.hasRead || !f.knows(event) {
				f.give(event)
			}
			if f.isOver {
				return nil
			}
		}
		if !f.at.advance(page.nextCursor) {
			f.hasRead = true
			return nil
		}
	}
}

// listen yields the events of a socket. Its error says why the connection was lost. It is nil
// if the run is over or if the follower polls pages from now on.
func (f *follower[Out]) listen(connect *request) error {
	f.isClosed = false
	socket, err := f.connect(connect)
	if err != nil {
		return f.miss(connect, err)
	}
	f.missed, f.readySince = 0, time.Now()
	defer socket.close()
	ctx, end := context.WithCancel(f.ctx)
	defer end()
	pump := socket.pump(ctx)
	for isFirst := true; !f.isOver; isFirst = false {
		event, err := f.receive(socket, pump.next)
		if err != nil {
			f.call.logStream(socket.response, err)
			return err
		}
		if f.knows(event) {
			continue
		}
		if isFirst {
			// More events may have been stored between the last page and this event.
			if err := f.readPages(); err != nil || f.isOver {
				return err
			}
		}
		if !f.knows(event) {
			f.give(event)
		}
	}
	return nil
}

// miss counts a socket that did not become ready, and returns err. It returns nil if the
// follower polls pages instead: once mostMissed consecutive sockets have failed, and after each
// later socket that fails.
func (f *follower[Out]) miss(connect *request, err error) error {
	f.missedAt = time.Now()
	if f.missed == mostMissed {
		return nil
	}
	var lost *svc.APIError
	if !f.isLost(err, &lost) {
		return err
	}
	f.missed++
	if f.missed < mostMissed {
		return err
	}
	f.call.log(slog.LevelInfo, "polling the run's events, because WebSockets are blocked", connect, f.execution.id,
		slog.String("failure", lost.Message))
	return nil
}

// connect opens the socket. The timeouts of the call and of the attempt apply until the service
// is ready.
func (f *follower[Out]) connect(connect *request) (*socket, error) {
	call, end, err := f.execution.begin(f.ctx, slices.Concat(f.options, []svc.Option{svc.WithMaxRetries(0)}))
	if err != nil {
		return nil, err
	}
	defer end()
	if call.AttemptTimeout == 0 || call.AttemptTimeout > f.opening {
		call.AttemptTimeout = f.opening
	}
	opened := &socket{}
	connect.socket = opened
	if _, err := call.exchange(connect); err != nil {
		return nil, err
	}
	ctx, stop := call.readyContext(opened)
	defer stop()
	if _, err := f.receive(opened, func() ([]byte, error) { return opened.read(ctx) }); err != nil {
		opened.close()
		if failure := call.ending(ctx); failure != nil {
			err = opened.response.named(failure)
		}
		call.logStream(opened.response, err)
		return nil, err
	}
	return opened, nil
}

// receive returns the next event of a socket. Its error says why the connection was lost.
func (f *follower[Out]) receive(socket *socket, next func() ([]byte, error)) (*svc.ExecutionEvent, error) {
	message, err := next()
	if err == nil {
		err = f.ctx.Err()
	}
	if err != nil {
		return nil, f.interruption(socket, err)
	}
	event := readEvent(message)
	if event == nil {
		response := *socket.response
		response.Body = message
		return nil, invalidResponse(&response, "an event is not a JSON object", nil)
	}
	return event, nil
}

// knows reports whether an event was already yielded. An event without an id counts as yielded,
// because it predates event ids.
func (f *follower[Out]) knows(event *svc.ExecutionEvent) bool {
	return event.ULID == "" || f.seen[event.ULID]
}

func (f *follower[Out]) give(event *svc.ExecutionEvent) {
	f.seen[event.ULID] = true
	goesOn := f.yield(event, nil)
	f.isOver = !goesOn || event.Type == svc.EventFlowCompleted || event.Type == svc.EventFlowFailed
}

// interruption returns the error for the end of a socket: the end of the context, or a lost
// connection.
func (f *follower[Out]) interruption(socket *socket, err error) *svc.APIError {
	response := socket.response
	if ending := f.call.ending(f.ctx); ending != nil {
		return response.named(ending)
	}
	f.isClosed = websocket.CloseStatus(err) == websocket.StatusNormalClosure
	if invalid := socket.messageTooLong(err); invalid != nil {
		return invalid
	}
	run := "execution " + f.call.executionID
	message := "the events were cut off: " + closeReason(err) + parenthesized(run, response.requestText())
	return response.failure(svc.ErrStreamInterrupted, message, err)
}
