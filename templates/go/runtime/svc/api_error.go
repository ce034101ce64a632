package svc

import (
	"cmp"
	"fmt"
	"log/slog"
	"net/http"
	"time"
)

// prefix begins the text of every error of this package.
const prefix = "svc: "

// APIError is the error of failed calls. Use errors.Is to test its Kind and
// errors.As to get the details:
//
//	var failure *svc.APIError
//	if errors.As(err, &failure) {
//		log.Println(failure.Status, failure.ExecutionID)
//	}
//
// It never contains the API key: the service's text, headers and body are redacted.
type APIError struct {
	// Kind is the kind of the error, such as [ErrRateLimited].
	Kind Kind
	// Message is a human-readable description.
	Message string
	// Method and Path are those of the request, without the base URL and the query, or empty if
	// the call failed before it had a request.
	Method, Path string
	// Status is the HTTP status code, or 0 if there was no response.
	Status int
	// Code is the error code of the service, such as "quota_exceeded", if present.
	Code string
	// Header contains the response headers.
	Header http.Header
	// Body is the response body, up to 4 MiB of that of an error status.
	Body []byte
	// ExecutionID is the id of the execution that the call created or read, if known.
	// Use it to find a paused run or to wait again.
	ExecutionID string
	// RequestID is the id of the request in the logs of the service, if it sent one. Include it
	// when you report a problem.
	RequestID string
	// PauseID is the id of the pause of a paused run.
	PauseID string
	// RetryAfter is the time to wait before the next attempt, or nil if the service
	// did not send it.
	RetryAfter *time.Duration
	// Attempts is the number of attempts of the request that failed, or 0 if none was
	// sent.
	Attempts int
	// IdempotencyKey is the key sent with every attempt.
	IdempotencyKey string
	// Err is the underlying error, if any.
	Err error
	// LastFailure is the error of an earlier attempt, if the error is [ErrTimedOut] and an
	// earlier attempt failed. If it is [ErrWaitTimedOut], the earlier attempt is the last poll
	// of the run. LastFailure is not wrapped: errors.Is matches only the kind of this error.
	LastFailure *APIError
}

// Error returns the message, or the text of the kind if there is none, after "svc: " and the
// method and the path of the request.
func (e *APIError) Error() string {
	text := cmp.Or(e.Message, string(e.Kind))
	if e.Path == "" {
		return prefix + text
	}
	return prefix + e.Method + " " + e.Path + ": " + text
}

// String returns the fields of an error that is printed as a struct. It shows only the length
// of the body, which can contain the links of pauses.
func (e APIError) String() string {
	type fields APIError // Without methods.
	shown := fields(e)
	shown.Body = nil
	return fmt.Sprintf("%+v (body of %d bytes)", shown, len(e.Body))
}

// GoString returns the same text as [APIError.String].
func (e APIError) GoString() string { return e.String() }

// Unwrap returns the underlying error.
func (e *APIError) Unwrap() error { return e.Err }

// Is reports whether the error is of the target [Kind].
func (e *APIError) Is(target error) bool { return e.Kind.Is(target) }

// LogValue returns the text of the error with its kind, status and ids, for log/slog.
func (e APIError) LogValue() slog.Value {
	return slog.GroupValue(
		slog.String("message", e.Error()), slog.String("kind", string(e.Kind)), slog.Int("status", e.Status),
		slog.String("execution_id", e.ExecutionID), slog.String("request_id", e.RequestID),
	)
}

func messageError(message string) *APIError {
	return &APIError{Kind: ErrMessage, Message: message}
}

func configurationError(message string) *APIError {
	return &APIError{Kind: ErrConfiguration, Message: message}
}
