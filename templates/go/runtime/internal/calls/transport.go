package calls

import (
	"errors"
	"math"
	"net/http"
	"sync"
	"time"

	"svc.runtime/internal/config"
)

// sharedHTTPClient returns the HTTP client of all clients of the process that have none
// of their own, so that a client per request reuses connections.
var sharedHTTPClient = sync.OnceValue(newHTTPClient)

// longestStillness is the time without a frame after which an HTTP/2 connection is pinged. It
// is closed if the ping is not answered within 15 seconds.
const longestStillness = 10 * time.Second

// newHTTPClient returns the default HTTP client. It honours the proxies of the
// environment, and uses HTTP/2 and gzip if the service does. Unlike the default of
// net/http, it keeps more than two idle connections per host, and closes an HTTP/2 connection
// that is dead, which every retry would be sent on.
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

// responseOf returns the response of an HTTP client, which can be one of the caller.
func responseOf(response *http.Response, err error) (*http.Response, error) {
	if err == nil && (response == nil || response.Body == nil) {
		return nil, errors.New("the HTTP client returned no response, or one without a body")
	}
	return response, err
}

// longestResponse returns the time that an HTTP client gives a response, or a very long time.
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
