package calls

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"svc.runtime/internal/config"
	"svc.runtime/svc"
)

// response is a response of the service, with the details that errors about it need.
type response struct {
	config.Response
	apiKey config.Secret
	// request is the request that was answered.
	request *request
}

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

// time returns the time at key, or the zero time.
func (o object) time(key string) time.Time {
	value, err := time.Parse(time.RFC3339Nano, o.text(key))
	if err != nil {
		return time.Time{}
	}
	return value.UTC()
}

// objectOf parses the JSON object in a successful response.
func objectOf(response *response) (object, error) {
	var fields object
	if err := json.Unmarshal(response.Body, &fields); err != nil || fields == nil {
		return nil, invalidResponse(response, "not a JSON object", err)
	}
	return fields, nil
}

// requiredText returns a required string.
func requiredText(fields object, key string, response *response) (string, error) {
	text := fields.text(key)
	if text == "" {
		return "", invalidResponse(response, key+" is missing", nil)
	}
	return text, nil
}

// runAndRequest names the execution and the request in an error message, if they are known.
func (a *response) runAndRequest() string {
	return parenthesized(a.runText(), a.requestText())
}

func (a *response) runText() string {
	if a.ExecutionID == "" {
		return ""
	}
	return "execution " + a.ExecutionID
}

func (a *response) requestText() string {
	if a.RequestID == "" {
		return ""
	}
	return "request " + a.RequestID
}

// parenthesized joins the non-empty parts in parentheses, for the end of an error message.
func parenthesized(parts ...string) string {
	parts = slices.DeleteFunc(parts, func(part string) bool { return part == "" })
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// failure returns an error about the response, with the API key redacted.
func (a *response) failure(kind svc.Kind, message string, cause error) *svc.APIError {
	return &svc.APIError{
		Kind:           kind,
		Message:        a.apiKey.Redact(message),
		Method:         a.request.method,
		Path:           a.request.pathAlone(),
		Status:         a.Status,
		Code:           codeOfKind(kind),
		Header:         a.apiKey.RedactHeader(a.Header),
		Body:           []byte(a.apiKey.Redact(string(a.Body))),
		ExecutionID:    a.ExecutionID,
		RequestID:      a.apiKey.Redact(a.RequestID),
		Attempts:       a.Attempts,
		IdempotencyKey: a.IdempotencyKey,
		Err:            a.apiKey.RedactError(unexpected(cause)),
	}
}

// unexpected replaces io.EOF, which callers take for an orderly end, with io.ErrUnexpectedEOF.
func unexpected(cause error) error {
	if errors.Is(cause, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return cause
}

// named adds the details of the request and the ids of the response to an error that is not
// about the response itself, such as a timeout.
func (a *response) named(failure *svc.APIError) *svc.APIError {
	failure.Message += a.apiKey.Redact(a.runAndRequest())
	failure.Method, failure.Path = a.request.method, a.request.pathAlone()
	failure.ExecutionID = a.ExecutionID
	failure.RequestID = a.apiKey.Redact(a.RequestID)
	failure.Attempts = a.Attempts
	failure.IdempotencyKey = a.IdempotencyKey
	return failure
}

// invalidResponse returns the error for an invalid successful response.
func invalidResponse(response *response, reason string, cause error) *svc.APIError {
	return response.failure(svc.ErrInvalidResponse, "invalid response: "+reason+response.runAndRequest(), cause)
}

// longestReason is the maximum length in bytes of a text or address from the service in an
// error message. The body of the error contains the rest.
const longestReason = 500

// errorFromResponse returns the error for a response with an error status.
func errorFromResponse(response *response) *svc.APIError {
	var fields object
	_ = json.Unmarshal(response.Body, &fields)
	class := classOf(fields)
	message := reasonOf(response, fields) + parenthesized(fmt.Sprintf("HTTP %d", response.Status), response.runText(), response.requestText())
	failure := response.failure(kindOf(response.Status, class), message, nil)
	code := fields.text("code")
	if code == "" {
		code = class
	}
	if code != "" {
		failure.Code = response.apiKey.Redact(code)
	}
	if delay, ok := retryAfterOf(response.Header, fields); ok {
		failure.RetryAfter = &delay
	}
	return failure
}

// differences maps the parts of a request in an Idempotency-Mismatch header to their names in
// error messages.
var differences = map[string]string{"graph_id": "flow", "execution_id": "execution"}

// mismatchFailure returns the error for a response to a different, earlier request with the
// same idempotency key, or nil.
func mismatchFailure(response *response) *svc.APIError {
	header := response.Header.Get("Idempotency-Mismatch")
	if header == "" {
		return nil
	}
	parts := strings.Split(header, ",")
	for i, part := range parts {
		part = strings.TrimSpace(part)
		if name := differences[part]; name != "" {
			part = name
		}
		parts[i] = response.shortened(part)
	}
	earlier := *response
	// The execution of the call may be a different one, such as the one being forked.
	if id := response.Header.Get("X-Execution-Id"); id != "" {
		earlier.ExecutionID = id
	} else if id := executionIDOf(response.Body); id != "" {
		earlier.ExecutionID = id
	}
	message := "the idempotency key belongs to an earlier request that differs in its " + strings.Join(parts, " and ")
	return earlier.failure(svc.ErrIdempotencyMismatch, message+earlier.runAndRequest(), nil)
}

// codeOfKind returns the code of a failure whose response has none, such as the last
// frame of a stream.
func codeOfKind(kind svc.Kind) string {
	switch kind {
	case svc.ErrFlowFailed:
		return "flow_failed"
	case svc.ErrFlowPaused:
		return "flow_paused"
	case svc.ErrNodeFailed:
		return "node_failed"
	}
	return ""
}

// classOf returns the error class, which determines the kind of an error. It is "error", or
// "code" if "error" is missing or a sentence.
func classOf(fields object) string {
	said := fields.text("error")
	if said != "" && !strings.ContainsFunc(said, unicode.IsSpace) {
		return said
	}
	return fields.text("code")
}

func reasonOf(response *response, fields object) string {
	location := response.Header.Get("Location")
	if response.Status >= 300 && response.Status < 400 && location != "" {
		return "the service redirects to " + response.shortened(location) + "; check the base URL"
	}
	for _, key := range []string{"error_message", "message", "error"} {
		if text := fields.text(key); text != "" {
			return response.shortened(text)
		}
	}
	text := strings.TrimSpace(string(response.Body))
	if text == "" || text == "{}" {
		return "no error message"
	}
	return response.shortened(text)
}

// shortened truncates a text from the service for an error message. It redacts the API key
// first, so that truncation cannot leave part of it.
func (a *response) shortened(text string) string {
	text = a.apiKey.Redact(text)
	if len(text) > longestReason {
		cut := longestReason
		for cut > longestReason-utf8.UTFMax && !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut]
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}

// executionIDOf returns the id of an execution in the body of a response, or "".
func executionIDOf(body []byte) string {
	var fields object
	_ = json.Unmarshal(body, &fields)
	return fields.text("execution_id")
}

// retryAfterOf returns the delay in the Retry-After header, or else in retry_after_seconds of
// the body.
func retryAfterOf(header http.Header, fields object) (time.Duration, bool) {
	if delay, ok := parseRetryAfter(header.Get("Retry-After"), time.Now()); ok {
		return delay, true
	}
	return parseSeconds(string(fields["retry_after_seconds"]))
}

func kindOf(status int, class string) svc.Kind {
	switch status {
	case http.StatusBadRequest:
		return svc.ErrBadRequest
	case http.StatusUnauthorized:
		return svc.ErrUnauthorized
	case http.StatusForbidden:
		switch class {
		case "tenant_suspended":
			return svc.ErrTenantSuspended
		case "app_key_graph_denied":
			return svc.ErrAppKeyGraphDenied
		}
		return svc.ErrForbidden
	case http.StatusNotFound:
		return svc.ErrNotFound
	case http.StatusRequestEntityTooLarge:
		return svc.ErrPayloadTooLarge
	case http.StatusUnprocessableEntity:
		return svc.ErrNodeFailed
	case http.StatusTooManyRequests:
		if class == "quota_exceeded" {
			return svc.ErrQuotaExceeded
		}
		return svc.ErrRateLimited
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return svc.ErrUpstreamUnavailable
	}
	if status >= 500 {
		return svc.ErrServer
	}
	return svc.ErrStatus
}
