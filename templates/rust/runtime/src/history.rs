//! What the service keeps of an execution: its record and its events.

use reqwest::Url;
use serde_json::Value;

use crate::answer::{Answer, text_of};
use crate::error::Error;

/// How far an execution is.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ExecutionRecord {
    /// 32 hexadecimal digits.
    pub id: String,
    /// `QUEUED`, `RUNNING` (a parked run too), `COMPLETED`, `FAILED`, `CANCELLED` or `FORKED`.
    pub status: String,
    /// The flow that ran.
    pub graph_id: Option<String>,
    /// ISO 8601, as the other times.
    pub created_at: Option<String>,
    /// When the record last changed.
    pub updated_at: Option<String>,
    /// Set when the execution has ended.
    pub completed_at: Option<String>,
    /// The record as it came, with all of its fields.
    pub fields: Value,
}

impl ExecutionRecord {
    /// Whether the execution has ended.
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

/// Something that happened in an execution. New types come without notice.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ExecutionEvent {
    /// `NODE_STARTED`, `NODE_COMPLETED`, `FLOW_COMPLETED` ...
    pub kind: String,
    /// Unique and in the order of time.
    pub ulid: String,
    /// Milliseconds since 1970.
    pub timestamp_ms: i64,
    /// The placement in the flow that the event is of.
    pub node_name: Option<String>,
    /// The message that went in, as JSON, where the event carries one.
    pub input: Option<Value>,
    /// The message that came out.
    pub output: Option<Value>,
    /// The event as it came, with all of its fields.
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

/// Which events to read.
#[derive(Clone, Debug, Default)]
pub struct EventQuery {
    pub kinds: Vec<String>,
    pub node_name: Option<String>,
    pub page_size: Option<u32>,
}

impl EventQuery {
    /// The path of one page, its query included.
    pub fn path(&self, execution_path: &str, cursor: Option<&str>) -> String {
        // The address is not the service's: only the query of the URL is used.
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

/// A page of the history; the last one has no cursor.
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
            return Err(answer.unreadable("events", "it has no events"));
        };
        let events = events.into_iter().filter(Value::is_object);
        Ok(Self {
            events: events.map(ExecutionEvent::read).collect(),
            next_cursor,
        })
    }
}
