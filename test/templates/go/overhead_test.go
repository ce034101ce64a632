package svc

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

const sampleBody = `{"text":"Two ships left the harbour.","count":"3","items":[{"text":"Two"},{"text":"ships"}]}`

func echoServer(b *testing.B) *httptest.Server {
	server := httptest.NewServer(http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		_, _ = writer.Write(body)
	}))
	b.Cleanup(server.Close)
	return server
}

// BenchmarkNetHTTP is the call as a program would make it by hand: the same headers,
// a timeout, and encoding/json.
func BenchmarkNetHTTP(b *testing.B) {
	server := echoServer(b)
	client := newHTTPClient()
	type item struct {
		Text  string `json:"text"`
		Count string `json:"count,omitempty"`
		Items []item `json:"items,omitempty"`
	}
	input := item{Text: "Two ships left the harbour.", Count: "3", Items: []item{{Text: "Two"}, {Text: "ships"}}}
	for b.Loop() {
		body, err := json.Marshal(input)
		if err != nil {
			b.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(b.Context(), time.Minute)
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL, bytes.NewReader(body))
		if err != nil {
			b.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+testKey)
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Accept", "application/json")
		request.Header.Set("Idempotency-Key", rand.Text())
		request.Header.Set("X-Svc-Client", "acme-tests/1.0.0 (go; svc/0)")
		response, err := client.Do(request)
		if err != nil {
			b.Fatal(err)
		}
		var output item
		if err := json.NewDecoder(response.Body).Decode(&output); err != nil {
			b.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, response.Body)
		_ = response.Body.Close()
		cancel()
	}
}

// BenchmarkCall is the same call by the SDK.
func BenchmarkCall(b *testing.B) {
	connection, err := Connect("acme-tests/1.0.0 (go; svc/0)", WithAPIKey(testKey), WithBaseURL(echoServer(b).URL))
	if err != nil {
		b.Fatal(err)
	}
	node := NewNode("/", MessageCodec[tree](), MessageCodec[tree]())
	input := &tree{Text: "Two ships left the harbour.", Count: 3, Items: []*tree{{Text: "Two"}, {Text: "ships"}}}
	for b.Loop() {
		if _, err := node.Call(b.Context(), connection, input, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	for b.Loop() {
		if err := messageTree.Unmarshal([]byte(sampleBody), new(tree)); err != nil {
			b.Fatal(err)
		}
	}
}
