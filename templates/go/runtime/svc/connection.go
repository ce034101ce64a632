package svc

import (
	"context"
	"fmt"
)

// Connection is the way to the service: address, key and the policy of retries.
// The calls of a client share one. It is safe for use by many goroutines, and never
// shows the key.
type Connection struct {
	settings settings
	// identity names the SDK to the service.
	identity string
	budget   retryBudget
}

// Connect makes a connection. It sends nothing; it fails with [ErrConfiguration]
// when the key or the address is missing or malformed.
func Connect(identity string, options ...Option) (*Connection, error) {
	settings, err := clientSettings(options)
	if err != nil {
		return nil, err
	}
	return &Connection{settings: settings, identity: identity}, nil
}

// String shows where the connection leads.
func (c *Connection) String() string {
	return fmt.Sprintf("connection to %s", c.settings.baseURL)
}

// begin opens a logical call: its settings and its deadline. The function ends it.
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
