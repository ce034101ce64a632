package calls

import (
	"errors"
	"math"
	"net/http"
	"sync"
	"time"

	"svc.runtime/internal/config"
)

// sharedHTTPClient returns the HTTP client that all clients of the process share unless they
// have their own. Even a program that creates a client per request reuses connections.
var sharedHTTPClient = sync.OnceValue(newHTTPClient)

// longestStillness is how long an HTTP/2 connection may go without a frame before it is pinged.
// It is closed if the ping is not answered within 15 seconds.
const longestStillness = 10 * time.Second

// newHTTPClient returns the default HTTP client. It honours the proxies of the environment, and
// uses HTTP/2 and gzip if the service supports them. Unlike the default client of net/http, it
// keeps more than two idle connections per host, and closes dead HTTP/2 connections so that
// retries do not use them.
func newHTTPClient() *http.Client {
	transport, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return &http.Client{}
	}
	transport = transport.Clone()
	transport.MaxIdleConnsPerHost = 64
	if transport.HTTP2 == nil {
		transport.HTTP2 = &http.HTTP2Config{SendPingTimeout: longestStillness}
	}
	return &http.Client{Transport: transport}
}

// responseOf checks the response of an HTTP client, which the caller may have implemented.
func responseOf(response *http.Response, err error) (*http.Response, error) {
	if err == nil && (response == nil || response.Body == nil) {
		return nil, errors.New("the HTTP client returned no response, or one without a body")
	}
	return response, err
}

// longestResponse returns how long an HTTP client waits for a response, or a very long time if
// it has no limit.
func longestResponse(client config.HTTPClient) time.Duration {
	longest := time.Duration(math.MaxInt64)
	own, ok := client.(*http.Client)
	if !ok {
		return longest
	}
	if own.Timeout > 0 {
		longest = own.Timeout
	}
	if transport, ok := own.Transport.(*http.Transport); ok && transport.ResponseHeaderTimeout > 0 {
		longest = min(longest, transport.ResponseHeaderTimeout)
	}
	return longest
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
