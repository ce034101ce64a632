package svc

import (
	"context"
	"fmt"
)

// Connection is a connection to the service: base URL, API key and retry policy. The
// calls of a client share it. It is safe for concurrent use and never shows the key.
type Connection struct {
	settings settings
	// identity identifies the SDK to the service.
	identity string
	budget   retryBudget
}

// Connect returns a connection. It sends no request. The error is [ErrConfiguration]
// if the API key or base URL is missing or malformed.
func Connect(identity string, options ...Option) (*Connection, error) {
	settings, err := clientSettings(options)
	if err != nil {
		return nil, err
	}
	return &Connection{settings: settings, identity: identity}, nil
}

// String shows the base URL.
func (c *Connection) String() string {
	return fmt.Sprintf("connection to %s", c.settings.baseURL)
}

// begin starts a call with its settings and deadline. The returned function ends it.
func (c *Connection) begin(ctx context.Context, options []Option) (*call, context.CancelFunc, error) {
	settings, err := c.settings.ofCall(options)
	if err != nil {
		return nil, nil, err
	}
	cancel := func() {}
	if settings.timeout > 0 {
		ctx, cancel = context.WithTimeout(ctx, settings.timeout)
	}
	return &call{settings: settings, connection: c, ctx: ctx}, cancel, nil
}
