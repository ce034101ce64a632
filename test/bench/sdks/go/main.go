// Command bench measures calls of the Go SDK beside net/http: see ../sdk-bench.ts.
package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strconv"
	"time"

	acmetext "go.svc.internal/acme/acme-text"
	"go.svc.internal/acme/acme-text/svc"
)

type countWordsRequest struct {
	Text  string `json:"text"`
	Limit uint32 `json:"limit"`
}

type countWordsResponse struct {
	Counts []struct {
		Word  string `json:"word"`
		Count int64  `json:"count,string"`
	} `json:"counts"`
	Total int64 `json:"total,string"`
}

func main() {
	seconds, err := strconv.ParseFloat(os.Getenv("BENCH_SECONDS"), 64)
	check(err)
	client, err := acmetext.New()
	check(err)
	url := os.Getenv("SVC_BASE_URL") + "/bare"
	authorization := "Bearer " + os.Getenv("SVC_API_KEY")

	bare := func() {
		body, err := json.Marshal(countWordsRequest{Text: "Two ships left the harbour.", Limit: 10})
		check(err)
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
		check(err)
		request.Header.Set("Authorization", authorization)
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Accept", "application/json")
		request.Header.Set("Idempotency-Key", rand.Text())
		request.Header.Set("X-Svc-Client", "acme-acme-text/1.1.0 (go; svc/0)")
		response, err := http.DefaultClient.Do(request)
		check(err)
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		check(err)
		var output countWordsResponse
		check(json.Unmarshal(text, &output))
		expect(output.Total == 5)
	}
	sdk := func() {
		input := &acmetext.CountWordsRequest{Text: "Two ships left the harbour.", Limit: svc.Pointer(uint32(10))}
		output, err := client.CountWords(context.Background(), input)
		check(err)
		expect(output.Total == 5)
	}

	span := time.Duration(seconds * float64(time.Second))
	measure(span, bare, sdk)
	bareTimes, sdkTimes := measure(span, bare, sdk)
	check(json.NewEncoder(os.Stdout).Encode(map[string][]int64{"bare": bareTimes, "sdk": sdkTimes}))
}

func measure(span time.Duration, bare, sdk func()) (bareTimes, sdkTimes []int64) {
	for end := time.Now().Add(span); time.Now().Before(end); {
		bareTimes = append(bareTimes, timed(bare))
		sdkTimes = append(sdkTimes, timed(sdk))
	}
	return bareTimes, sdkTimes
}

func timed(call func()) int64 {
	start := time.Now()
	call()
	return time.Since(start).Nanoseconds()
}

func expect(ok bool) {
	if !ok {
		panic("the answer is not what the server sends")
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
