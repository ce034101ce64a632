package svc

import (
	"encoding/json"
	"log/slog"
	"strings"
	"time"
)

// PauseStatus is the status of a pause. Newer services may send others.
type PauseStatus string

// Statuses of pauses. All but [PauseWaiting] are final.
const (
	PauseWaiting  PauseStatus = "WAITING"
	PauseResumed  PauseStatus = "RESUMED"
	PauseExpired  PauseStatus = "EXPIRED"
	PauseCanceled PauseStatus = "CANCELLED"
)

// Pause is a question of a node to a human. The run waits for the decision.
type Pause struct {
	// ID is the pause id, which a decision names.
	ID string
	// ExecutionID is the id of the run.
	ExecutionID string
	// GraphID is the id of the flow of the run.
	GraphID string
	// NodeName is the placement in the flow that asks.
	NodeName string
	// Status is the status, such as [PauseWaiting].
	Status PauseStatus
	// Question is the question as JSON: unmarshal it into the type that the node
	// documents. It is nil if the service left it out, because the list was large.
	Question json.RawMessage
	// DecisionType is the full name of the message that the decision must fit, such
	// as "acme.v1.Approval".
	DecisionType string
	// CheckpointID is the id of the checkpoint at the pause.
	CheckpointID string
	// CreatedAt is when the node asked. ExpiresAt is the end of the time to decide; the run is
	// canceled then.
	CreatedAt, ExpiresAt time.Time
	// ResumeURL is a link for the person who decides, who needs no API key. Treat it as a
	// secret. Printed pauses, log/slog and encoding/json omit it, so store or send it
	// separately. It is empty if the pause is not waiting, or if the API key may not resume it.
	ResumeURL string `json:"-"`
	// ResumedAt and EscalatedAt are zero until the decision and the escalation.
	ResumedAt, EscalatedAt time.Time
	// ResumedBy is who decided, if the caller named them.
	ResumedBy string
	// Decision is the decision as JSON, or nil. Values that look like secrets are redacted.
	Decision json.RawMessage
}

// String names the pause and its status. It does not show the link.
func (p Pause) String() string { return "pause " + p.ID + " (" + string(p.Status) + ")" }

// GoString returns the same text as [Pause.String].
func (p Pause) GoString() string { return p.String() }

// LogValue returns the text of [Pause.String].
func (p Pause) LogValue() slog.Value { return slog.StringValue(p.String()) }

// Decision is a decision on a pause. It becomes the next input of the node that asked.
// The zero value decides with the default of every field.
type Decision struct {
	// Value is a message of this SDK, a value that encoding/json encodes as an
	// object, the serialized message as []byte, or nil. A nil pointer to a message is an
	// error.
	Value any
	// By is who decided, for the record of the pause and for the node. It can be
	// empty.
	By string
}

// ResumedPause is the result of a decision.
type ResumedPause struct {
	// PauseID is the id of the pause.
	PauseID string
	// Status is the status of the pause: [PauseResumed].
	Status PauseStatus
	// ResumedAt is the time of the decision that won.
	ResumedAt time.Time
	// ResumedBy is who made the decision that won, if the caller named them.
	ResumedBy string
	// Decision is the decision that won as JSON, or nil. Values that look like secrets are
	// redacted.
	Decision json.RawMessage
	// AlreadyResumed reports whether another decision came first. It is false for a decision
	// that was retried because its first response was lost.
	AlreadyResumed bool
}

// String names the pause, its status and the decision.
func (r ResumedPause) String() string {
	return strings.TrimSpace("pause " + r.PauseID + " (" + string(r.Status) + ") " + string(r.Decision))
}

// PauseFilter selects pauses. The zero value selects all pauses.
type PauseFilter struct {
	// Statuses lists the statuses to include. Empty includes all.
	Statuses []PauseStatus
	// PageSize is the number of pauses per request, at most 1,000. 0 means 100.
	PageSize int
}
