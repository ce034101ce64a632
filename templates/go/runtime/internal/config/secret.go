package config

import (
	"errors"
	"net/http"
	"strings"
)

const mask = "[redacted]"

// Secret hides the API key from printing by keeping it in a closure. The zero value is
// the absence of a key.
type Secret struct {
	reveal func() string
}

// NewSecret returns a secret.
func NewSecret(key string) Secret {
	return Secret{func() string { return key }}
}

// IsGiven reports whether there is a key, even an empty one.
func (s Secret) IsGiven() bool { return s.reveal != nil }

// Text returns the key.
func (s Secret) Text() string {
	if s.reveal == nil {
		return ""
	}
	return s.reveal()
}

// shortestRedacted is the length of the shortest key that is redacted. The keys of the service
// are longer. A shorter one, such as a test key, can occur in a text by chance.
const shortestRedacted = 16

// Redact replaces the key in a string that an error or a log shows.
func (s Secret) Redact(text string) string {
	if key := s.Text(); len(key) >= shortestRedacted {
		return strings.ReplaceAll(text, key, mask)
	}
	return text
}

// RedactHeader returns a copy of the headers with the key redacted.
func (s Secret) RedactHeader(header http.Header) http.Header {
	redacted := header.Clone()
	for _, values := range redacted {
		for i, value := range values {
			values[i] = s.Redact(value)
		}
	}
	return redacted
}

// RedactError returns an error with the key redacted, because the errors of transports can
// contain the request. A redacted error loses its chain.
func (s Secret) RedactError(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	if redacted := s.Redact(text); redacted != text {
		return errors.New(redacted)
	}
	return err
}

// IsVisible reports whether a string contains only visible ASCII characters.
func IsVisible(text string) bool {
	for _, char := range []byte(text) {
		if char <= ' ' || char > '~' {
			return false
		}
	}
	return true
}
