//! Kinds of the events of a run, for [`ExecutionEvent::kind`](crate::ExecutionEvent::kind) and [`Events::kind`](crate::Events::kind).
//!
//! Newer services may send further kinds, so give a `match` over them a default arm.

/// A node starts; the event may have its `input`.
pub const NODE_STARTED: &str = "NODE_STARTED";
/// A node completed; the event may have its `output`.
pub const NODE_COMPLETED: &str = "NODE_COMPLETED";
/// A node failed; `error_message` says why.
pub const NODE_FAILED: &str = "NODE_FAILED";
/// A node wrote a line to its log.
pub const NODE_LOG: &str = "NODE_LOG";
/// A node reported progress.
pub const NODE_PROGRESS: &str = "NODE_PROGRESS";
/// A pipeline node received a message.
pub const NODE_INPUT_FRAME: &str = "NODE_INPUT_FRAME";
/// A pipeline node sent a message.
pub const NODE_FRAME: &str = "NODE_FRAME";
/// A pipeline node has ended.
pub const NODE_STREAM_COMPLETE: &str = "NODE_STREAM_COMPLETE";
/// The condition of an edge was evaluated.
pub const EDGE_EVALUATED: &str = "EDGE_EVALUATED";
/// A failed node will be retried.
pub const NODE_RETRY_SCHEDULED: &str = "NODE_RETRY_SCHEDULED";
/// A node is being retried.
pub const NODE_RETRY_STARTED: &str = "NODE_RETRY_STARTED";
/// A node is not retried any more.
pub const NODE_RETRY_EXHAUSTED: &str = "NODE_RETRY_EXHAUSTED";
/// A node changed the flow of its run.
pub const GRAPH_MUTATED: &str = "GRAPH_MUTATED";
/// A node asks a human: a decision on the pause `pause_id` is due.
pub const HITL_PAUSED: &str = "HITL_PAUSED";
/// A pause was decided, and the run continues.
pub const HITL_RESUMED: &str = "HITL_RESUMED";
/// A run could not continue with a decision; `error_message` says why.
pub const HITL_RESUME_FAILED: &str = "HITL_RESUME_FAILED";
/// A pause expired without a decision.
pub const HITL_TIMEOUT: &str = "HITL_TIMEOUT";
/// A pause was escalated.
pub const ESCALATION_TRIGGERED: &str = "ESCALATION_TRIGGERED";
/// Another run continues this one. `FLOW_FAILED` follows.
pub const FORKED: &str = "FORKED";
/// The run has succeeded. It is the last event.
pub const FLOW_COMPLETED: &str = "FLOW_COMPLETED";
/// The run failed or was cancelled; `error_message` says why. It is the last event.
pub const FLOW_FAILED: &str = "FLOW_FAILED";
/// A node read its memory. Only [`follow`](crate::Execution::follow) returns this event.
pub const MEMORY_READ: &str = "MEMORY_READ";
/// A node wrote to its memory. Only [`follow`](crate::Execution::follow) returns this event.
pub const MEMORY_WRITE: &str = "MEMORY_WRITE";
