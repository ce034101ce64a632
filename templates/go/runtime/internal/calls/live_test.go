package calls

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"svc.runtime/svc"
)

const sessionReady = `{"type":"SESSION_READY","execution_id":"` + streamID + `","limits":{"input_frames":3,"session_seconds":300}}`

// conversing is a script that opens a session, runs converse and closes the session.
func conversing(code websocket.StatusCode, reason string, converse func(conn *websocket.Conn, ctx context.Context)) script {
	return func(writer http.ResponseWriter, request *http.Request) {
		conn, err := websocket.Accept(writer, request, nil)
		if err != nil {
			panic(err)
		}
		say(conn, request.Context(), sessionReady)
		converse(conn, request.Context())
		_ = conn.Close(code, reason)
	}
}

func say(conn *websocket.Conn, ctx context.Context, text string) {
	_ = conn.Write(ctx, websocket.MessageText, []byte(text))
}

// echoOnce answers one message with a frame that contains it.
func echoOnce(conn *websocket.Conn, ctx context.Context) {
	_, data, err := conn.Read(ctx)
	if err == nil {
		say(conn, ctx, `{"payload":`+string(data)+`,"is_final":false}`)
	}
}

func open(t *testing.T, server *scriptedServer, options ...svc.Option) *svc.Session[map[string]any, map[string]any] {
	t.Helper()
	session, err := echo.Open(t.Context(), server.connect(t), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

func TestSessionSendsAndReceives(t *testing.T) {
	server := serve(t, conversing(websocket.StatusNormalClosure, "", func(conn *websocket.Conn, ctx context.Context) {
		echoOnce(conn, ctx)
		echoOnce(conn, ctx)
		say(conn, ctx, `{`+lastFrame+`,"input_frames":2}`)
	}))
	session := open(t, server)
	wantEqual(t, session.ExecutionID(), streamID)
	wantEqual(t, session.Limits(), svc.SessionLimits{InputMessages: 3, Duration: 5 * time.Minute})
	for _, text := range []string{"a", "b"} {
		if err := session.Send(t.Context(), map[string]any{"text": text}); err != nil {
			t.Fatal(err)
		}
		for message, err := range session.Messages(t.Context()) {
			if err != nil || message["text"] != text {
				t.Fatalf("got %v, %v", message, err)
			}
			break
		}
	}
	texts, err := take(session.Messages(t.Context()))
	if err != nil || len(texts) != 0 {
		t.Errorf("got %v, %v", texts, err)
	}
	request := server.seen(t, 1)[0]
	wantEqual(t, request.path, "/invocations/v1/nodes/acme/text/1.0.0/Echo/live")
	wantEqual(t, request.header.Get("Authorization"), "Bearer "+testKey)
}

func TestSessionReportsWhyItEnded(t *testing.T) {
	cases := map[string]struct {
		code   websocket.StatusCode
		reason string
		frame  string
		kind   svc.Kind
		said   string
	}{
		"a failed node":       {1000, "", `{"is_final":true,"error":"tired"}`, svc.ErrNodeFailed, "tired (execution " + streamID + ")"},
		"a slow consumer":     {1013, "slow consumer: a message was not read", `{"payload":{"text":"a"}}`, svc.ErrStreamInterrupted, "1013 slow consumer: a message was not read"},
		"a long message":      {1009, "", `{"payload":{"text":"a"}}`, svc.ErrStreamInterrupted, "1009 message too big"},
		"a shutdown":          {1001, "the service is shutting down", `{"payload":{"text":"a"}}`, svc.ErrStreamInterrupted, "1001 the service is shutting down"},
		"a frame that is not": {1000, "", `[]`, svc.ErrInvalidResponse, "not a JSON object"},
	}
	for name, each := range cases {
		t.Run(name, func(t *testing.T) {
			server := serve(t, conversing(each.code, each.reason, func(conn *websocket.Conn, ctx context.Context) { say(conn, ctx, each.frame) }))
			_, err := take(open(t, server).Messages(t.Context()))
			failure := wantFailure(t, err, each.kind)
			wantEqual(t, failure.ExecutionID, streamID)
			if !strings.Contains(failure.Message, each.said) {
				t.Errorf("got %s", failure.Message)
			}
		})
	}
}

func TestSessionReportsFailureOfLastFrameToLaterReaders(t *testing.T) {
	server := serve(t, conversing(websocket.StatusNormalClosure, "", func(conn *websocket.Conn, ctx context.Context) {
		say(conn, ctx, `{"payload":{"text":"a"},"is_final":true,"error":"tired"}`)
	}))
	session := open(t, server)
	for message, err := range session.Messages(t.Context()) {
		if err != nil || message["text"] != "a" {
			t.Errorf("got %v, %v", message, err)
		}
		break
	}
	for range 2 {
		_, err := take(session.Messages(t.Context()))
		wantFailure(t, err, svc.ErrNodeFailed)
	}
}

func TestSessionReportsFailureToEveryReader(t *testing.T) {
	for name, each := range map[string]struct {
		frame string
		kind  svc.Kind
	}{
		"a failed node":       {`{"is_final":true,"error":"tired"}`, svc.ErrNodeFailed},
		"a frame that is not": {`[]`, svc.ErrInvalidResponse},
	} {
		t.Run(name, func(t *testing.T) {
			fails := make(chan struct{})
			server := serve(t, conversing(websocket.StatusNormalClosure, "", func(conn *websocket.Conn, ctx context.Context) {
				<-fails
				say(conn, ctx, each.frame)
				_, _, _ = conn.Read(ctx)
			}))
			session := open(t, server)
			failures := make(chan error, 2)
			for range 2 {
				go func() {
					_, err := take(session.Messages(t.Context()))
					failures <- err
				}()
			}
			close(fails)
			for range 2 {
				wantFailure(t, <-failures, each.kind)
			}
			_ = session.Close()
			_, err := take(session.Messages(t.Context()))
			wantFailure(t, err, each.kind)
		})
	}
}

func TestSessionRequiresID(t *testing.T) {
	server := serve(t, func(writer http.ResponseWriter, request *http.Request) {
		conn, err := websocket.Accept(writer, request, nil)
		if err != nil {
			panic(err)
		}
		say(conn, request.Context(), `{"type":"SESSION_READY"}`)
		_, _, _ = conn.Read(request.Context())
	})
	_, err := echo.Open(t.Context(), server.connect(t), nil)
	wantFailure(t, err, svc.ErrInvalidResponse)
}

func TestRefusedSessionReportsStatus(t *testing.T) {
	server := serve(t, respond(http.StatusBadRequest, `{"error_message":"node \"Echo\" is a unary node"}`))
	_, err := echo.Open(t.Context(), server.connect(t), nil)
	if failure := wantFailure(t, err, svc.ErrBadRequest); !strings.Contains(failure.Message, "is a unary node") {
		t.Errorf("got %s", failure.Message)
	}
}

func TestSocketsRequireSwitchingProtocols(t *testing.T) {
	for _, status := range []int{http.StatusOK, http.StatusNoContent} {
		server := serve(t, respond(status, ""), page(""), respond(status, ""))
		connection := server.connect(t)
		var response svc.Response
		_, err := echo.Open(t.Context(), connection, []svc.Option{svc.WithResponse(&response)})
		failure := wantFailure(t, err, svc.ErrInvalidResponse)
		wantEqual(t, failure.Message, "invalid response: not a WebSocket")
		wantEqual(t, response.Status, status)
		_, err = ulidsOf(follow(t.Context(), connection, svc.WithMaxRetries(0)))
		wantFailure(t, err, svc.ErrInvalidResponse)
		server.seen(t, 3)
	}
}

func TestSocketsRequireUnwrappedBody(t *testing.T) {
	server := serve(t, conversing(websocket.StatusNormalClosure, "", func(conn *websocket.Conn, _ context.Context) { _ = conn.CloseNow() }))
	client := transport((&http.Client{Timeout: time.Minute}).Do)
	_, err := echo.Open(t.Context(), server.connect(t, svc.WithHTTPClient(client)), nil)
	failure := wantFailure(t, err, svc.ErrInvalidResponse)
	if !strings.Contains(failure.Message, "response body is not a io.ReadWriteCloser") {
		t.Errorf("got %s", failure.Message)
	}
}

func TestSessionReconnectsUntilReady(t *testing.T) {
	lost := func(writer http.ResponseWriter, request *http.Request) {
		conn, err := websocket.Accept(writer, request, nil)
		if err != nil {
			panic(err)
		}
		_ = conn.Close(websocket.StatusGoingAway, "")
	}
	server := serve(t, respond(http.StatusServiceUnavailable, "{}"), lost,
		conversing(websocket.StatusNormalClosure, "", func(conn *websocket.Conn, ctx context.Context) { say(conn, ctx, `{`+lastFrame+`}`) }))
	if texts, err := take(open(t, server).Messages(t.Context())); err != nil || len(texts) != 0 {
		t.Errorf("got %v, %v", texts, err)
	}
	server.seen(t, 3)
}

// unready is a script that opens a socket and sends nothing.
func unready(writer http.ResponseWriter, request *http.Request) {
	conn, err := websocket.Accept(writer, request, nil)
	if err != nil {
		panic(err)
	}
	_, _, _ = conn.Read(request.Context())
}

func TestSessionReconnectsAfterAttemptTimeout(t *testing.T) {
	t.Parallel()
	server := serve(t, unready,
		conversing(websocket.StatusNormalClosure, "", func(conn *websocket.Conn, ctx context.Context) { say(conn, ctx, `{`+lastFrame+`}`) }))
	session := open(t, server, svc.WithAttemptTimeout(3*time.Second))
	if texts, err := take(session.Messages(t.Context())); err != nil || len(texts) != 0 {
		t.Errorf("got %v, %v", texts, err)
	}
	server.seen(t, 2)
}

func TestSessionOutlivesItsTimeout(t *testing.T) {
	t.Parallel()
	later := make(chan struct{})
	server := serve(t, conversing(websocket.StatusNormalClosure, "", func(conn *websocket.Conn, ctx context.Context) {
		<-later
		say(conn, ctx, `{`+lastFrame+`}`)
	}))
	session := open(t, server, svc.WithTimeout(2*time.Second))
	time.AfterFunc(2100*time.Millisecond, func() { close(later) })
	if _, err := take(session.Messages(t.Context())); err != nil {
		t.Error(err)
	}
}

func TestSessionRejectsInvalidFirstMessage(t *testing.T) {
	server := serve(t, func(writer http.ResponseWriter, request *http.Request) {
		conn, err := websocket.Accept(writer, request, nil)
		if err != nil {
			panic(err)
		}
		say(conn, request.Context(), `{"payload":{}}`)
		_, _, _ = conn.Read(request.Context())
	})
	_, err := echo.Open(t.Context(), server.connect(t), nil)
	wantFailure(t, err, svc.ErrInvalidResponse)
}

func TestSessionRejectsInvalidInput(t *testing.T) {
	server := serve(t, conversing(websocket.StatusNormalClosure, "", echoOnce))
	session := open(t, server)
	err := session.Send(t.Context(), map[string]any{"text": make(chan int)})
	if failure := wantFailure(t, err, svc.ErrMessage); !strings.HasPrefix(failure.Message, "input message 0: ") {
		t.Errorf("got %s", failure.Message)
	}
}

func TestSessionIsClosed(t *testing.T) {
	closed := make(chan struct{})
	server := serve(t, conversing(websocket.StatusNormalClosure, "", func(conn *websocket.Conn, ctx context.Context) {
		_, _, _ = conn.Read(ctx)
		close(closed)
	}))
	session := open(t, server)
	if err := session.Close(); err != nil {
		t.Error(err)
	}
	<-closed
	texts, err := take(session.Messages(t.Context()))
	if err != nil || len(texts) != 0 {
		t.Errorf("got %v, %v", texts, err)
	}
	wantFailure(t, session.Send(t.Context(), map[string]any{}), svc.ErrStreamInterrupted)
}

func TestUnreadSessionAnswersPings(t *testing.T) {
	answered := make(chan error, 1)
	server := serve(t, conversing(websocket.StatusNormalClosure, "", func(conn *websocket.Conn, ctx context.Context) {
		reading := conn.CloseRead(ctx)
		answered <- conn.Ping(reading)
	}))
	open(t, server)
	if err := <-answered; err != nil {
		t.Error(err)
	}
}

func TestSessionEndsWithContext(t *testing.T) {
	server := serve(t, conversing(websocket.StatusNormalClosure, "", func(conn *websocket.Conn, ctx context.Context) { _, _, _ = conn.Read(ctx) }))
	ctx, cancel := context.WithCancel(t.Context())
	session, err := echo.Open(ctx, server.connect(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	_, err = take(session.Messages(t.Context()))
	wantFailure(t, err, svc.ErrCanceled)
}

func TestUnreadSessionEndsWithContext(t *testing.T) {
	closed := make(chan struct{})
	server := serve(t, conversing(websocket.StatusNormalClosure, "", func(conn *websocket.Conn, ctx context.Context) {
		defer close(closed)
		for range 2 {
			say(conn, ctx, `{"payload":{}}`)
		}
		for {
			if _, _, err := conn.Read(ctx); err != nil {
				return
			}
		}
	}))
	ctx, cancel := context.WithCancel(t.Context())
	session, err := echo.Open(ctx, server.connect(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	wantFailure(t, session.Send(t.Context(), map[string]any{}), svc.ErrCanceled)
	_ = inTime(t, func() error {
		<-closed
		return nil
	})
}

func TestCanceledSessionDoesNotWaitForReceiver(t *testing.T) {
	canceled := make(chan struct{})
	defer close(canceled)
	server := serve(t, conversing(websocket.StatusNormalClosure, "", func(conn *websocket.Conn, ctx context.Context) {
		for range 2 {
			say(conn, ctx, `{"payload":{}}`)
		}
		<-canceled
	}))
	ctx, cancel := context.WithCancel(t.Context())
	session, err := echo.Open(ctx, server.connect(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(200*time.Millisecond, cancel)
	long := map[string]any{"text": strings.Repeat("a", 1<<20)}
	err = inTime(t, func() error {
		for {
			if err := session.Send(t.Context(), long); err != nil {
				return err
			}
		}
	})
	wantFailure(t, err, svc.ErrCanceled)
}

func TestReaderStopsWaitingWhenItsContextEnds(t *testing.T) {
	server := serve(t, conversing(websocket.StatusNormalClosure, "", func(conn *websocket.Conn, ctx context.Context) {
		echoOnce(conn, ctx)
		_, _, _ = conn.Read(ctx)
	}))
	session := open(t, server)
	if err := session.Send(t.Context(), map[string]any{"text": "a"}); err != nil {
		t.Fatal(err)
	}
	for range session.Messages(t.Context()) {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		_, err := take(session.Messages(ctx))
		wantFailure(t, err, svc.ErrTimedOut)
		wantFailure(t, session.Send(ctx, map[string]any{"text": "late"}), svc.ErrTimedOut)
		break
	}
	ended, end := context.WithCancel(t.Context())
	end()
	_, err := take(session.Messages(ended))
	wantFailure(t, err, svc.ErrCanceled)
	wantFailure(t, session.Send(ended, map[string]any{"text": "late"}), svc.ErrCanceled)
	if err := session.Send(t.Context(), map[string]any{"text": "b"}); err != nil {
		t.Error(err)
	}
}

func TestReaderStopsWaitingWhenSessionEnds(t *testing.T) {
	for name, end := range map[string]func(cancel func(), session *svc.Session[map[string]any, map[string]any]){
		"closed":   func(_ func(), session *svc.Session[map[string]any, map[string]any]) { _ = session.Close() },
		"canceled": func(cancel func(), _ *svc.Session[map[string]any, map[string]any]) { cancel() },
	} {
		t.Run(name, func(t *testing.T) {
			server := serve(t, conversing(websocket.StatusNormalClosure, "", func(conn *websocket.Conn, ctx context.Context) {
				echoOnce(conn, ctx)
				_, _, _ = conn.Read(ctx)
			}))
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			session, err := echo.Open(ctx, server.connect(t), nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := session.Send(t.Context(), map[string]any{"text": "a"}); err != nil {
				t.Fatal(err)
			}
			for range session.Messages(t.Context()) {
				time.AfterFunc(50*time.Millisecond, func() { end(cancel, session) })
				_, err := take(session.Messages(t.Context()))
				if name == "canceled" {
					wantFailure(t, err, svc.ErrCanceled)
				} else if err != nil {
					t.Errorf("got %v", err)
				}
				break
			}
		})
	}
}

func TestSessionSendsMessagesInOrder(t *testing.T) {
	var got []string
	done := make(chan struct{})
	server := serve(t, conversing(websocket.StatusNormalClosure, "", func(conn *websocket.Conn, ctx context.Context) {
		defer close(done)
		for range 3 {
			var message struct{ Text string }
			_, data, _ := conn.Read(ctx)
			_ = json.Unmarshal(data, &message)
			got = append(got, message.Text)
		}
	}))
	session := open(t, server)
	for _, text := range []string{"a", "b", "c"} {
		if err := session.Send(t.Context(), map[string]any{"text": text}); err != nil {
			t.Fatal(err)
		}
	}
	<-done
	if !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("got %v", got)
	}
}

func TestSessionSendsNothingAfterLastFrame(t *testing.T) {
	server := serve(t, conversing(websocket.StatusNormalClosure, "", func(conn *websocket.Conn, ctx context.Context) {
		say(conn, ctx, `{`+lastFrame+`}`)
		_, _, err := conn.Read(ctx)
		if err == nil {
			t.Error("a message was sent")
		}
	}))
	session := open(t, server)
	for range 2 {
		if texts, err := take(session.Messages(t.Context())); err != nil || len(texts) != 0 {
			t.Errorf("got %v, %v", texts, err)
		}
		failure := wantFailure(t, session.Send(t.Context(), map[string]any{"text": "late"}), svc.ErrStreamInterrupted)
		wantEqual(t, failure.Message, "the session has ended (execution "+streamID+")")
	}
	_ = session.Close()
}

func TestSessionSendsNothingAfterFailure(t *testing.T) {
	server := serve(t, conversing(websocket.StatusNormalClosure, "", func(conn *websocket.Conn, ctx context.Context) {
		say(conn, ctx, `{"is_final":true,"error":"tired"}`)
		_, _, _ = conn.Read(ctx)
	}))
	session := open(t, server)
	_, err := take(session.Messages(t.Context()))
	wantFailure(t, err, svc.ErrNodeFailed)
	failure := wantFailure(t, session.Send(t.Context(), map[string]any{"text": "a"}), svc.ErrNodeFailed)
	if !strings.Contains(failure.Message, "tired") {
		t.Errorf("got %s", failure.Message)
	}
}

func TestSessionReportsThatSendCutItOff(t *testing.T) {
	released := make(chan struct{})
	defer close(released)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	server := serve(t, conversing(websocket.StatusNormalClosure, "", func(conn *websocket.Conn, open context.Context) {
		_, _, _ = conn.Reader(open)
		cancel()
		<-released
	}))
	session := open(t, server)
	received := make(chan error, 1)
	go func() {
		_, err := take(session.Messages(t.Context()))
		received <- err
	}()
	// The message is too long for any buffer.
	long := map[string]any{"text": strings.Repeat("a", 16<<20)}
	wantFailure(t, inTime(t, func() error { return session.Send(ctx, long) }), svc.ErrCanceled)
	for _, err := range []error{<-received, session.Send(t.Context(), map[string]any{})} {
		failure := wantFailure(t, err, svc.ErrStreamInterrupted)
		if want := "the session was cut off: the context of a Send ended"; !strings.HasPrefix(failure.Message, want) {
			t.Errorf("got %s, want %s", failure.Message, want)
		}
	}
}
