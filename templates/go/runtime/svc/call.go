package svc

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"time"
)

// call is one logical call: its requests share settings and a context, which is held
// for as long as the call lasts.
type call struct {
	settings
	connection *Connection
	ctx        context.Context
}

// bodyWriter writes the body of a request, anew for each attempt: it may depend on
// the time that is left.
type bodyWriter func() []byte

// request is what every attempt of a request sends.
type request struct {
	method         string
	path           string
	body           bodyWriter
	idempotencyKey string
}

func (c *call) post(path string, body bodyWriter) (*Response, error) {
	return c.exchange(&request{method: http.MethodPost, path: path, body: body})
}

func (c *call) get(path string) (*Response, error) {
	return c.exchange(&request{method: http.MethodGet, path: path})
}

// exchange sends a request, tries again by policy, and gives the answer when its
// status is 2xx.
func (c *call) exchange(request *request) (*Response, error) {
	request.idempotencyKey = c.idempotencyKey
	if request.idempotencyKey == "" {
		request.idempotencyKey = rand.Text()
	}
	for attempt := 1; ; attempt++ {
		answer, failure := c.attempt(request, attempt)
		if failure == nil {
			c.connection.budget.succeeded()
			return answer, nil
		}
		delay, again := c.patience(failure, attempt)
		if !again {
			return nil, failure
		}
		c.logger.LogAttrs(c.ctx, slog.LevelInfo, "call is tried again",
			slog.String("method", request.method), slog.String("path", request.path),
			slog.Int("attempt", attempt+1), slog.Duration("delay", delay),
			slog.String("after", failure.Message))
		if failure := c.sleep(delay); failure != nil {
			return nil, failure
		}
	}
}

// attempt sends a request once.
func (c *call) attempt(request *request, attempt int) (*Response, *APIError) {
	started := time.Now()
	answer, failure := c.send(request)
	if c.logger.Enabled(c.ctx, slog.LevelDebug) {
		attributes := []slog.Attr{
			slog.String("method", request.method), slog.String("path", request.path),
			slog.Int("attempt", attempt), slog.Duration("duration", time.Since(started)),
		}
		if failure == nil {
			attributes = append(attributes, slog.Int("status", answer.Status),
				slog.String("execution_id", answer.ExecutionID))
		} else {
			attributes = append(attributes, slog.String("failure", failure.Message))
		}
		c.logger.LogAttrs(c.ctx, slog.LevelDebug, "call was sent", attributes...)
	}
	if failure != nil {
		return nil, failure
	}
	answer.Attempts = attempt
	answer.IdempotencyKey = request.idempotencyKey
	if c.response != nil {
		*c.response = *answer
	}
	if answer.Status < 200 || answer.Status > 299 {
		return nil, errorFromAnswer(answer)
	}
	return answer, nil
}

func (c *call) send(request *request) (*Response, *APIError) {
	var body io.Reader
	if request.body != nil {
		body = bytes.NewReader(request.body())
	}
	outgoing, err := http.NewRequestWithContext(c.ctx, request.method, c.baseURL+request.path, body)
	if err != nil {
		return nil, configurationError(fmt.Sprintf("the request cannot be sent: %v", c.apiKey.redactError(err)))
	}
	// The transport would send again by itself what it can read again, unseen by
	// the policy and the budget of retries.
	outgoing.GetBody = nil
	for _, header := range c.headers {
		outgoing.Header.Set(header[0], header[1])
	}
	outgoing.Header.Set("Accept", "application/json")
	outgoing.Header.Set("Authorization", "Bearer "+c.apiKey.text())
	outgoing.Header.Set("Idempotency-Key", request.idempotencyKey)
	outgoing.Header.Set("User-Agent", c.connection.identity)
	outgoing.Header.Set("X-Svc-Client", c.connection.identity)
	if request.body != nil {
		outgoing.Header.Set("Content-Type", "application/json")
	}
	incoming, err := c.http.Do(outgoing)
	if err != nil {
		return nil, c.connectionFailure(err)
	}
	defer func() { _ = incoming.Body.Close() }()
	data, err := io.ReadAll(incoming.Body)
	if err != nil {
		return nil, c.interruption(incoming.StatusCode, err)
	}
	header := c.apiKey.redactHeader(incoming.Header)
	return &Response{
		Status:      incoming.StatusCode,
		Header:      header,
		Body:        c.apiKey.redactBytes(data),
		ExecutionID: executionIDOf(header),
	}, nil
}

func (c *call) connectionFailure(err error) *APIError {
	if failure := c.ending(); failure != nil {
		return failure
	}
	// What net/http puts around the cause repeats method and address.
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	err = c.apiKey.redactError(err)
	message := fmt.Sprintf("cannot reach the service at %s: %v", c.baseURL, err)
	return &APIError{Kind: ErrConnection, Message: message, Err: err}
}

func (c *call) interruption(status int, err error) *APIError {
	if failure := c.ending(); failure != nil {
		return failure
	}
	err = c.apiKey.redactError(err)
	return &APIError{
		Kind:    ErrInterruptedAnswer,
		Message: fmt.Sprintf("the answer was cut off: %v", err),
		Status:  status,
		Err:     err,
	}
}

// ending gives the failure of a call whose time is over or whose caller canceled
// it; nil while it may go on.
func (c *call) ending() *APIError {
	switch err := c.ctx.Err(); {
	case err == nil:
		return nil
	case errors.Is(err, context.DeadlineExceeded):
		return &APIError{Kind: ErrTimedOut, Message: "no answer in time", Err: err}
	default:
		return &APIError{Kind: ErrCanceled, Message: "the caller canceled the call", Err: context.Cause(c.ctx)}
	}
}

// patience tells how long to wait before the next attempt, and whether there is one.
func (c *call) patience(failure *APIError, attempt int) (time.Duration, bool) {
	if attempt > c.maxRetries || !mayPass(failure) {
		return 0, false
	}
	delay, ok := c.delayBefore(attempt, failure)
	if !ok || delay >= c.timeLeft() {
		return 0, false
	}
	return delay, c.connection.budget.take()
}

// timeLeft gives the time until the deadline; without one, more than anybody waits.
func (c *call) timeLeft() time.Duration {
	if deadline, ok := c.ctx.Deadline(); ok {
		return time.Until(deadline)
	}
	return 1<<63 - 1
}

// sleep waits, at most until the end of the call.
func (c *call) sleep(delay time.Duration) *APIError {
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-c.ctx.Done():
		return c.ending()
	}
}
