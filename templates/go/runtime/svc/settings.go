package svc

import (
	"log/slog"
	"net/url"
	"os"
	"strings"
	"time"
)

// settings are the options of a client or of one call, checked and completed.
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

// clientSettings completes the options of a client.
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
		return s, configurationError("WithIdempotencyKey and WithResponse are for single calls")
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

// ofCall gives what holds for one call.
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
		return configurationError("the API key holds characters that a header cannot carry; is there a space or line break around it?")
	}
	if s.baseURL == "" {
		return configurationError("no address of the service: set SVC_BASE_URL or pass WithBaseURL")
	}
	address, err := url.Parse(s.baseURL)
	if err != nil || address.Host == "" || (address.Scheme != "http" && address.Scheme != "https") {
		return configurationError("the address of the service is a URL such as https://svc.example.com")
	}
	if address.User != nil || address.RawQuery != "" || address.Fragment != "" {
		return configurationError("the address of the service has no user, query or fragment")
	}
	s.baseURL = strings.TrimRight(s.baseURL, "/")
	return nil
}

// isVisible tells whether a text is made of visible ASCII characters alone.
func isVisible(text string) bool {
	for _, char := range []byte(text) {
		if char <= ' ' || char > '~' {
			return false
		}
	}
	return true
}

// ofTransport are the headers that say how a request travels, by canonical names.
var ofTransport = []string{"Connection", "Content-Length", "Expect", "Host", "Transfer-Encoding", "Upgrade"}

func isHeader(name, value string) bool {
	return name != "" && !strings.ContainsAny(name, "\"(),/:;<=>?@[\\]{}") && isVisible(name) &&
		isVisible(strings.ReplaceAll(value, " ", ""))
}
