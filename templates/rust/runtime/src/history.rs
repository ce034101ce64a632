//! Execution records and events.

use std::collections::HashSet;
use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use reqwest::Url;
use serde_json::Value;

use crate::answer::{Answer, required, text_of, time_of};
use crate::error::{Error, ErrorKind};
use crate::event_kinds::{FLOW_COMPLETED, FLOW_FAILED};
use crate::types::Timestamp;

/// The status of an execution.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ExecutionStatus {
    /// `QUEUED`: it has not started yet.
    Queued,
    /// `RUNNING`, also while it is paused.
    Running,
    /// `COMPLETED`: it has an output.
    Completed,
    /// `FAILED`: it has an error.
    Failed,
    /// `CANCELLED`: a caller ended it.
    Cancelled,
    /// `FORKED`: another execution continues it.
    Forked,
    /// A status that this release does not know.
    Unknown(String),
}

impl ExecutionStatus {
    /// Returns the status as the service writes it, for example `RUNNING`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Queued => "QUEUED",
            Self::Running => "RUNNING",
            Self::Completed => "COMPLETED",
            Self::Failed => "FAILED",
            Self::Cancelled => "CANCELLED",
            Self::Forked => "FORKED",
            Self::Unknown(text) => text,
        }
    }

    /// Reports whether the execution has ended.
    #[must_use]
    pub const fn is_terminal(&self) -> bool {
        matches!(
            self,
            Self::Completed | Self::Failed | Self::Cancelled | Self::Forked
        )
    }
}

/// Parses the status as the service writes it. Never fails.
impl FromStr for ExecutionStatus {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self::from(text))
    }
}

impl From<&str> for ExecutionStatus {
    fn from(text: &str) -> Self {
        match text {
            "QUEUED" => Self::Queued,
            "RUNNING" => Self::Running,
            "COMPLETED" => Self::Completed,
            "FAILED" => Self::Failed,
            "CANCELLED" => Self::Cancelled,
            "FORKED" => Self::Forked,
            _ => Self::Unknown(text.to_owned()),
        }
    }
}

impl From<String> for ExecutionStatus {
    fn from(text: String) -> Self {
        Self::from(text.as_str())
    }
}

/// Shows the status as the service writes it.
impl fmt::Display for ExecutionStatus {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// The state of an execution.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ExecutionRecord {
    /// Execution id, 32 hexadecimal digits.
    pub id: String,
    /// Current status.
    pub status: ExecutionStatus,
    /// Id of the flow.
    pub graph_id: Option<String>,
    /// Creation time.
    pub created_at: Option<Timestamp>,
    /// Time of the last change.
    pub updated_at: Option<Timestamp>,
    /// End time; `None` until the execution ends.
    pub completed_at: Option<Timestamp>,
    /// Id of the pause that waits for a decision.
    pub pause_id: Option<String>,
    /// Id of the latest checkpoint.
    pub latest_checkpoint_id: Option<String>,
    /// Why the run failed.
    pub error_message: Option<String>,
    /// Name of the node in the flow at which the run failed.
    pub failed_node_name: Option<String>,
    /// The complete record as received.
    pub fields: Value,
}

impl ExecutionRecord {
    /// Reports whether the execution has ended.
    #[must_use]
    pub const fn is_terminal(&self) -> bool {
        self.status.is_terminal()
    }

    /// Reads a record from the JSON of the service, for example in a test of your program. `execution_id` and `status` are
    /// required.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Message`]: a required field is missing, or a time is malformed.
    pub fn from_json(fields: Value) -> Result<Self, Error> {
        Self::parse(fields).map_err(|problem| Error::new(ErrorKind::Message, problem))
    }

    /// Reads the record that the call `name` returns.
    pub(crate) fn read(name: &str, answer: &Answer) -> Result<Self, Error> {
        Self::parse(answer.object(name)?).map_err(|problem| answer.unreadable(name, problem))
    }

    fn parse(fields: Value) -> Result<Self, String> {
        Ok(Self {
            id: required(&fields, "execution_id")?,
            status: required(&fields, "status")?.into(),
            graph_id: text_of(&fields, "graph_id"),
            created_at: time_of(&fields, "created_at")?,
            updated_at: time_of(&fields, "updated_at")?,
            completed_at: time_of(&fields, "completed_at")?,
            pause_id: text_of(&fields, "pause_id"),
            latest_checkpoint_id: text_of(&fields, "latest_checkpoint_id"),
            error_message: text_of(&fields, "error_message"),
            failed_node_name: text_of(&fields, "failed_node_name"),
            fields,
        })
    }
}

/// An event of an execution. Newer services may send kinds not listed here.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ExecutionEvent {
    /// Event kind, for example `NODE_STARTED` or `FLOW_COMPLETED`. The module [`event_kinds`](crate::event_kinds) names them.
    pub kind: String,
    /// Unique event id. Ids sort by time.
    pub ulid: String,
    /// Milliseconds since 1970-01-01T00:00:00Z.
    pub timestamp_ms: i64,
    /// Name of the node in the flow, for events of a node.
    pub node_name: Option<String>,
    /// Input message as JSON, if the event has one.
    pub input: Option<Value>,
    /// Output message as JSON, if the event has one.
    pub output: Option<Value>,
    /// What went wrong (`error`), for example in a `NODE_FAILED` or `FLOW_FAILED`.
    pub error_message: Option<String>,
    /// Id of the pause, for example of a `HITL_PAUSED`, for which a decision is due.
    pub pause_id: Option<String>,
    /// The complete event as received.
    pub fields: Value,
}

impl ExecutionEvent {
    /// Returns the time of the event.
    #[must_use]
    pub fn time(&self) -> Timestamp {
        let millis = self.timestamp_ms.rem_euclid(1_000) as u32;
        Timestamp::new(self.timestamp_ms.div_euclid(1_000), millis * 1_000_000)
    }

    /// Reports whether it is the last event of its run.
    pub(crate) fn is_last(&self) -> bool {
        matches!(self.kind.as_str(), FLOW_COMPLETED | FLOW_FAILED)
    }

    /// Reads an event from the JSON of the service, for example in a test of your program. Its fields are `type`, `event_ulid`,
    /// `timestamp_ms`, `node_name`, `input`, `output`, `error` and `pause_id`, all optional.
    #[must_use]
    pub fn from_json(fields: Value) -> Self {
        Self {
            kind: text_of(&fields, "type").unwrap_or_default(),
            ulid: text_of(&fields, "event_ulid").unwrap_or_default(),
            timestamp_ms: fields
                .get("timestamp_ms")
                .and_then(Value::as_i64)
                .unwrap_or_default(),
            node_name: text_of(&fields, "node_name"),
            input: fields.get("input").cloned(),
            output: fields.get("output").cloned(),
            error_message: text_of(&fields, "error"),
            pause_id: text_of(&fields, "pause_id"),
            fields,
        }
    }
}

/// Returns the path of an execution relative to the base URL.
pub fn execution_path(id: &str) -> String {
    format!("/invocations/v1/executions/{id}")
}

/// Selects the events to read.
#[derive(Clone, Debug, Default)]
pub struct EventQuery {
    pub kinds: Vec<String>,
    pub node_name: Option<String>,
    pub page_size: Option<u32>,
}

impl EventQuery {
    /// Returns the path and query of a page.
    pub fn path(&self, execution_path: &str, cursor: Option<&str>) -> String {
        // Only the query of this URL is used.
        let mut url = Url::parse("http://localhost").expect("the address is well-formed");
        let mut query = url.query_pairs_mut();
        query.append_pair("decode", "true");
        for kind in &self.kinds {
            query.append_pair("event_type", kind);
        }
        if let Some(name) = &self.node_name {
            query.append_pair("node_name", name);
        }
        if let Some(size) = self.page_size {
            query.append_pair("limit", &size.to_string());
        }
        if let Some(cursor) = cursor {
            query.append_pair("cursor", cursor);
        }
        drop(query);
        format!(
            "{execution_path}/events?{}",
            url.query().unwrap_or_default()
        )
    }
}

/// A page of events. The last page has no cursor.
#[derive(Debug)]
pub struct EventPage {
    pub events: Vec<ExecutionEvent>,
    pub next_cursor: Option<String>,
}

impl EventPage {
    /// Reads a page, and adds the cursor of the next page to those of earlier pages.
    pub fn read(answer: &Answer, named: &mut HashSet<String>) -> Result<Self, Error> {
        let mut fields = answer.object("events")?;
        let next_cursor = answer.next_cursor("events", &fields, named)?;
        let Some(Value::Array(events)) = fields.get_mut("events").map(Value::take) else {
            return Err(answer.unreadable("events", "events is missing"));
        };
        let events = events.into_iter().filter(Value::is_object);
        Ok(Self {
            events: events.map(ExecutionEvent::from_json).collect(),
            next_cursor,
        })
    }
}
