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
	// longestBody is the maximum size in bytes of the body of a successful response. Messages
	// of the service are far smaller.
	longestBody int64 = 256 << 20
	// longestRefusal is the maximum number of bytes read from the body of an error response.
	longestRefusal int64 = 4 << 20
	// leastReconnects is the minimum number of consecutive lost connections that following a
	// run or reading a split stream survives, unless retries are disabled. With backoff, they
	// cover an outage of about twenty seconds.
	leastReconnects = 8
)

// errLongBody is the reason why a body longer than longestBody is invalid.
var errLongBody = errors.New("the body is longer than 256 MiB")

// call is one API call. Its requests share a configuration, an idempotency key and a context.
// The context is stored because it has the lifetime of the call.
type call struct {
	config.Config
	connection *Connection
	ctx        context.Context
	// executionID is the id of the execution that the call concerns, if known.
	executionID string
	// lost is the most recent failure other than a timeout since the last successful request,
	// or nil.
	lost *svc.APIError
	// lostLook is the failure of the most recent poll of a wait since the last successful
	// request, or nil.
	lostLook *svc.APIError
	// failedSince is when the first attempt was sent that failed since the last success, or
	// zero. Failures with a 429 do not count. The attempt may have started a run.
	failedSince time.Time
	// isTimed is true if the timeout of the call expires before the deadline of the caller's
	// context.
	isTimed bool
}

// bodyWriter returns the body of an attempt, which can depend on the time left.
type bodyWriter func(left time.Duration) []byte

// request is an HTTP request. Every attempt sends it.
type request struct {
	method string
	path   string
	body   bodyWriter
	// attempts is the number of attempts so far.
	attempts int
	// isResumed is true if the next attempt resumes after a lost connection. Such an attempt
	// does not draw on the retry budget.
	isResumed bool
	// isRetry is true if the last attempt was a retry paid for from the retry budget.
	isRetry bool
	// createsExecution is true if the request starts a run. The response body names the run,
	// and the service remembers the idempotency key only for a limited time.
	createsExecution bool
	// stream is set if the request has a streamed input or response.
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

// exchange sends a request, retries transient failures and returns the first response whose
// status is 2xx.
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

// waitToRetry waits before the next attempt. It returns the error of the call if the failure is
// not retried, or if the call ends while it waits.
func (c *call) waitToRetry(request *request, failure *svc.APIError, retries *int) *svc.APIError {
	if !c.mayPass(failure) {
		return failure
	}
	return c.backOff(request, failure, retries)
}

// backOff is waitToRetry for a failure that is known to be transient.
func (c *call) backOff(request *request, failure *svc.APIError, retries *int) *svc.APIError {
	delay, again := c.nextDelay(request, failure, retries)
	if !again {
		return failure
	}
	c.keep(failure)
	return c.pause(request, failure, delay)
}

// pause logs a failure and waits for delay before the next attempt.
func (c *call) pause(request *request, failure *svc.APIError, delay time.Duration) *svc.APIError {
	c.log(slog.LevelInfo, "retrying call", request, failure.ExecutionID,
		slog.Duration("delay", delay), slog.String("failure", failure.Message))
	return c.sleep(delay)
}

// outlast raises the retry limit of a call to at least leastReconnects, unless retries are
// disabled.
func (c *call) outlast() {
	if c.MaxRetries > 0 {
		c.MaxRetries = max(c.MaxRetries, leastReconnects)
	}
}

// described adds the details of the request to an error, unless it already has those of another
// request.
func (c *call) described(failure *svc.APIError, request *request) *svc.APIError {
	if failure.Path == "" {
		failure.Method, failure.Path = request.method, request.pathAlone()
		failure.Attempts = request.attempts
		failure.IdempotencyKey = c.IdempotencyKey
		explain(failure, c.lost)
	}
	if failure.ExecutionID == "" {
		failure.ExecutionID = c.executionID
		// Most paths contain the id already.
		if !strings.Contains(failure.Error(), c.executionID) {
			failure.Message += parenthesized("execution " + c.executionID)
		}
	}
	return failure
}

// keep records a failure that is retried, for the error of a later timeout.
func (c *call) keep(failure *svc.APIError) {
	if failure.Kind != svc.ErrTimedOut {
		c.lost = failure
	}
}

// explain adds the failure of an earlier attempt to a timeout error. Only the cause of that
// failure joins the error chain, not the failure itself, because an error has one kind.
func explain(failure, earlier *svc.APIError) {
	if earlier == nil || !errors.Is(failure.Kind, svc.ErrTimedOut) {
		return
	}
	failure.Message += "; an earlier attempt failed: " + earlier.Message
	failure.Err = errors.Join(failure.Err, earlier.Err)
	failure.LastFailure = earlier
}

// log logs a message with the details of an attempt. executionID may be empty.
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

// logStream logs why a stream or socket failed after the head of its response. It logs nothing
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

// answer sends the request and returns the response if it is successful.
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

// do sends the request and returns the response with its body open.
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

// wholeResponse returns the response if its body was read to the end. An error response may be
// truncated, because its status says enough. err is the error of reading the body, or nil.
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

// responseFrom returns a response with the given body.
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
	// net/http resends a POST with an Idempotency-Key header on its own, past the retry policy,
	// even if the service may have received it. The lower-case key prevents this. net/http
	// still resends a request if nothing of it was written.
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

// unwrapped returns an error without the wrappers of net/http, which repeat the method and URL.
// The error of a handshake has two of them.
func unwrapped(err error) error {
	var wrapper *url.Error
	for errors.As(err, &wrapper) {
		err = wrapper.Err
	}
	return err
}

// timeout returns the error if the call or the attempt has ended, or if the HTTP client's own
// timeout has expired. Otherwise, it returns nil. err is the error of the HTTP client.
func (c *call) timeout(attempt context.Context, err error) *svc.APIError {
	if failure := c.ending(attempt); failure != nil {
		return failure
	}
	var timed net.Error
	var network *net.OpError
	// A network timeout is a connection error: the connection could not be made or was lost.
	if !errors.As(err, &timed) || !timed.Timeout() || errors.As(err, &network) {
		return nil
	}
	err = c.APIKey.RedactError(unwrapped(err))
	message := fmt.Sprintf("the request timed out: %v", err)
	return &svc.APIError{Kind: svc.ErrTimedOut, Message: message, Err: errors.Join(context.DeadlineExceeded, err)}
}

// ending returns the error of a call or attempt that was canceled or whose deadline has passed,
// or nil.
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

// endOf returns the error of a context that has ended, with its cause if the caller set one.
func endOf(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if errors.Is(cause, err) {
		return cause
	}
	return fmt.Errorf("%w: %w", err, cause)
}

// nextDelay returns the delay before the next attempt and counts the attempt as a retry, unless
// the service paces the call. It reports false if there is no further attempt.
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
	// Resuming a stream does not draw on the budget, because the service is healthy.
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

// keyLeft returns the time within which a retry may begin. A retry that can start a run must
// begin while the service still remembers the key of the first attempt.
func (c *call) keyLeft(request *request) time.Duration {
	if !request.createsExecution || c.failedSince.IsZero() {
		return longestTime
	}
	return longestRetrying - time.Since(c.failedSince)
}

// timeLeft returns the time until the deadline, or longestTime if there is none.
func timeLeft(ctx context.Context) time.Duration {
	if deadline, ok := ctx.Deadline(); ok {
		return time.Until(deadline)
	}
	return longestTime
}

// sleep waits for the delay, or until the call ends.
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
