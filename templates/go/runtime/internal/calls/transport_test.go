package calls

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
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

// failingConn is a connection that can be broken before the next request is written to it.
type failingConn struct {
	net.Conn
	isBroken *atomic.Bool
}

func (c *failingConn) Write(data []byte) (int, error) {
	if c.isBroken.CompareAndSwap(true, false) {
		return 0, syscall.EPIPE
	}
	return c.Conn.Write(data)
}

func TestUnwrittenRequestIsResentOnNewConnection(t *testing.T) {
	server := serve(t, respond(200, `{}`), respond(200, `{}`))
	isBroken := &atomic.Bool{}
	client := &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
			return &failingConn{conn, isBroken}, err
		},
	}}
	connection := server.connect(t, svc.WithHTTPClient(client), svc.WithMaxRetries(0))
	var response svc.Response
	for range 2 {
		if _, err := callEcho(t.Context(), connection, svc.WithResponse(&response)); err != nil {
			t.Fatal(err)
		}
		isBroken.Store(true)
	}
	wantEqual(t, response.Attempts, 1)
	wantEqual(t, server.seen(t, 2)[1].body, `{"text":"hello"}`)
}

func TestWrittenRequestIsResentOnlyAsRetry(t *testing.T) {
	server := serve(t, respond(200, `{}`), hangUp(""), respond(200, `{}`), hangUp(""), respond(200, `{}`))
	connection := server.connect(t, svc.WithMaxRetries(0))
	if _, err := callEcho(t.Context(), connection); err != nil {
		t.Fatal(err)
	}
	_, err := callEcho(t.Context(), connection)
	wantEqual(t, wantFailure(t, err, svc.ErrConnection).Attempts, 1)
	server.seen(t, 2)
	if _, err := callEcho(t.Context(), connection); err != nil {
		t.Fatal(err)
	}
	var response svc.Response
	if _, err := callEcho(t.Context(), connection, svc.WithMaxRetries(1), svc.WithResponse(&response)); err != nil {
		t.Fatal(err)
	}
	wantEqual(t, response.Attempts, 2)
	server.seen(t, 5)
}

// silentConn is a connection that can lose its peer without notice.
type silentConn struct {
	net.Conn
	isSilent *atomic.Bool
}

func (c *silentConn) Read(buffer []byte) (int, error) {
	for {
		count, err := c.Conn.Read(buffer)
		if err != nil || !c.isSilent.Load() {
			return count, err
		}
	}
}

func TestDeadHTTP2ConnectionIsReplaced(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		_, _ = io.WriteString(writer, `{"protocol":"`+request.Proto+`"}`)
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	client := newHTTPClient()
	transport, ok := client.Transport.(*http.Transport)
	if !ok || transport.HTTP2 == nil {
		t.Fatal("HTTP/2 connections are not pinged")
	}
	wantEqual(t, transport.HTTP2.SendPingTimeout, longestStillness)
	transport.HTTP2.SendPingTimeout, transport.HTTP2.PingTimeout = 200*time.Millisecond, 3*time.Second
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	transport.TLSClientConfig = &tls.Config{RootCAs: roots}
	var first *silentConn
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
		if err != nil || first != nil {
			return conn, err
		}
		first = &silentConn{conn, &atomic.Bool{}}
		return first, nil
	}
	scripted := &scriptedServer{Server: server}
	connection := scripted.connect(t, svc.WithHTTPClient(client))
	var response svc.Response
	for attempts := range 2 {
		output, err := callEcho(t.Context(), connection, svc.WithResponse(&response))
		if err != nil {
			t.Fatal(err)
		}
		wantEqual(t, output["protocol"], any("HTTP/2.0"))
		wantEqual(t, response.Attempts, attempts+1)
		first.isSilent.Store(true)
	}
}

func TestRedirectIsFollowedIfCallerAllows(t *testing.T) {
	server := serve(t, respond(307, "", "Location", "/elsewhere"), respond(200, `{}`))
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return nil }}
	if _, err := callEcho(t.Context(), server.connect(t, svc.WithHTTPClient(client))); err != nil {
		t.Fatal(err)
	}
	wantEqual(t, server.seen(t, 2)[1].body, `{"text":"hello"}`)
}

func TestHTTPClientTimeoutIsATimeout(t *testing.T) {
	server := serve(t, silence, func(writer http.ResponseWriter, request *http.Request) {
		writer.Header().Set("Content-Length", "9")
		_ = http.NewResponseController(writer).Flush()
		<-request.Context().Done()
	})
	connection := server.connect(t, svc.WithHTTPClient(&http.Client{Timeout: 200 * time.Millisecond}), svc.WithMaxRetries(0))
	for range 2 {
		_, err := callEcho(t.Context(), connection)
		wantFailure(t, err, svc.ErrTimedOut)
		wantEqual(t, errors.Is(err, context.DeadlineExceeded), true)
	}
}

func TestDialTimeoutIsAConnectionError(t *testing.T) {
	lost := &net.OpError{Op: "dial", Err: context.DeadlineExceeded}
	client := transport(func(*http.Request) (*http.Response, error) { return nil, lost })
	_, err := callEcho(t.Context(), serve(t).connect(t, svc.WithHTTPClient(client)))
	wantFailure(t, err, svc.ErrConnection)
}

func TestMissingResponseIsAConnectionError(t *testing.T) {
	for name, response := range map[string]*http.Response{"no response": nil, "no body": {StatusCode: 200}} {
		t.Run(name, func(t *testing.T) {
			client := transport(func(*http.Request) (*http.Response, error) { return response, nil })
			connection := serve(t).connect(t, svc.WithHTTPClient(client))
			_, err := callEcho(t.Context(), connection)
			wantFailure(t, err, svc.ErrConnection)
			_, err = echo.Open(t.Context(), connection, nil)
			wantFailure(t, err, svc.ErrConnection)
		})
	}
}

func TestTruncatedErrorResponseReportsStatus(t *testing.T) {
	cut := func(status string) script {
		return hangUp("HTTP/1.1 " + status + "\r\nX-Request-Id: " + requestID + "\r\nContent-Length: 100\r\n\r\nhal")
	}
	server := serve(t, cut("400 Bad Request"), cut("503 Service Unavailable"), respond(200, `{}`))
	connection := server.connect(t)
	_, err := callEcho(t.Context(), connection)
	failure := wantFailure(t, err, svc.ErrBadRequest)
	wantEqual(t, failure.RequestID, requestID)
	wantEqual(t, string(failure.Body), "hal")
	if _, err := callEcho(t.Context(), connection); err != nil {
		t.Error(err)
	}
	server.seen(t, 3)
	_, err = echo.Open(t.Context(), serve(t, cut("400 Bad Request")).connect(t), nil)
	wantFailure(t, err, svc.ErrBadRequest)
}

func TestStalledErrorResponseIsATimeout(t *testing.T) {
	t.Parallel()
	server := serve(t, func(writer http.ResponseWriter, request *http.Request) {
		writer.WriteHeader(400)
		_, _ = io.WriteString(writer, "hal")
		_ = http.NewResponseController(writer).Flush()
		<-request.Context().Done()
	})
	_, err := callEcho(t.Context(), server.connect(t), svc.WithTimeout(2*time.Second))
	wantFailure(t, err, svc.ErrTimedOut)
}

func TestStreamRejectsTooLongMessages(t *testing.T) {
	for name, piece := range map[string]string{"a line": strings.Repeat("a", 1<<20), "many lines": "data: " + strings.Repeat("a", 1<<20) + "\n"} {
		t.Run(name, func(t *testing.T) {
			server := serve(t, func(writer http.ResponseWriter, request *http.Request) {
				writer.Header().Set("Content-Type", "text/event-stream")
				for range longestMessage>>20 + 1 {
					if _, err := io.WriteString(writer, piece); err != nil {
						return
					}
				}
				<-request.Context().Done()
			})
			_, err := take(streamWords(t.Context(), server.connect(t), svc.WithTimeout(time.Minute)))
			wantFailure(t, err, svc.ErrInvalidResponse)
			server.seen(t, 1)
		})
	}
}

func TestStalledHandshakeIsATimeout(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	client := &http.Client{Transport: &http.Transport{TLSHandshakeTimeout: 200 * time.Millisecond}}
	connection := serve(t).connect(t, svc.WithHTTPClient(client), svc.WithBaseURL("https://"+listener.Addr().String()), svc.WithMaxRetries(0))
	_, err = callEcho(t.Context(), connection)
	wantEqual(t, wantFailure(t, err, svc.ErrTimedOut).Message, "the request timed out: net/http: TLS handshake timeout")
	wantEqual(t, errors.Is(err, context.DeadlineExceeded), true)
}

// endless is a body without an end.
type endless struct{}

func (endless) Read(data []byte) (int, error) { return len(data), nil }

func (endless) Close() error { return nil }

func TestBodiesAreLimited(t *testing.T) {
	status := http.StatusOK
	connection, err := Connect("acme-tests", svc.WithAPIKey(testKey), svc.WithBaseURL("http://svc.invalid"), svc.WithMaxRetries(0),
		svc.WithHTTPClient(transport(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: status, Body: endless{}}, nil
		})))
	if err != nil {
		t.Fatal(err)
	}
	wantEqual(t, connection.longestBody, 256<<20)
	connection.longestBody = 1 << 20
	_, err = callEcho(t.Context(), connection)
	wantEqual(t, wantFailure(t, err, svc.ErrInvalidResponse).Message, "invalid response: the body is longer than 256 MiB")
	status = http.StatusBadGateway
	_, err = callEcho(t.Context(), connection)
	wantEqual(t, len(wantFailure(t, err, svc.ErrUpstreamUnavailable).Body), int(longestRefusal))
	_, err = echo.Open(t.Context(), connection, nil)
	wantEqual(t, len(wantFailure(t, err, svc.ErrUpstreamUnavailable).Body), int(longestRefusal))
}
