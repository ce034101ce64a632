package svc

import "net/http"

// HTTPClient is the part of [http.Client] that the SDK uses, so that a test may
// answer without a network.
type HTTPClient interface {
	// Do sends a request and gives its answer, whatever its status.
	Do(request *http.Request) (*http.Response, error)
}

// newHTTPClient makes the client of an SDK client that was given none. Unlike the
// default of net/http, it keeps more than two idle connections to one host.
func newHTTPClient() HTTPClient {
	transport, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return withoutRedirects(&http.Client{})
	}
	transport = transport.Clone()
	transport.MaxIdleConnsPerHost = 64
	return withoutRedirects(&http.Client{Transport: transport})
}

// withoutRedirects gives a client that hands redirects to its caller, unless it was
// told what to do with them.
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
