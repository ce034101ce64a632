//! Execution records and events.

use reqwest::Url;
use serde_json::Value;

use crate::answer::{Answer, text_of};
use crate::error::Error;

/// The state of an execution.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ExecutionRecord {
    /// Execution id, 32 hexadecimal digits.
    pub id: String,
    /// `QUEUED`, `RUNNING` (also while paused), `COMPLETED`, `FAILED`, `CANCELLED` or `FORKED`.
    pub status: String,
    /// Id of the flow.
    pub graph_id: Option<String>,
    /// Creation time in ISO 8601, like the other times.
    pub created_at: Option<String>,
    /// Time of the last change.
    pub updated_at: Option<String>,
    /// End time; `None` until the execution ends.
    pub completed_at: Option<String>,
    /// The complete record as received.
    pub fields: Value,
}

impl ExecutionRecord {
    /// Reports whether the execution has ended.
    #[must_use]
    pub fn is_terminal(&self) -> bool {
        matches!(
            self.status.as_str(),
            "COMPLETED" | "FAILED" | "CANCELLED" | "FORKED"
        )
    }

    pub(crate) fn read(answer: &Answer) -> Result<Self, Error> {
        let fields = answer.object("get")?;
        Ok(Self {
            id: answer.required("get", &fields, "execution_id")?,
            status: answer.required("get", &fields, "status")?,
            graph_id: text_of(&fields, "graph_id"),
            created_at: text_of(&fields, "created_at"),
            updated_at: text_of(&fields, "updated_at"),
            completed_at: text_of(&fields, "completed_at"),
            fields,
        })
    }
}

/// An event of an execution. Newer services may send kinds not listed here.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ExecutionEvent {
    /// Event kind, for example `NODE_STARTED` or `FLOW_COMPLETED`.
    pub kind: String,
    /// Unique event id. Ids sort by time.
    pub ulid: String,
    /// Milliseconds since 1970-01-01T00:00:00Z.
    pub timestamp_ms: i64,
    /// Placement in the flow, for events of a node.
    pub node_name: Option<String>,
    /// Input message as JSON, if the event has one.
    pub input: Option<Value>,
    /// Output message as JSON, if the event has one.
    pub output: Option<Value>,
    /// The complete event as received.
    pub fields: Value,
}

impl ExecutionEvent {
    fn read(fields: Value) -> Self {
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
            fields,
        }
    }
}

/// Path of an execution relative to the base URL.
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
    pub fn read(answer: &Answer) -> Result<Self, Error> {
        let mut fields = answer.object("events")?;
        let next_cursor = text_of(&fields, "next_cursor");
        let Some(Value::Array(events)) = fields.get_mut("events").map(Value::take) else {
            return Err(answer.unreadable("events", "events is missing"));
        };
        let events = events.into_iter().filter(Value::is_object);
        Ok(Self {
            events: events.map(ExecutionEvent::read).collect(),
            next_cursor,
        })
    }
}
