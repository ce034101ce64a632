package svc

import "net/http"

// HTTPClient is the part of [http.Client] that the SDK uses. Tests can implement it
// without a network.
type HTTPClient interface {
	// Do sends a request and returns the response, whatever its status. The idempotency
	// key is in request.Header["idempotency-key"]: net/http sends requests that have it
	// under its usual name again on its own. A WebSocket is written to the Body of the
	// response, which an [http.Client] with a Timeout wraps: if Do calls one, use
	// [WithTimeout] instead.
	Do(request *http.Request) (*http.Response, error)
}
