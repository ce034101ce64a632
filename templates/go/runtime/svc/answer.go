package svc

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"
)

// object is a JSON object of the service, its values yet to be read.
type object map[string]json.RawMessage

// text gives a text that is not empty, "" otherwise.
func (o object) text(key string) string {
	var text string
	if json.Unmarshal(o[key], &text) != nil {
		return ""
	}
	return text
}

// objectOf reads the object that a successful answer has to be.
func objectOf(answer *Response) (object, error) {
	var fields object
	if err := json.Unmarshal(answer.Body, &fields); err != nil || fields == nil {
		return nil, invalidAnswer(answer, "it is not a JSON object", err)
	}
	return fields, nil
}

// requiredText reads a text that has to be there.
func requiredText(fields object, key string, answer *Response) (string, error) {
	text := fields.text(key)
	if text == "" {
		return "", invalidAnswer(answer, "it has no "+key, nil)
	}
	return text, nil
}

// invalidAnswer is the failure of a successful answer that is not what it should be.
func invalidAnswer(answer *Response, reason string, cause error) *APIError {
	return &APIError{
		Kind:        ErrInvalidAnswer,
		Message:     "the answer does not fit: " + reason,
		Status:      answer.Status,
		Header:      answer.Header,
		Body:        answer.Body,
		ExecutionID: answer.ExecutionID,
		Err:         cause,
	}
}

// longestReason is how many bytes of an answer that is no JSON go into a message.
const longestReason = 500

// errorFromAnswer gives the failure that an answer outside of 2xx means.
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
		return "the service gave no reason"
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

// retryAfterOf reads the header Retry-After or, without it, the body's
// retry_after_seconds.
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
