package calls

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"svc.runtime/svc"
)

func TestCallReturnsOutput(t *testing.T) {
	server := serve(t, respond(200, `{"text":"back","future":1}`, "X-Execution-Id", "e1"))
	var response svc.Response
	output, err := callEcho(t.Context(), server.connect(t), svc.WithResponse(&response), svc.WithHeader("X-Trace", "t1"))
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

func TestRetriesUseSameIdempotencyKey(t *testing.T) {
	for _, status := range []int{408, 429, 500, 502, 503, 504} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			server := serve(t, respond(status, ""), respond(status, ""), respond(200, `{}`))
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
		"before the response": hangUp(""),
		"in the response":     hangUp("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"te"),
	} {
		t.Run(name, func(t *testing.T) {
			server := serve(t, lost, respond(200, `{"text":"back"}`))
			output, err := callEcho(t.Context(), server.connect(t))
			if err != nil {
				t.Fatal(err)
			}
			wantEqual(t, output["text"], any("back"))
			server.seen(t, 2)
		})
	}
}

func TestWithResponseClearsEarlierResponse(t *testing.T) {
	server := serve(t, respond(200, `{}`), hangUp(""))
	connection := server.connect(t, svc.WithMaxRetries(0))
	var response svc.Response
	if _, err := callEcho(t.Context(), connection, svc.WithResponse(&response)); err != nil {
		t.Fatal(err)
	}
	_, err := callEcho(t.Context(), connection, svc.WithResponse(&response))
	wantFailure(t, err, svc.ErrConnection)
	wantEqual(t, response.Status, 0)
}

func TestErrorCodeComesFromService(t *testing.T) {
	server := serve(t, respond(409, `{"error":"PAUSE_NOT_WAITING","code":"pause_not_waiting"}`), respond(429, `{"error":"quota_exceeded","code":"other"}`))
	connection := server.connect(t, svc.WithMaxRetries(0))
	_, err := callEcho(t.Context(), connection)
	wantEqual(t, wantFailure(t, err, svc.ErrStatus).Code, "pause_not_waiting")
	_, err = callEcho(t.Context(), connection)
	wantEqual(t, wantFailure(t, err, svc.ErrQuotaExceeded).Code, "other")
}

func TestLostConnectionIsReported(t *testing.T) {
	server := serve(t, hangUp(""), hangUp("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"te"))
	connection := server.connect(t, svc.WithMaxRetries(0))
	_, err := callEcho(t.Context(), connection)
	wantFailure(t, err, svc.ErrConnection)
	_, err = callEcho(t.Context(), connection)
	failure := wantFailure(t, err, svc.ErrInterruptedResponse)
	wantEqual(t, failure.Status, 200)
	if !errors.Is(err, svc.ErrConnection) || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %#v", failure)
	}
}

func TestErrorStatusesAreTyped(t *testing.T) {
	for _, refusal := range []struct {
		status int
		code   string
		kind   svc.Kind
	}{
		{301, "", svc.ErrStatus},
		{400, "", svc.ErrBadRequest},
		{401, "", svc.ErrUnauthorized},
		{403, "", svc.ErrForbidden},
		{403, "tenant_suspended", svc.ErrTenantSuspended},
		{403, "app_key_graph_denied", svc.ErrAppKeyGraphDenied},
		{404, "", svc.ErrNotFound},
		{409, "", svc.ErrStatus},
		{413, "", svc.ErrPayloadTooLarge},
		{422, "node_failed", svc.ErrNodeFailed},
	} {
		t.Run(fmt.Sprint(refusal.status, refusal.code), func(t *testing.T) {
			body := fmt.Sprintf(`{"error":%q,"message":"no","execution_id":"e1"}`, refusal.code)
			server := serve(t, respond(refusal.status, body))
			_, err := callEcho(t.Context(), server.connect(t))
			failure := wantFailure(t, err, refusal.kind)
			wantEqual(t, failure.Status, refusal.status)
			wantEqual(t, failure.Code, refusal.code)
			wantEqual(t, failure.ExecutionID, "e1")
			wantEqual(t, string(failure.Body), body)
			wantEqual(t, failure.Message, fmt.Sprintf("no (HTTP %d, execution e1)", refusal.status))
			wantEqual(t, err.Error(), "svc: POST /invocations/v1/nodes/acme/text/1.0.0/Echo: "+failure.Message)
			if !errors.Is(err, svc.ErrStatus) {
				t.Error("a refusal is of the kind svc.ErrStatus")
			}
			server.seen(t, 1)
		})
	}
}

func TestKindsIncludeNarrowerKinds(t *testing.T) {
	server := serve(t, respond(429, `{"error":"quota_exceeded"}`, "Retry-After", "7200"), respond(503, ""))
	connection := server.connect(t, svc.WithMaxRetries(0))
	_, err := callEcho(t.Context(), connection)
	wantEqual(t, *wantFailure(t, err, svc.ErrQuotaExceeded).RetryAfter, 2*time.Hour)
	for kind, want := range map[svc.Kind]bool{svc.ErrRateLimited: true, svc.ErrStatus: true, svc.ErrServer: false} {
		wantEqual(t, errors.Is(err, kind), want)
	}
	_, err = callEcho(t.Context(), connection)
	wantFailure(t, err, svc.ErrUpstreamUnavailable)
	wantEqual(t, errors.Is(err, svc.ErrServer), true)
}

func TestCallTimesOut(t *testing.T) {
	t.Parallel()
	server := serve(t, silence)
	_, err := callEcho(t.Context(), server.connect(t), svc.WithTimeout(3*time.Second))
	wantFailure(t, err, svc.ErrTimedOut)
	wantEqual(t, errors.Is(err, context.DeadlineExceeded), true)
	server.seen(t, 1)
}

func TestTimeoutReportsEarlierFailure(t *testing.T) {
	t.Parallel()
	down := respond(503, `{"error_message":"the database is down"}`)
	for name, each := range map[string]struct {
		scripts []script
		kind    svc.Kind
		message string
		call    func(connection *Connection) error
	}{
		"a call": {
			[]script{down, silence}, svc.ErrTimedOut,
			"the call did not complete within its timeout; an earlier attempt failed: the database is down (HTTP 503)",
			func(connection *Connection) error {
				_, err := callEcho(t.Context(), connection, svc.WithTimeout(3*time.Second))
				return err
			},
		},
		"an attempt": {
			[]script{down, silence}, svc.ErrTimedOut,
			"the attempt did not complete within its timeout; an earlier attempt failed: the database is down (HTTP 503)",
			func(connection *Connection) error {
				_, err := callEcho(t.Context(), connection, svc.WithAttemptTimeout(3*time.Second), svc.WithMaxRetries(1))
				return err
			},
		},
		"a stream": {
			[]script{down, silence}, svc.ErrTimedOut,
			"the call did not complete within its timeout; an earlier attempt failed: the database is down (HTTP 503)",
			func(connection *Connection) error {
				_, err := take(streamWords(t.Context(), connection, svc.WithTimeout(3*time.Second)))
				return err
			},
		},
		"a wait": {
			[]script{down, down, silence}, svc.ErrWaitTimedOut,
			"execution " + testID + " did not end in time and may still be running; an earlier attempt failed: the database is down " +
				"(HTTP 503, execution " + testID + ")",
			func(connection *Connection) error {
				_, err := letter.Execution(connection, testID).Wait(t.Context(), svc.WithTimeout(3*time.Second), svc.WithMaxRetries(1))
				return err
			},
		},
		"a wait after an outage": {
			[]script{down, respond(200, running), silence}, svc.ErrWaitTimedOut,
			"execution " + testID + " did not end in time and may still be running",
			func(connection *Connection) error {
				_, err := letter.Execution(connection, testID).Wait(t.Context(), svc.WithTimeout(3*time.Second))
				return err
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			failure := wantFailure(t, each.call(serve(t, each.scripts...).connect(t)), each.kind)
			wantEqual(t, failure.Message, each.message)
			wantEqual(t, errors.Is(failure, context.DeadlineExceeded), true)
		})
	}
}

func TestTimeoutWrapsCauseOfEarlierFailure(t *testing.T) {
	t.Parallel()
	isBroken := &atomic.Bool{}
	isBroken.Store(true)
	client := &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			if isBroken.CompareAndSwap(true, false) {
				return nil, syscall.ECONNREFUSED
			}
			return (&net.Dialer{}).DialContext(ctx, network, address)
		},
	}}
	connection := serve(t, silence).connect(t, svc.WithHTTPClient(client), svc.WithTimeout(3*time.Second))
	_, err := callEcho(t.Context(), connection)
	wantFailure(t, err, svc.ErrTimedOut)
	wantEqual(t, errors.Is(err, syscall.ECONNREFUSED), true)
}

func TestContextEndsCall(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	server := serve(t, func(writer http.ResponseWriter, request *http.Request) {
		cancel()
		silence(writer, request)
	})
	_, err := callEcho(ctx, server.connect(t))
	wantEqual(t, wantFailure(t, err, svc.ErrCanceled).Attempts, 1)
	wantEqual(t, errors.Is(err, context.Canceled), true)
}

func TestCauseOfCancellationIsKept(t *testing.T) {
	cause := errors.New("shutting down")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	_, err := callEcho(ctx, serve(t).connect(t))
	failure := wantFailure(t, err, svc.ErrCanceled)
	wantEqual(t, errors.Is(err, context.Canceled), true)
	wantEqual(t, errors.Is(err, cause), true)
	wantEqual(t, failure.Unwrap().Error(), "context canceled: shutting down")
	ctx, cancelTimeout := context.WithTimeoutCause(t.Context(), time.Nanosecond, cause)
	defer cancelTimeout()
	_, err = callEcho(ctx, serve(t).connect(t))
	wantEqual(t, wantFailure(t, err, svc.ErrTimedOut).Message, "the deadline of the context has passed")
	wantEqual(t, errors.Is(err, context.DeadlineExceeded), true)
	wantEqual(t, errors.Is(err, cause), true)
}

func TestEndedCallIsNotSent(t *testing.T) {
	server := serve(t)
	connection := server.connect(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := callEcho(ctx, connection)
	wantEqual(t, wantFailure(t, err, svc.ErrCanceled).Attempts, 0)
	_, err = take(streamWords(ctx, connection))
	wantEqual(t, wantFailure(t, err, svc.ErrCanceled).Attempts, 0)
	_, err = take(echo.Split(connection, splitID).Output(ctx))
	wantEqual(t, wantFailure(t, err, svc.ErrCanceled).Attempts, 0)
	_, err = echo.Open(ctx, connection, nil)
	wantEqual(t, wantFailure(t, err, svc.ErrCanceled).Attempts, 0)
	server.seen(t, 0)
}

func TestErrorsReportAttempts(t *testing.T) {
	server := serve(t, respond(503, "", "X-Execution-Id", "e1"), hangUp(""), respond(400, `{"execution_id":"e2"}`))
	_, err := callEcho(t.Context(), server.connect(t), svc.WithIdempotencyKey("k-1"))
	failure := wantFailure(t, err, svc.ErrBadRequest)
	wantEqual(t, failure.Attempts, 3)
	wantEqual(t, failure.IdempotencyKey, "k-1")
	wantEqual(t, failure.ExecutionID, "e2")
	server = serve(t, hangUp(""))
	_, err = callEcho(t.Context(), server.connect(t), svc.WithMaxRetries(0))
	failure = wantFailure(t, err, svc.ErrConnection)
	wantEqual(t, failure.Attempts, 1)
	wantEqual(t, failure.IdempotencyKey, server.seen(t, 1)[0].header.Get("Idempotency-Key"))
}

func TestRedirectIsAnError(t *testing.T) {
	server := serve(t, respond(308, "", "Location", "https://other.example/svc?key="+testKey))
	_, err := callEcho(t.Context(), server.connect(t))
	failure := wantFailure(t, err, svc.ErrStatus)
	wantEqual(t, failure.Message,
		"the service redirects to https://other.example/svc?key=[redacted]; check the base URL (HTTP 308)")
	server.seen(t, 1)
}

func TestUserAgentOfCallerComesFirst(t *testing.T) {
	const identity = "acme-tests/1.0.0 (go; svc/0)"
	server := serve(t, respond(200, `{}`), respond(200, `{}`))
	connection := server.connect(t, svc.WithHeader("user-agent", "shop/2"))
	for _, options := range [][]svc.Option{nil, {svc.WithHeader("User-Agent", "shop/3")}} {
		if _, err := callEcho(t.Context(), connection, options...); err != nil {
			t.Fatal(err)
		}
	}
	requests := server.seen(t, 2)
	wantEqual(t, requests[0].header.Get("User-Agent"), "shop/2 "+identity)
	wantEqual(t, requests[1].header.Get("User-Agent"), "shop/3 "+identity)
	wantEqual(t, requests[1].header.Get("X-Svc-Client"), identity)
}

func TestOutputsAndResponsesAreNotRedacted(t *testing.T) {
	const body = `{"text":"this is a test of keys"}`
	server := serve(t, respond(200, body, "X-Echo", "a test"))
	var response svc.Response
	output, err := callEcho(t.Context(), server.connect(t, svc.WithAPIKey("test")), svc.WithResponse(&response))
	if err != nil {
		t.Fatal(err)
	}
	wantEqual(t, output["text"], any("this is a test of keys"))
	wantEqual(t, string(response.Body), body)
	wantEqual(t, response.Header.Get("X-Echo"), "a test")
}

func TestClientsShareConnections(t *testing.T) {
	var connections atomic.Int32
	server := httptest.NewUnstartedServer(http.HandlerFunc(respond(200, `{}`)))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	server.Start()
	t.Cleanup(server.Close)
	for range 20 {
		connection, err := Connect("", svc.WithAPIKey(testKey), svc.WithBaseURL(server.URL))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := callEcho(t.Context(), connection); err != nil {
			t.Fatal(err)
		}
	}
	wantEqual(t, connections.Load(), 1)
}

func TestTransportUsesHTTP2AndGzip(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		writer.Header().Set("X-Protocol", request.Proto)
		writer.Header().Set("Content-Encoding", request.Header.Get("Accept-Encoding"))
		zipped := gzip.NewWriter(writer)
		_, _ = io.WriteString(zipped, `{"text":"small"}`)
		_ = zipped.Close()
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	client := newHTTPClient()
	client.Transport.(*http.Transport).TLSClientConfig = server.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
	connection, err := Connect("", svc.WithAPIKey(testKey), svc.WithBaseURL(server.URL), svc.WithHTTPClient(client))
	if err != nil {
		t.Fatal(err)
	}
	var response svc.Response
	output, err := callEcho(t.Context(), connection, svc.WithResponse(&response))
	if err != nil {
		t.Fatal(err)
	}
	wantEqual(t, output["text"], any("small"))
	wantEqual(t, response.Header.Get("X-Protocol"), "HTTP/2.0")
}

func TestInvalidResponse(t *testing.T) {
	for _, body := range []string{"", "<html>", "[]", "null", "{", `{"a":1}{`} {
		t.Run(body, func(t *testing.T) {
			server := serve(t, respond(200, body))
			_, err := callEcho(t.Context(), server.connect(t))
			failure := wantFailure(t, err, svc.ErrInvalidResponse)
			wantEqual(t, string(failure.Body), body)
			if errors.Is(err, svc.ErrMessage) {
				t.Error("the error says that no request was sent")
			}
			server.seen(t, 1)
		})
	}
}

func TestErrorMessageIsTruncated(t *testing.T) {
	server := serve(t, respond(400, strings.Repeat("\x80", 600)), respond(400, strings.Repeat("a", longestReason-1)+"ü"),
		respond(400, `{"message":"`+strings.Repeat("a", 3<<20)+`"}`))
	connection := server.connect(t)
	_, err := callEcho(t.Context(), connection)
	wantEqual(t, wantFailure(t, err, svc.ErrBadRequest).Message, "\uFFFD (HTTP 400)")
	_, err = callEcho(t.Context(), connection)
	wantEqual(t, wantFailure(t, err, svc.ErrBadRequest).Message, strings.Repeat("a", longestReason-1)+" (HTTP 400)")
	_, err = callEcho(t.Context(), connection)
	failure := wantFailure(t, err, svc.ErrBadRequest)
	wantEqual(t, failure.Message, strings.Repeat("a", longestReason)+" (HTTP 400)")
	wantEqual(t, len(failure.Body), 3<<20+len(`{"message":""}`))
}

func TestUnreachableServiceIsReportedOnce(t *testing.T) {
	server := serve(t)
	connection := server.connect(t, svc.WithMaxRetries(0))
	server.Close()
	_, unary := callEcho(t.Context(), connection)
	_, socket := echo.Open(t.Context(), connection, nil)
	for _, err := range []error{unary, socket} {
		failure := wantFailure(t, err, svc.ErrConnection)
		if !strings.HasPrefix(failure.Message, "cannot reach the service at "+server.URL+": dial tcp") {
			t.Errorf("got %s", failure.Message)
		}
	}
}

func TestInvalidInput(t *testing.T) {
	server := serve(t)
	_, err := echo.Call(t.Context(), server.connect(t), map[string]any{"channel": make(chan int)}, nil)
	wantFailure(t, err, svc.ErrMessage)
	server.seen(t, 0)
}

func TestOptionsAreValidated(t *testing.T) {
	t.Setenv("SVC_API_KEY", "")
	t.Setenv("SVC_BASE_URL", "")
	key, url := svc.WithAPIKey(testKey), svc.WithBaseURL("http://127.0.0.1:9")
	for want, options := range map[string][]svc.Option{
		"SVC_API_KEY":                  {url},
		"SVC_BASE_URL":                 {key},
		"characters":                   {svc.WithAPIKey("line\nbreak"), url},
		"such as https":                {key, svc.WithBaseURL("127.0.0.1:9")},
		"a user":                       {key, svc.WithBaseURL("http://user:secret@127.0.0.1")},
		"a query":                      {key, svc.WithBaseURL("http://127.0.0.1?")},
		"a fragment":                   {key, svc.WithBaseURL("http://127.0.0.1/#")},
		"WithoutTimeout":               {key, url, svc.WithTimeout(0)},
		"retries":                      {key, url, svc.WithMaxRetries(-1)},
		"delay":                        {key, url, svc.WithRetryDelay(-1, 0)},
		"of an attempt":                {key, url, svc.WithAttemptTimeout(0)},
		"WithoutRetryBudget":           {key, url, svc.WithRetryBudget(-1)},
		"HTTP client is nil":           {key, url, svc.WithHTTPClient(nil)},
		"logger is nil":                {key, url, svc.WithLogger(nil)},
		`"X-Line" is malformed`:        {key, url, svc.WithHeader("X-Line", "line\nbreak")},
		`"Authorization" is malformed`: {key, url, svc.WithHeader("Authorization: Bearer secret", "")},
		"WithAPIKey instead":           {key, url, svc.WithHeader("authorization", "Bearer k")},
		"WithIdempotencyKey to":        {key, url, svc.WithHeader("Idempotency-Key", "k")},
		"Last-Event-ID is set":         {key, url, svc.WithHeader("Last-Event-ID", "1")},
		"accept is set by the SDK":     {key, url, svc.WithHeader("accept", "text/plain")},
		"Content-Type is set":          {key, url, svc.WithHeader("Content-Type", "text/plain")},
		"x-svc-client is set":          {key, url, svc.WithHeader("x-svc-client", "mine")},
		"Accept-Encoding is set":       {key, url, svc.WithHeader("Accept-Encoding", "gzip")},
		"Host is set":                  {key, url, svc.WithHeader("Host", "other.example")},
		"visible ASCII characters":     {key, url, svc.WithIdempotencyKey("")},
		"WithResponse applies":         {key, url, svc.WithResponse(&svc.Response{})},
		"WithIdempotencyKey":           {key, url, svc.WithIdempotencyKey("k")},
		"the response is nil":          {key, url, svc.WithResponse(nil)},
	} {
		_, err := Connect("", options...)
		failure := wantFailure(t, err, svc.ErrConfiguration)
		if !strings.Contains(failure.Message, want) {
			t.Errorf("got %q, want %q in it", failure.Message, want)
		}
	}
	_, err := Connect("", key, url, svc.WithHTTPClient((*http.Client)(nil)))
	wantFailure(t, err, svc.ErrConfiguration)
	connection, err := Connect("", key, url)
	if err != nil {
		t.Fatal(err)
	}
	for _, option := range []svc.Option{svc.WithRetryBudget(3), svc.WithoutRetryBudget()} {
		_, err := callEcho(t.Context(), connection, option)
		wantFailure(t, err, svc.ErrConfiguration)
	}
	t.Setenv("SVC_API_KEY", testKey)
	t.Setenv("SVC_BASE_URL", "http://127.0.0.1:9/svc/")
	connection, err = Connect("")
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
	connection, err := Connect("", svc.WithAPIKey(testKey), svc.WithBaseURL("http://127.0.0.1:9"), svc.WithLogger(logger),
		svc.WithRetryDelay(0, 0), svc.WithHTTPClient(transport(func(request *http.Request) (*http.Response, error) {
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
	failure := wantFailure(t, err, svc.ErrUnauthorized)
	wantEqual(t, attempts, 2)
	all := fmt.Sprintf("%s %v %+v %#v %s %v", log.String(), connection, connection.config, connection.config, failure.Body, *failure)
	if strings.Contains(all, testKey) {
		t.Errorf("the key appears in %s", all)
	}
	if !strings.Contains(log.String(), "retrying call") || !strings.Contains(all, "[redacted]") {
		t.Errorf("got %s", all)
	}
}
