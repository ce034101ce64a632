package svc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestCallReturnsOutput(t *testing.T) {
	server := serve(t, answer(200, `{"text":"back","future":1}`, "X-Execution-Id", "e1"))
	var response Response
	output, err := callEcho(t.Context(), server.connect(t), WithResponse(&response), WithHeader("X-Trace", "t1"))
	if err != nil {
		t.Fatal(err)
	}
	wantEqual(t, output["text"], any("back"))
	request := server.seen(t, 1)[0]
	wantEqual(t, request.method+" "+request.path, "POST /invocations/v1/nodes/acme/text/1.0.0/Echo")
	wantEqual(t, request.body, `{"text":"hello"}`)
	wantEqual(t, request.header.Get("Authorization"), "Bearer "+testKey)
	wantEqual(t, request.header.Get("Content-Type"), "application/json")
	wantEqual(t, request.header.Get("Accept"), "application/json")
	wantEqual(t, request.header.Get("X-Svc-Client"), "acme-tests/1.0.0 (go; svc/0)")
	wantEqual(t, request.header.Get("X-Trace"), "t1")
	wantEqual(t, response.Status, 200)
	wantEqual(t, response.ExecutionID, "e1")
	wantEqual(t, response.Attempts, 1)
	wantEqual(t, response.IdempotencyKey, request.header.Get("Idempotency-Key"))
}

func TestRetriesUseSameKey(t *testing.T) {
	for _, status := range []int{408, 429, 500, 502, 503, 504} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			server := serve(t, answer(status, ""), answer(status, ""), answer(200, `{}`))
			if _, err := callEcho(t.Context(), server.connect(t)); err != nil {
				t.Fatal(err)
			}
			requests := server.seen(t, 3)
			key := requests[0].header.Get("Idempotency-Key")
			if key == "" {
				t.Error("there is no idempotency key")
			}
			wantEqual(t, requests[1].header.Get("Idempotency-Key"), key)
			wantEqual(t, requests[2].header.Get("Idempotency-Key"), key)
			wantEqual(t, requests[2].body, requests[0].body)
		})
	}
}

func TestLostConnectionIsRetried(t *testing.T) {
	for name, lost := range map[string]script{
		"before the answer": hangUp(""),
		"in the answer":     hangUp("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"te"),
	} {
		t.Run(name, func(t *testing.T) {
			server := serve(t, lost, answer(200, `{"text":"back"}`))
			output, err := callEcho(t.Context(), server.connect(t))
			if err != nil {
				t.Fatal(err)
			}
			wantEqual(t, output["text"], any("back"))
			server.seen(t, 2)
		})
	}
}

func TestLostConnectionIsReported(t *testing.T) {
	server := serve(t, hangUp(""), hangUp("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"te"))
	connection := server.connect(t, WithMaxRetries(0))
	_, err := callEcho(t.Context(), connection)
	wantFailure(t, err, ErrConnection)
	_, err = callEcho(t.Context(), connection)
	failure := wantFailure(t, err, ErrInterruptedAnswer)
	wantEqual(t, failure.Status, 200)
	if !errors.Is(err, ErrConnection) || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %#v", failure)
	}
}

func TestErrorStatusesAreTyped(t *testing.T) {
	for _, refusal := range []struct {
		status int
		code   string
		kind   Kind
	}{
		{301, "", ErrStatus},
		{400, "", ErrBadRequest},
		{401, "", ErrUnauthorized},
		{403, "", ErrForbidden},
		{403, "tenant_suspended", ErrTenantSuspended},
		{403, "app_key_graph_denied", ErrAppKeyGraphDenied},
		{404, "", ErrNotFound},
		{409, "", ErrStatus},
		{413, "", ErrPayloadTooLarge},
		{422, "", ErrNodeFailed},
	} {
		t.Run(fmt.Sprint(refusal.status, refusal.code), func(t *testing.T) {
			body := fmt.Sprintf(`{"error":%q,"message":"no","execution_id":"e1"}`, refusal.code)
			server := serve(t, answer(refusal.status, body))
			_, err := callEcho(t.Context(), server.connect(t))
			failure := wantFailure(t, err, refusal.kind)
			wantEqual(t, failure.Status, refusal.status)
			wantEqual(t, failure.Code, refusal.code)
			wantEqual(t, failure.ExecutionID, "e1")
			wantEqual(t, string(failure.Body), body)
			wantEqual(t, err.Error(), fmt.Sprintf("no (HTTP %d, execution e1)", refusal.status))
			if !errors.Is(err, ErrStatus) {
				t.Error("a refusal is of the kind ErrStatus")
			}
			server.seen(t, 1)
		})
	}
}

func TestKindsIncludeNarrowerOnes(t *testing.T) {
	server := serve(t, answer(429, `{"error":"quota_exceeded"}`, "Retry-After", "7200"), answer(503, ""))
	connection := server.connect(t, WithMaxRetries(0))
	_, err := callEcho(t.Context(), connection)
	wantEqual(t, *wantFailure(t, err, ErrQuotaExceeded).RetryAfter, 2*time.Hour)
	for kind, want := range map[Kind]bool{ErrRateLimited: true, ErrStatus: true, ErrServer: false} {
		wantEqual(t, errors.Is(err, kind), want)
	}
	_, err = callEcho(t.Context(), connection)
	wantFailure(t, err, ErrUpstreamUnavailable)
	wantEqual(t, errors.Is(err, ErrServer), true)
}

func TestRetryAfterIsHonoured(t *testing.T) {
	date := time.Now().Add(2 * time.Second).UTC().Format(http.TimeFormat)
	for name, asking := range map[string]script{
		"seconds":          answer(503, "", "Retry-After", "0.2"),
		"a date":           answer(503, "", "Retry-After", date),
		"seconds, by body": answer(503, `{"retry_after_seconds":0.2}`),
	} {
		t.Run(name, func(t *testing.T) {
			server := serve(t, asking, answer(200, `{}`))
			started := time.Now()
			if _, err := callEcho(t.Context(), server.connect(t)); err != nil {
				t.Fatal(err)
			}
			if waited := time.Since(started); waited < 200*time.Millisecond {
				t.Errorf("waited %v", waited)
			}
		})
	}
}

func TestLongRetryAfterFails(t *testing.T) {
	server := serve(t, answer(503, "", "Retry-After", "61"), answer(503, "", "Retry-After", "30"))
	connection := server.connect(t)
	_, err := callEcho(t.Context(), connection)
	wantFailure(t, err, ErrUpstreamUnavailable)
	_, err = callEcho(t.Context(), connection, WithTimeout(5*time.Second))
	wantFailure(t, err, ErrUpstreamUnavailable)
	server.seen(t, 2)
}

func TestRetryBudget(t *testing.T) {
	var scripts []script
	for range 16 {
		scripts = append(scripts, answer(500, ""))
	}
	server := serve(t, scripts...)
	connection := server.connect(t)
	for range 6 {
		_, err := callEcho(t.Context(), connection)
		wantFailure(t, err, ErrServer)
	}
	// Ten retries, and six first attempts.
	server.seen(t, 16)
}

func TestSuccessesRefillTheBudget(t *testing.T) {
	budget := retryBudget{}
	for range 10 {
		wantEqual(t, budget.take(), true)
	}
	for range 10 {
		wantEqual(t, budget.take(), false)
		budget.succeeded()
	}
	wantEqual(t, budget.take(), true)
	wantEqual(t, budget.take(), false)
}

func TestCallTimesOut(t *testing.T) {
	server := serve(t, silence)
	_, err := callEcho(t.Context(), server.connect(t), WithTimeout(time.Second))
	wantFailure(t, err, ErrTimedOut)
	wantEqual(t, errors.Is(err, context.DeadlineExceeded), true)
	server.seen(t, 1)
}

func TestContextEndsCall(t *testing.T) {
	server := serve(t, silence)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	_, err := callEcho(ctx, server.connect(t))
	wantFailure(t, err, ErrCanceled)
	wantEqual(t, errors.Is(err, context.Canceled), true)
}

func TestInvalidResponse(t *testing.T) {
	for _, body := range []string{"", "<html>", "[]", "null", "{", `{"a":1}{`} {
		t.Run(body, func(t *testing.T) {
			server := serve(t, answer(200, body))
			_, err := callEcho(t.Context(), server.connect(t))
			failure := wantFailure(t, err, ErrInvalidAnswer)
			wantEqual(t, string(failure.Body), body)
			server.seen(t, 1)
		})
	}
}

func TestInvalidInput(t *testing.T) {
	server := serve(t)
	_, err := echo.Call(t.Context(), server.connect(t), map[string]any{"channel": make(chan int)}, nil)
	wantFailure(t, err, ErrMessage)
	server.seen(t, 0)
}

func TestOptionsAreChecked(t *testing.T) {
	t.Setenv("SVC_API_KEY", "")
	t.Setenv("SVC_BASE_URL", "")
	key, url := WithAPIKey(testKey), WithBaseURL("http://127.0.0.1:9")
	for want, options := range map[string][]Option{
		"SVC_API_KEY":              {url},
		"SVC_BASE_URL":             {key},
		"characters":               {WithAPIKey("line\nbreak"), url},
		"such as https":            {key, WithBaseURL("127.0.0.1:9")},
		"a user":                   {key, WithBaseURL("http://user:secret@127.0.0.1")},
		"WithoutTimeout":           {key, url, WithTimeout(0)},
		"retries":                  {key, url, WithMaxRetries(-1)},
		"delay":                    {key, url, WithRetryDelay(-1, 0)},
		"HTTP client is nil":       {key, url, WithHTTPClient(nil)},
		"logger is nil":            {key, url, WithLogger(nil)},
		"printable ASCII":          {key, url, WithHeader("X", "line\nbreak")},
		"visible ASCII characters": {key, url, WithIdempotencyKey("")},
		"single calls only":        {key, url, WithResponse(&Response{})},
		"the response is nil":      {key, url, WithResponse(nil)},
	} {
		_, err := Connect("", options...)
		failure := wantFailure(t, err, ErrConfiguration)
		if !strings.Contains(failure.Message, want) {
			t.Errorf("got %q, want %q in it", failure.Message, want)
		}
	}
	t.Setenv("SVC_API_KEY", testKey)
	t.Setenv("SVC_BASE_URL", "http://127.0.0.1:9/svc/")
	connection, err := Connect("")
	if err != nil {
		t.Fatal(err)
	}
	wantEqual(t, connection.String(), "connection to http://127.0.0.1:9/svc")
}

// transport is a minimal HTTP client for tests.
type transport func(*http.Request) (*http.Response, error)

func (f transport) Do(request *http.Request) (*http.Response, error) { return f(request) }

func TestKeyIsRedacted(t *testing.T) {
	var log bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	attempts := 0
	connection, err := Connect("", WithAPIKey(testKey), WithBaseURL("http://127.0.0.1:9"), WithLogger(logger),
		WithRetryDelay(0, 0), WithHTTPClient(transport(func(request *http.Request) (*http.Response, error) {
			if attempts++; attempts == 1 {
				return nil, fmt.Errorf("refused %v", request.Header)
			}
			return &http.Response{
				StatusCode: 401,
				Header:     http.Header{"X-Echo": {request.Header.Get("Authorization")}},
				Body:       io.NopCloser(strings.NewReader(`{"message":"wrong key ` + testKey + `"}`)),
			}, nil
		})))
	if err != nil {
		t.Fatal(err)
	}
	_, err = callEcho(t.Context(), connection)
	failure := wantFailure(t, err, ErrUnauthorized)
	wantEqual(t, attempts, 2)
	all := fmt.Sprintf("%s %v %+v %#v %s %v", log.String(), connection, connection.settings, connection.settings, failure.Body, *failure)
	if strings.Contains(all, testKey) {
		t.Errorf("the key appears in %s", all)
	}
	if !strings.Contains(log.String(), "retrying call") || !strings.Contains(all, mask) {
		t.Errorf("got %s", all)
	}
}
