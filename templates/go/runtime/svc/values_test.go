package svc

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestFakeErrorsMatchContextErrors(t *testing.T) {
	for kind, want := range map[Kind][2]bool{
		ErrCanceled:     {true, false},
		ErrTimedOut:     {false, true},
		ErrWaitTimedOut: {false, true},
		ErrRateLimited:  {false, false},
	} {
		for _, err := range []error{&APIError{Kind: kind}, kind} {
			got := [2]bool{errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded)}
			if got != want {
				t.Errorf("%v: got %v, want %v", err, got, want)
			}
		}
	}
}

func TestDurations(t *testing.T) {
	for text, want := range map[string]Duration{
		"1.500s":                   {Seconds: 1, Nanos: 500_000_000},
		"-0.000000001s":            {Nanos: -1},
		"0s":                       {},
		"315576000000.999999999s":  {Seconds: 315_576_000_000, Nanos: 999_999_999},
		"-315576000000.999999999s": {Seconds: -315_576_000_000, Nanos: -999_999_999},
	} {
		got, err := ParseDuration(text)
		if err != nil || got != want || got.String() != text {
			t.Errorf("%s: got %v (%v), want %v", text, got, err, want)
		}
		data, err := json.Marshal(got)
		if err != nil || string(data) != `"`+text+`"` {
			t.Errorf("got %s (%v)", data, err)
		}
		var again Duration
		if err := json.Unmarshal(data, &again); err != nil || again != want {
			t.Errorf("got %v (%v)", again, err)
		}
	}
	for _, text := range []string{"", "s", "1", "1.s", ".5s", "+1s", "1.0000000001s", "315576000001s", "1e3s"} {
		if got, err := ParseDuration(text); !errors.Is(err, ErrMessage) {
			t.Errorf("%q: got %v, %v", text, got, err)
		}
	}
	for _, wrong := range []Duration{{Seconds: math.MinInt64}, {Nanos: 1e9}, {Seconds: 1, Nanos: -1}} {
		if _, err := wrong.MarshalText(); !errors.Is(err, ErrMessage) {
			t.Errorf("%v: got %v", wrong, err)
		}
	}
}

func TestDurationsConvert(t *testing.T) {
	for _, span := range []time.Duration{0, 1, -1, time.Hour, math.MaxInt64, math.MinInt64} {
		if got := NewDuration(span).AsDuration(); got != span {
			t.Errorf("got %d, want %d", got, span)
		}
	}
	longest := Duration{Seconds: longestDuration}
	shortest := Duration{Seconds: -longestDuration}
	if longest.AsDuration() != math.MaxInt64 || shortest.AsDuration() != math.MinInt64 {
		t.Error("a conversion does not saturate")
	}
}

func TestFieldMasks(t *testing.T) {
	mask := FieldMask{"user.display_name", "photo"}
	text, err := mask.MarshalText()
	if err != nil || string(text) != "user.displayName,photo" {
		t.Errorf("got %s, %v", text, err)
	}
	var again FieldMask
	if err := again.UnmarshalText(text); err != nil || !reflect.DeepEqual(again, mask) {
		t.Errorf("got %v, %v", again, err)
	}
	if err := again.UnmarshalText(nil); err != nil || again == nil || len(again) != 0 {
		t.Errorf("got %v, %v", again, err)
	}
	for _, wrong := range []string{"a,,b", "a_b", ",", "a."} {
		if err := again.UnmarshalText([]byte(wrong)); !errors.Is(err, ErrMessage) {
			t.Errorf("%q: got %v", wrong, err)
		}
	}
	for _, wrong := range []string{"", "aB", "a_", "a__b"} {
		if _, err := (FieldMask{wrong}).MarshalText(); !errors.Is(err, ErrMessage) {
			t.Errorf("%q: got %v", wrong, err)
		}
	}
}

func TestValuesPrint(t *testing.T) {
	execution := NewExecution("e1", ExecutionCalls[string]{})
	record, event := ExecutionRecord{Raw: []byte(`{"id":"e1"}`)}, ExecutionEvent{Raw: []byte(`{"type":"A"}`)}
	response := Response{Status: 200, Body: []byte("{}")}
	printed := fmt.Sprintln(NullValue{}, Duration{Seconds: 2}, execution, ExecutionRunning, record, &event, &response)
	if printed != "null 2s execution e1 RUNNING {\"id\":\"e1\"} {\"type\":\"A\"} HTTP 200 (2 bytes)\n" {
		t.Errorf("got %s", printed)
	}
}

func TestExecutionsCanBeFaked(t *testing.T) {
	execution := NewExecution("e1", ExecutionCalls[string]{
		Wait: func(context.Context, ...Option) (string, error) { return "done", nil },
	})
	if output, err := execution.Wait(t.Context()); output != "done" || err != nil {
		t.Errorf("got %s, %v", output, err)
	}
}

func TestErrorsContainPackagePrefixOnce(t *testing.T) {
	for want, err := range map[string]error{
		"svc: rate limited":             &APIError{Kind: ErrRateLimited},
		"svc: the timeout is too short": &APIError{Kind: ErrConfiguration, Message: "the timeout is too short"},
		"svc: GET /a: slow down":        &APIError{Kind: ErrRateLimited, Message: "slow down", Method: "GET", Path: "/a"},
		"svc: canceled":                 ErrCanceled,
	} {
		if err.Error() != want {
			t.Errorf("got %q, want %q", err.Error(), want)
		}
	}
}

func TestFakesStoreResponses(t *testing.T) {
	var response Response
	StoreResponse(Response{Status: 201, Attempts: 1}, nil, WithMaxRetries(-1), WithResponse(&response))
	if response.Status != 201 || response.Attempts != 1 {
		t.Errorf("got %v", response)
	}
	StoreResponse(Response{Status: 200})
}

func TestResponsesAndErrorsDoNotPrintTheirBodies(t *testing.T) {
	link := "https://svc.example.com/hooks/resume/t.p.s"
	body := []byte(`{"resume_url":"` + link + `"}`)
	response := Response{Status: 200, Body: body}
	failure := &APIError{Kind: ErrInvalidResponse, Message: "invalid response", Status: 200, Body: body}
	late := &APIError{Kind: ErrWaitTimedOut, LastFailure: failure}
	var printed bytes.Buffer
	for _, value := range []any{response, &response, failure, *failure, late, *late} {
		fmt.Fprintf(&printed, "%v %+v %#v %s\n", value, value, value, value)
		slog.New(slog.NewTextHandler(&printed, nil)).Info("got", "value", value)
		slog.New(slog.NewJSONHandler(&printed, nil)).Info("got", "value", value)
	}
	decimal := strings.Trim(fmt.Sprint([]byte(link)), "[]")
	hexadecimal := strings.Trim(strings.TrimPrefix(fmt.Sprintf("%#v", []byte(link)), "[]byte"), "{}")
	for _, shown := range []string{link, "resume_url", decimal, hexadecimal, base64.StdEncoding.EncodeToString(body)} {
		if strings.Contains(printed.String(), shown) {
			t.Errorf("%s is in %s", shown, printed.String())
		}
	}
	size := fmt.Sprint(len(body))
	for _, want := range []string{"HTTP 200 (" + size + " bytes)", "Status:200", "(body of " + size + " bytes)"} {
		if !strings.Contains(printed.String(), want) {
			t.Errorf("%s is not in %s", want, printed.String())
		}
	}
}

func TestErrorsAreLoggedWithTheirDetails(t *testing.T) {
	var logged bytes.Buffer
	failure := &APIError{Kind: ErrRateLimited, Message: "slow down", Method: "GET", Path: "/a", Status: 429, RequestID: "r-1"}
	slog.New(slog.NewTextHandler(&logged, nil)).Error("failed", "err", failure)
	want := `err.message="svc: GET /a: slow down" err.kind="rate limited" err.status=429 err.execution_id="" err.request_id=r-1`
	if !strings.Contains(logged.String(), want) {
		t.Errorf("got %s", logged.String())
	}
}

func TestFakesPanicWithMissingFunction(t *testing.T) {
	for want, call := range map[string]func(){
		"ExecutionCalls.Get":      func() { _, _ = NewExecution("e", ExecutionCalls[int]{}).Get(t.Context()) },
		"SessionCalls.Close":      func() { _ = NewSession(SessionCalls[int, int]{}).Close() },
		"SplitStreamCalls.Output": func() { NewSplitStream("s", SplitStreamCalls[int, int]{}).OutputAfter(t.Context(), "0") },
	} {
		func() {
			defer func() {
				if got := recover(); got != "svc: the fake has no "+want {
					t.Errorf("got %v", got)
				}
			}()
			call()
		}()
	}
}
