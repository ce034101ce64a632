package svc

import (
	"bytes"
	"errors"
	"net/http"
	"strings"
)

const mask = "[redacted]"

// secret holds the API key where printing cannot reach it: behind a function.
type secret struct {
	reveal func() string
}

func (s secret) text() string {
	if s.reveal == nil {
		return ""
	}
	return s.reveal()
}

// redact gives a text without the key.
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

// redactError gives an error whose text does not hold the key: transports like to
// put the request into theirs. The chain is lost with the text.
func (s secret) redactError(err error) error {
	text := err.Error()
	if redacted := s.redact(text); redacted != text {
		return errors.New(redacted)
	}
	return err
}
