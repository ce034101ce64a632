package calls

import (
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"svc.runtime/svc"
)

const requestID = "7d1f0c6e2b9a4f53"

func TestRequestIDIsInErrorsAndResponses(t *testing.T) {
	for name, each := range map[string]struct {
		script script
		kind   svc.Kind
		said   string
	}{
		"refused":     {respond(404, `{"message":"no"}`, "X-Request-Id", requestID), svc.ErrNotFound, "no (HTTP 404, request " + requestID + ")"},
		"of a run":    {respond(404, `{"message":"no"}`, "X-Request-Id", requestID, "X-Execution-Id", "e1"), svc.ErrNotFound, "no (HTTP 404, execution e1, request " + requestID + ")"},
		"invalid":     {respond(200, `[]`, "X-Request-Id", requestID), svc.ErrInvalidResponse, " (request " + requestID + ")"},
		"interrupted": {hangUp("HTTP/1.1 200 OK\r\nX-Request-Id: " + requestID + "\r\nContent-Length: 9\r\n\r\n{"), svc.ErrInterruptedResponse, " (request " + requestID + ")"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := callEcho(t.Context(), serve(t, each.script).connect(t), svc.WithMaxRetries(0))
			failure := wantFailure(t, err, each.kind)
			wantEqual(t, failure.RequestID, requestID)
			if !strings.HasSuffix(failure.Message, each.said) {
				t.Errorf("got %s", failure.Message)
			}
		})
	}
	var response svc.Response
	server := serve(t, respond(200, `{}`, "X-Request-Id", requestID))
	if _, err := callEcho(t.Context(), server.connect(t), svc.WithResponse(&response)); err != nil {
		t.Fatal(err)
	}
	wantEqual(t, response.RequestID, requestID)
}

func TestRequestIDIsInErrorsOfStreams(t *testing.T) {
	for name, each := range map[string]struct {
		frame string
		kind  svc.Kind
	}{
		"failed":      {`"is_final":true,"error":"tired"`, svc.ErrFlowFailed},
		"interrupted": {word, svc.ErrStreamInterrupted},
		"invalid":     {`"frame":1`, svc.ErrInvalidResponse},
	} {
		t.Run(name, func(t *testing.T) {
			server := serve(t, respond(http.StatusOK, eventsOf(each.frame), "Content-Type", "text/event-stream", "X-Request-Id", requestID))
			_, err := take(streamWords(t.Context(), server.connect(t)))
			failure := wantFailure(t, err, each.kind)
			wantEqual(t, failure.RequestID, requestID)
			if !strings.Contains(failure.Message, "request "+requestID) {
				t.Errorf("got %s", failure.Message)
			}
		})
	}
}

func TestRequestIDIsInErrorsOfSockets(t *testing.T) {
	named := func(script script) script {
		return func(writer http.ResponseWriter, request *http.Request) {
			writer.Header().Set("X-Request-Id", requestID)
			script(writer, request)
		}
	}
	server := serve(t, page(""), named(following(websocket.StatusInternalError, "broken")))
	_, err := ulidsOf(follow(t.Context(), server.connect(t), svc.WithMaxRetries(0)))
	wantEqual(t, wantFailure(t, err, svc.ErrStreamInterrupted).RequestID, requestID)
	server = serve(t, named(conversing(websocket.StatusInternalError, "broken", echoOnce)))
	session := open(t, server)
	if err := session.Send(t.Context(), map[string]any{"text": "a"}); err != nil {
		t.Fatal(err)
	}
	_, err = take(session.Messages(t.Context()))
	wantEqual(t, wantFailure(t, err, svc.ErrStreamInterrupted).RequestID, requestID)
}
