package svc

import "net/http"

// HTTPClient is the part of [http.Client] that the SDK uses. Tests can implement it
// without a network.
type HTTPClient interface {
	// Do sends a request and returns the response, whatever its status. The idempotency key is
	// in request.Header["idempotency-key"], because net/http resends requests on its own if
	// they have it under its canonical name. A WebSocket is written to the Body of the
	// response, which an [http.Client] with a Timeout wraps: if Do calls such a client, use
	// [WithTimeout] instead.
	Do(request *http.Request) (*http.Response, error)
}
