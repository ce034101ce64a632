package svc

import (
	"encoding/json"
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
}

// String returns the event as received.
func (e ExecutionEvent) String() string { return string(e.Raw) }

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
