package calls

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"svc.runtime/internal/protojson"
	"svc.runtime/svc"
)

const streamID = "00000000000000000000000000decade"

// streamed is a script that responds with an event stream of frames.
func streamed(frames ...string) script {
	return respond(http.StatusOK, eventsOf(frames...), "Content-Type", "text/event-stream")
}

func eventsOf(frames ...string) string {
	var text strings.Builder
	for index, frame := range frames {
		fmt.Fprintf(&text, "data: {\"execution_id\":%q,\"frame_index\":%d,%s}\n\n", streamID, index, frame)
	}
	return text.String()
}

const (
	word      = `"payload":{"text":"a"},"is_final":false`
	lastFrame = `"is_final":true,"success":true`
)

// take collects the messages of a stream, and its error.
func take(outputs iter.Seq2[map[string]any, error]) ([]string, error) {
	var texts []string
	for output, err := range outputs {
		if err != nil {
			return texts, err
		}
		texts = append(texts, fmt.Sprint(output["text"]))
	}
	return texts, nil
}

var words = NewFlow("g-1", protojson.StructCodec, protojson.StructCodec)

func streamWords(ctx context.Context, connection *Connection, options ...svc.Option) iter.Seq2[map[string]any, error] {
	return words.Stream(ctx, connection, map[string]any{"text": "hello"}, options)
}

func TestStreamSendsRequestWhenIterated(t *testing.T) {
	server := serve(t, streamed(word, word, lastFrame))
	var response svc.Response
	outputs := streamWords(t.Context(), server.connect(t), svc.WithResponse(&response))
	server.seen(t, 0)
	texts, err := take(outputs)
	if err != nil || !slices.Equal(texts, []string{"a", "a"}) {
		t.Errorf("got %v, %v", texts, err)
	}
	wantEqual(t, response.Status, http.StatusOK)
	wantEqual(t, response.ExecutionID, streamID)
	request := server.seen(t, 1)[0]
	wantEqual(t, request.header.Get("Accept"), "text/event-stream, application/json")
	wantEqual(t, request.header.Get("Content-Type"), "application/json")
	if !strings.Contains(request.body, `"timeout_seconds":10`) {
		t.Errorf("got the body %s", request.body)
	}
}

func TestStreamYieldsNothingAfterContextEnds(t *testing.T) {
	server := serve(t, streamed(word, word, lastFrame))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	count := 0
	var failure error
	for _, err := range streamWords(ctx, server.connect(t)) {
		if err == nil {
			count++
		}
		failure = err
		cancel()
	}
	wantEqual(t, count, 1)
	wantEqual(t, wantFailure(t, failure, svc.ErrCanceled).ExecutionID, streamID)
}

func TestTruncatedStreamIsAnError(t *testing.T) {
	server := serve(t, streamed(word))
	_, err := take(streamWords(t.Context(), server.connect(t)))
	wantFailure(t, err, svc.ErrStreamInterrupted)
	if errors.Is(err, io.EOF) || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %#v", errors.Unwrap(err))
	}
}

func TestStreamClosesConnectionWhenLoopExits(t *testing.T) {
	closed := make(chan struct{})
	server := serve(t, func(writer http.ResponseWriter, request *http.Request) {
		writer.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(writer, eventsOf(word))
		_ = http.NewResponseController(writer).Flush()
		<-request.Context().Done()
		close(closed)
	})
	for _, err := range streamWords(t.Context(), server.connect(t)) {
		if err != nil {
			t.Fatal(err)
		}
		break
	}
	<-closed
}

func TestStreamWithoutLastFrameIsInterrupted(t *testing.T) {
	server := serve(t, streamed(word))
	texts, err := take(streamWords(t.Context(), server.connect(t)))
	failure := wantFailure(t, err, svc.ErrStreamInterrupted)
	wantEqual(t, len(texts), 1)
	wantEqual(t, failure.Status, http.StatusOK)
	wantEqual(t, failure.ExecutionID, streamID)
	wantEqual(t, failure.Attempts, 1)
	if !errors.Is(err, svc.ErrInterruptedResponse) || !errors.Is(err, svc.ErrConnection) {
		t.Error("it is of no wider kind")
	}
	server.seen(t, 1)
}

func TestStreamReportsErrorOfLastFrame(t *testing.T) {
	server := serve(t, streamed(word, `"is_final":true,"error":"tired of `+testKey+`"`))
	_, err := take(streamWords(t.Context(), server.connect(t)))
	failure := wantFailure(t, err, svc.ErrFlowFailed)
	wantEqual(t, failure.Message, "tired of [redacted] (execution "+streamID+")")
	if strings.Contains(string(failure.Body), testKey) || len(failure.Body) == 0 {
		t.Errorf("got the body %s", failure.Body)
	}
}

func TestStreamIsNotLimitedByAttemptTimeout(t *testing.T) {
	t.Parallel()
	server := serve(t, silence, func(writer http.ResponseWriter, _ *http.Request) {
		writer.Header().Set("Content-Type", "text/event-stream")
		_ = http.NewResponseController(writer).Flush()
		time.Sleep(2200 * time.Millisecond)
		_, _ = io.WriteString(writer, eventsOf(word, lastFrame))
	})
	texts, err := take(streamWords(t.Context(), server.connect(t), svc.WithAttemptTimeout(2*time.Second)))
	if err != nil || len(texts) != 1 {
		t.Errorf("got %v, %v", texts, err)
	}
	server.seen(t, 2)
}

// paused is a script that sends a word and the given number of comments, then goes silent.
func paused(comments int) script {
	return func(writer http.ResponseWriter, request *http.Request) {
		writer.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(writer, eventsOf(word))
		for range comments {
			_ = http.NewResponseController(writer).Flush()
			time.Sleep(100 * time.Millisecond)
			_, _ = io.WriteString(writer, ":\n\n")
		}
		_ = http.NewResponseController(writer).Flush()
		<-request.Context().Done()
	}
}

func TestSilentStreamIsInterrupted(t *testing.T) {
	t.Parallel()
	for _, comments := range []int{0, 35} {
		t.Run(fmt.Sprint(comments, " comments"), func(t *testing.T) {
			t.Parallel()
			stream := &frameStream[map[string]any]{output: echo.output, failure: svc.ErrFlowFailed}
			call, end, err := serve(t, paused(comments)).connect(t, svc.WithTimeout(time.Minute)).beginStream(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer end()
			stream.call = call
			request := &request{path: streamPath, body: func(time.Duration) []byte { return []byte("{}") }}
			if err := stream.open(request); err != nil {
				t.Fatal(err)
			}
			request.stream.limit = 3 * time.Second
			began, count := time.Now(), 0
			err = stream.read(request.stream, func(map[string]any, error) bool {
				count++
				return true
			})
			failure := wantFailure(t, err, svc.ErrStreamInterrupted)
			wantEqual(t, failure.Message, "the stream was cut off: nothing has arrived for 3s (execution "+streamID+")")
			wantEqual(t, failure.ExecutionID, streamID)
			wantEqual(t, count, 1)
			if took := time.Since(began); took < 3*time.Second+time.Duration(comments)*100*time.Millisecond {
				t.Errorf("it ended after %v, in spite of %d comments", took, comments)
			}
			request.stream.close()
		})
	}
}

func TestUnreadStreamIsNotSilent(t *testing.T) {
	t.Parallel()
	server := serve(t, func(writer http.ResponseWriter, _ *http.Request) {
		writer.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(writer, eventsOf(word))
		_ = http.NewResponseController(writer).Flush()
		time.Sleep(300 * time.Millisecond)
		_, _ = io.WriteString(writer, eventsOf(word, lastFrame))
	})
	call, end, err := server.connect(t).beginStream(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	stream := &frameStream[map[string]any]{output: echo.output, failure: svc.ErrFlowFailed, call: call}
	request := &request{path: streamPath, body: func(time.Duration) []byte { return []byte("{}") }}
	if err := stream.open(request); err != nil {
		t.Fatal(err)
	}
	defer request.stream.close()
	request.stream.limit = 3 * time.Second
	count := 0
	err = stream.read(request.stream, func(map[string]any, error) bool {
		count++
		time.Sleep(3200 * time.Millisecond)
		return true
	})
	if err != nil || count != 2 {
		t.Errorf("got %d words, %v", count, err)
	}
}

func TestStreamEndsWithContext(t *testing.T) {
	server := serve(t, func(writer http.ResponseWriter, request *http.Request) {
		writer.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(writer, eventsOf(word))
		_ = http.NewResponseController(writer).Flush()
		<-request.Context().Done()
	})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var failure error
	for _, err := range streamWords(ctx, server.connect(t)) {
		failure = err
		cancel()
	}
	wantEqual(t, wantFailure(t, failure, svc.ErrCanceled).ExecutionID, streamID)
}

func TestUploadReadsSourceOnce(t *testing.T) {
	server := serve(t, streamed(word, lastFrame+`,"input_frames":2`))
	inputs := svc.Inputs(slices.Values([]map[string]any{{"text": "a"}, {"text": "b"}}))
	texts, err := take(echo.Upload(t.Context(), server.connect(t), inputs, nil))
	if err != nil || len(texts) != 1 {
		t.Errorf("got %v, %v", texts, err)
	}
	request := server.seen(t, 1)[0]
	wantEqual(t, request.body, "{\"text\":\"a\"}\n{\"text\":\"b\"}\n")
	wantEqual(t, request.header.Get("Content-Type"), "application/x-ndjson")
}

func TestIncompleteUploadIsInterrupted(t *testing.T) {
	server := serve(t, streamed(lastFrame+`,"input_frames":1`))
	inputs := svc.Inputs(slices.Values([]map[string]any{{"text": "a"}, {"text": "b"}}))
	_, err := take(echo.Upload(t.Context(), server.connect(t), inputs, nil))
	failure := wantFailure(t, err, svc.ErrStreamInterrupted)
	if !strings.Contains(failure.Message, "1 of 2") {
		t.Errorf("got %s", failure.Message)
	}
}

func TestFramesWithoutNumbers(t *testing.T) {
	server := serve(t, respond(200, "data: {}\n\n", "Content-Type", "text/event-stream"), streamed(lastFrame))
	connection := server.connect(t)
	_, err := take(streamWords(t.Context(), connection))
	wantEqual(t, wantFailure(t, err, svc.ErrInvalidResponse).Message, "invalid response: frame without a number has no payload")
	inputs := svc.Inputs(slices.Values([]map[string]any{{"text": "a"}}))
	_, err = take(echo.Upload(t.Context(), connection, inputs, nil))
	failure := wantFailure(t, err, svc.ErrStreamInterrupted)
	wantEqual(t, failure.Message, "the service received an unknown number of 1 input messages (execution "+streamID+")")
}

func TestUploadStopsFailedSource(t *testing.T) {
	server := serve(t, streamed(lastFrame))
	gone := errors.New("the disk is gone")
	isStopped := false
	inputs := func(yield func(map[string]any, error) bool) {
		defer func() { isStopped = true }()
		_ = yield(map[string]any{"text": "a"}, nil) && yield(nil, gone)
	}
	_, err := take(echo.Upload(t.Context(), server.connect(t), inputs, nil))
	if !errors.Is(err, gone) {
		t.Errorf("got %v", err)
	}
	if !isStopped {
		t.Error("the source was not stopped")
	}
}
