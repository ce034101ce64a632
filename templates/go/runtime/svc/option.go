package svc

import (
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"svc.runtime/internal/config"
)

// Option configures a client or a call. Options of New apply to all calls, options of
// a call only to that call.
type Option func(*config.Config) error

// WithAPIKey sets the API key. It defaults to the SVC_API_KEY environment variable.
func WithAPIKey(key string) Option {
	return func(c *config.Config) error {
		c.APIKey = config.NewSecret(key)
		return nil
	}
}

// WithBaseURL sets the URL of the service, such as "https://svc.example.com". It
// defaults to the SVC_BASE_URL environment variable.
func WithBaseURL(url string) Option {
	return func(c *config.Config) error {
		c.BaseURL = url
		return nil
	}
}

// WithTimeout sets the timeout of a call, retries included. The default is 60
// seconds, and 5 minutes for streams. An earlier deadline of the context takes precedence.
func WithTimeout(timeout time.Duration) Option {
	return func(c *config.Config) error {
		if timeout <= 0 {
			return configurationError("the timeout must be greater than 0; pass WithoutTimeout for no limit")
		}
		c.Timeout, c.HasTimeout = timeout, true
		return nil
	}
}

// WithoutTimeout disables the timeout. Only the context limits the call.
func WithoutTimeout() Option {
	return func(c *config.Config) error {
		c.Timeout, c.HasTimeout = 0, true
		return nil
	}
}

// WithAttemptTimeout sets the timeout of each attempt, so that a request that hangs is retried.
// By default, only the timeout of the call limits an attempt.
func WithAttemptTimeout(timeout time.Duration) Option {
	return func(c *config.Config) error {
		if timeout <= 0 {
			return configurationError("the timeout of an attempt must be greater than 0")
		}
		c.AttemptTimeout = timeout
		return nil
	}
}

// WithMaxRetries sets the maximum number of retries after connection errors, attempts that time
// out and the statuses 408, 429 and 5xx. The default is 2. A status 429 whose Retry-After is a
// second or more does not count as a retry: the call is retried until its timeout, unless
// retries is 0. A request that starts a run is not retried later than four minutes after its
// first attempt that failed other than with a 429.
func WithMaxRetries(retries int) Option {
	return func(c *config.Config) error {
		if retries < 0 {
			return configurationError("the number of retries must not be negative")
		}
		c.MaxRetries = retries
		return nil
	}
}

// WithRetryDelay sets the bounds of retry delays. A delay is random between 0 and a
// bound that starts at first, doubles with each retry and never exceeds longest. The
// defaults are 0.5 and 8 seconds.
func WithRetryDelay(first, longest time.Duration) Option {
	return func(c *config.Config) error {
		if first < 0 || longest < 0 {
			return configurationError("the retry delay must not be negative")
		}
		c.FirstDelay, c.LongestDelay = first, longest
		return nil
	}
}

// WithRetryBudget sets the number of retries that a client has in reserve while the service is
// failing. A call that succeeds by a retry puts that retry back, and any other successful call
// a tenth of one. The default is 100. A status 429 whose Retry-After is a second or more does
// not count. The option applies to clients only.
func WithRetryBudget(retries int) Option {
	return func(c *config.Config) error {
		if retries < 0 {
			return configurationError("the retry budget must not be negative; pass WithoutRetryBudget for no limit")
		}
		return setRetryBudget(c, retries)
	}
}

// WithoutRetryBudget disables the retry budget. It applies to clients only.
func WithoutRetryBudget() Option {
	return func(c *config.Config) error { return setRetryBudget(c, config.Unlimited) }
}

// WithHTTPClient sets the client that sends requests, for example for proxies,
// certificates or tests. An [http.Client] without CheckRedirect does not follow
// redirects, so the API key only reaches the service.
func WithHTTPClient(client HTTPClient) Option {
	return func(c *config.Config) error {
		if own, ok := client.(*http.Client); client == nil || ok && own == nil {
			return configurationError("the HTTP client is nil")
		}
		c.HTTP = client
		return nil
	}
}

// WithLogger sets the logger. It receives attempts, and streams that fail after the head of
// their response, at level Debug; retries and blocked WebSockets at level Info; and an empty
// retry budget at level Warn. The API key is never logged.
func WithLogger(logger *slog.Logger) Option {
	return func(c *config.Config) error {
		if logger == nil {
			return configurationError("the logger is nil")
		}
		c.Logger = logger
		return nil
	}
}

// WithHeader adds a header. Headers that the SDK or its transport sets are rejected, except for
// User-Agent, which precedes that of the SDK.
func WithHeader(name, value string) Option {
	return func(c *config.Config) error {
		if !isHeader(name, value) {
			// The value may be a secret, and so may the part of the name after a colon or a
			// space.
			shown := name
			if at := strings.IndexAny(name, ": "); at >= 0 {
				shown = name[:at]
			}
			return configurationError(fmt.Sprintf("the header %q is malformed: use printable ASCII characters, and no spaces or colons in its name", shown))
		}
		if reason, isRefused := refusedHeaders[http.CanonicalHeaderKey(name)]; isRefused {
			return configurationError("the header " + name + " " + reason)
		}
		// The capacity is clipped so that concurrent calls do not append to the same array.
		c.Headers = append(c.Headers[:len(c.Headers):len(c.Headers)], [2]string{name, value})
		return nil
	}
}

// WithIdempotencyKey sets the idempotency key of a single call: the service starts at
// most one run of a flow per key within five minutes. Calls of nodes and streams ignore
// it, so each retry calls the node again. The default is a random key per call. If the key
// belongs to an earlier request with another input, the error is [ErrIdempotencyMismatch].
func WithIdempotencyKey(key string) Option {
	return func(c *config.Config) error {
		if key == "" || !config.IsVisible(key) {
			return configurationError("the idempotency key must contain only visible ASCII characters")
		}
		if !c.IsCall {
			return configurationError("WithIdempotencyKey applies to single calls only")
		}
		c.IdempotencyKey = key
		return nil
	}
}

// WithResponse stores the HTTP response of a single call in response, even if the call fails
// after receiving one. If there was no response, it is empty.
func WithResponse(response *Response) Option {
	return func(c *config.Config) error {
		if response == nil {
			return configurationError("the response is nil")
		}
		if !c.IsCall {
			return configurationError("WithResponse applies to single calls only")
		}
		// Do not leave the response of an earlier call.
		*response = Response{}
		c.Response = (*config.Response)(response)
		return nil
	}
}

// StoreResponse stores a response in the target of [WithResponse], if the options of a call
// include it. Clients store responses themselves; use StoreResponse in a fake client.
func StoreResponse(response Response, options ...Option) {
	c := &config.Config{IsCall: true}
	for _, option := range options {
		if option != nil {
			// Other options do not matter here, nor do their errors.
			_ = option(c)
		}
	}
	if c.Response != nil {
		*c.Response = config.Response(response)
	}
}

func setRetryBudget(c *config.Config, retries int) error {
	if c.IsCall {
		return configurationError("the retry budget applies to clients only")
	}
	c.RetryBudget = retries
	return nil
}

const (
	setBySDK       = "is set by the SDK and cannot be changed"
	setByTransport = "is set by the transport and cannot be changed"
)

// refusedHeaders maps the canonical names of headers that cannot be set to the reasons.
var refusedHeaders = map[string]string{
	"Accept":            setBySDK,
	"Accept-Encoding":   setByTransport,
	"Authorization":     "is set by the SDK; pass WithAPIKey instead",
	"Connection":        setByTransport,
	"Content-Length":    setByTransport,
	"Content-Type":      setBySDK,
	"Expect":            setByTransport,
	"Host":              setByTransport,
	"Idempotency-Key":   "is set by the SDK; pass WithIdempotencyKey to a call instead",
	"Last-Event-Id":     setBySDK,
	"Transfer-Encoding": setByTransport,
	"Upgrade":           setByTransport,
	"X-Svc-Client":      setBySDK,
}

func isHeader(name, value string) bool {
	return name != "" && !strings.ContainsAny(name, "\"(),/:;<=>?@[\\]{}") && config.IsVisible(name) &&
		config.IsVisible(strings.ReplaceAll(value, " ", ""))
}
