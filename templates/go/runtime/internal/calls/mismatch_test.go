package calls

import (
	"errors"
	"testing"

	"svc.runtime/svc"
)

func TestIdempotencyKeyOfAnotherRequestIsAnError(t *testing.T) {
	key := []svc.Option{svc.WithIdempotencyKey("k-1")}
	for differing, said := range map[string]string{
		"input":           "input",
		"graph_id, input": "flow and input",
	} {
		server := serve(t, respond(202, accepted+`,"result":{"success":true,"output":{}}}`, "Idempotency-Mismatch", differing))
		_, err := runLetter(t, server, key...)
		failure := wantFailure(t, err, svc.ErrIdempotencyMismatch)
		wantEqual(t, failure.ExecutionID, testID)
		wantEqual(t, failure.IdempotencyKey, "k-1")
		wantEqual(t, failure.Message, "the idempotency key belongs to an earlier request that differs in its "+said+" (execution "+testID+")")
		server.seen(t, 1)
	}
	server := serve(t, respond(202, accepted+`}`, "Idempotency-Mismatch", "input"))
	_, err := letter.Start(t.Context(), server.connect(t), nil, key)
	wantEqual(t, wantFailure(t, err, svc.ErrIdempotencyMismatch).ExecutionID, testID)
}

func TestIdempotencyKeyOfAnotherForkIsAnError(t *testing.T) {
	server := serve(t, respond(202, accepted+`}`, "Idempotency-Mismatch", "execution_id"))
	_, err := letter.Execution(server.connect(t), followedID).Fork(t.Context(), svc.Fork{}, svc.WithIdempotencyKey("k-1"))
	failure := wantFailure(t, err, svc.ErrIdempotencyMismatch)
	wantEqual(t, failure.ExecutionID, testID)
	wantEqual(t, failure.Message, "the idempotency key belongs to an earlier request that differs in its execution (execution "+testID+")")
	if errors.Is(err, svc.ErrStatus) {
		t.Error("it is no error status")
	}
}

func TestIdempotencyKeyOfAnotherStreamIsAnError(t *testing.T) {
	server := serve(t, respond(200, eventsOf(word, lastFrame), "Content-Type", "text/event-stream",
		"Idempotency-Mismatch", "input", "X-Execution-Id", streamID))
	texts, err := take(streamWords(t.Context(), server.connect(t), svc.WithIdempotencyKey("k-1")))
	wantEqual(t, wantFailure(t, err, svc.ErrIdempotencyMismatch).ExecutionID, streamID)
	wantEqual(t, len(texts), 0)
}
