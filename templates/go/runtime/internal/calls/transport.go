package calls

import (
	"errors"
	"net/http"
	"sync"

	"svc.runtime/internal/config"
)

// sharedHTTPClient returns the HTTP client of all clients of the process that have none
// of their own, so that a client per request reuses connections.
var sharedHTTPClient = sync.OnceValue(newHTTPClient)

// newHTTPClient returns the default HTTP client. It honours the proxies of the
// environment, and uses HTTP/2 and gzip if the service does. Unlike the default of
// net/http, it keeps more than two idle connections per host.
func newHTTPClient() *http.Client {
	transport, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return &http.Client{}
	}
	transport = transport.Clone()
	transport.MaxIdleConnsPerHost = 64
	return &http.Client{Transport: transport}
}

// responseOf returns the response of an HTTP client, which can be one of the caller.
func responseOf(response *http.Response, err error) (*http.Response, error) {
	if err == nil && (response == nil || response.Body == nil) {
		return nil, errors.New("the HTTP client returned no response, or one without a body")
	}
	return response, err
}

// withoutRedirects returns a client that does not follow redirects, unless
// CheckRedirect is set.
func withoutRedirects(client config.HTTPClient) config.HTTPClient {
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
