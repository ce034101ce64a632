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

// call is a call: its requests share settings and a context. The context is stored
// because it lives as long as the call.
type call struct {
	settings
	connection *Connection
	ctx        context.Context
}

// bodyWriter returns the body of an attempt, which can depend on the time left.
type bodyWriter func() []byte

// request is a request, sent by every attempt.
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

// exchange sends a request, retries transient failures and returns the response if
// its status is 2xx.
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
		delay, again := c.nextDelay(failure, attempt)
		if !again {
			return nil, failure
		}
		c.logger.LogAttrs(c.ctx, slog.LevelInfo, "retrying call",
			slog.String("method", request.method), slog.String("path", request.path),
			slog.Int("attempt", attempt+1), slog.Duration("delay", delay),
			slog.String("after", failure.Message))
		if failure := c.sleep(delay); failure != nil {
			return nil, failure
		}
	}
}

// attempt sends the request once.
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
		return nil, configurationError(fmt.Sprintf("cannot send the request: %v", c.apiKey.redactError(err)))
	}
	// Without GetBody, net/http does not retry on its own, bypassing the retry policy
	// and budget.
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
	// The wrapper of net/http repeats the method and URL.
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
		Message: fmt.Sprintf("the connection was lost while reading the response: %v", err),
		Status:  status,
		Err:     err,
	}
}

// ending returns the error of a call whose deadline has passed or that was canceled,
// or nil.
func (c *call) ending() *APIError {
	switch err := c.ctx.Err(); {
	case err == nil:
		return nil
	case errors.Is(err, context.DeadlineExceeded):
		return &APIError{Kind: ErrTimedOut, Message: "the call did not complete within its timeout", Err: err}
	default:
		return &APIError{Kind: ErrCanceled, Message: "the call was canceled", Err: context.Cause(c.ctx)}
	}
}

// nextDelay returns the delay before the next attempt. It reports false to stop.
func (c *call) nextDelay(failure *APIError, attempt int) (time.Duration, bool) {
	if attempt > c.maxRetries || !mayPass(failure) {
		return 0, false
	}
	delay, ok := c.delayBefore(attempt, failure)
	if !ok || delay >= c.timeLeft() {
		return 0, false
	}
	return delay, c.connection.budget.take()
}

// timeLeft returns the time until the deadline, or a very long time without one.
func (c *call) timeLeft() time.Duration {
	if deadline, ok := c.ctx.Deadline(); ok {
		return time.Until(deadline)
	}
	return 1<<63 - 1
}

// sleep sleeps, at most until the end of the call.
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
