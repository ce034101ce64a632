package calls

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"svc.runtime/internal/config"
	"svc.runtime/svc"
)

func TestRetryAfterIsHonoured(t *testing.T) {
	t.Parallel()
	for name, asking := range map[string]script{
		"seconds": respond(503, "", "Retry-After", "0.2"),
		"a date": func(writer http.ResponseWriter, request *http.Request) {
			date := time.Now().Add(2 * time.Second).UTC().Format(http.TimeFormat)
			respond(503, "", "Retry-After", date)(writer, request)
		},
		"seconds, by body": respond(503, `{"retry_after_seconds":0.2}`),
	} {
		t.Run(name, func(t *testing.T) {
			server := serve(t, asking, respond(200, `{}`))
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
	server := serve(t, respond(503, "", "Retry-After", "61"), respond(503, "", "Retry-After", "30"))
	connection := server.connect(t)
	_, err := callEcho(t.Context(), connection)
	wantFailure(t, err, svc.ErrUpstreamUnavailable)
	_, err = callEcho(t.Context(), connection, svc.WithTimeout(5*time.Second))
	wantFailure(t, err, svc.ErrUpstreamUnavailable)
	server.seen(t, 2)
}

func TestRetriesEndBeforeIdempotencyKeyExpires(t *testing.T) {
	get := func(call *call) error {
		_, err := call.get("/")
		return err
	}
	start := func(call *call) error {
		_, err := call.invoke(func(time.Duration) []byte { return nil })
		return err
	}
	for name, each := range map[string]struct {
		send       func(*call) error
		since      time.Duration
		retryAfter string
		requests   int
	}{
		"soon":                       {start, longestRetrying - time.Minute, "0.001", 3},
		"too late":                   {start, longestRetrying, "0.001", 1},
		"a long Retry-After":         {start, longestRetrying - 30*time.Second, "31", 1},
		"a request without such key": {get, longestRetrying, "0.001", 3},
	} {
		t.Run(name, func(t *testing.T) {
			busy := respond(503, "", "Retry-After", each.retryAfter)
			server := serve(t, busy, busy, busy)
			call, end, err := server.connect(t, svc.WithoutTimeout()).begin(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer end()
			call.failedSince = time.Now().Add(-each.since)
			wantFailure(t, each.send(call), svc.ErrUpstreamUnavailable)
			server.seen(t, each.requests)
		})
	}
}

func TestFirstFailureOtherThan429IsRecorded(t *testing.T) {
	server := serve(t, respond(429, "", "Retry-After", "0"), respond(503, ""), hangUp(""), respond(200, `{}`))
	call, end, err := server.connect(t).begin(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	request := &request{method: http.MethodPost, path: "/"}
	_, _ = call.attempt(request)
	wantEqual(t, call.failedSince.IsZero(), true)
	before := time.Now()
	_, _ = call.attempt(request)
	first := call.failedSince
	wantEqual(t, first.Before(before), false)
	_, _ = call.attempt(request)
	wantEqual(t, call.failedSince, first)
	_, _ = call.attempt(request)
	wantEqual(t, call.failedSince.IsZero(), true)
}

func TestRetryBudget(t *testing.T) {
	var scripts []script
	for range 16 {
		scripts = append(scripts, respond(500, ""))
	}
	server := serve(t, scripts...)
	connection := server.connect(t, svc.WithRetryBudget(10))
	for range 6 {
		_, err := callEcho(t.Context(), connection)
		wantFailure(t, err, svc.ErrServer)
	}
	// Ten retries, and six first attempts.
	server.seen(t, 16)
}

func TestRetryBudgetIsConfigurable(t *testing.T) {
	for requests, option := range map[int]svc.Option{
		1: svc.WithRetryBudget(0),
		4: svc.WithRetryBudget(3),
		// This is more than the hundred retries of the default.
		121: svc.WithoutRetryBudget(),
	} {
		t.Run(fmt.Sprint(requests), func(t *testing.T) {
			var scripts []script
			for range 121 {
				scripts = append(scripts, respond(500, ""))
			}
			server := serve(t, scripts...)
			_, err := callEcho(t.Context(), server.connect(t, option, svc.WithMaxRetries(120), svc.WithTimeout(time.Minute)))
			wantEqual(t, wantFailure(t, err, svc.ErrServer).Attempts, requests)
			server.seen(t, requests)
		})
	}
}

func TestEmptyRetryBudgetIsLogged(t *testing.T) {
	var log bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	server := serve(t, respond(500, ""), respond(500, ""), respond(500, ""))
	connection := server.connect(t, svc.WithRetryBudget(1), svc.WithLogger(logger), svc.WithMaxRetries(1))
	_, err := callEcho(t.Context(), connection)
	wantFailure(t, err, svc.ErrServer)
	wantEqual(t, log.String(), "")
	_, err = callEcho(t.Context(), connection)
	failure := wantFailure(t, err, svc.ErrServer)
	wantEqual(t, failure.Message, "no error message (HTTP 500); not tried again: the retry budget is empty")
	if !strings.Contains(log.String(), "level=WARN") || !strings.Contains(log.String(), "the retry budget is empty") {
		t.Errorf("logged %q", log.String())
	}
}

func TestRetriesAreLogged(t *testing.T) {
	busy, refusal := respond(503, ""), respond(400, `{"error":"bad_request"}`)
	for name, each := range map[string]struct {
		scripts []script
		call    func(ctx context.Context, connection *Connection) error
	}{
		"a call": {[]script{busy, refusal}, func(ctx context.Context, connection *Connection) error {
			_, err := callEcho(ctx, connection)
			return err
		}},
		"a split stream": {[]script{busy, refusal}, func(ctx context.Context, connection *Connection) error {
			_, err := take(echo.Split(connection, splitID).Output(ctx))
			return err
		}},
		"a live session": {[]script{busy, refusal}, func(ctx context.Context, connection *Connection) error {
			_, err := echo.Open(ctx, connection, nil)
			return err
		}},
		"a run that is followed": {[]script{page(""), busy, page(""), refusal}, func(ctx context.Context, connection *Connection) error {
			_, err := ulidsOf(follow(ctx, connection))
			return err
		}},
		"a run that is waited for": {[]script{respond(202, accepted+`}`), busy, refusal}, func(ctx context.Context, connection *Connection) error {
			_, err := letter.Run(ctx, connection, nil, nil)
			return err
		}},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			server := serve(t, each.scripts...)
			connection := server.connect(t, svc.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
			wantFailure(t, each.call(t.Context(), connection), svc.ErrBadRequest)
			wantEqual(t, strings.Count(log.String(), "retrying call"), 1)
		})
	}
}

func TestFailedStreamsAreLoggedOnce(t *testing.T) {
	cut := func(conn *websocket.Conn, ctx context.Context) { _ = conn.CloseNow() }
	readTwice := func(ctx context.Context, connection *Connection) error {
		session, err := echo.Open(ctx, connection, nil)
		if err != nil {
			return err
		}
		for range 2 {
			_, err = take(session.Messages(ctx))
		}
		return err
	}
	for name, each := range map[string]struct {
		scripts []script
		call    func(ctx context.Context, connection *Connection) error
	}{
		"a stream": {[]script{streamed(word)}, func(ctx context.Context, connection *Connection) error {
			_, err := take(streamWords(ctx, connection))
			return err
		}},
		"a failed stream": {[]script{streamed(word, `"is_final":true,"success":false,"error":"tired"`)}, func(ctx context.Context, connection *Connection) error {
			_, err := take(streamWords(ctx, connection))
			return err
		}},
		"a split stream": {[]script{cutOff()}, func(ctx context.Context, connection *Connection) error {
			_, err := take(echo.Split(connection, splitID).Output(ctx))
			return err
		}},
		"a live session": {[]script{conversing(0, "", cut)}, readTwice},
		"a failed session": {[]script{conversing(0, "", func(conn *websocket.Conn, ctx context.Context) {
			say(conn, ctx, `{"is_final":true,"success":false,"error":"tired"}`)
		})}, readTwice},
		"a session that does not get ready": {[]script{following(websocket.StatusInternalError, "", "")}, func(ctx context.Context, connection *Connection) error {
			_, err := echo.Open(ctx, connection, nil)
			return err
		}},
		"a session that is lost before it is ready": {[]script{func(writer http.ResponseWriter, request *http.Request) {
			conn, err := websocket.Accept(writer, request, nil)
			if err == nil {
				_ = conn.CloseNow()
			}
		}}, func(ctx context.Context, connection *Connection) error {
			_, err := echo.Open(ctx, connection, nil)
			return err
		}},
		"a run that is followed": {[]script{page(""), following(websocket.StatusInternalError, "")}, func(ctx context.Context, connection *Connection) error {
			_, err := ulidsOf(follow(ctx, connection))
			return err
		}},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			logger := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
			connection := serve(t, each.scripts...).connect(t, svc.WithLogger(logger), svc.WithMaxRetries(0))
			if err := each.call(t.Context(), connection); err == nil {
				t.Error("the stream has not failed")
			}
			wantEqual(t, strings.Count(log.String(), "failure="), 1)
			if t.Failed() {
				t.Log(log.String())
			}
		})
	}
}

func TestPacedCallsAreRetriedUntilTimeout(t *testing.T) {
	t.Parallel()
	refusal := respond(429, "", "Retry-After", "1")
	server := serve(t, refusal, refusal, respond(200, `{}`))
	var response svc.Response
	_, err := callEcho(t.Context(), server.connect(t, svc.WithRetryBudget(0), svc.WithMaxRetries(1)), svc.WithResponse(&response))
	if err != nil {
		t.Fatal(err)
	}
	wantEqual(t, response.Attempts, 3)
}

func TestPacedCallsAreNotRetriedIfRetriesAreDisabled(t *testing.T) {
	server := serve(t, respond(429, "", "Retry-After", "0.001"))
	_, err := callEcho(t.Context(), server.connect(t, svc.WithMaxRetries(0)))
	wantEqual(t, wantFailure(t, err, svc.ErrRateLimited).Attempts, 1)
}

func TestShortRetryAfterCountsAsRetry(t *testing.T) {
	for name, refusal := range map[string]script{
		"503":          respond(503, "", "Retry-After", "0.001"),
		"429 at once":  respond(429, "", "Retry-After", "0"),
		"429 soon":     respond(429, "", "Retry-After", "0.05"),
		"429 whenever": respond(429, ""),
	} {
		t.Run(name, func(t *testing.T) {
			server := serve(t, refusal, refusal, refusal, respond(200, `{}`))
			_, err := callEcho(t.Context(), server.connect(t))
			var failure *svc.APIError
			if !errors.As(err, &failure) {
				t.Fatalf("got %v, want an svc.APIError", err)
			}
			wantEqual(t, failure.Attempts, 3)
		})
	}
}

func TestJitterFollowsRetryAfter(t *testing.T) {
	c := config.Config{FirstDelay: time.Hour, LongestDelay: time.Hour}
	for _, limit := range []struct{ asked, left, most time.Duration }{
		{time.Second, time.Minute, 2 * time.Second},
		{time.Second, 1500 * time.Millisecond, 1500 * time.Millisecond},
		{40 * time.Second, time.Hour, 45 * time.Second},
		{0, time.Hour, time.Second},
		{0, time.Millisecond, time.Millisecond},
	} {
		seen := map[time.Duration]bool{}
		for range 100 {
			delay, ok := delayBefore(&c, 1, &svc.APIError{RetryAfter: &limit.asked}, limit.left)
			if !ok || delay < limit.asked || delay >= limit.most {
				t.Fatalf("got %v, want %v to %v", delay, limit.asked, limit.most)
			}
			seen[delay] = true
		}
		if len(seen) < 2 {
			t.Errorf("every delay after %v is the same", limit.asked)
		}
	}
	asked := time.Second
	if _, ok := delayBefore(&c, 1, &svc.APIError{RetryAfter: &asked}, asked); ok {
		t.Error("a delay as long as the time left is no use")
	}
}

func TestHangingAttemptIsRetried(t *testing.T) {
	t.Parallel()
	server := serve(t, silence, respond(200, `{"text":"back"}`))
	output, err := callEcho(t.Context(), server.connect(t), svc.WithAttemptTimeout(3*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	wantEqual(t, output["text"], any("back"))
	requests := server.seen(t, 2)
	wantEqual(t, requests[1].header.Get("Idempotency-Key"), requests[0].header.Get("Idempotency-Key"))
}

func TestEveryAttemptCanHang(t *testing.T) {
	server := serve(t, silence, silence)
	_, err := callEcho(t.Context(), server.connect(t), svc.WithAttemptTimeout(50*time.Millisecond), svc.WithMaxRetries(1))
	failure := wantFailure(t, err, svc.ErrTimedOut)
	wantEqual(t, failure.Attempts, 2)
	wantEqual(t, errors.Is(err, context.DeadlineExceeded), true)
}

func TestSuccessesRefillTheBudget(t *testing.T) {
	budget := retryBudget{capacity: 10}
	for range 10 {
		wantEqual(t, budget.take(), true)
	}
	for range 10 {
		wantEqual(t, budget.take(), false)
		budget.succeeded(false)
	}
	wantEqual(t, budget.take(), true)
	wantEqual(t, budget.take(), false)
	budget.succeeded(true)
	wantEqual(t, budget.take(), true)
	wantEqual(t, budget.take(), false)
}

func TestSuccessfulRetryIsRefunded(t *testing.T) {
	down := respond(503, "")
	ready := conversing(websocket.StatusNormalClosure, "", func(conn *websocket.Conn, ctx context.Context) { _, _, _ = conn.Read(ctx) })
	for name, each := range map[string]struct {
		up   script
		call func(connection *Connection) error
	}{
		"a call": {respond(200, `{}`), func(connection *Connection) error {
			_, err := callEcho(t.Context(), connection)
			return err
		}},
		"a stream": {streamed(lastFrame), func(connection *Connection) error {
			_, err := take(streamWords(t.Context(), connection))
			return err
		}},
		"the output of a split stream": {rest(lastSplit(0)), func(connection *Connection) error {
			_, err := take(echo.Split(connection, splitID).Output(t.Context()))
			return err
		}},
		"a session": {ready, func(connection *Connection) error {
			session, err := echo.Open(t.Context(), connection, nil)
			if err == nil {
				_ = session.Close()
			}
			return err
		}},
	} {
		t.Run(name, func(t *testing.T) {
			server := serve(t, down, each.up, down, each.up, down, each.up)
			connection := server.connect(t, svc.WithRetryBudget(1))
			for range 3 {
				if err := each.call(connection); err != nil {
					t.Fatal(err)
				}
			}
			server.seen(t, 6)
		})
	}
}

func TestResumedOutputDoesNotUseRetryBudget(t *testing.T) {
	server := serve(t, respond(503, ""), cutOff(frame(0, "a")), rest(frame(1, "b"), lastSplit(2)))
	connection := server.connect(t)
	if _, err := take(echo.Split(connection, splitID).Output(t.Context())); err != nil {
		t.Fatal(err)
	}
	// The retry was refunded, and resuming after the frame cost nothing.
	wantEqual(t, connection.budget.spent, 0)
	connection.budget.spent = 5 * retryCost
	server.scripts = []script{cutOff(frame(0, "a")), rest(lastSplit(1))}
	if _, err := take(echo.Split(connection, splitID).Output(t.Context())); err != nil {
		t.Fatal(err)
	}
	wantEqual(t, connection.budget.spent, 5*retryCost-2)
}
