package calls

import (
	"context"
	"errors"
	"net/http"

	"github.com/coder/websocket"
)

// dial always fails: WebSockets in JavaScript cannot send the API key in a header.
func dial(context.Context, *http.Request, *http.Client, func()) (*websocket.Conn, *http.Response, error) {
	return nil, nil, errors.New("WebSockets are not supported on js/wasm")
}
