package calls

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"svc.runtime/internal/protojson"
	"svc.runtime/svc"
)

const (
	testID   = "0123456789abcdef0123456789abcdef"
	accepted = `{"accepted":true,"execution_id":"` + testID + `"`
	running  = `{"execution_id":"` + testID + `","status":"RUNNING"}`
	ended    = `{"execution_id":"` + testID + `","status":"COMPLETED","completed_at":"2026-01-31T09:30:00Z"}`
)

// letter is a flow for tests.
var letter = NewFlow("g-1", protojson.StructCodec, protojson.StructCodec)

func runLetter(t *testing.T, server *scriptedServer, options ...svc.Option) (map[string]any, error) {
	t.Helper()
	return letter.Run(t.Context(), server.connect(t), map[string]any{"n": 1}, options)
}

func TestRunReturnsOutput(t *testing.T) {
	server := serve(t, respond(200, accepted+`,"result":{"success":true,"output":{"text":"done"}}}`))
	output, err := runLetter(t, server, svc.WithTimeout(20*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	wantEqual(t, output["text"], any("done"))
	request := server.seen(t, 1)[0]
	wantEqual(t, request.path, "/invocations/v1/flows/invoke")
	wantEqual(t, request.body, `{"graph_id":"g-1","input":{"n":1},"wait":true,"timeout_seconds":18}`)
}

func TestRunWaitsNoLongerThanTheHTTPClient(t *testing.T) {
	for name, client := range map[string]*http.Client{
		"Timeout":               {Timeout: 9 * time.Second},
		"ResponseHeaderTimeout": {Timeout: 30 * time.Second, Transport: &http.Transport{ResponseHeaderTimeout: 9 * time.Second}},
	} {
		t.Run(name, func(t *testing.T) {
			server := serve(t, respond(200, accepted+`,"result":{"success":true,"output":{}}}`))
			if _, err := runLetter(t, server, svc.WithTimeout(20*time.Second), svc.WithHTTPClient(client)); err != nil {
				t.Fatal(err)
			}
			wantEqual(t, server.seen(t, 1)[0].body, `{"graph_id":"g-1","input":{"n":1},"wait":true,"timeout_seconds":8}`)
		})
	}
}

func TestRunIsPolled(t *testing.T) {
	server := serve(t, respond(202, accepted+`}`), respond(200, running), respond(200, ended),
		respond(200, `{"events":[],"next_cursor":"c 1"}`),
		respond(200, `{"events":[{"type":"FLOW_COMPLETED","output":{"text":"done"}}]}`))
	output, err := runLetter(t, server)
	if err != nil {
		t.Fatal(err)
	}
	wantEqual(t, output["text"], any("done"))
	path := server.seen(t, 5)[4].path
	wantEqual(t, path, "/invocations/v1/executions/"+testID+
		"/events?decode=true&event_type=FLOW_COMPLETED&event_type=FLOW_FAILED&cursor=c+1")
}

func TestRunFails(t *testing.T) {
	server := serve(t, respond(202, accepted+`,"result":{"success":false,"error_message":"no ink"}}`))
	_, err := runLetter(t, server)
	failure := wantFailure(t, err, svc.ErrFlowFailed)
	wantEqual(t, failure.Message, "no ink (execution "+testID+")")
	wantEqual(t, failure.ExecutionID, testID)
}

func TestPolledRunFailsWithIdempotencyKey(t *testing.T) {
	for name, answers := range map[string][]script{
		"failed": {respond(200, ended), page("", `{"type":"FLOW_FAILED","error":"no ink"}`)},
		"paused": {respond(200, strings.Replace(running, `}`, `,"pause_id":"p-1"}`, 1))},
	} {
		t.Run(name, func(t *testing.T) {
			server := serve(t, append([]script{respond(202, accepted+`}`)}, answers...)...)
			_, err := runLetter(t, server)
			var failure *svc.APIError
			if !errors.As(err, &failure) {
				t.Fatalf("got %v, want an svc.APIError", err)
			}
			wantEqual(t, failure.IdempotencyKey, server.seen(t, 1+len(answers))[0].header.Get("Idempotency-Key"))
		})
	}
}

func TestWaitReportsFailure(t *testing.T) {
	server := serve(t, respond(200, strings.Replace(ended, "COMPLETED", "FAILED", 1)),
		respond(200, `{"events":[{"type":"FLOW_FAILED","error":"no ink"}]}`))
	_, err := letter.Execution(server.connect(t), testID).Wait(t.Context())
	wantEqual(t, wantFailure(t, err, svc.ErrFlowFailed).Message, "no ink (execution "+testID+")")
}

func TestPausedRunIsAnError(t *testing.T) {
	server := serve(t, respond(202, accepted+`,"execution_status":"PAUSED","pause_id":"p-1"}`))
	_, err := runLetter(t, server)
	failure := wantFailure(t, err, svc.ErrFlowPaused)
	wantEqual(t, failure.ExecutionID, testID)
	wantEqual(t, failure.PauseID, "p-1")
}

func TestWaitTimesOut(t *testing.T) {
	t.Parallel()
	server := serve(t, respond(202, accepted+`}`), respond(200, running), silence)
	_, err := runLetter(t, server, svc.WithTimeout(3*time.Second))
	failure := wantFailure(t, err, svc.ErrWaitTimedOut)
	wantEqual(t, failure.ExecutionID, testID)
	wantEqual(t, failure.Is(svc.ErrTimedOut), true)
	wantEqual(t, failure.Attempts, 1)
	// The idempotency key that started the run.
	wantEqual(t, failure.IdempotencyKey, server.seen(t, 3)[0].header.Get("Idempotency-Key"))
}

func TestWaitTimesOutBetweenPolls(t *testing.T) {
	server := serve(t, respond(200, running))
	_, err := letter.Execution(server.connect(t), testID).Wait(t.Context(), svc.WithTimeout(40*time.Millisecond))
	failure := wantFailure(t, err, svc.ErrWaitTimedOut)
	wantEqual(t, failure.ExecutionID, testID)
	wantEqual(t, failure.Attempts, 1)
}

func TestWaitTimeoutReportsFailureOfLastPoll(t *testing.T) {
	t.Parallel()
	refusing := &http.Client{Transport: &http.Transport{
		DialContext: func(context.Context, string, string) (net.Conn, error) { return nil, syscall.ECONNREFUSED },
	}}
	for kind, each := range map[svc.Kind]struct {
		script  script
		options []svc.Option
	}{
		svc.ErrConnection: {silence, []svc.Option{svc.WithHTTPClient(refusing)}},
		svc.ErrServer:     {respond(500, ""), nil},
		svc.ErrTimedOut:   {silence, []svc.Option{svc.WithAttemptTimeout(100 * time.Millisecond)}},
	} {
		t.Run(kind.Error(), func(t *testing.T) {
			t.Parallel()
			server := serve(t, slices.Repeat([]script{each.script}, 100)...)
			_, err := letter.Execution(server.connect(t, each.options...), testID).Wait(t.Context(), svc.WithTimeout(5*time.Second))
			failure := wantFailure(t, err, svc.ErrWaitTimedOut)
			wantEqual(t, failure.LastFailure.Kind, kind)
			wantEqual(t, strings.Count(failure.Message, "an earlier attempt failed"), 1)
			wantEqual(t, errors.Is(err, context.DeadlineExceeded), true)
			wantEqual(t, errors.Is(err, syscall.ECONNREFUSED), kind == svc.ErrConnection)
		})
	}
}

func TestTimeoutsDoNotMatchKindOfEarlierFailure(t *testing.T) {
	t.Parallel()
	down := respond(503, "")
	connection := serve(t, down, silence, down, silence).connect(t, svc.WithTimeout(3*time.Second))
	_, err := letter.Execution(connection, testID).Wait(t.Context())
	wantEqual(t, wantFailure(t, err, svc.ErrWaitTimedOut).LastFailure.Status, 503)
	wantEqual(t, errors.Is(err, svc.ErrTimedOut), true)
	wantEqual(t, errors.Is(err, svc.ErrStatus), false)
	_, err = callEcho(t.Context(), connection)
	wantEqual(t, wantFailure(t, err, svc.ErrTimedOut).LastFailure.Status, 503)
	wantEqual(t, errors.Is(err, svc.ErrStatus), false)
}

func TestWaitRepeatsUnansweredPoll(t *testing.T) {
	t.Parallel()
	for name, limit := range map[string]func(connection *Connection){
		"the timeout of a poll": func(connection *Connection) {
			wantEqual(t, connection.longestPoll, 30*time.Second)
			connection.longestPoll = 2 * time.Second
		},
		"the timeout of attempts": func(connection *Connection) { connection.config.AttemptTimeout = 2 * time.Second },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := serve(t, silence, respond(200, ended), silence, respond(200, ended),
				respond(200, `{"events":[{"type":"FLOW_COMPLETED","output":{"text":"done"}}]}`))
			connection := server.connect(t)
			limit(connection)
			output, err := letter.Execution(connection, testID).Wait(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			wantEqual(t, output["text"], any("done"))
			server.seen(t, 5)
		})
	}
}

func TestCanceledWaitOmitsDetailsOfLastPoll(t *testing.T) {
	cause := errors.New("shutting down")
	ctx, cancel := context.WithCancelCause(t.Context())
	down := respond(503, `{"error":"maintenance"}`, "Retry-After", "30", "X-Request-Id", "r-1")
	server := serve(t, func(writer http.ResponseWriter, request *http.Request) {
		time.AfterFunc(200*time.Millisecond, func() { cancel(cause) })
		down(writer, request)
	})
	_, err := letter.Execution(server.connect(t), testID).Wait(ctx, svc.WithIdempotencyKey("k-1"))
	failure := wantFailure(t, err, svc.ErrCanceled)
	wantEqual(t, errors.Is(err, cause), true)
	got := *failure
	got.Err = nil
	want := svc.APIError{
		Kind: svc.ErrCanceled, Message: "the call was canceled", Method: http.MethodGet, Path: "/invocations/v1/executions/" + testID,
		ExecutionID: testID, Attempts: 1, IdempotencyKey: "k-1",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestOutputOfAnyFlowIsJSON(t *testing.T) {
	for _, text := range []string{`{"n": 9007199254740993, "list": [1, null]}`, `null`, `"text"`} {
		server := serve(t, respond(200, ended), respond(200, `{"events":[{"type":"FLOW_COMPLETED","output":`+text+`}]}`))
		output, err := server.connect(t).Execution(testID).Wait(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		wantEqual(t, string(output), text)
	}
	_, err := serve(t).connect(t).Execution("../secrets").Get(t.Context())
	wantFailure(t, err, svc.ErrMessage)
}

func TestStartReturnsRun(t *testing.T) {
	server := serve(t, respond(202, accepted+`}`), respond(200, running))
	execution, err := letter.Start(t.Context(), server.connect(t), map[string]any{"n": 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	wantEqual(t, execution.ID(), testID)
	record, err := execution.Get(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	wantEqual(t, record.Status, svc.ExecutionRunning)
	wantEqual(t, record.HasEnded(), false)
	requests := server.seen(t, 2)
	wantEqual(t, requests[0].body, `{"graph_id":"g-1","input":{"n":1}}`)
	wantEqual(t, requests[1].method+" "+requests[1].path, "GET /invocations/v1/executions/"+testID)
}

func TestRecordHasTimes(t *testing.T) {
	server := serve(t, respond(200, ended))
	record, err := letter.Execution(server.connect(t), testID).Get(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	wantEqual(t, record.CompletedAt, time.Date(2026, time.January, 31, 9, 30, 0, 0, time.UTC))
	wantEqual(t, record.CreatedAt.IsZero(), true)
	wantEqual(t, record.HasEnded(), true)
}

func TestCancelReturnsRecord(t *testing.T) {
	server := serve(t, respond(200, strings.Replace(ended, "COMPLETED", "CANCELLED", 1)),
		respond(409, `{"error":"EXECUTION_NOT_CANCELLABLE"}`))
	execution := letter.Execution(server.connect(t), testID)
	record, err := execution.Cancel(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	wantEqual(t, record.Status, svc.ExecutionCanceled)
	_, err = execution.Cancel(t.Context())
	failure := wantFailure(t, err, svc.ErrStatus)
	wantEqual(t, failure.Status, 409)
	wantEqual(t, failure.ExecutionID, testID)
	request := server.seen(t, 2)[0]
	wantEqual(t, request.method+" "+request.path+request.body, "POST /invocations/v1/executions/"+testID+"/cancel")
}

func TestExecutionIDIsInResponsesErrorsAndLogs(t *testing.T) {
	var log bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	connection := serve(t,
		respond(200, accepted+`,"result":{"success":true,"output":{}}}`),
		respond(200, accepted+`,"result":{"success":true,"output":[]}}`),
		// net/http resends a GET if it failed on a reused connection.
		respond(202, accepted+`}`), respond(400, "", "Connection", "close"), hangUp(""),
		respond(200, `{}`),
	).connect(t, svc.WithLogger(logger), svc.WithMaxRetries(0))
	var response svc.Response
	if _, err := letter.Run(t.Context(), connection, nil, []svc.Option{svc.WithResponse(&response)}); err != nil {
		t.Fatal(err)
	}
	wantEqual(t, response.ExecutionID, testID)
	_, err := letter.Run(t.Context(), connection, nil, nil)
	wantEqual(t, wantFailure(t, err, svc.ErrInvalidResponse).ExecutionID, testID)
	_, err = letter.Run(t.Context(), connection, nil, nil)
	wantEqual(t, wantFailure(t, err, svc.ErrBadRequest).ExecutionID, testID)
	execution := letter.Execution(connection, testID)
	_, err = execution.Get(t.Context())
	wantEqual(t, wantFailure(t, err, svc.ErrConnection).ExecutionID, testID)
	_, err = execution.Get(t.Context())
	wantEqual(t, wantFailure(t, err, svc.ErrInvalidResponse).ExecutionID, testID)
	for line := range strings.Lines(log.String()) {
		if !strings.Contains(line, "execution_id="+testID) {
			t.Errorf("the execution is not in %q", line)
		}
	}
}

func TestEventsAreReadPageByPage(t *testing.T) {
	server := serve(t,
		respond(200, `{"events":[{"type":"NODE_STARTED","event_ulid":"1","timestamp_ms":1500,"node_name":"a","input":{"n":1}}],"next_cursor":"c"}`),
		respond(200, `{"events":[{"type":"FUTURE","extra":true},7]}`))
	execution := letter.Execution(server.connect(t), testID)
	var events []*svc.ExecutionEvent
	filter := svc.EventFilter{Types: []svc.EventType{"A", "B"}, NodeName: "a b", PageSize: 5}
	for event, err := range execution.Events(t.Context(), filter) {
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, event)
	}
	wantEqual(t, len(events), 2)
	wantEqual(t, events[0].Time, time.Unix(1, 500_000_000).UTC())
	wantEqual(t, events[0].NodeName, "a")
	wantEqual(t, string(events[0].Input), `{"n":1}`)
	wantEqual(t, string(events[1].Raw), `{"type":"FUTURE","extra":true}`)
	wantEqual(t, server.seen(t, 2)[0].path, "/invocations/v1/executions/"+testID+
		"/events?decode=true&event_type=A&event_type=B&node_name=a+b&limit=5")
}

func TestEventsStopAfterFailure(t *testing.T) {
	server := serve(t, respond(200, `{"events":[{"type":"A"}],"next_cursor":"c"}`), respond(404, ""))
	seen := 0
	for _, err := range letter.Execution(server.connect(t), testID).Events(t.Context(), svc.EventFilter{}) {
		if err != nil {
			wantFailure(t, err, svc.ErrNotFound)
			continue
		}
		seen++
	}
	wantEqual(t, seen, 1)
}

func TestRepeatedCursorIsInvalid(t *testing.T) {
	at := func(next string) script { return respond(200, `{"events":[],"pauses":[],"next_cursor":"`+next+`"}`) }
	repeats := map[string][]script{"one page": {at("a"), at("a")}, "two pages": {at("a"), at("b"), at("a")}}
	for name, read := range map[string]func(connection *Connection) error{
		"events": func(connection *Connection) error {
			for _, err := range letter.Execution(connection, testID).Events(t.Context(), svc.EventFilter{}) {
				return err
			}
			return nil
		},
		"pauses": func(connection *Connection) error {
			for _, err := range connection.Pauses(t.Context(), svc.PauseFilter{}, nil) {
				return err
			}
			return nil
		},
		"pauses of a run": func(connection *Connection) error {
			_, err := letter.Execution(connection, testID).Pauses(t.Context())
			return err
		},
		"follow": func(connection *Connection) error {
			_, err := ulidsOf(follow(t.Context(), connection))
			return err
		},
	} {
		for pages, scripts := range repeats {
			t.Run(name+", "+pages, func(t *testing.T) {
				server := serve(t, scripts...)
				failure := wantFailure(t, read(server.connect(t)), svc.ErrInvalidResponse)
				want := "invalid response: next_cursor is the cursor of an earlier page"
				if failure.ExecutionID != "" {
					want += " (execution " + failure.ExecutionID + ")"
				}
				wantEqual(t, failure.Message, want)
				server.seen(t, len(scripts))
			})
		}
	}
}

func TestMalformedIDIsRejected(t *testing.T) {
	server := serve(t)
	for _, id := range []string{"", "../etc", strings.Repeat("g", 32)} {
		_, err := letter.Execution(server.connect(t), id).Get(t.Context())
		wantFailure(t, err, svc.ErrMessage)
	}
	server.seen(t, 0)
}

func TestInvalidRunResponse(t *testing.T) {
	for _, body := range []string{`[]`, `{}`, accepted + `,"result":{"success":true}}`, accepted + `,"result":{"success":true,"output":[]}}`} {
		server := serve(t, respond(200, body))
		_, err := runLetter(t, server)
		wantFailure(t, err, svc.ErrInvalidResponse)
	}
}

func TestWarm(t *testing.T) {
	server := serve(t, respond(202, `{"warmed":true}`))
	if err := letter.Warm(t.Context(), server.connect(t), nil); err != nil {
		t.Fatal(err)
	}
	request := server.seen(t, 1)[0]
	wantEqual(t, request.path+" "+request.body, `/invocations/v1/flows/warm {"graph_id":"g-1"}`)
}

func TestCancelSucceedsIfLostAttemptCanceledRun(t *testing.T) {
	late := respond(409, `{"error":"EXECUTION_NOT_CANCELLABLE","code":"execution_not_cancellable"}`)
	server := serve(t, hangUp(""), late, respond(200, strings.Replace(ended, "COMPLETED", "CANCELLED", 1)))
	record, err := letter.Execution(server.connect(t), testID).Cancel(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	wantEqual(t, record.Status, svc.ExecutionCanceled)
	wantEqual(t, server.seen(t, 3)[2].method, "GET")
	for name, looked := range map[string]script{"completed": respond(200, ended), "unknown": respond(404, "")} {
		t.Run(name, func(t *testing.T) {
			server := serve(t, hangUp(""), late, looked)
			_, err := letter.Execution(server.connect(t), testID).Cancel(t.Context())
			wantEqual(t, wantFailure(t, err, svc.ErrStatus).Status, 409)
			server.seen(t, 3)
		})
	}
}

func TestWaitHonoursRetryAfterBetweenPolls(t *testing.T) {
	t.Parallel()
	server := serve(t, respond(503, "", "Retry-After", "0.4"), respond(200, running), respond(503, "", "Retry-After", "30"))
	connection := server.connect(t, svc.WithRetryBudget(0))
	started := time.Now()
	_, err := letter.Execution(connection, testID).Wait(t.Context(), svc.WithTimeout(4*time.Second))
	failure := wantFailure(t, err, svc.ErrWaitTimedOut)
	if failure.LastFailure == nil {
		t.Fatalf("got %v without a last failure", failure)
	}
	wantEqual(t, failure.LastFailure.Kind, svc.ErrUpstreamUnavailable)
	if took := time.Since(started); took < 3900*time.Millisecond || took > 20*time.Second {
		t.Errorf("took %v", took)
	}
	server.seen(t, 3)
}
