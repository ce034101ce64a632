package svc

import "net/http"

// HTTPClient is the part of [http.Client] that the SDK uses. Tests can implement it
// without a network.
type HTTPClient interface {
	// Do sends a request and returns the response, whatever its status.
	Do(request *http.Request) (*http.Response, error)
}

// newHTTPClient returns the default HTTP client. Unlike the default of net/http, it
// keeps more than two idle connections per host.
func newHTTPClient() HTTPClient {
	transport, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return withoutRedirects(&http.Client{})
	}
	transport = transport.Clone()
	transport.MaxIdleConnsPerHost = 64
	return withoutRedirects(&http.Client{Transport: transport})
}

// withoutRedirects returns a client that does not follow redirects, unless
// CheckRedirect is set.
func withoutRedirects(client HTTPClient) HTTPClient {
	own, ok := client.(*http.Client)
	if !ok || own.CheckRedirect != nil {
		return client
	}
	changed := *own
	changed.CheckRedirect = func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}
	return &changed
}
