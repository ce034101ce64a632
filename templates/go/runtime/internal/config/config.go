// Package config holds the configuration that the options of a client or a call set.
package config

import (
	"log/slog"
	"net/http"
	"time"
)

// ProtoJSON decodes into, and encodes, the value that a pointer refers to. Package protojson
// sets it at program start, because package svc, which exposes both operations, cannot import
// protojson without a cycle.
var ProtoJSON interface {
	UnmarshalStrict(data []byte, target any) error
	Marshal(value any) ([]byte, error)
}

// Unlimited is the retry budget without a limit.
const Unlimited = -1

// Config is the configuration of a client or a call.
type Config struct {
	APIKey         Secret
	BaseURL        string
	Timeout        time.Duration
	HasTimeout     bool
	AttemptTimeout time.Duration
	MaxRetries     int
	RetryBudget    int
	FirstDelay     time.Duration
	LongestDelay   time.Duration
	HTTP           HTTPClient
	Logger         *slog.Logger
	Headers        [][2]string
	IdempotencyKey string
	Response       *Response
	// IsCall is true for the configuration of a call.
	IsCall bool
}

// HTTPClient is the svc.HTTPClient of the caller.
type HTTPClient interface {
	Do(request *http.Request) (*http.Response, error)
}

// Response has the fields of svc.Response, which converts to it.
type Response struct {
	Status         int
	Header         http.Header
	Body           []byte
	ExecutionID    string
	RequestID      string
	Attempts       int
	IdempotencyKey string
	LastEventID    string
}
