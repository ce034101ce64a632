package calls

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/url"
	"strconv"
	"time"
	"unicode/utf8"

	"svc.runtime/internal/protojson"
	"svc.runtime/svc"
)

const pausesPath = "/invocations/v1/pauses"

func (e *execution[Out]) Pauses(ctx context.Context, options ...svc.Option) ([]*svc.Pause, error) {
	call, end, err := e.begin(ctx, options)
	if err != nil {
		return nil, err
	}
	defer end()
	pauses := []*svc.Pause{}
	for at := new(position); ; {
		response, err := call.get(executionsPath + e.id + "/pauses" + pauseQuery(svc.PauseFilter{}, at.cursor))
		if err != nil {
			return nil, err
		}
		page, err := readPausePage(response, at)
		if err != nil {
			return nil, err
		}
		pauses = append(pauses, page.pauses...)
		if !at.advance(page.nextCursor) {
			return pauses, nil
		}
	}
}

func (e *execution[Out]) Resume(ctx context.Context, pauseID string, decision svc.Decision, options ...svc.Option) (*svc.ResumedPause, error) {
	body, err := decisionBody(pauseID, decision)
	if err != nil {
		return nil, err
	}
	call, end, err := e.begin(ctx, options)
	if err != nil {
		return nil, err
	}
	defer end()
	response, err := call.post("/invocations/v1/flows/"+e.id+"/resume", func(time.Duration) []byte { return body })
	if err != nil {
		return nil, err
	}
	return readResumedPause(response)
}

// Pauses iterates over the pauses of all executions, newest first, loading pages lazily.
func (c *Connection) Pauses(ctx context.Context, filter svc.PauseFilter, options []svc.Option) iter.Seq2[*svc.Pause, error] {
	return func(yield func(*svc.Pause, error) bool) {
		for at := new(position); ; {
			page, err := c.pausePage(ctx, filter, at, options)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, pause := range page.pauses {
				if !yield(pause, nil) {
					return
				}
			}
			if !at.advance(page.nextCursor) {
				return
			}
		}
	}
}

func (c *Connection) pausePage(ctx context.Context, filter svc.PauseFilter, at *position, options []svc.Option) (*pausePage, error) {
	call, end, err := c.begin(ctx, options)
	if err != nil {
		return nil, err
	}
	defer end()
	response, err := call.get(pausesPath + pauseQuery(filter, at.cursor))
	if err != nil {
		return nil, err
	}
	return readPausePage(response, at)
}

// pauseQuery returns the query string for the page at a cursor.
func pauseQuery(filter svc.PauseFilter, cursor string) string {
	query, separator := "", "?"
	add := func(name, value string) {
		query += separator + name + "=" + url.QueryEscape(value)
		separator = "&"
	}
	for _, status := range filter.Statuses {
		add("status", string(status))
	}
	if filter.PageSize != 0 {
		add("limit", strconv.Itoa(filter.PageSize))
	}
	if cursor != "" {
		add("cursor", cursor)
	}
	return query
}

// decisionBody encodes the request that decides on a pause.
func decisionBody(pauseID string, decision svc.Decision) ([]byte, error) {
	if pauseID == "" {
		return nil, &svc.APIError{Kind: svc.ErrMessage, Message: "the id of the pause is empty"}
	}
	if !utf8.ValidString(pauseID) || !utf8.ValidString(decision.By) {
		return nil, &svc.APIError{Kind: svc.ErrMessage, Message: "the id of the pause or the name of who decides is not valid UTF-8"}
	}
	body := protojson.AppendString([]byte(`{"pause_id":`), pauseID)
	value, err := decisionValue(decision.Value)
	if err != nil {
		return nil, err
	}
	if value != nil {
		body = append(append(body, `,"value":`...), value...)
	}
	if decision.By != "" {
		body = protojson.AppendString(append(body, `,"resumed_by":`...), decision.By)
	}
	return append(body, '}'), nil
}

// decisionValue encodes a decision or the input of a fork, or returns nil if there is none.
func decisionValue(value any) ([]byte, error) {
	if value == nil {
		return nil, nil
	}
	data, err := json.Marshal(value)
	if err != nil {
		return nil, &svc.APIError{Kind: svc.ErrMessage, Message: "cannot encode the decision or the input: " + protojson.Text(err), Err: err}
	}
	_, isBytes := value.([]byte)
	switch {
	case string(data) == "null":
		return nil, &svc.APIError{Kind: svc.ErrMessage, Message: fmt.Sprintf("the decision or the input, a %T, is null; pass nil for none", value)}
	case isBytes, data[0] == '{':
		return data, nil
	}
	return nil, &svc.APIError{Kind: svc.ErrMessage, Message: "a decision or an input must be a message, a JSON object, []byte or nil"}
}

// pausePage is a page of pauses.
type pausePage struct {
	pauses []*svc.Pause
	// nextCursor is empty on the last page.
	nextCursor string
}

// readPausePage decodes the page at a position.
func readPausePage(response *response, at *position) (*pausePage, error) {
	fields, err := objectOf(response)
	if err != nil {
		return nil, err
	}
	var items []object
	if err := json.Unmarshal(fields["pauses"], &items); err != nil || items == nil {
		return nil, invalidResponse(response, "pauses is missing", err)
	}
	next, err := nextCursor(fields, at, response)
	if err != nil {
		return nil, err
	}
	page := &pausePage{pauses: []*svc.Pause{}, nextCursor: next}
	for _, item := range items {
		pause, err := readPause(item, response)
		if err != nil {
			return nil, err
		}
		page.pauses = append(page.pauses, pause)
	}
	return page, nil
}

func readPause(fields object, response *response) (*svc.Pause, error) {
	for _, key := range []string{"pause_id", "execution_id", "status"} {
		if _, err := requiredText(fields, key, response); err != nil {
			return nil, err
		}
	}
	return &svc.Pause{
		ID:           fields.text("pause_id"),
		ExecutionID:  fields.text("execution_id"),
		GraphID:      fields.text("graph_id"),
		NodeName:     fields.text("node_name"),
		Status:       svc.PauseStatus(fields.text("status")),
		Question:     fields["interrupt_payload"],
		DecisionType: fields.text("resume_schema"),
		CheckpointID: fields.text("checkpoint_id"),
		CreatedAt:    fields.time("created_at"),
		ExpiresAt:    fields.time("expires_at"),
		ResumeURL:    fields.text("resume_url"),
		ResumedAt:    fields.time("resumed_at"),
		EscalatedAt:  fields.time("escalated_at"),
		ResumedBy:    fields.text("resumed_by"),
		Decision:     fields.given("resume_value"),
	}, nil
}

func readResumedPause(response *response) (*svc.ResumedPause, error) {
	fields, err := objectOf(response)
	if err != nil {
		return nil, err
	}
	pauseID, err := requiredText(fields, "pause_id", response)
	if err != nil {
		return nil, err
	}
	status, err := requiredText(fields, "status", response)
	if err != nil {
		return nil, err
	}
	return &svc.ResumedPause{
		PauseID:        pauseID,
		Status:         svc.PauseStatus(status),
		ResumedAt:      fields.time("resumed_at"),
		ResumedBy:      fields.text("resumed_by"),
		Decision:       fields.given("resume_value"),
		AlreadyResumed: string(fields["already_resumed"]) == "true",
	}, nil
}

// given returns the value at key, or nil if it is absent or null.
func (o object) given(key string) json.RawMessage {
	if string(o[key]) == "null" {
		return nil
	}
	return o[key]
}

// pausedFailure returns the error for a run that waits for a decision.
func pausedFailure(pauseID string, response *response) *svc.APIError {
	failure := response.failure(svc.ErrFlowPaused, "execution "+response.ExecutionID+" is paused and waits for a decision"+parenthesized(response.requestText()), nil)
	failure.PauseID = pauseID
	return failure
}
