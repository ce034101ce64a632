package svc

import "encoding/json"

// ExecutionRecord is the state of an execution.
type ExecutionRecord struct {
	// ID is the execution id.
	ID string
	// Status is "QUEUED", "RUNNING", "COMPLETED", "FAILED", "CANCELLED" or "FORKED".
	// A paused run is "RUNNING".
	Status string
	// GraphID is the id of the flow.
	GraphID string
	// CreatedAt, UpdatedAt and CompletedAt are times in ISO 8601. CompletedAt is
	// empty until the execution ends.
	CreatedAt   string
	UpdatedAt   string
	CompletedAt string
	// Raw is the complete record as received.
	Raw json.RawMessage
}

// HasEnded reports whether the execution has ended.
func (r *ExecutionRecord) HasEnded() bool {
	switch r.Status {
	case "COMPLETED", "FAILED", "CANCELLED", "FORKED":
		return true
	}
	return false
}

func readRecord(answer *Response) (*ExecutionRecord, error) {
	fields, err := objectOf(answer)
	if err != nil {
		return nil, err
	}
	id, err := requiredText(fields, "execution_id", answer)
	if err != nil {
		return nil, err
	}
	status, err := requiredText(fields, "status", answer)
	if err != nil {
		return nil, err
	}
	return &ExecutionRecord{
		ID:          id,
		Status:      status,
		GraphID:     fields.text("graph_id"),
		CreatedAt:   fields.text("created_at"),
		UpdatedAt:   fields.text("updated_at"),
		CompletedAt: fields.text("completed_at"),
		Raw:         answer.Body,
	}, nil
}
