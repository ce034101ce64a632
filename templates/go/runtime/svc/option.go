package svc

import (
	"log/slog"
	"net/http"
	"slices"
	"time"
)

// Option changes how a client calls. Options of New hold for all calls, options of
// a call for that call alone.
type Option func(*settings) error

// WithAPIKey passes the API key in. Without it, SVC_API_KEY of the environment is
// the key.
func WithAPIKey(key string) Option {
	return func(s *settings) error {
		s.apiKey = secret{func() string { return key }}
		return nil
	}
}

// WithBaseURL passes the address of the service in, such as
// "https://svc.example.com". Without it, SVC_BASE_URL of the environment is the
// address.
func WithBaseURL(url string) Option {
	return func(s *settings) error {
		s.baseURL = url
		return nil
	}
}

// WithTimeout bounds a whole call, its retries and waits included; 60 seconds
// unless set. A context that ends earlier goes first.
func WithTimeout(timeout time.Duration) Option {
	return func(s *settings) error {
		if timeout <= 0 {
			return configurationError("a timeout is more than 0: for none, pass WithoutTimeout")
		}
		s.timeout = timeout
		return nil
	}
}

// WithoutTimeout lets a call take as long as its context allows.
func WithoutTimeout() Option {
	return func(s *settings) error {
		s.timeout = 0
		return nil
	}
}

// WithMaxRetries sets how often a call is tried again after connection errors and
// the statuses 408, 429 and 5xx; 2 unless set.
func WithMaxRetries(retries int) Option {
	return func(s *settings) error {
		if retries < 0 {
			return configurationError("the number of retries is 0 or more")
		}
		s.maxRetries = retries
		return nil
	}
}

// WithRetryDelay bounds the waits between attempts. A wait is random between 0 and
// a bound that is first before the first retry, doubles with each further one, and
// is never beyond longest; 0.5 and 8 seconds unless set.
func WithRetryDelay(first, longest time.Duration) Option {
	return func(s *settings) error {
		if first < 0 || longest < 0 {
			return configurationError("the delay of a retry is 0 or more")
		}
		s.firstDelay, s.longestDelay = first, longest
		return nil
	}
}

// WithHTTPClient sends requests through a client of your own, for proxies,
// certificates or tests. An [http.Client] that does not say how it treats
// redirects follows none, so that the key goes nowhere else.
func WithHTTPClient(client HTTPClient) Option {
	return func(s *settings) error {
		if client == nil {
			return configurationError("the HTTP client is nil")
		}
		s.http = withoutRedirects(client)
		return nil
	}
}

// WithLogger logs attempts at the level Debug and retries at the level Info. The
// API key appears in nothing that is logged.
func WithLogger(logger *slog.Logger) Option {
	return func(s *settings) error {
		if logger == nil {
			return configurationError("the logger is nil")
		}
		s.logger = logger
		return nil
	}
}

// WithHeader sends a further header. The headers that the SDK sends itself cannot
// be replaced.
func WithHeader(name, value string) Option {
	return func(s *settings) error {
		if !isHeader(name, value) {
			return configurationError("a header is visible ASCII, name and value")
		}
		if slices.Contains(ofTransport, http.CanonicalHeaderKey(name)) {
			return configurationError("the header " + name + " is the transport's own: leave it out")
		}
		// Capped, so that calls at the same time do not write into one array.
		s.headers = append(s.headers[:len(s.headers):len(s.headers)], [2]string{name, value})
		return nil
	}
}

// WithIdempotencyKey names a call, so that the service makes it once however often
// it is sent. It is for a single call; each gets a random key without it.
func WithIdempotencyKey(key string) Option {
	return func(s *settings) error {
		if key == "" || !isVisible(key) {
			return configurationError("an idempotency key is made of visible ASCII characters")
		}
		s.idempotencyKey = key
		return nil
	}
}

// WithResponse fills response with the HTTP answer beside the typed value, also
// when the call fails after an answer. It is for a single call.
func WithResponse(response *Response) Option {
	return func(s *settings) error {
		if response == nil {
			return configurationError("the response to fill is nil")
		}
		s.response = response
		return nil
	}
}
