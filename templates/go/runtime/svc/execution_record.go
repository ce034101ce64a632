package svc

import (
	"encoding/json"
	"time"
)

// ExecutionStatus is the status of an execution. Newer services may send others.
type ExecutionStatus string

// Statuses of executions. A paused run is [ExecutionRunning].
const (
	ExecutionQueued    ExecutionStatus = "QUEUED"
	ExecutionRunning   ExecutionStatus = "RUNNING"
	ExecutionCompleted ExecutionStatus = "COMPLETED"
	ExecutionFailed    ExecutionStatus = "FAILED"
	ExecutionCanceled  ExecutionStatus = "CANCELLED"
	ExecutionForked    ExecutionStatus = "FORKED"
)

// HasEnded reports whether an execution of this status has ended.
func (s ExecutionStatus) HasEnded() bool {
	switch s {
	case ExecutionCompleted, ExecutionFailed, ExecutionCanceled, ExecutionForked:
		return true
	}
	return false
}

// ExecutionRecord is the state of an execution.
type ExecutionRecord struct {
	// ID is the execution id.
	ID string
	// Status is the status, such as [ExecutionRunning].
	Status ExecutionStatus
	// GraphID is the id of the flow.
	GraphID string
	// CreatedAt and UpdatedAt are the times of the creation and the last change.
	CreatedAt, UpdatedAt time.Time
	// CompletedAt is the time of the end. It is zero until the execution ends.
	CompletedAt time.Time
	// PauseID is the id of the pause that waits for a decision, or "".
	PauseID string
	// LatestCheckpointID is the id of the latest checkpoint, if there is one.
	LatestCheckpointID string
	// ErrorMessage says why the execution failed, or "".
	ErrorMessage string
	// FailedNodeName is the placement in the flow that failed, or "".
	FailedNodeName string
	// Raw is the complete record as received.
	Raw json.RawMessage
}

// String returns the record as received.
func (r ExecutionRecord) String() string { return string(r.Raw) }

// HasEnded reports whether the execution has ended.
func (r *ExecutionRecord) HasEnded() bool { return r.Status.HasEnded() }
