package svc

import (
	"log/slog"
	"net/http"
	"slices"
	"time"
)

// Option configures a client or a call. Options of New apply to all calls, options of
// a call only to that call.
type Option func(*settings) error

// WithAPIKey sets the API key. It defaults to the SVC_API_KEY environment variable.
func WithAPIKey(key string) Option {
	return func(s *settings) error {
		s.apiKey = secret{func() string { return key }}
		return nil
	}
}

// WithBaseURL sets the URL of the service, such as "https://svc.example.com". It
// defaults to the SVC_BASE_URL environment variable.
func WithBaseURL(url string) Option {
	return func(s *settings) error {
		s.baseURL = url
		return nil
	}
}

// WithTimeout sets the timeout of a call, retries included. The default is 60
// seconds. An earlier deadline of the context takes precedence.
func WithTimeout(timeout time.Duration) Option {
	return func(s *settings) error {
		if timeout <= 0 {
			return configurationError("the timeout must be greater than 0; pass WithoutTimeout for no limit")
		}
		s.timeout = timeout
		return nil
	}
}

// WithoutTimeout disables the timeout. Only the context limits the call.
func WithoutTimeout() Option {
	return func(s *settings) error {
		s.timeout = 0
		return nil
	}
}

// WithMaxRetries sets the maximum number of retries after connection errors and the
// statuses 408, 429 and 5xx. The default is 2.
func WithMaxRetries(retries int) Option {
	return func(s *settings) error {
		if retries < 0 {
			return configurationError("the number of retries must not be negative")
		}
		s.maxRetries = retries
		return nil
	}
}

// WithRetryDelay sets the bounds of retry delays. A delay is random between 0 and a
// bound that starts at first, doubles with each retry and never exceeds longest. The
// defaults are 0.5 and 8 seconds.
func WithRetryDelay(first, longest time.Duration) Option {
	return func(s *settings) error {
		if first < 0 || longest < 0 {
			return configurationError("the retry delay must not be negative")
		}
		s.firstDelay, s.longestDelay = first, longest
		return nil
	}
}

// WithHTTPClient sets the client that sends requests, for example for proxies,
// certificates or tests. An [http.Client] without CheckRedirect does not follow
// redirects, so the API key only reaches the service.
func WithHTTPClient(client HTTPClient) Option {
	return func(s *settings) error {
		if client == nil {
			return configurationError("the HTTP client is nil")
		}
		s.http = withoutRedirects(client)
		return nil
	}
}

// WithLogger logs attempts at level Debug and retries at level Info. The API key is
// never logged.
func WithLogger(logger *slog.Logger) Option {
	return func(s *settings) error {
		if logger == nil {
			return configurationError("the logger is nil")
		}
		s.logger = logger
		return nil
	}
}

// WithHeader adds a header. Headers set by the SDK cannot be replaced.
func WithHeader(name, value string) Option {
	return func(s *settings) error {
		if !isHeader(name, value) {
			return configurationError("the header is malformed: use printable ASCII characters")
		}
		if slices.Contains(ofTransport, http.CanonicalHeaderKey(name)) {
			return configurationError("the header " + name + " is set by the transport and cannot be changed")
		}
		// Clipped, so that concurrent calls do not append to the same array.
		s.headers = append(s.headers[:len(s.headers):len(s.headers)], [2]string{name, value})
		return nil
	}
}

// WithIdempotencyKey sets the idempotency key of a single call, so that the service
// executes it once even if it is sent again. The default is a random key per call.
func WithIdempotencyKey(key string) Option {
	return func(s *settings) error {
		if key == "" || !isVisible(key) {
			return configurationError("the idempotency key must contain only visible ASCII characters")
		}
		s.idempotencyKey = key
		return nil
	}
}

// WithResponse stores the HTTP response of a single call in response, also if the
// call fails after a response.
func WithResponse(response *Response) Option {
	return func(s *settings) error {
		if response == nil {
			return configurationError("the response is nil")
		}
		s.response = response
		return nil
	}
}
