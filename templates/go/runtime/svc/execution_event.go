package svc

import (
	"encoding/json"
	"time"
)

// Types of events. Newer services may send others.
const (
	EventNodeStarted        = "NODE_STARTED"
	EventNodeCompleted      = "NODE_COMPLETED"
	EventNodeFailed         = "NODE_FAILED"
	EventNodeLog            = "NODE_LOG"
	EventNodeProgress       = "NODE_PROGRESS"
	EventNodeInputFrame     = "NODE_INPUT_FRAME"
	EventNodeFrame          = "NODE_FRAME"
	EventNodeStreamComplete = "NODE_STREAM_COMPLETE"
	EventEdgeEvaluated      = "EDGE_EVALUATED"
	EventNodeRetryScheduled = "NODE_RETRY_SCHEDULED"
	EventNodeRetryStarted   = "NODE_RETRY_STARTED"
	EventNodeRetryExhausted = "NODE_RETRY_EXHAUSTED"
	EventGraphMutated       = "GRAPH_MUTATED"
	// EventHITLPaused: a node asks a human, and the run waits for the decision. PauseID names
	// the pause that Execution.Resume decides on.
	EventHITLPaused          = "HITL_PAUSED"
	EventHITLResumed         = "HITL_RESUMED"
	EventHITLResumeFailed    = "HITL_RESUME_FAILED"
	EventHITLTimeout         = "HITL_TIMEOUT"
	EventEscalationTriggered = "ESCALATION_TRIGGERED"
	EventForked              = "FORKED"
	EventFlowCompleted       = "FLOW_COMPLETED"
	EventFlowFailed          = "FLOW_FAILED"
)

// ExecutionEvent is an event of an execution. Newer services may send types that
// have no constant here.
type ExecutionEvent struct {
	// Type is the event type, such as [EventNodeStarted] or [EventFlowCompleted].
	Type string
	// ULID is the unique event id. Ids sort by time.
	ULID string
	// Time is the time of the event, in milliseconds precision.
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
	Types []string
	// NodeName is the placement in the flow whose events to include. Empty includes
	// all.
	NodeName string
	// PageSize is the number of events per request, at most 1,000. 0 means 100.
	PageSize int
}
