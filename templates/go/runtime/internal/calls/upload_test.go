package calls

import (
	"context"
	"errors"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"svc.runtime/svc"
)

// uploading maps names to both calls that take a streamed input.
var uploading = map[string]func(context.Context, *Connection, iter.Seq2[map[string]any, error], ...svc.Option) error{
	"stream": func(ctx context.Context, connection *Connection, inputs iter.Seq2[map[string]any, error], options ...svc.Option) error {
		_, err := take(echo.Upload(ctx, connection, inputs, options))
		return err
	},
	"split stream": func(ctx context.Context, connection *Connection, inputs iter.Seq2[map[string]any, error], options ...svc.Option) error {
		_, err := echo.Split(connection, splitID).Upload(ctx, inputs, options...)
		return err
	},
}

// blocking is a source that waits for its second message until released is closed.
func blocking(released <-chan struct{}) iter.Seq2[map[string]any, error] {
	return func(yield func(map[string]any, error) bool) {
		if yield(map[string]any{"text": "a"}, nil) {
			<-released
		}
	}
}

// inTime runs a call and fails the test if it does not end in time.
func inTime(t *testing.T, call func() error) error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- call() }()
	select {
	case err := <-done:
		return err
	case <-time.After(30 * time.Second):
		t.Fatal("the call has not ended")
		return nil
	}
}

// serveEarly returns a server that responds before it has read the request.
func serveEarly(t *testing.T, respond script) *scriptedServer {
	t.Helper()
	server := &scriptedServer{}
	server.Server = httptest.NewServer(http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		writer.Header().Set("Connection", "close")
		respond(writer, request)
	}))
	t.Cleanup(server.Close)
	return server
}

func TestUploadEndsWithCallWhileSourceBlocks(t *testing.T) {
	t.Parallel()
	for name, upload := range uploading {
		t.Run(name, func(t *testing.T) {
			released := make(chan struct{})
			defer close(released)
			connection := serve(t, silence, silence).connect(t)
			err := inTime(t, func() error {
				return upload(t.Context(), connection, blocking(released), svc.WithTimeout(200*time.Millisecond))
			})
			wantFailure(t, err, svc.ErrTimedOut)
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(200*time.Millisecond, cancel)
			err = inTime(t, func() error { return upload(ctx, connection, blocking(released)) })
			wantFailure(t, err, svc.ErrCanceled)
		})
	}
}

func TestUploadEndsWithEarlyResponseWhileSourceBlocks(t *testing.T) {
	for name, upload := range uploading {
		t.Run(name, func(t *testing.T) {
			released := make(chan struct{})
			defer close(released)
			server := serveEarly(t, respond(http.StatusUnprocessableEntity, `{"error_message":"tired"}`))
			connection := server.connect(t, svc.WithoutTimeout())
			err := inTime(t, func() error { return upload(t.Context(), connection, blocking(released)) })
			wantFailure(t, err, svc.ErrNodeFailed)
		})
	}
}

func TestUploadStopsSourceAfterEarlyResponse(t *testing.T) {
	for name, upload := range uploading {
		t.Run(name, func(t *testing.T) {
			stopped := make(chan struct{})
			inputs := func(yield func(map[string]any, error) bool) {
				defer close(stopped)
				for yield(map[string]any{"text": strings.Repeat("a", 1<<20)}, nil) {
					continue
				}
			}
			server := serveEarly(t, func(writer http.ResponseWriter, request *http.Request) {
				_, _ = request.Body.Read(make([]byte, 1))
				respond(http.StatusUnprocessableEntity, `{"error_message":"tired"}`)(writer, request)
			})
			if err := upload(t.Context(), server.connect(t), inputs); err == nil {
				t.Error("the upload has not failed")
			}
			select {
			case <-stopped:
			case <-time.After(30 * time.Second):
				t.Error("the source was not stopped")
			}
		})
	}
}

func TestUploadStopsSourceOverHTTP2(t *testing.T) {
	refuse := respond(http.StatusRequestEntityTooLarge, `{"error_message":"too much"}`)
	for name, each := range map[string]struct {
		kind    svc.Kind
		upload  string
		respond script
	}{
		"refused stream":       {svc.ErrPayloadTooLarge, "stream", refuse},
		"refused split stream": {svc.ErrPayloadTooLarge, "split stream", refuse},
		"failed node":          {svc.ErrNodeFailed, "stream", streamed(`"is_final":true,"success":false,"error":"tired"`)},
		"endless response": {svc.ErrNodeFailed, "stream", func(writer http.ResponseWriter, request *http.Request) {
			streamed(`"is_final":true,"success":false,"error":"tired"`)(writer, request)
			_ = http.NewResponseController(writer).Flush()
			_, _ = io.Copy(io.Discard, request.Body)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			stopped := make(chan struct{})
			inputs := func(yield func(map[string]any, error) bool) {
				defer close(stopped)
				for yield(map[string]any{"text": "a"}, nil) {
					time.Sleep(time.Millisecond)
				}
			}
			server := httptest.NewUnstartedServer(http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
				_, _ = request.Body.Read(make([]byte, 1))
				wantEqual(t, request.Proto, "HTTP/2.0")
				each.respond(writer, request)
			}))
			server.EnableHTTP2 = true
			server.StartTLS()
			t.Cleanup(server.Close)
			scripted := &scriptedServer{Server: server}
			connection := scripted.connect(t, svc.WithHTTPClient(server.Client()))
			err := inTime(t, func() error { return uploading[each.upload](t.Context(), connection, inputs) })
			wantFailure(t, err, each.kind)
			select {
			case <-stopped:
			case <-time.After(30 * time.Second):
				t.Error("the source was not stopped")
			}
		})
	}
}

func TestUploadRaisesPanicOfSource(t *testing.T) {
	for name, upload := range uploading {
		t.Run(name, func(t *testing.T) {
			outOfPaper := errors.New("out of paper")
			inputs := func(yield func(map[string]any, error) bool) {
				yield(map[string]any{"text": "a"}, nil)
				panicWith(outOfPaper)
			}
			defer func() {
				panicked, _ := recover().(error)
				if !errors.Is(panicked, outOfPaper) || !strings.Contains(panicked.Error(), "panicWith") {
					t.Errorf("got %v, want the panic with its stack", panicked)
				}
			}()
			err := upload(t.Context(), serve(t, streamed(lastFrame)).connect(t), inputs)
			t.Errorf("got %v", err)
		})
	}
}

func TestUploadFailsIfSourceExits(t *testing.T) {
	for name, upload := range uploading {
		t.Run(name, func(t *testing.T) {
			inputs := func(func(map[string]any, error) bool) { runtime.Goexit() }
			err := upload(t.Context(), serve(t, streamed(lastFrame)).connect(t), inputs)
			if err == nil || err.Error() != "svc: the goroutine of the streamed input has exited" {
				t.Errorf("got %v", err)
			}
		})
	}
}

func panicWith(value any) { panic(value) }

func TestUploadDoesNotReadSourceWithoutConnection(t *testing.T) {
	for name, upload := range uploading {
		t.Run(name, func(t *testing.T) {
			server := serve(t)
			connection := server.connect(t)
			server.Close()
			isRead := false
			err := upload(t.Context(), connection, func(func(map[string]any, error) bool) { isRead = true })
			wantFailure(t, err, svc.ErrConnection)
			wantEqual(t, isRead, false)
		})
	}
}

func TestUploadRejectsNilSource(t *testing.T) {
	for name, upload := range uploading {
		t.Run(name, func(t *testing.T) {
			server := serve(t)
			wantFailure(t, upload(t.Context(), server.connect(t), nil), svc.ErrMessage)
			wantFailure(t, upload(t.Context(), server.connect(t), svc.Inputs[map[string]any](nil)), svc.ErrMessage)
			server.seen(t, 0)
		})
	}
}

func TestUploadCountsMessages(t *testing.T) {
	messages := slices.Repeat([]map[string]any{{"text": "a"}}, 1000)
	server := serve(t, respond(http.StatusOK, `{"input_frames":1000}`))
	upload, err := echo.Split(server.connect(t), splitID).Upload(t.Context(), svc.Inputs(slices.Values(messages)))
	if err != nil {
		t.Fatal(err)
	}
	wantEqual(t, upload.InputFrames, 1000)
}

func TestUploadReturnsErrorOfSource(t *testing.T) {
	for _, cause := range []error{io.EOF, errors.New("disk failure")} {
		for name, upload := range uploading {
			t.Run(name+" "+cause.Error(), func(t *testing.T) {
				inputs := func(yield func(map[string]any, error) bool) {
					if yield(map[string]any{"text": "a"}, nil) {
						yield(nil, cause)
					}
				}
				received := make(chan error, 1)
				server := serveEarly(t, func(writer http.ResponseWriter, request *http.Request) {
					_, err := io.Copy(io.Discard, request.Body)
					received <- err
					if name == "stream" {
						streamed(`"is_final":true,"success":true,"input_frames":1`)(writer, request)
					} else {
						respond(http.StatusOK, `{"input_frames":1}`)(writer, request)
					}
				})
				wantEqual(t, upload(t.Context(), server.connect(t), inputs), cause)
				if err := <-received; err == nil {
					t.Error("the service has received a complete body")
				}
			})
		}
	}
}

func TestUploadReturnsErrorOfSourceAfterResponseHasBegun(t *testing.T) {
	begun := make(chan struct{})
	cause := errors.New("disk failure")
	inputs := func(yield func(map[string]any, error) bool) {
		<-begun
		yield(nil, cause)
	}
	server := serveEarly(t, func(writer http.ResponseWriter, request *http.Request) {
		controller := http.NewResponseController(writer)
		_ = controller.EnableFullDuplex()
		streamed(`"payload":{"text":"a"}`)(writer, request)
		_ = controller.Flush()
		_, _ = io.Copy(io.Discard, request.Body)
		panic(http.ErrAbortHandler)
	})
	var failure error
	for _, err := range echo.Upload(t.Context(), server.connect(t), inputs, nil) {
		if failure = err; err == nil {
			close(begun)
		}
	}
	wantEqual(t, failure, cause)
}

func TestUploadFailsIfServiceEndsBeforeSource(t *testing.T) {
	for name, upload := range uploading {
		t.Run(name, func(t *testing.T) {
			released := make(chan struct{})
			defer close(released)
			server := serveEarly(t, func(writer http.ResponseWriter, request *http.Request) {
				_ = http.NewResponseController(writer).EnableFullDuplex()
				_, _ = request.Body.Read(make([]byte, 1<<10))
				if name == "stream" {
					streamed(`"is_final":true,"success":true,"input_frames":1`)(writer, request)
				} else {
					respond(http.StatusOK, `{"input_frames":1}`)(writer, request)
				}
			})
			err := inTime(t, func() error { return upload(t.Context(), server.connect(t), blocking(released)) })
			failure := wantFailure(t, err, svc.ErrStreamInterrupted)
			if !strings.Contains(failure.Message, "before the input had ended") {
				t.Errorf("got %s", failure.Message)
			}
		})
	}
}
