package calls

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"svc.runtime/svc"
)

const (
	splitID   = "01J00000000000000000000000"
	splitPath = "/invocations/v1/nodes/streams/" + splitID
)

// cutOff is a script that responds with frames that have ids, then loses the connection.
func cutOff(frames ...string) script {
	return func(writer http.ResponseWriter, _ *http.Request) {
		writer.Header().Set("Content-Type", "text/event-stream")
		for _, frame := range frames {
			_, _ = io.WriteString(writer, frame)
		}
		_ = http.NewResponseController(writer).Flush()
		panic(http.ErrAbortHandler)
	}
}

func frame(id int, text string) string {
	return fmt.Sprintf("id: %d\ndata: {\"execution_id\":%q,\"frame_index\":%d,\"payload\":{\"text\":%q}}\n\n", id, streamID, id, text)
}

func lastSplit(id int) string {
	return fmt.Sprintf("id: %d\ndata: {\"execution_id\":%q,%s}\n\n", id, streamID, lastFrame)
}

func rest(frames ...string) script {
	return respond(http.StatusOK, strings.Join(frames, ""), "Content-Type", "text/event-stream")
}

func TestSplitCreatesStream(t *testing.T) {
	server := serve(t, respond(http.StatusCreated, `{"stream_id":"`+splitID+`"}`))
	split, err := echo.CreateSplit(t.Context(), server.connect(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	wantEqual(t, split.ID(), splitID)
	request := server.seen(t, 1)[0]
	wantEqual(t, request.path, "/invocations/v1/nodes/streams")
	wantEqual(t, request.body, `{"node_ref":"acme/text/1.0.0/Echo"}`)
}

func TestSplitUploadIsNotRetried(t *testing.T) {
	server := serve(t, respond(http.StatusOK, `{"execution_id":"`+streamID+`","input_frames":2}`))
	inputs := svc.Inputs(slices.Values([]map[string]any{{"text": "a"}, {"text": "b"}}))
	upload, err := echo.Split(server.connect(t), splitID).Upload(t.Context(), inputs)
	if err != nil {
		t.Fatal(err)
	}
	wantEqual(t, *upload, svc.Upload{ExecutionID: streamID, InputFrames: 2})
	request := server.seen(t, 1)[0]
	wantEqual(t, request.path, splitPath+"/input")
	wantEqual(t, request.body, "{\"text\":\"a\"}\n{\"text\":\"b\"}\n")
	wantEqual(t, request.header.Get("Content-Type"), "application/x-ndjson")
	wantEqual(t, request.header.Get("Accept"), "application/json")
}

func TestSplitUploadFails(t *testing.T) {
	one := []map[string]any{{"text": "a"}}
	cases := map[string]struct {
		script script
		kind   svc.Kind
		said   string
	}{
		"as another one did":  {respond(http.StatusConflict, `{"error_message":"the stream already has an upload"}`), svc.ErrStatus, "already has an upload"},
		"without all input":   {respond(http.StatusOK, `{"input_frames":3}`), svc.ErrStreamInterrupted, "3 of 1"},
		"without being again": {respond(http.StatusServiceUnavailable, `{}`), svc.ErrUpstreamUnavailable, "503"},
	}
	for name, each := range cases {
		t.Run(name, func(t *testing.T) {
			server := serve(t, each.script)
			_, err := echo.Split(server.connect(t), splitID).Upload(t.Context(), svc.Inputs(slices.Values(one)))
			if failure := wantFailure(t, err, each.kind); !strings.Contains(failure.Message, each.said) {
				t.Errorf("got %s", failure.Message)
			}
			server.seen(t, 1)
		})
	}
}

func TestSplitResumesAfterLostConnection(t *testing.T) {
	server := serve(t,
		cutOff(frame(0, "a"), "id: 1\ndata: {\"exec"),
		respond(http.StatusServiceUnavailable, "{}"),
		cutOff(frame(1, "b")),
		rest(frame(2, "c"), lastSplit(3)),
	)
	var response svc.Response
	var texts, ids []string
	for output, err := range echo.Split(server.connect(t), splitID).Output(t.Context(), svc.WithResponse(&response)) {
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, fmt.Sprint(output["text"]))
		ids = append(ids, response.LastEventID)
	}
	if !slices.Equal(texts, []string{"a", "b", "c"}) || !slices.Equal(ids, []string{"0", "1", "2"}) {
		t.Errorf("got %v with the ids %v", texts, ids)
	}
	requests := server.seen(t, 4)
	for index, after := range []string{"", "0", "0", "1"} {
		wantEqual(t, requests[index].path, splitPath+"/output")
		wantEqual(t, requests[index].header.Get("Last-Event-ID"), after)
	}
}

func TestSplitGivesUpWithoutFrames(t *testing.T) {
	server := serve(t, slices.Concat([]script{cutOff(frame(0, "a"))}, slices.Repeat([]script{cutOff()}, leastReconnects))...)
	texts, err := take(echo.Split(server.connect(t, svc.WithMaxRetries(1)), splitID).Output(t.Context()))
	failure := wantFailure(t, err, svc.ErrStreamInterrupted)
	wantEqual(t, len(texts), 1)
	wantEqual(t, failure.Attempts, 1+leastReconnects)
	server.seen(t, 1+leastReconnects)
}

func TestSplitDoesNotResumeAfterMessageWithoutID(t *testing.T) {
	_, unmarked, _ := strings.Cut(frame(1, "b"), "\n")
	for name, before := range map[string][]string{"no ids": nil, "an earlier id": {frame(0, "a")}} {
		t.Run(name, func(t *testing.T) {
			server := serve(t, cutOff(append(before, unmarked)...))
			texts, err := take(echo.Split(server.connect(t), splitID).Output(t.Context()))
			wantFailure(t, err, svc.ErrStreamInterrupted)
			wantEqual(t, len(texts), len(before)+1)
			server.seen(t, 1)
		})
	}
}

func TestSplitReadsOutputAfterEvent(t *testing.T) {
	server := serve(t, rest(lastSplit(2)), respond(http.StatusNoContent, ""))
	split := echo.Split(server.connect(t), splitID)
	for _, after := range []string{"1", "2"} {
		var response svc.Response
		texts, err := take(split.OutputAfter(t.Context(), after, svc.WithResponse(&response)))
		wantEqual(t, response.LastEventID, after)
		if err != nil || len(texts) != 0 {
			t.Errorf("got %v, %v", texts, err)
		}
	}
	requests := server.seen(t, 2)
	wantEqual(t, requests[0].header.Get("Last-Event-ID"), "1")
	wantEqual(t, requests[1].header.Get("Last-Event-ID"), "2")
}

func TestSplitRejectsMalformedEventIDs(t *testing.T) {
	server := serve(t)
	_, err := take(echo.Split(server.connect(t), streamID).OutputAfter(t.Context(), "x\ny"))
	wantFailure(t, err, svc.ErrMessage)
	server.seen(t, 0)
}

func TestSplitRejectsMalformedStreamIDs(t *testing.T) {
	server := serve(t, respond(http.StatusCreated, `{"stream_id":"../a"}`))
	connection := server.connect(t)
	_, err := take(echo.Split(connection, "../a").Output(t.Context()))
	wantFailure(t, err, svc.ErrMessage)
	_, err = echo.CreateSplit(t.Context(), connection, nil)
	wantFailure(t, err, svc.ErrInvalidResponse)
	server.seen(t, 1)
}

func TestSplitReportsErrorOfLastFrame(t *testing.T) {
	server := serve(t, rest("id: 0\ndata: {\"is_final\":true,\"error\":\"no\"}\n\n"))
	_, err := take(echo.Split(server.connect(t), splitID).Output(t.Context()))
	wantFailure(t, err, svc.ErrNodeFailed)
	server.seen(t, 1)
}
