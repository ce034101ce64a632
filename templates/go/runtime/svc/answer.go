package svc

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"
)

// object is a JSON object with undecoded values.
type object map[string]json.RawMessage

// text returns the string at key, or "".
func (o object) text(key string) string {
	var text string
	if json.Unmarshal(o[key], &text) != nil {
		return ""
	}
	return text
}

// objectOf parses the JSON object in a successful response.
func objectOf(answer *Response) (object, error) {
	var fields object
	if err := json.Unmarshal(answer.Body, &fields); err != nil || fields == nil {
		return nil, invalidAnswer(answer, "not a JSON object", err)
	}
	return fields, nil
}

// requiredText returns a required string.
func requiredText(fields object, key string, answer *Response) (string, error) {
	text := fields.text(key)
	if text == "" {
		return "", invalidAnswer(answer, key+" is missing", nil)
	}
	return text, nil
}

// invalidAnswer returns the error for an invalid successful response.
func invalidAnswer(answer *Response, reason string, cause error) *APIError {
	return &APIError{
		Kind:        ErrInvalidAnswer,
		Message:     "invalid response: " + reason,
		Status:      answer.Status,
		Header:      answer.Header,
		Body:        answer.Body,
		ExecutionID: answer.ExecutionID,
		Err:         cause,
	}
}

// longestReason is the maximum number of bytes of a non-JSON body in an error
// message.
const longestReason = 500

// errorFromAnswer returns the error for a response with an error status.
func errorFromAnswer(answer *Response) *APIError {
	var fields object
	_ = json.Unmarshal(answer.Body, &fields)
	code := fields.text("error")
	failure := &APIError{
		Kind:        kindOf(answer.Status, code),
		Status:      answer.Status,
		Code:        code,
		Header:      answer.Header,
		Body:        answer.Body,
		ExecutionID: answer.ExecutionID,
	}
	if failure.ExecutionID == "" {
		failure.ExecutionID = fields.text("execution_id")
	}
	if delay, ok := retryAfterOf(answer.Header, fields); ok {
		failure.RetryAfter = &delay
	}
	run := ""
	if failure.ExecutionID != "" {
		run = ", execution " + failure.ExecutionID
	}
	failure.Message = fmt.Sprintf("%s (HTTP %d%s)", reasonOf(fields, answer.Body), answer.Status, run)
	return failure
}

func reasonOf(fields object, body []byte) string {
	for _, key := range []string{"error_message", "message", "error"} {
		if text := fields.text(key); text != "" {
			return text
		}
	}
	text := strings.TrimSpace(string(body))
	if fields != nil || text == "" {
		return "no error message"
	}
	if len(text) > longestReason {
		cut := longestReason
		for !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut]
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}

// retryAfterOf returns the Retry-After header, or retry_after_seconds of the body.
func retryAfterOf(header http.Header, fields object) (time.Duration, bool) {
	if delay, ok := parseRetryAfter(header.Get("Retry-After"), time.Now()); ok {
		return delay, true
	}
	return parseSeconds(string(fields["retry_after_seconds"]))
}

func kindOf(status int, code string) Kind {
	switch status {
	case http.StatusBadRequest:
		return ErrBadRequest
	case http.StatusUnauthorized:
		return ErrUnauthorized
	case http.StatusForbidden:
		switch code {
		case "tenant_suspended":
			return ErrTenantSuspended
		case "app_key_graph_denied":
			return ErrAppKeyGraphDenied
		}
		return ErrForbidden
	case http.StatusNotFound:
		return ErrNotFound
	case http.StatusRequestEntityTooLarge:
		return ErrPayloadTooLarge
	case http.StatusUnprocessableEntity:
		return ErrNodeFailed
	case http.StatusTooManyRequests:
		if code == "quota_exceeded" {
			return ErrQuotaExceeded
		}
		return ErrRateLimited
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return ErrUpstreamUnavailable
	}
	if status >= 500 {
		return ErrServer
	}
	return ErrStatus
}
