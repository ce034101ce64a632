// Package calls calls nodes and runs flows.
package calls

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"time"

	"svc.runtime/internal/config"
	"svc.runtime/internal/protojson"
	"svc.runtime/svc"
)

// Connection is a connection to the service: base URL, API key and retry policy. The calls of a
// client share it. It is safe for concurrent use, and printing it does not reveal the API key.
type Connection struct {
	config config.Config
	// identity identifies the SDK to the service.
	identity string
	budget   retryBudget
	// longestBody is the maximum size in bytes of the body of a successful response.
	longestBody int64
	// longestPoll is the timeout of each poll request if attempts have none.
	longestPoll time.Duration
}

// Connect returns a connection. It sends no request. The error is
// [svc.ErrConfiguration] if the API key or base URL is missing or malformed.
func Connect(identity string, options ...svc.Option) (*Connection, error) {
	config, err := clientConfig(options)
	if err != nil {
		return nil, err
	}
	return &Connection{
		config:      config,
		identity:    identity,
		budget:      retryBudget{capacity: config.RetryBudget},
		longestBody: longestBody,
		longestPoll: longestPoll,
	}, nil
}

// String shows the base URL.
func (c *Connection) String() string { return "connection to " + c.config.BaseURL }

// Execution returns a handle to a run of any flow by its id. It sends no request.
func (c *Connection) Execution(id string) *svc.Execution[json.RawMessage] {
	run := &execution[json.RawMessage]{id: id, connection: c, output: protojson.JSONCodec}
	return run.handle()
}

// begin starts a call with its options and deadline. The returned function ends it.
func (c *Connection) begin(ctx context.Context, options []svc.Option) (*call, context.CancelFunc, error) {
	config, err := callConfig(c.config, options)
	if err != nil {
		return nil, nil, err
	}
	return c.beginWith(ctx, config)
}

// beginStream starts a call with the default timeout of streams.
func (c *Connection) beginStream(ctx context.Context, options []svc.Option) (*call, context.CancelFunc, error) {
	config, err := callConfig(c.config, options)
	if err != nil {
		return nil, nil, err
	}
	if !config.HasTimeout {
		config.Timeout = usualStreamTimeout
	}
	return c.beginWith(ctx, config)
}

func (c *Connection) beginWith(ctx context.Context, config config.Config) (*call, context.CancelFunc, error) {
	if config.IdempotencyKey == "" {
		config.IdempotencyKey = rand.Text()
	}
	cancel := func() {}
	isTimed := config.Timeout > 0 && config.Timeout < timeLeft(ctx)
	if isTimed {
		ctx, cancel = context.WithTimeout(ctx, config.Timeout)
	}
	return &call{Config: config, connection: c, ctx: ctx, isTimed: isTimed}, cancel, nil
}
