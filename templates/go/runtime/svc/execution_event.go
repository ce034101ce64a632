package svc

import (
	"encoding/json"
	"net/url"
	"strconv"
	"time"
)

// ExecutionEvent is an event of an execution. Newer services may send types not
// listed here.
type ExecutionEvent struct {
	// Type is the event type, such as "NODE_STARTED" or "FLOW_COMPLETED".
	Type string
	// ULID is the unique event id. Ids sort by time.
	ULID string
	// Time is the time of the event, in milliseconds precision.
	Time time.Time
	// NodeName is the placement in the flow, for events of a node.
	NodeName string
	// Input and Output are messages as JSON, if the event has them.
	Input, Output json.RawMessage
	// Raw is the complete event as received.
	Raw json.RawMessage

	fields object
}

func (e *ExecutionEvent) text(key string) string { return e.fields.text(key) }

// EventFilter selects events. The zero value selects all events.
type EventFilter struct {
	// Types lists the event types to include. Empty includes all types.
	Types []string
	// NodeName is the placement in the flow whose events to include. Empty includes
	// all.
	NodeName string
	// PageSize is the number of events per request, at most 1,000. 0 means 100.
	PageSize int
}

// query returns the query string for a page. cursor is empty for the first page.
func (f EventFilter) query(cursor string) string {
	query := "decode=true"
	for _, kind := range f.Types {
		query += "&event_type=" + url.QueryEscape(kind)
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
	events []*ExecutionEvent
	// nextCursor is empty on the last page.
	nextCursor string
	answer     *Response
}

func readEventPage(answer *Response) (*eventPage, error) {
	fields, err := objectOf(answer)
	if err != nil {
		return nil, err
	}
	var items []json.RawMessage
	if err := json.Unmarshal(fields["events"], &items); err != nil || items == nil {
		return nil, invalidAnswer(answer, "events is missing", err)
	}
	page := &eventPage{nextCursor: fields.text("next_cursor"), answer: answer}
	for _, item := range items {
		if event := readEvent(item); event != nil {
			page.events = append(page.events, event)
		}
	}
	return page, nil
}

// readEvent decodes an event, or returns nil if it is invalid.
func readEvent(data json.RawMessage) *ExecutionEvent {
	var fields object
	if json.Unmarshal(data, &fields) != nil || fields == nil {
		return nil
	}
	var milliseconds int64
	_ = json.Unmarshal(fields["timestamp_ms"], &milliseconds)
	return &ExecutionEvent{
		Type:     fields.text("type"),
		ULID:     fields.text("event_ulid"),
		Time:     time.UnixMilli(milliseconds).UTC(),
		NodeName: fields.text("node_name"),
		Input:    fields["input"],
		Output:   fields["output"],
		Raw:      data,
		fields:   fields,
	}
}
