package svc

import "net/http"

// Response is an answer of the service as it came, without the API key.
type Response struct {
	// Status is the HTTP status.
	Status int
	// Header holds the headers.
	Header http.Header
	// Body is the body.
	Body []byte
	// ExecutionID is the id under which the service recorded the execution, when it
	// says one.
	ExecutionID string
	// Attempts is how often the request was sent.
	Attempts int
	// IdempotencyKey is the key that every attempt carried.
	IdempotencyKey string
}

// executionIDOf gives the execution that the headers of an answer name.
func executionIDOf(header http.Header) string {
	return header.Get("X-Execution-Id")
}
