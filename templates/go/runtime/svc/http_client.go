package svc

import "net/http"

// HTTPClient is the part of [http.Client] that the SDK uses. Tests can implement it
// without a network.
type HTTPClient interface {
	// Do sends a request and returns the response, whatever its status. The idempotency
	// key is in request.Header["idempotency-key"]: net/http sends requests that have it
	// under its usual name again on its own.
	Do(request *http.Request) (*http.Response, error)
}
