package svc

import (
	"encoding/json"
	"time"
)

// EventType is the type of an event. Newer services may send types that have no constant here.
type EventType string

// Types of events.
const (
	EventNodeStarted        EventType = "NODE_STARTED"
	EventNodeCompleted      EventType = "NODE_COMPLETED"
	EventNodeFailed         EventType = "NODE_FAILED"
	EventNodeLog            EventType = "NODE_LOG"
	EventNodeProgress       EventType = "NODE_PROGRESS"
	EventNodeInputFrame     EventType = "NODE_INPUT_FRAME"
	EventNodeFrame          EventType = "NODE_FRAME"
	EventNodeStreamComplete EventType = "NODE_STREAM_COMPLETE"
	EventEdgeEvaluated      EventType = "EDGE_EVALUATED"
	EventNodeRetryScheduled EventType = "NODE_RETRY_SCHEDULED"
	EventNodeRetryStarted   EventType = "NODE_RETRY_STARTED"
	EventNodeRetryExhausted EventType = "NODE_RETRY_EXHAUSTED"
	EventGraphMutated       EventType = "GRAPH_MUTATED"
	// EventHITLPaused: a node asks a human, and the run waits for the decision. PauseID names
	// the pause that Execution.Resume decides on.
	EventHITLPaused          EventType = "HITL_PAUSED"
	EventHITLResumed         EventType = "HITL_RESUMED"
	EventHITLResumeFailed    EventType = "HITL_RESUME_FAILED"
	EventHITLTimeout         EventType = "HITL_TIMEOUT"
	EventEscalationTriggered EventType = "ESCALATION_TRIGGERED"
	EventForked              EventType = "FORKED"
	EventFlowCompleted       EventType = "FLOW_COMPLETED"
	EventFlowFailed          EventType = "FLOW_FAILED"
)

// ExecutionEvent is an event of an execution.
type ExecutionEvent struct {
	// Type is the event type, such as [EventNodeStarted] or [EventFlowCompleted].
	Type EventType
	// ULID is the unique event id. Ids sort by time.
	ULID string
	// Time is the time of the event, with millisecond precision.
	Time time.Time
	// NodeName is the placement in the flow, for events of a node.
	NodeName string
	// Input and Output are messages as JSON, if the event has them.
	Input, Output json.RawMessage
	// ErrorMessage says what failed, for events such as [EventNodeFailed] and
	// [EventFlowFailed], or "".
	ErrorMessage string
	// PauseID is the id of the pause, for events of pauses such as [EventHITLPaused], or "".
	PauseID string
	// Raw is the complete event as received.
	Raw json.RawMessage
}

// String returns the event as received.
func (e ExecutionEvent) String() string { return string(e.Raw) }

// EventFilter selects events. The zero value selects all events.
type EventFilter struct {
	// Types lists the event types to include, such as [EventFlowFailed]. Empty includes all
	// types.
	Types []EventType
	// NodeName is the placement in the flow whose events to include. Empty includes
	// all.
	NodeName string
	// PageSize is the number of events per request, at most 1,000. 0 means 100.
	PageSize int
}
