package calls

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"svc.runtime/internal/config"
	"svc.runtime/svc"
)

const (
	// longestBody is the most bytes that the body of a successful response can have. Messages
	// of the service are far shorter.
	longestBody int64 = 256 << 20
	// longestRefusal is how many bytes of the body of an error status are read.
	longestRefusal int64 = 4 << 20
	// leastReconnects is the least number of connections in a row that a run that is followed
	// or the output of a split stream may lose, unless retries are turned off. With their
	// delays, the service may be away for about twenty seconds.
	leastReconnects = 8
)

// errLongBody is the reason why a longer body is invalid.
var errLongBody = errors.New("the body is longer than 256 MiB")

// call is a call: its requests share a configuration, an idempotency key and a context. The context is stored
// because it lives as long as the call.
type call struct {
	config.Config
	connection *Connection
	ctx        context.Context
	// executionID is the id of the execution that the call is about, if known.
	executionID string
	// lost is the last failure that was not a timeout, unless a request has succeeded since.
	lost *svc.APIError
	// lostLook is the failure of the last look of a wait, unless a request has succeeded since.
	lostLook *svc.APIError
	// failedSince is when the first attempt was sent that failed, other than by a 429, or zero
	// if none did since a request has succeeded. It may have started a run.
	failedSince time.Time
	// isTimed is true if the timeout of the call ends before the deadline of the caller.
	isTimed bool
}

// bodyWriter returns the body of an attempt, which can depend on the time left.
type bodyWriter func(left time.Duration) []byte

// request is a request, sent by every attempt.
type request struct {
	method string
	path   string
	body   bodyWriter
	// attempts is the number of attempts so far.
	attempts int
	// isResumed is true if a connection that was lost is followed by the next one, which does
	// not draw on the retry budget.
	isResumed bool
	// isRetry is true if the last attempt was a retry that the budget has paid for.
	isRetry bool
	// createsExecution is true if the request starts a run. The body of the response names it, and
	// the service forgets the idempotency key.
	createsExecution bool
	// stream is set for a request that is answered by a stream.
	stream *openStream
	// socket is set for a request that opens a WebSocket.
	socket *socket
}

// pathAlone returns the path without its query.
func (r *request) pathAlone() string {
	path, _, _ := strings.Cut(r.path, "?")
	return path
}

func (c *call) post(path string, body bodyWriter) (*response, error) {
	return c.exchange(&request{method: http.MethodPost, path: path, body: body})
}

func (c *call) get(path string) (*response, error) {
	return c.exchange(&request{method: http.MethodGet, path: path})
}

// exchange sends a request, retries transient failures and returns the response if
// its status is 2xx.
func (c *call) exchange(request *request) (*response, error) {
	for retries := 0; ; {
		response, failure := c.attempt(request)
		if failure == nil {
			c.lost, c.lostLook = nil, nil
			c.connection.budget.succeeded(request.isRetry)
			return response, nil
		}
		if failure := c.waitToRetry(request, failure, &retries); failure != nil {
			return nil, c.described(failure, request)
		}
	}
}

// waitToRetry waits until the next attempt. It returns the error of the call if there is no
// other attempt, or if the call ends before.
func (c *call) waitToRetry(request *request, failure *svc.APIError, retries *int) *svc.APIError {
	if !c.mayPass(failure) {
		return failure
	}
	return c.backOff(request, failure, retries)
}

// backOff is waitToRetry for an error that is known to be transient.
func (c *call) backOff(request *request, failure *svc.APIError, retries *int) *svc.APIError {
	delay, again := c.nextDelay(request, failure, retries)
	if !again {
		return failure
	}
	c.keep(failure)
	return c.pause(request, failure, delay)
}

// pause waits after a failure until the next attempt.
func (c *call) pause(request *request, failure *svc.APIError, delay time.Duration) *svc.APIError {
	c.log(slog.LevelInfo, "retrying call", request, failure.ExecutionID,
		slog.Duration("delay", delay), slog.String("failure", failure.Message))
	return c.sleep(delay)
}

// outlast lets a call lose more connections in a row than others may, unless retries are
// turned off.
func (c *call) outlast() {
	if c.MaxRetries > 0 {
		c.MaxRetries = max(c.MaxRetries, leastReconnects)
	}
}

// described returns an error with what is known of its request, unless it names another.
func (c *call) described(failure *svc.APIError, request *request) *svc.APIError {
	if failure.Path == "" {
		failure.Method, failure.Path = request.method, request.pathAlone()
		failure.Attempts = request.attempts
		failure.IdempotencyKey = c.IdempotencyKey
		explain(failure, c.lost)
	}
	if failure.ExecutionID == "" {
		failure.ExecutionID = c.executionID
		// The path of most requests has the id.
		if !strings.Contains(failure.Error(), c.executionID) {
			failure.Message += parenthesized("execution " + c.executionID)
		}
	}
	return failure
}

// keep keeps a failure, after which the call goes on, for the error of a timeout.
func (c *call) keep(failure *svc.APIError) {
	if failure.Kind != svc.ErrTimedOut {
		c.lost = failure
	}
}

// explain adds the failure of an earlier attempt to the error of a timeout. The cause of that
// failure is in the chain of the error, the failure itself is not: an error has one kind.
func explain(failure, earlier *svc.APIError) {
	if earlier == nil || !errors.Is(failure.Kind, svc.ErrTimedOut) {
		return
	}
	failure.Message += "; an earlier attempt failed: " + earlier.Message
	failure.Err = errors.Join(failure.Err, earlier.Err)
	failure.LastFailure = earlier
}

// log logs what became of an attempt. executionID can be empty.
func (c *call) log(level slog.Level, message string, request *request, executionID string, more ...slog.Attr) {
	if !c.Logger.Enabled(c.ctx, level) {
		return
	}
	attributes := append([]slog.Attr{
		slog.String("method", request.method), slog.String("path", request.path),
		slog.Int("attempt", request.attempts),
	}, more...)
	if executionID != "" {
		attributes = append(attributes, slog.String("execution_id", executionID))
	}
	c.Logger.LogAttrs(c.ctx, level, message, attributes...)
}

// logStream logs why a stream or a socket has failed after the head of its response, or nothing
// if err is nil.
func (c *call) logStream(response *response, err error) {
	var failure *svc.APIError
	if errors.As(err, &failure) {
		c.log(slog.LevelDebug, "stream failed", response.request, failure.ExecutionID, slog.String("failure", failure.Message))
	}
}

// attempt sends the request once, unless the call has ended.
func (c *call) attempt(request *request) (*response, *svc.APIError) {
	if failure := c.ending(c.ctx); failure != nil {
		return nil, c.described(failure, request)
	}
	request.attempts++
	started := time.Now()
	response, failure := c.answer(request, started)
	switch {
	case failure == nil:
		c.failedSince = time.Time{}
	case failure.Status != http.StatusTooManyRequests && c.failedSince.IsZero():
		c.failedSince = started
	}
	return response, failure
}

// answer sends the request and returns a response that is a success.
func (c *call) answer(request *request, started time.Time) (*response, *svc.APIError) {
	response, failure := c.send(request)
	took := slog.Duration("duration", time.Since(started))
	if failure != nil {
		failure = c.described(failure, request)
		c.log(slog.LevelDebug, "attempt failed", request, failure.ExecutionID, took, slog.String("failure", failure.Message))
		return nil, failure
	}
	if c.Response != nil {
		*c.Response = response.Response
	}
	c.log(slog.LevelDebug, "attempt completed", request, response.ExecutionID, took, slog.Int("status", response.Status))
	switch {
	case request.socket.isOpen():
		return response, nil
	case !isSuccess(response.Status):
		return nil, errorFromResponse(response)
	case request.socket != nil:
		return nil, invalidResponse(response, "not a WebSocket", nil)
	}
	if failure := mismatchFailure(response); failure != nil {
		request.stream.close()
		return nil, failure
	}
	return response, nil
}

func isSuccess(status int) bool { return status >= 200 && status <= 299 }

func (c *call) send(request *request) (*response, *svc.APIError) {
	if request.stream != nil {
		return c.sendStream(request)
	}
	ctx, end := c.attemptContext()
	defer end()
	if request.socket != nil {
		return c.sendHandshake(ctx, request)
	}
	incoming, failure := c.do(ctx, request)
	if failure != nil {
		return nil, failure
	}
	return c.readResponse(ctx, request, incoming)
}

// attemptContext returns the context of an attempt.
func (c *call) attemptContext() (context.Context, context.CancelFunc) {
	if c.AttemptTimeout > 0 {
		return context.WithTimeout(c.ctx, c.AttemptTimeout)
	}
	return context.WithCancel(c.ctx)
}

// do sends the request and returns the response with an open body.
func (c *call) do(ctx context.Context, request *request) (*http.Response, *svc.APIError) {
	outgoing, err := c.outgoing(ctx, request)
	if err != nil {
		return nil, configurationError(fmt.Sprintf("cannot send the request: %v", c.APIKey.RedactError(err)))
	}
	incoming, err := responseOf(c.HTTP.Do(outgoing))
	if err != nil {
		return nil, c.connectionFailure(ctx, err)
	}
	return incoming, nil
}

// readResponse reads and closes the body of a response.
func (c *call) readResponse(ctx context.Context, request *request, incoming *http.Response) (*response, *svc.APIError) {
	defer func() { _ = incoming.Body.Close() }()
	longest := c.connection.longestBody
	if !isSuccess(incoming.StatusCode) {
		longest = longestRefusal
	}
	data, err := io.ReadAll(io.LimitReader(incoming.Body, longest+1))
	if int64(len(data)) > longest {
		data, err = data[:longest], errLongBody
	}
	return c.wholeResponse(ctx, c.responseFrom(request, incoming, data), err)
}

// wholeResponse returns the response if its body is complete. That of an error status
// says enough without the rest of its body. err is the error of reading the body, or nil.
func (c *call) wholeResponse(ctx context.Context, response *response, err error) (*response, *svc.APIError) {
	if err == nil {
		return response, nil
	}
	if failure := c.timeout(ctx, err); failure != nil {
		failure.RequestID = c.APIKey.Redact(response.RequestID)
		return nil, failure
	}
	if !isSuccess(response.Status) {
		return response, nil
	}
	response.Body = nil
	if errors.Is(err, errLongBody) {
		return nil, invalidResponse(response, err.Error(), nil)
	}
	message := fmt.Sprintf("the connection was lost while reading the response: %v", err)
	return nil, response.failure(svc.ErrInterruptedResponse, message+response.runAndRequest(), err)
}

// responseFrom returns a response with its body.
func (c *call) responseFrom(request *request, incoming *http.Response, data []byte) *response {
	id := c.executionID
	if id == "" {
		id = incoming.Header.Get("X-Execution-Id")
	}
	if id == "" && (request.createsExecution || incoming.StatusCode > 299) {
		id = executionIDOf(data)
	}
	lastEventID := ""
	if request.stream != nil {
		lastEventID = request.stream.after
	}
	return &response{
		apiKey:  c.APIKey,
		request: request,
		Response: config.Response{
			Status:         incoming.StatusCode,
			Header:         incoming.Header,
			Body:           data,
			ExecutionID:    c.APIKey.Redact(id),
			RequestID:      incoming.Header.Get("X-Request-Id"),
			Attempts:       request.attempts,
			IdempotencyKey: c.IdempotencyKey,
			LastEventID:    lastEventID,
		},
	}
}

// outgoing returns the HTTP request of an attempt.
func (c *call) outgoing(ctx context.Context, request *request) (*http.Request, error) {
	var body io.Reader
	if request.body != nil {
		body = bytes.NewReader(request.body(timeLeft(ctx)))
	} else if request.stream != nil {
		body = request.stream.lines
	}
	outgoing, err := http.NewRequestWithContext(ctx, request.method, c.BaseURL+request.path, body)
	if err != nil {
		return nil, err
	}
	for _, header := range c.Headers {
		outgoing.Header.Set(header[0], header[1])
	}
	identity := c.connection.identity
	agent := identity
	if given := outgoing.Header.Get("User-Agent"); given != "" {
		agent = given + " " + identity
	}
	outgoing.Header.Set("Accept", "application/json")
	outgoing.Header.Set("Authorization", "Bearer "+c.APIKey.Text())
	// Under its usual name, net/http would send a POST again that the service may have
	// received, past the retry policy. It still does so if nothing was written.
	outgoing.Header["idempotency-key"] = []string{c.IdempotencyKey}
	outgoing.Header.Set("User-Agent", agent)
	outgoing.Header.Set("X-Svc-Client", identity)
	if request.body != nil {
		outgoing.Header.Set("Content-Type", "application/json")
	}
	if request.stream != nil {
		request.stream.header(outgoing.Header)
	}
	return outgoing, nil
}

func (c *call) connectionFailure(attempt context.Context, err error) *svc.APIError {
	if failure := c.timeout(attempt, err); failure != nil {
		return failure
	}
	err = c.APIKey.RedactError(unwrapped(err))
	message := fmt.Sprintf("cannot reach the service at %s: %v", c.BaseURL, err)
	return &svc.APIError{Kind: svc.ErrConnection, Message: message, Err: unexpected(err)}
}

// unwrapped returns an error without the wrappers of net/http, which repeat the method and
// URL. A handshake has two of them.
func unwrapped(err error) error {
	var wrapper *url.Error
	for errors.As(err, &wrapper) {
		err = wrapper.Err
	}
	return err
}

// timeout returns the error of a call or an attempt that has ended, or whose HTTP client
// has a timeout of its own, or nil. err is the error of the HTTP client.
func (c *call) timeout(attempt context.Context, err error) *svc.APIError {
	if failure := c.ending(attempt); failure != nil {
		return failure
	}
	var timed net.Error
	var network *net.OpError
	// An error of the network is that of a connection, which could not be made or was lost.
	if !errors.As(err, &timed) || !timed.Timeout() || errors.As(err, &network) {
		return nil
	}
	err = c.APIKey.RedactError(unwrapped(err))
	message := fmt.Sprintf("the request timed out: %v", err)
	return &svc.APIError{Kind: svc.ErrTimedOut, Message: message, Err: errors.Join(context.DeadlineExceeded, err)}
}

// ending returns the error of a call or an attempt whose deadline has passed or that was
// canceled, or nil.
func (c *call) ending(attempt context.Context) *svc.APIError {
	switch {
	case c.ctx.Err() == nil && attempt.Err() == nil:
		return nil
	case c.ctx.Err() == nil:
		return &svc.APIError{Kind: svc.ErrTimedOut, Message: "the attempt did not complete within its timeout", Err: context.DeadlineExceeded}
	case errors.Is(c.ctx.Err(), context.DeadlineExceeded):
		message := "the deadline of the context has passed"
		if c.isTimed {
			message = "the call did not complete within its timeout"
		}
		return &svc.APIError{Kind: svc.ErrTimedOut, Message: message, Err: endOf(c.ctx)}
	default:
		return &svc.APIError{Kind: svc.ErrCanceled, Message: "the call was canceled", Err: endOf(c.ctx)}
	}
}

// endOf returns the error of a context that has ended, with its cause if the caller gave
// one.
func endOf(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if errors.Is(cause, err) {
		return cause
	}
	return fmt.Errorf("%w: %w", err, cause)
}

// nextDelay returns the delay before the next attempt, and counts it as a retry unless
// the service paces the call. It reports false to stop.
func (c *call) nextDelay(request *request, failure *svc.APIError, retries *int) (time.Duration, bool) {
	isPaced := isPaced(failure)
	if c.MaxRetries == 0 || *retries >= c.MaxRetries && !isPaced {
		return 0, false
	}
	delay, ok := delayBefore(&c.Config, *retries+1, failure, min(timeLeft(c.ctx), c.keyLeft(request)))
	if !ok || isPaced {
		return delay, ok
	}
	*retries++
	// The service is healthy: a stream that is read on does not draw on the budget.
	request.isRetry = !request.isResumed
	request.isResumed = false
	if !request.isRetry || c.connection.budget.take() {
		return delay, true
	}
	c.log(slog.LevelWarn, "not retrying call, because the retry budget is empty", request, failure.ExecutionID,
		slog.String("failure", failure.Message))
	failure.Message += "; not tried again: the retry budget is empty"
	return 0, false
}

// keyLeft returns the time in which a retry can begin. If it starts a run, the service must still
// know the key of the first attempt.
func (c *call) keyLeft(request *request) time.Duration {
	if !request.createsExecution || c.failedSince.IsZero() {
		return longestTime
	}
	return longestRetrying - time.Since(c.failedSince)
}

// timeLeft returns the time until the deadline, or a very long time without one.
func timeLeft(ctx context.Context) time.Duration {
	if deadline, ok := ctx.Deadline(); ok {
		return time.Until(deadline)
	}
	return longestTime
}

// sleep sleeps, at most until the end of the call.
func (c *call) sleep(delay time.Duration) *svc.APIError {
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-c.ctx.Done():
		return c.ending(c.ctx)
	}
}
