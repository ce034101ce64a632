package calls

import (
	"encoding/json"
	"net/url"
	"strconv"
	"time"

	"svc.runtime/svc"
)

func readRecord(response *response) (*svc.ExecutionRecord, error) {
	fields, err := objectOf(response)
	if err != nil {
		return nil, err
	}
	id, err := requiredText(fields, "execution_id", response)
	if err != nil {
		return nil, err
	}
	status, err := requiredText(fields, "status", response)
	if err != nil {
		return nil, err
	}
	return &svc.ExecutionRecord{
		ID:                 id,
		Status:             svc.ExecutionStatus(status),
		GraphID:            fields.text("graph_id"),
		CreatedAt:          fields.time("created_at"),
		UpdatedAt:          fields.time("updated_at"),
		CompletedAt:        fields.time("completed_at"),
		PauseID:            fields.text("pause_id"),
		LatestCheckpointID: fields.text("latest_checkpoint_id"),
		ErrorMessage:       fields.text("error_message"),
		FailedNodeName:     fields.text("failed_node_name"),
		Raw:                response.Body,
	}, nil
}

// eventQuery returns the query string for the page at a cursor.
func eventQuery(f svc.EventFilter, cursor string) string {
	query := "decode=true"
	for _, kind := range f.Types {
		query += "&event_type=" + url.QueryEscape(string(kind))
	}
	if f.NodeName != "" {
		query += "&node_name=" + url.QueryEscape(f.NodeName)
	}
	if f.PageSize != 0 {
		query += "&limit=" + strconv.Itoa(f.PageSize)
	}
	if cursor != "" {
		query += "&cursor=" + url.QueryEscape(cursor)
	}
	return query
}

// eventPage is a page of events.
type eventPage struct {
	events []*svc.ExecutionEvent
	// nextCursor is empty on the last page.
	nextCursor string
	response   *response
}

// readEventPage decodes the page at a position.
func readEventPage(response *response, at *position) (*eventPage, error) {
	fields, err := objectOf(response)
	if err != nil {
		return nil, err
	}
	next, err := nextCursor(fields, at, response)
	if err != nil {
		return nil, err
	}
	var items []json.RawMessage
	if err := json.Unmarshal(fields["events"], &items); err != nil || items == nil {
		return nil, invalidResponse(response, "events is missing", err)
	}
	page := &eventPage{nextCursor: next, response: response}
	for _, item := range items {
		if event := readEvent(item); event != nil {
			page.events = append(page.events, event)
		}
	}
	return page, nil
}

// position is the position in a paginated list.
type position struct {
	// cursor is empty for the first page.
	cursor string
	// seen contains the cursors of all pages so far.
	seen map[string]bool
}

// advance moves to the next page. It reports false if there is none.
func (p *position) advance(next string) bool {
	if next == "" {
		return false
	}
	if p.seen == nil {
		p.seen = map[string]bool{}
	}
	p.cursor, p.seen[next] = next, true
	return true
}

// nextCursor returns the cursor of the next page, or "" on the last page. It rejects a repeated
// cursor, which would make the client read the same pages forever.
func nextCursor(fields object, at *position, response *response) (string, error) {
	next := fields.text("next_cursor")
	if at.seen[next] {
		return "", invalidResponse(response, "next_cursor is the cursor of an earlier page", nil)
	}
	return next, nil
}

// readEvent decodes an event, or returns nil if it is invalid.
func readEvent(data json.RawMessage) *svc.ExecutionEvent {
	var fields object
	if json.Unmarshal(data, &fields) != nil || fields == nil {
		return nil
	}
	var milliseconds int64
	_ = json.Unmarshal(fields["timestamp_ms"], &milliseconds)
	return &svc.ExecutionEvent{
		Type:         svc.EventType(fields.text("type")),
		ULID:         fields.text("event_ulid"),
		Time:         time.UnixMilli(milliseconds).UTC(),
		NodeName:     fields.text("node_name"),
		Input:        fields["input"],
		Output:       fields["output"],
		ErrorMessage: fields.text("error"),
		PauseID:      fields.text("pause_id"),
		Raw:          data,
	}
}
