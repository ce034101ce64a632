package svc

import (
	"fmt"
	"log/slog"
	"net/http"
)

// Response is a response of the service, exactly as received.
type Response struct {
	// Status is the HTTP status code.
	Status int
	// Header contains the headers.
	Header http.Header
	// Body is the body.
	Body []byte
	// ExecutionID is the id of the execution that the call created or read, if known.
	ExecutionID string
	// RequestID is the id of the request in the logs of the service, if it sent one.
	RequestID string
	// Attempts is the number of attempts, including the first.
	Attempts int
	// IdempotencyKey is the key sent with every attempt.
	IdempotencyKey string
	// LastEventID is the id of the last message that a loop over the output of a split stream
	// has yielded, for [SplitStream.OutputAfter].
	LastEventID string
}

// String returns the status and the length of the body. It does not show the body, which can
// contain the links of pauses.
func (r Response) String() string { return fmt.Sprintf("HTTP %d (%d bytes)", r.Status, len(r.Body)) }

// GoString returns the same text as [Response.String].
func (r Response) GoString() string { return r.String() }

// LogValue returns the text of [Response.String].
func (r Response) LogValue() slog.Value { return slog.StringValue(r.String()) }
