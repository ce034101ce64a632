package calls

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"svc.runtime/internal/protojson"
	"svc.runtime/svc"
)

const followedID = "00000000000000000000000000f01104"

// page is a script that responds with events of the history. next can be empty.
func page(next string, events ...string) script {
	body := `{"events":[` + strings.Join(events, ",") + `]`
	if next != "" {
		body += fmt.Sprintf(`,"next_cursor":%q`, next)
	}
	return respond(http.StatusOK, body+"}")
}

func event(ulid, kind string) string {
	return fmt.Sprintf(`{"type":%q,"event_ulid":%q}`, kind, ulid)
}

// following is a script that opens a socket, sends messages and closes the socket.
func following(code websocket.StatusCode, reason string, messages ...string) script {
	return func(writer http.ResponseWriter, request *http.Request) {
		conn, err := websocket.Accept(writer, request, nil)
		if err != nil {
			panic(err)
		}
		for _, message := range append([]string{`{"type":"SESSION_READY"}`}, messages...) {
			if err := conn.Write(request.Context(), websocket.MessageText, []byte(message)); err != nil {
				return
			}
		}
		if code == 0 {
			_, _, _ = conn.Read(request.Context())
			_ = conn.CloseNow()
			return
		}
		_ = conn.Close(code, reason)
	}
}

var followed = NewFlow("g-1", protojson.StructCodec, protojson.StructCodec)

func follow(ctx context.Context, connection *Connection, options ...svc.Option) iter.Seq2[*svc.ExecutionEvent, error] {
	return followed.Execution(connection, followedID).Follow(ctx, options...)
}

// ulidsOf collects the ids of events, and the error.
func ulidsOf(events iter.Seq2[*svc.ExecutionEvent, error]) ([]string, error) {
	var ulids []string
	for event, err := range events {
		if err != nil {
			return ulids, err
		}
		ulids = append(ulids, event.ULID)
	}
	return ulids, nil
}

func TestFollowReadsPagesThenSocket(t *testing.T) {
	server := serve(t,
		page("c1", event("1", "NODE_STARTED")),
		page("", event("2", "NODE_COMPLETED")),
		following(0, "", event("1", "NODE_STARTED"), event("2", "NODE_COMPLETED"), event("3", "OF_THE_FUTURE"), event("4", "FLOW_COMPLETED")),
	)
	ulids, err := ulidsOf(follow(t.Context(), server.connect(t)))
	if err != nil || !slices.Equal(ulids, []string{"1", "2", "3", "4"}) {
		t.Errorf("got %v, %v", ulids, err)
	}
	requests := server.seen(t, 3)
	wantEqual(t, requests[2].path, "/invocations/v1/debug-stream?session_id="+followedID+"&decode=true")
	wantEqual(t, requests[2].header.Get("Authorization"), "Bearer "+testKey)
	if !strings.Contains(requests[1].path, "cursor=c1") {
		t.Errorf("got %s", requests[1].path)
	}
}

func TestFollowOpensNoSocketAfterRunEnds(t *testing.T) {
	server := serve(t, page("", event("1", "FLOW_FAILED")))
	ulids, err := ulidsOf(follow(t.Context(), server.connect(t)))
	if err != nil || !slices.Equal(ulids, []string{"1"}) {
		t.Errorf("got %v, %v", ulids, err)
	}
	server.seen(t, 1)
}

func TestFollowResumesAfterLostConnection(t *testing.T) {
	server := serve(t,
		page("c1", event("1", "NODE_STARTED")),
		page("", `{"type":"NODE_LOG"}`),
		following(websocket.StatusGoingAway, "the service is shutting down", event("1", "NODE_STARTED"), event("2", "NODE_LOG")),
		page("", `{"type":"NODE_LOG"}`, event("2", "NODE_LOG"), event("3", "NODE_LOG")),
		following(0, "", event("3", "NODE_LOG"), event("4", "FLOW_COMPLETED")),
	)
	ulids, err := ulidsOf(follow(t.Context(), server.connect(t)))
	if err != nil || !slices.Equal(ulids, []string{"1", "", "2", "3", "4"}) {
		t.Errorf("got %v, %v", ulids, err)
	}
	if path := server.seen(t, 5)[3].path; !strings.Contains(path, "cursor=c1") {
		t.Errorf("got %s", path)
	}
}

// record is a script that responds with the record of the run.
func record(status svc.ExecutionStatus) script {
	return respond(http.StatusOK, fmt.Sprintf(`{"execution_id":%q,"status":%q}`, followedID, status))
}

func TestFollowReadsRecordAfterNormalClosure(t *testing.T) {
	closing := following(websocket.StatusNormalClosure, "server restarting", event("1", "NODE_STARTED"))
	server := serve(t,
		page("", event("1", "NODE_STARTED")), closing, record(svc.ExecutionRunning),
		page("", event("1", "NODE_STARTED"), event("2", "NODE_LOG")), closing, record(svc.ExecutionCompleted),
		page("", event("1", "NODE_STARTED"), event("2", "NODE_LOG"), event("3", "NODE_LOG")))
	ulids, err := ulidsOf(follow(t.Context(), server.connect(t)))
	if err != nil || !slices.Equal(ulids, []string{"1", "2", "3"}) {
		t.Errorf("got %v, %v", ulids, err)
	}
	wantEqual(t, server.seen(t, 7)[2].path, executionsPath+followedID)
}

func TestFollowCountsNormalClosuresAsLostConnections(t *testing.T) {
	closing := following(websocket.StatusNormalClosure, "server restarting")
	server := serve(t, slices.Repeat([]script{page(""), closing, record(svc.ExecutionRunning)}, 1+leastReconnects)...)
	options := []svc.Option{svc.WithMaxRetries(1), svc.WithRetryDelay(time.Microsecond, time.Minute)}
	_, err := ulidsOf(follow(t.Context(), server.connect(t), options...))
	failure := wantFailure(t, err, svc.ErrStreamInterrupted)
	if !strings.Contains(failure.Message, "the service closed with 1000 server restarting") {
		t.Errorf("got %s", failure.Message)
	}
	server.seen(t, 3*(1+leastReconnects))
}

func TestFollowAnswersPingsDuringLoopBody(t *testing.T) {
	answered := make(chan error, 1)
	server := serve(t, page(""), func(writer http.ResponseWriter, request *http.Request) {
		conn, err := websocket.Accept(writer, request, nil)
		if err != nil {
			panic(err)
		}
		say(conn, request.Context(), `{"type":"SESSION_READY"}`)
		say(conn, request.Context(), event("1", "NODE_STARTED"))
		answered <- conn.Ping(conn.CloseRead(request.Context()))
		say(conn, request.Context(), event("2", "FLOW_COMPLETED"))
	}, page(""))
	for event, err := range follow(t.Context(), server.connect(t)) {
		if err != nil {
			t.Fatal(err)
		}
		if event.ULID != "1" {
			continue
		}
		select {
		case err := <-answered:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(30 * time.Second):
			t.Error("the ping was not answered")
		}
	}
}

func TestFollowGivesUpWithoutNewEvents(t *testing.T) {
	drop := following(websocket.StatusInternalError, "broken by "+testKey)
	server := serve(t, slices.Repeat([]script{page(""), drop}, 1+leastReconnects)...)
	// No connection lasts longer than the longest retry delay.
	options := []svc.Option{svc.WithMaxRetries(1), svc.WithRetryDelay(time.Microsecond, time.Minute)}
	_, err := ulidsOf(follow(t.Context(), server.connect(t), options...))
	failure := wantFailure(t, err, svc.ErrStreamInterrupted)
	wantEqual(t, failure.ExecutionID, followedID)
	wantEqual(t, failure.Attempts, 1+leastReconnects)
	if !strings.HasSuffix(failure.Message, "broken by [redacted] (execution "+followedID+")") {
		t.Errorf("got %s", failure.Message)
	}
	server.seen(t, 2*(1+leastReconnects))
}

func TestFollowGivesUpWithoutRetryDelays(t *testing.T) {
	drop := following(websocket.StatusInternalError, "")
	server := serve(t, slices.Repeat([]script{page(""), drop}, 1+leastReconnects)...)
	_, err := ulidsOf(follow(t.Context(), server.connect(t), svc.WithRetryDelay(0, 0)))
	wantFailure(t, err, svc.ErrStreamInterrupted)
	server.seen(t, 2*(1+leastReconnects))
}

func TestFollowReconnectsIfServiceDoesNotGetReady(t *testing.T) {
	t.Parallel()
	server := serve(t, page(""), unready, page(""), following(0, "", event("1", "FLOW_COMPLETED")), page(""))
	ctx, end := context.WithTimeout(t.Context(), time.Minute)
	defer end()
	ulids, err := ulidsOf(follow(ctx, server.connect(t), svc.WithAttemptTimeout(3*time.Second)))
	if err != nil || !slices.Equal(ulids, []string{"1"}) {
		t.Errorf("got %v, %v", ulids, err)
	}
	server.seen(t, 5)
}

func TestFollowReturnsErrorOfHandshake(t *testing.T) {
	long := strings.Repeat("a", 2_000)
	server := serve(t, page(""), respond(http.StatusTooManyRequests, `{"error":"too_many_followers","message":"`+long+`"}`))
	_, err := ulidsOf(follow(t.Context(), server.connect(t), svc.WithMaxRetries(0)))
	failure := wantFailure(t, err, svc.ErrRateLimited)
	wantEqual(t, failure.Code, "too_many_followers")
	wantEqual(t, failure.ExecutionID, followedID)
	if !strings.Contains(string(failure.Body), long) {
		t.Errorf("got %s", failure.Body)
	}
}

func TestFollowRetriesHandshake(t *testing.T) {
	server := serve(t, page(""), respond(http.StatusServiceUnavailable, ""), page("", event("0", "NODE_STARTED")),
		following(0, "", event("0", "NODE_STARTED"), event("1", "FLOW_COMPLETED")))
	ulids, err := ulidsOf(follow(t.Context(), server.connect(t)))
	if err != nil || !slices.Equal(ulids, []string{"0", "1"}) {
		t.Errorf("got %v, %v", ulids, err)
	}
	server.seen(t, 4)
}

func TestFollowReadsPagesAgainBeforeUnknownEvent(t *testing.T) {
	server := serve(t, page("", event("1", "NODE_STARTED")),
		following(0, "", event("3", "NODE_LOG"), event("4", "FLOW_COMPLETED")),
		page("", event("1", "NODE_STARTED"), event("2", "NODE_LOG"), event("3", "NODE_LOG")))
	ulids, err := ulidsOf(follow(t.Context(), server.connect(t)))
	if err != nil || !slices.Equal(ulids, []string{"1", "2", "3", "4"}) {
		t.Errorf("got %v, %v", ulids, err)
	}
	server.seen(t, 3)
}

func TestFollowWaitsForServiceUntilTimeout(t *testing.T) {
	server := serve(t, page(""), unready)
	_, err := ulidsOf(follow(t.Context(), server.connect(t), svc.WithTimeout(200*time.Millisecond), svc.WithMaxRetries(0)))
	wantEqual(t, wantFailure(t, err, svc.ErrTimedOut).ExecutionID, followedID)
}

func TestFollowRejectsInvalidEvent(t *testing.T) {
	server := serve(t, page(""), following(0, "", `[1]`))
	_, err := ulidsOf(follow(t.Context(), server.connect(t)))
	wantEqual(t, wantFailure(t, err, svc.ErrInvalidResponse).ExecutionID, followedID)
}

func TestFollowIsNotLimitedByTimeoutOfHTTPClient(t *testing.T) {
	server := serve(t, page("", event("0", "NODE_LOG")), following(0, "", event("0", "NODE_LOG"), event("1", "FLOW_COMPLETED")))
	client := &http.Client{Timeout: longestSilence}
	ulids, err := ulidsOf(follow(t.Context(), server.connect(t, svc.WithHTTPClient(client))))
	if err != nil || len(ulids) != 2 {
		t.Errorf("got %v, %v", ulids, err)
	}
}

// doer is an HTTP client that is not an http.Client.
type doer struct{ count int }

func (d *doer) Do(request *http.Request) (*http.Response, error) {
	d.count++
	return http.DefaultTransport.RoundTrip(request)
}

func TestFollowUsesHTTPClientOfCaller(t *testing.T) {
	server := serve(t, page("", event("0", "NODE_LOG")), following(0, "", event("0", "NODE_LOG"), event("1", "FLOW_COMPLETED")))
	client := &doer{}
	_, err := ulidsOf(follow(t.Context(), server.connect(t, svc.WithHTTPClient(client))))
	if err != nil || client.count != 2 {
		t.Errorf("got %v after %d requests", err, client.count)
	}
}

func TestFollowUsesProxyOfHTTPClient(t *testing.T) {
	server := serve(t, page(""), following(0, "", event("1", "FLOW_COMPLETED")), page(""))
	address, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(address)}}
	connection := server.connect(t, svc.WithHTTPClient(client), svc.WithBaseURL("http://svc.invalid"))
	ulids, err := ulidsOf(follow(t.Context(), connection))
	if err != nil || len(ulids) != 1 {
		t.Errorf("got %v, %v", ulids, err)
	}
	if path := server.seen(t, 3)[1].path; !strings.HasPrefix(path, "http://svc.invalid"+followPath) {
		t.Errorf("got %s", path)
	}
}

func TestFollowTrustsCertificatesOfHTTPClient(t *testing.T) {
	scripted := serve(t, page(""), following(0, "", event("1", "FLOW_COMPLETED")), page(""))
	server := httptest.NewTLSServer(scripted.Config.Handler)
	t.Cleanup(server.Close)
	connection := scripted.connect(t, svc.WithHTTPClient(server.Client()), svc.WithBaseURL(server.URL))
	if ulids, err := ulidsOf(follow(t.Context(), connection)); err != nil || len(ulids) != 1 {
		t.Errorf("got %v, %v", ulids, err)
	}
}

func TestFollowClosesConnectionWhenLoopExits(t *testing.T) {
	closed := make(chan struct{})
	socket := following(0, "", event("0", "NODE_LOG"), event("1", "NODE_STARTED"))
	server := serve(t, page("", event("0", "NODE_LOG")), func(writer http.ResponseWriter, request *http.Request) {
		socket(writer, request)
		close(closed)
	})
	for event, err := range follow(t.Context(), server.connect(t)) {
		if err != nil {
			t.Fatal(err)
		}
		if event.ULID == "1" {
			break
		}
	}
	<-closed
}

func TestFollowEndsWithContext(t *testing.T) {
	server := serve(t, page("", event("0", "NODE_LOG")), following(0, "", event("0", "NODE_LOG"), event("1", "NODE_STARTED")))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var failure error
	for event, err := range follow(ctx, server.connect(t)) {
		failure = err
		if err == nil && event.ULID == "1" {
			cancel()
		}
	}
	wantEqual(t, wantFailure(t, failure, svc.ErrCanceled).ExecutionID, followedID)
}

func TestFollowYieldsNothingAfterContextEnds(t *testing.T) {
	server := serve(t, page("", event("1", "NODE_STARTED"), event("2", "FLOW_COMPLETED")))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var failure error
	for event, err := range follow(ctx, server.connect(t)) {
		failure = err
		if err == nil {
			wantEqual(t, event.ULID, "1")
		}
		cancel()
	}
	wantFailure(t, failure, svc.ErrCanceled)
}

func TestFollowDetectsSilentConnection(t *testing.T) {
	server := serve(t, following(0, ""))
	call, end, err := server.connect(t).begin(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	opened := &socket{}
	if _, err := call.exchange(&request{method: http.MethodGet, path: followPath, socket: opened}); err != nil {
		t.Fatal(err)
	}
	if _, err := opened.read(t.Context()); err != nil {
		t.Fatal(err)
	}
	opened.limit = 1
	_, err = opened.read(t.Context())
	wantEqual(t, fmt.Sprint(err), "nothing has arrived for 1ns")
}

func TestFollowRejectsInvalidHandshake(t *testing.T) {
	server := serve(t, page(""), hangUp("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"))
	_, err := ulidsOf(follow(t.Context(), server.connect(t)))
	wantFailure(t, err, svc.ErrInvalidResponse)
}

// blocked returns scripts in which sockets are blocked, followed by the given scripts for
// polling pages.
func blocked(scripts ...script) []script {
	refusal := respond(http.StatusUpgradeRequired, `{"error":"upgrade_required"}`)
	return append(slices.Repeat([]script{page("", event("1", "NODE_STARTED")), refusal}, mostMissed), scripts...)
}

func TestFollowPollsPagesUntilContextEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	running := record(svc.ExecutionRunning)
	server := serve(t, blocked(page(""), func(writer http.ResponseWriter, request *http.Request) {
		running(writer, request)
		_ = http.NewResponseController(writer).Flush()
		cancel()
	})...)
	var logged bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&logged, nil))
	ulids, err := ulidsOf(follow(ctx, server.connect(t, svc.WithLogger(logger))))
	wantEqual(t, wantFailure(t, err, svc.ErrCanceled).ExecutionID, followedID)
	if !slices.Equal(ulids, []string{"1"}) {
		t.Errorf("got %v", ulids)
	}
	if !strings.Contains(logged.String(), "polling the run's events") {
		t.Errorf("got %s", logged.String())
	}
	server.seen(t, 2*mostMissed+2)
}

func TestFollowGivesUpOnUnreadablePages(t *testing.T) {
	t.Parallel()
	refusal := respond(http.StatusBadGateway, "")
	server := serve(t, blocked(slices.Repeat([]script{refusal}, 1+leastReconnects)...)...)
	_, err := ulidsOf(follow(t.Context(), server.connect(t)))
	failure := wantFailure(t, err, svc.ErrUpstreamUnavailable)
	wantEqual(t, failure.Path, executionsPath+followedID+"/events")
	wantEqual(t, failure.Attempts, 1)
	server.seen(t, 2*mostMissed+1+leastReconnects)
}

func TestFollowGivesUpOnUnansweredRequests(t *testing.T) {
	t.Parallel()
	closing := following(websocket.StatusNormalClosure, "")
	for name, change := range map[string]func(*Connection){
		"the time of a poll":                  func(connection *Connection) { connection.longestPoll = 2 * time.Second },
		"the time of a poll without timeouts": func(connection *Connection) { connection.longestPoll, connection.config.Timeout = 2*time.Second, 0 },
		"the timeout of attempts":             func(connection *Connection) { connection.config.AttemptTimeout = 2 * time.Second },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := serve(t, page("c1"), silence, page(""), closing, silence, page("", event("1", "FLOW_COMPLETED")))
			connection := server.connect(t)
			change(connection)
			ulids, err := ulidsOf(follow(t.Context(), connection))
			if err != nil || !slices.Equal(ulids, []string{"1"}) {
				t.Errorf("got %v, %v", ulids, err)
			}
			server.seen(t, 6)
		})
	}
}

// byPages follows the run with custom limits: opening for sockets to become ready, and pause
// between them.
func byPages(ctx context.Context, connection *Connection, opening, pause time.Duration) iter.Seq2[*svc.ExecutionEvent, error] {
	return func(yield func(*svc.ExecutionEvent, error) bool) {
		execution := &execution[map[string]any]{id: followedID, connection: connection}
		follower := newFollower(ctx, execution, nil, yield)
		follower.opening, follower.pause = opening, pause
		if err := follower.run(); err != nil {
			yield(nil, err)
		}
	}
}

func TestFollowPollsPagesIfSocketsDoNotGetReady(t *testing.T) {
	t.Parallel()
	scripts := slices.Repeat([]script{page("", event("1", "NODE_STARTED")), unready}, mostMissed)
	server := serve(t, append(scripts, page("", event("2", "FLOW_COMPLETED")))...)
	ulids, err := ulidsOf(byPages(t.Context(), server.connect(t), time.Second, socketPause))
	if err != nil || !slices.Equal(ulids, []string{"1", "2"}) {
		t.Errorf("got %v, %v", ulids, err)
	}
	server.seen(t, 2*mostMissed+1)
}

func TestFollowRetriesSocketAfterPollingPages(t *testing.T) {
	t.Parallel()
	refusal := respond(http.StatusForbidden, `{"error":"forbidden"}`)
	server := serve(t, blocked(page("", event("2", "NODE_LOG")), refusal, page(""), following(0, "", event("3", "FLOW_COMPLETED")), page(""))...)
	ulids, err := ulidsOf(byPages(t.Context(), server.connect(t), longestOpening, 0))
	if err != nil || !slices.Equal(ulids, []string{"1", "2", "3"}) {
		t.Errorf("got %v, %v", ulids, err)
	}
	server.seen(t, 2*mostMissed+5)
}

func TestFollowStopsIfThirdSocketIsForbidden(t *testing.T) {
	scripts := blocked()
	scripts[len(scripts)-1] = respond(http.StatusForbidden, `{"error":"forbidden"}`)
	server := serve(t, scripts...)
	_, err := ulidsOf(follow(t.Context(), server.connect(t)))
	wantFailure(t, err, svc.ErrForbidden)
	server.seen(t, 2*mostMissed)
}

func TestSocketsRejectTooLongMessages(t *testing.T) {
	long := `{"text":"` + strings.Repeat("a", longestMessage) + `"}`
	server := serve(t, page(""), following(0, "", long))
	_, err := ulidsOf(follow(t.Context(), server.connect(t)))
	wantFailure(t, err, svc.ErrInvalidResponse)
	server = serve(t, conversing(0, "", func(conn *websocket.Conn, ctx context.Context) { say(conn, ctx, long) }))
	_, err = take(open(t, server).Messages(t.Context()))
	wantFailure(t, err, svc.ErrInvalidResponse)
}
