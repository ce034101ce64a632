package svc

import "net/http"

// HTTPClient is the part of [http.Client] that the SDK uses. Tests can implement it
// without a network.
type HTTPClient interface {
	// Do sends a request and returns the response, whatever its status.
	Do(request *http.Request) (*http.Response, error)
}
