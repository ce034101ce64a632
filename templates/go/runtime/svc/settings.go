package svc

import (
	"log/slog"
	"net/url"
	"os"
	"strings"
	"time"
)

// settings are the validated options of a client or call, with defaults applied.
type settings struct {
	apiKey         secret
	baseURL        string
	timeout        time.Duration
	maxRetries     int
	firstDelay     time.Duration
	longestDelay   time.Duration
	http           HTTPClient
	logger         *slog.Logger
	headers        [][2]string
	idempotencyKey string
	response       *Response
}

// clientSettings validates the options of a client and applies defaults.
func clientSettings(options []Option) (settings, error) {
	s := settings{
		timeout:      60 * time.Second,
		maxRetries:   2,
		firstDelay:   500 * time.Millisecond,
		longestDelay: 8 * time.Second,
		logger:       slog.New(slog.DiscardHandler),
	}
	if err := s.apply(options); err != nil {
		return s, err
	}
	if s.idempotencyKey != "" || s.response != nil {
		return s, configurationError("WithIdempotencyKey and WithResponse apply to single calls only")
	}
	if s.apiKey.reveal == nil {
		key := os.Getenv("SVC_API_KEY")
		s.apiKey = secret{func() string { return key }}
	}
	if s.baseURL == "" {
		s.baseURL = os.Getenv("SVC_BASE_URL")
	}
	if s.http == nil {
		s.http = newHTTPClient()
	}
	return s, s.check()
}

// ofCall returns the settings of one call.
func (s settings) ofCall(options []Option) (settings, error) {
	if len(options) == 0 {
		return s, nil
	}
	if err := s.apply(options); err != nil {
		return s, err
	}
	return s, s.check()
}

func (s *settings) apply(options []Option) error {
	for _, option := range options {
		if option == nil {
			continue
		}
		if err := option(s); err != nil {
			return err
		}
	}
	return nil
}

func (s *settings) check() error {
	key := s.apiKey.text()
	if key == "" {
		return configurationError("no API key: set SVC_API_KEY or pass WithAPIKey")
	}
	if !isVisible(key) {
		return configurationError("the API key is malformed: it must contain only visible ASCII characters; check for spaces or line breaks around it")
	}
	if s.baseURL == "" {
		return configurationError("no base URL: set SVC_BASE_URL or pass WithBaseURL")
	}
	address, err := url.Parse(s.baseURL)
	if err != nil || address.Host == "" || (address.Scheme != "http" && address.Scheme != "https") {
		return configurationError("the base URL must be an HTTP or HTTPS URL such as https://svc.example.com")
	}
	if address.User != nil || address.RawQuery != "" || address.Fragment != "" {
		return configurationError("the base URL must not contain a user, a query or a fragment")
	}
	s.baseURL = strings.TrimRight(s.baseURL, "/")
	return nil
}

// isVisible reports whether a string contains only visible ASCII characters.
func isVisible(text string) bool {
	for _, char := range []byte(text) {
		if char <= ' ' || char > '~' {
			return false
		}
	}
	return true
}

// ofTransport lists the headers controlled by the HTTP transport, by canonical name.
var ofTransport = []string{"Connection", "Content-Length", "Expect", "Host", "Transfer-Encoding", "Upgrade"}

func isHeader(name, value string) bool {
	return name != "" && !strings.ContainsAny(name, "\"(),/:;<=>?@[\\]{}") && isVisible(name) &&
		isVisible(strings.ReplaceAll(value, " ", ""))
}
