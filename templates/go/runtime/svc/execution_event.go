package svc

import (
	"encoding/json"
	"net/url"
	"strconv"
	"time"
)

// ExecutionEvent is something that happened in an execution. New types come
// without notice.
type ExecutionEvent struct {
	// Type is what happened: "NODE_STARTED", "NODE_COMPLETED", "FLOW_COMPLETED" ...
	Type string
	// ULID is unique, and in the order of time.
	ULID string
	// Time is when it happened, to the millisecond.
	Time time.Time
	// NodeName is the placement in the flow that the event is of.
	NodeName string
	// Input and Output are messages as JSON, where the event carries one.
	Input, Output json.RawMessage
	// Raw is the event as it came, with all of its fields.
	Raw json.RawMessage

	fields object
}

func (e *ExecutionEvent) text(key string) string { return e.fields.text(key) }

// EventFilter says which events to read; the zero value reads them all.
type EventFilter struct {
	// Types are the only types to read.
	Types []string
	// NodeName is the only placement in the flow to read events of.
	NodeName string
	// PageSize is how many events one request reads, at most 1,000; 100 when 0.
	PageSize int
}

// query gives what a page is asked by; the cursor is empty for the first.
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

// eventPage is a page of the history.
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
		return nil, invalidAnswer(answer, "it has no events", err)
	}
	page := &eventPage{nextCursor: fields.text("next_cursor"), answer: answer}
	for _, item := range items {
		if event := readEvent(item); event != nil {
			page.events = append(page.events, event)
		}
	}
	return page, nil
}

// readEvent reads an event; nil for what is none.
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
