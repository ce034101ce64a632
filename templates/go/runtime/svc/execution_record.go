package svc

import "encoding/json"

// ExecutionRecord is what the service keeps of an execution.
type ExecutionRecord struct {
	// ID is the id of the execution.
	ID string
	// Status is how far it is: "QUEUED", "RUNNING", "COMPLETED", "FAILED",
	// "CANCELLED" or "FORKED". A parked run is "RUNNING".
	Status string
	// GraphID is the flow that ran.
	GraphID string
	// CreatedAt, UpdatedAt and CompletedAt are times in ISO 8601; CompletedAt is
	// empty until the execution has ended.
	CreatedAt   string
	UpdatedAt   string
	CompletedAt string
	// Raw is the record as it came, with all of its fields.
	Raw json.RawMessage
}

// HasEnded tells whether the execution has ended.
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
