package svc

import (
	"net/http"
	"time"
)

// APIError is every failure of a call. Its Kind says what went wrong; errors.Is
// asks for it, errors.As gives the details:
//
//	var failure *svc.APIError
//	if errors.As(err, &failure) {
//		log.Println(failure.Status, failure.ExecutionID)
//	}
//
// Nothing of it ever holds the API key.
type APIError struct {
	// Kind is what went wrong: [ErrRateLimited] and so on.
	Kind Kind
	// Message says what happened, for people.
	Message string
	// Status is the HTTP status of the answer, 0 when there was none.
	Status int
	// Code is the service's own stable error class, such as "quota_exceeded", when it
	// gave one.
	Code string
	// Header holds the headers of the answer.
	Header http.Header
	// Body is the body of the answer.
	Body []byte
	// ExecutionID is the id of the execution that the call made, when known. A run
	// that is paused or was not waited for is found again by it.
	ExecutionID string
	// PauseID is the pause of a run that waits for a decision.
	PauseID string
	// RetryAfter is how long the service asks to wait before another attempt, nil when
	// it does not ask.
	RetryAfter *time.Duration
	// Err is the cause, when there is one.
	Err error
}

// Error gives the message.
func (e *APIError) Error() string { return e.Message }

// Unwrap gives the cause.
func (e *APIError) Unwrap() error { return e.Err }

// Is tells whether the failure is of a [Kind].
func (e *APIError) Is(target error) bool { return e.Kind.Is(target) }

func configurationError(message string) *APIError {
	return &APIError{Kind: ErrConfiguration, Message: message}
}
