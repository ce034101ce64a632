//go:build !js

package calls

import (
	"context"
	"net/http"

	"github.com/coder/websocket"
)

// dial opens a WebSocket. It calls pinged on each ping from the service.
func dial(ctx context.Context, outgoing *http.Request, client *http.Client, pinged func()) (*websocket.Conn, *http.Response, error) {
	return websocket.Dial(ctx, outgoing.URL.String(), &websocket.DialOptions{
		HTTPClient: client,
		HTTPHeader: outgoing.Header,
		OnPingReceived: func(context.Context, []byte) bool {
			pinged()
			return true
		},
	})
}
