package svc

import (
	"bytes"
	"errors"
	"net/http"
	"strings"
)

const mask = "[redacted]"

// secret hides the API key from printing by keeping it in a closure.
type secret struct {
	reveal func() string
}

func (s secret) text() string {
	if s.reveal == nil {
		return ""
	}
	return s.reveal()
}

// redact replaces the key in a string.
func (s secret) redact(text string) string {
	if key := s.text(); key != "" {
		return strings.ReplaceAll(text, key, mask)
	}
	return text
}

func (s secret) redactBytes(data []byte) []byte {
	key := s.text()
	if key == "" || !bytes.Contains(data, []byte(key)) {
		return data
	}
	return bytes.ReplaceAll(data, []byte(key), []byte(mask))
}

func (s secret) redactHeader(header http.Header) http.Header {
	for _, values := range header {
		for i, value := range values {
			values[i] = s.redact(value)
		}
	}
	return header
}

// redactError returns an error without the key, since errors of transports can
// contain the request. A redacted error loses its chain.
func (s secret) redactError(err error) error {
	text := err.Error()
	if redacted := s.redact(text); redacted != text {
		return errors.New(redacted)
	}
	return err
}
