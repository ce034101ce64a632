package svc

import "net/http"

// Response is a response of the service, with the API key redacted.
type Response struct {
	// Status is the HTTP status code.
	Status int
	// Header contains the headers.
	Header http.Header
	// Body is the body.
	Body []byte
	// ExecutionID is the id of the execution that the call created, if the headers
	// contain it.
	ExecutionID string
	// Attempts is the number of attempts, including the first.
	Attempts int
	// IdempotencyKey is the key sent with every attempt.
	IdempotencyKey string
}

// executionIDOf returns the execution id in response headers.
func executionIDOf(header http.Header) string {
	return header.Get("X-Execution-Id")
}
