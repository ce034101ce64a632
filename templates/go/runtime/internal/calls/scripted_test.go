package calls

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"testing"
	"time"

	"svc.runtime/internal/protojson"
	"svc.runtime/svc"
)

const testKey = "svc-key-of-the-tests"

// TestMain runs all parallel tests at once, regardless of the number of processors, because
// they mostly wait.
func TestMain(m *testing.M) {
	flag.Parse()
	if parallel := flag.Lookup("test.parallel"); parallel.Value.String() == parallel.DefValue {
		_ = parallel.Value.Set("64")
	}
	os.Exit(m.Run())
}

// script responds to one request.
type script func(writer http.ResponseWriter, request *http.Request)

// respond is a script that responds immediately.
func respond(status int, body string, header ...string) script {
	return func(writer http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(header); i += 2 {
			writer.Header().Set(header[i], header[i+1])
		}
		writer.WriteHeader(status)
		_, _ = io.WriteString(writer, body)
	}
}

// silence is a script that never responds.
func silence(_ http.ResponseWriter, request *http.Request) { <-request.Context().Done() }

// hangUp is a script that closes the connection during the response, after head.
func hangUp(head string) script {
	return func(writer http.ResponseWriter, _ *http.Request) {
		connection, _, err := http.NewResponseController(writer).Hijack()
		if err != nil {
			panic(err)
		}
		_, _ = io.WriteString(connection, head)
		_ = connection.Close()
	}
}

// received is a received request.
type received struct {
	method, path string
	header       http.Header
	body         string
}

// scriptedServer responds to each request with the next script.
type scriptedServer struct {
	*httptest.Server
	mutex    sync.Mutex
	scripts  []script
	requests []received
}

func serve(t *testing.T, scripts ...script) *scriptedServer {
	t.Helper()
	server := &scriptedServer{scripts: scripts}
	server.Server = httptest.NewServer(http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		server.next(request)(writer, request)
	}))
	t.Cleanup(server.Close)
	return server
}

func (s *scriptedServer) next(request *http.Request) script {
	body, _ := io.ReadAll(request.Body)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.requests = append(s.requests, received{
		method: request.Method,
		path:   request.URL.String(),
		header: request.Header,
		body:   string(body),
	})
	if len(s.scripts) == 0 {
		return respond(http.StatusTeapot, fmt.Sprintf("request %d has no response", len(s.requests)))
	}
	next := s.scripts[0]
	s.scripts = s.scripts[1:]
	return next
}

// connect returns a connection to the server with short delays.
func (s *scriptedServer) connect(t *testing.T, options ...svc.Option) *Connection {
	t.Helper()
	all := append([]svc.Option{
		svc.WithAPIKey(testKey), svc.WithBaseURL(s.URL),
		svc.WithRetryDelay(time.Millisecond, 5*time.Millisecond), svc.WithTimeout(10 * time.Second),
	}, options...)
	connection, err := Connect("acme-tests/1.0.0 (go; svc/0)", all...)
	if err != nil {
		t.Fatal(err)
	}
	return connection
}

// seen returns the received requests and checks their number.
func (s *scriptedServer) seen(t *testing.T, count int) []received {
	t.Helper()
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if len(s.requests) != count {
		t.Fatalf("%d requests arrived, want %d", len(s.requests), count)
	}
	return s.requests
}

// echo is a node for tests.
var echo = NewNode("/invocations/v1/nodes/acme/text/1.0.0/Echo", protojson.StructCodec, protojson.StructCodec)

func callEcho(ctx context.Context, connection *Connection, options ...svc.Option) (map[string]any, error) {
	return echo.Call(ctx, connection, map[string]any{"text": "hello"}, options)
}

// wantFailure checks the kind of an error and returns its details.
func wantFailure(t *testing.T, err error, kind svc.Kind) *svc.APIError {
	t.Helper()
	var failure *svc.APIError
	if !errors.As(err, &failure) {
		t.Fatalf("got %v, want an svc.APIError of the kind %s", err, kind)
	}
	if failure.Kind != kind {
		t.Fatalf("got the kind %s (%v), want %s", failure.Kind, err, kind)
	}
	return failure
}

func wantEqual[T comparable](t *testing.T, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}
