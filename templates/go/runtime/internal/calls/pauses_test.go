package calls

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"svc.runtime/svc"
)

const resumed = `{"pause_id":"p-1","status":"RESUMED","resumed_at":"2026-01-31T09:30:00Z","resumed_by":"bob","resume_value":{"n":9007199254740993},"already_resumed":true}`

func TestWaitEndsAtPause(t *testing.T) {
	server := serve(t, respond(200, running), respond(200, strings.Replace(running, `}`, `,"pause_id":"p-1"}`, 1)))
	_, err := letter.Execution(server.connect(t), testID).Wait(t.Context())
	failure := wantFailure(t, err, svc.ErrFlowPaused)
	wantEqual(t, failure.ExecutionID, testID)
	wantEqual(t, failure.PauseID, "p-1")
	wantEqual(t, failure.Code, "flow_paused")
}

func TestPausesAreTyped(t *testing.T) {
	server := serve(t, respond(200, `{"pauses":[{"pause_id":"p-1","execution_id":"`+testID+`","graph_id":"g-1","node_name":"ask","status":"WAITING",`+
		`"interrupt_payload":{"question":"go?"},"resume_schema":"acme.v1.Go","checkpoint_id":"c-1","created_at":"2026-01-31T09:30:00Z",`+
		`"expires_at":"2026-02-01T09:30:00Z","resume_url":"https://svc.example.com/secret","resumed_at":null,"escalated_at":null}]}`))
	pauses, err := letter.Execution(server.connect(t), testID).Pauses(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	wantEqual(t, len(pauses), 1)
	pause := *pauses[0]
	wantEqual(t, string(pause.Question), `{"question":"go?"}`)
	pause.Question = nil
	wantEqual(t, fmt.Sprintf("%v %#v", pause, &pause), "pause p-1 (WAITING) pause p-1 (WAITING)")
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("asks", "pause", &pause)
	if !strings.HasSuffix(log.String(), `"pause":"pause p-1 (WAITING)"}`+"\n") {
		t.Errorf("got %s", log.String())
	}
	log.Reset()
	slog.New(slog.NewJSONHandler(&log, nil)).Info("asks", "pauses", pauses, "in", struct{ Pause *svc.Pause }{pauses[0]})
	if strings.Contains(log.String(), "secret") || strings.Count(log.String(), `"ID":"p-1"`) != 2 {
		t.Errorf("got %s", log.String())
	}
	wantEqual(t, pause.ID+pause.ExecutionID+pause.GraphID+pause.NodeName+pause.DecisionType+pause.CheckpointID, "p-1"+testID+"g-1askacme.v1.Goc-1")
	wantEqual(t, pause.Status, svc.PauseWaiting)
	wantEqual(t, pause.ExpiresAt, time.Date(2026, time.February, 1, 9, 30, 0, 0, time.UTC))
	wantEqual(t, pause.ResumeURL, "https://svc.example.com/secret")
	wantEqual(t, pause.ResumedAt.IsZero(), true)
	wantEqual(t, server.seen(t, 1)[0].path, "/invocations/v1/executions/"+testID+"/pauses")
}

func TestResumeSendsDecision(t *testing.T) {
	for _, test := range []struct {
		decision svc.Decision
		body     string
	}{
		{svc.Decision{}, `{"pause_id":"p-1"}`},
		{svc.Decision{Value: map[string]any{"go": true}, By: "ann"}, `{"pause_id":"p-1","value":{"go":true},"resumed_by":"ann"}`},
		{svc.Decision{Value: []byte{10, 2, 103, 111}}, `{"pause_id":"p-1","value":"CgJnbw=="}`},
		{svc.Decision{Value: []byte{}}, `{"pause_id":"p-1","value":""}`},
	} {
		server := serve(t, respond(200, resumed))
		response, err := letter.Execution(server.connect(t), testID).Resume(t.Context(), "p-1", test.decision)
		if err != nil {
			t.Fatal(err)
		}
		wantEqual(t, response.AlreadyResumed, true)
		wantEqual(t, response.Status, svc.PauseResumed)
		wantEqual(t, response.ResumedBy, "bob")
		wantEqual(t, string(response.Decision), `{"n":9007199254740993}`)
		wantEqual(t, response.String(), `pause p-1 (RESUMED) {"n":9007199254740993}`)
		request := server.seen(t, 1)[0]
		wantEqual(t, request.method+" "+request.path, "POST /invocations/v1/flows/"+testID+"/resume")
		wantEqual(t, request.body, test.body)
	}
}

func TestInvalidDecisionIsRejected(t *testing.T) {
	server := serve(t)
	execution := letter.Execution(server.connect(t), testID)
	for _, value := range []any{"go", 1, true, []string{"go"}, make(chan int), (*svc.Empty)(nil), map[string]any(nil), []byte(nil)} {
		_, err := execution.Resume(t.Context(), "p-1", svc.Decision{Value: value})
		wantFailure(t, err, svc.ErrMessage)
	}
	_, err := execution.Resume(t.Context(), "", svc.Decision{})
	wantFailure(t, err, svc.ErrMessage)
	_, err = execution.Resume(t.Context(), "p-1", svc.Decision{By: "\xff"})
	wantFailure(t, err, svc.ErrMessage)
	server.seen(t, 0)
}

func TestRefusedDecisionHasCode(t *testing.T) {
	server := serve(t, respond(409, `{"error":"PAUSE_NOT_WAITING","message":"the pause has expired"}`))
	_, err := letter.Execution(server.connect(t), testID).Resume(t.Context(), "p-1", svc.Decision{})
	failure := wantFailure(t, err, svc.ErrStatus)
	wantEqual(t, failure.Code, "PAUSE_NOT_WAITING")
	wantEqual(t, failure.ExecutionID, testID)
}

func TestPausesOfAllRunsAreListed(t *testing.T) {
	server := serve(t,
		respond(200, `{"pauses":[{"pause_id":"p-2","execution_id":"`+testID+`","status":"WAITING"}],"next_cursor":"c 1"}`),
		respond(200, `{"pauses":[{"pause_id":"p-1","execution_id":"`+testID+`","status":"FUTURE"}]}`))
	var seen []string
	filter := svc.PauseFilter{Statuses: []svc.PauseStatus{svc.PauseWaiting}, PageSize: 1}
	for pause, err := range server.connect(t).Pauses(t.Context(), filter, nil) {
		if err != nil {
			t.Fatal(err)
		}
		seen = append(seen, pause.String())
	}
	wantEqual(t, strings.Join(seen, ", "), "pause p-2 (WAITING), pause p-1 (FUTURE)")
	wantEqual(t, server.seen(t, 2)[1].path, "/invocations/v1/pauses?status=WAITING&limit=1&cursor=c+1")
}

func TestAllPausesOfARunAreRead(t *testing.T) {
	server := serve(t,
		respond(200, `{"pauses":[{"pause_id":"p-1","execution_id":"`+testID+`","status":"RESUMED"}],"next_cursor":"c 1"}`),
		respond(200, `{"pauses":[{"pause_id":"p-2","execution_id":"`+testID+`","status":"WAITING"}]}`))
	pauses, err := letter.Execution(server.connect(t), testID).Pauses(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	wantEqual(t, fmt.Sprint(pauses), "[pause p-1 (RESUMED) pause p-2 (WAITING)]")
	wantEqual(t, server.seen(t, 2)[1].path, "/invocations/v1/executions/"+testID+"/pauses?cursor=c+1")
}

func TestInvalidPausesAreRejected(t *testing.T) {
	for _, body := range []string{`[]`, `{}`, `{"pauses":{}}`, `{"pauses":[{"execution_id":"e","status":"WAITING"}]}`} {
		_, err := letter.Execution(serve(t, respond(200, body)).connect(t), testID).Pauses(t.Context())
		wantFailure(t, err, svc.ErrInvalidResponse)
	}
}
