//! Pauses of runs, and decisions on them.

use std::collections::HashSet;
use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::answer::{Answer, required, text_of, time_of};
use crate::error::{Error, ErrorKind};
use crate::json;
use crate::protojson::ProtoJson;
use crate::types::Timestamp;

/// The status of a pause. All but `Waiting` are final.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PauseStatus {
    /// `WAITING`: it waits for a decision.
    Waiting,
    /// `RESUMED`: the run continues with a decision.
    Resumed,
    /// `EXPIRED`: the deadline passed without a decision.
    Expired,
    /// `CANCELLED`: the run ended in another way.
    Cancelled,
    /// A status that this release does not know.
    Unknown(String),
}

impl PauseStatus {
    /// Returns the status as the service writes it, for example `WAITING`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Waiting => "WAITING",
            Self::Resumed => "RESUMED",
            Self::Expired => "EXPIRED",
            Self::Cancelled => "CANCELLED",
            Self::Unknown(text) => text,
        }
    }
}

/// Parses the status as the service writes it. Never fails.
impl FromStr for PauseStatus {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self::from(text))
    }
}

impl From<&str> for PauseStatus {
    fn from(text: &str) -> Self {
        match text {
            "WAITING" => Self::Waiting,
            "RESUMED" => Self::Resumed,
            "EXPIRED" => Self::Expired,
            "CANCELLED" => Self::Cancelled,
            _ => Self::Unknown(text.to_owned()),
        }
    }
}

impl From<String> for PauseStatus {
    fn from(text: String) -> Self {
        Self::from(text.as_str())
    }
}

/// Shows the status as the service writes it.
impl fmt::Display for PauseStatus {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// A question of a node to a human. The run waits for the decision.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Pause {
    /// Id of the pause, which a decision names.
    pub id: String,
    /// Id of the run.
    pub execution_id: String,
    /// Id of the flow of the run.
    pub graph_id: Option<String>,
    /// Name of the node in the flow that asks for the decision.
    pub node_name: Option<String>,
    /// Current status.
    pub status: PauseStatus,
    /// The question as JSON; `None` if the service left it out because the list was large.
    pub question: Option<Value>,
    /// Full name of the message that the decision must fit, for example `acme.v1.Approval`.
    pub decision_type: Option<String>,
    /// Id of the checkpoint at the pause.
    pub checkpoint_id: Option<String>,
    /// Time of the question.
    pub created_at: Option<Timestamp>,
    /// Deadline of the decision. The run is cancelled then.
    pub expires_at: Option<Timestamp>,
    /// Link for the person who decides, who needs no API key. It is a secret. It is `None` unless the pause is waiting and the
    /// API key may resume it.
    pub resume_url: Option<String>,
    /// Time of the decision.
    pub resumed_at: Option<Timestamp>,
    /// Time of the escalation.
    pub escalated_at: Option<Timestamp>,
    /// Who decided, if the caller named them.
    pub resumed_by: Option<String>,
    /// The decision as JSON. Values that look like secrets are redacted.
    pub decision: Option<Value>,
}

impl Pause {
    /// Reads a pause from the JSON of the service, for example in a test of your program. `pause_id`, `execution_id` and `status`
    /// are required. The question is `interrupt_payload`, and the decision `resume_value`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Message`]: a required field is missing, or a time is malformed.
    pub fn from_json(fields: Value) -> Result<Self, Error> {
        Self::parse(fields).map_err(|problem| Error::new(ErrorKind::Message, problem))
    }

    fn parse(mut fields: Value) -> Result<Self, String> {
        Ok(Self {
            id: required(&fields, "pause_id")?,
            execution_id: required(&fields, "execution_id")?,
            graph_id: text_of(&fields, "graph_id"),
            node_name: text_of(&fields, "node_name"),
            status: required(&fields, "status")?.into(),
            decision_type: text_of(&fields, "resume_schema"),
            checkpoint_id: text_of(&fields, "checkpoint_id"),
            created_at: time_of(&fields, "created_at")?,
            expires_at: time_of(&fields, "expires_at")?,
            resume_url: text_of(&fields, "resume_url"),
            resumed_at: time_of(&fields, "resumed_at")?,
            escalated_at: time_of(&fields, "escalated_at")?,
            resumed_by: text_of(&fields, "resumed_by"),
            question: fields.get_mut("interrupt_payload").map(Value::take),
            decision: take_given(&mut fields, "resume_value"),
        })
    }
}

/// Does not show the link.
impl fmt::Debug for Pause {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Pause")
            .field("id", &self.id)
            .field("execution_id", &self.execution_id)
            .field("node_name", &self.node_name)
            .field("status", &self.status)
            .field("question", &self.question)
            .finish_non_exhaustive()
    }
}

/// A decision on a pause, or an input of a fork. It becomes the next input of the node.
///
/// The default decides with the default of every field.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The JSON of the decision, or the problem with it.
    value: Result<Option<String>, String>,
    resumed_by: Option<String>,
}

impl Decision {
    /// Decides with a message of this crate.
    #[must_use]
    pub fn message<M: ProtoJson>(message: &M) -> Self {
        let json = json::to_string(message).map_err(|error| error.to_string());
        Self::over(json.and_then(check_object))
    }

    /// Decides with a JSON object that has the fields of the message.
    #[must_use]
    pub fn json(value: &Value) -> Self {
        Self::over(check_object(value.to_string()))
    }

    /// Decides with a serialized message.
    ///
    /// The service accepts bytes that are not a message of [`decision_type`](Pause::decision_type), and the run then fails. The
    /// pause accepts no other decision; only a [fork](crate::Execution::fork) asks the question again. JSON that does not match
    /// is rejected instead, and the pause keeps waiting.
    #[must_use]
    pub fn bytes(message: impl AsRef<[u8]>) -> Self {
        Self::over(Ok(format!("\"{}\"", STANDARD.encode(message))))
    }

    /// Names who decides, for the record of the pause and for the node.
    #[must_use]
    pub fn by(mut self, name: impl Into<String>) -> Self {
        self.resumed_by = Some(name.into());
        self
    }

    fn over(value: Result<String, String>) -> Self {
        Self {
            value: value.map(Some),
            resumed_by: None,
        }
    }

    /// Returns the JSON of the decision, a string for bytes; `None` for the default of every field.
    pub(crate) fn value(&self) -> Result<Option<&str>, Error> {
        match &self.value {
            Ok(value) => Ok(value.as_deref()),
            Err(problem) => Err(Error::new(ErrorKind::Message, problem)),
        }
    }

    /// Returns the body of the request.
    pub(crate) fn body(self, pause_id: &str) -> Result<String, Error> {
        if pause_id.is_empty() {
            let message = "the id of the pause is empty";
            return Err(Error::new(ErrorKind::Message, message));
        }
        let mut body = format!("{{\"pause_id\":{}", Value::from(pause_id));
        if let Some(value) = self.value()? {
            body += &format!(",\"value\":{value}");
        }
        if let Some(name) = self.resumed_by {
            body += &format!(",\"resumed_by\":{}", Value::from(name));
        }
        body.push('}');
        Ok(body)
    }
}

impl Default for Decision {
    fn default() -> Self {
        Self {
            value: Ok(None),
            resumed_by: None,
        }
    }
}

/// Rejects JSON that is not an object. The service would interpret a string as base64.
fn check_object(json: String) -> Result<String, String> {
    match json.starts_with('{') {
        true => Ok(json),
        false => Err("the decision or input must be a JSON object".to_owned()),
    }
}

/// The response to a decision on a pause.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ResumedPause {
    /// Id of the pause.
    pub pause_id: String,
    /// Status of the pause, `Resumed`.
    pub status: PauseStatus,
    /// Time of the decision that won.
    pub resumed_at: Option<Timestamp>,
    /// Who made the decision that won, if the caller named them.
    pub resumed_by: Option<String>,
    /// The decision that won as JSON. Values that look like secrets are redacted.
    pub decision: Option<Value>,
    /// Whether another decision came first. It is false for a decision that was retried because its first response was lost.
    pub already_resumed: bool,
}

impl ResumedPause {
    /// Reads the response from the JSON of the service, for example in a test of your program. `pause_id` and `status` are
    /// required. The decision is `resume_value`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Message`]: a required field is missing, or the time is malformed.
    pub fn from_json(fields: Value) -> Result<Self, Error> {
        Self::parse(fields).map_err(|problem| Error::new(ErrorKind::Message, problem))
    }

    pub(crate) fn read(answer: &Answer) -> Result<Self, Error> {
        let fields = answer.object("resume")?;
        Self::parse(fields).map_err(|problem| answer.unreadable("resume", problem))
    }

    fn parse(mut fields: Value) -> Result<Self, String> {
        Ok(Self {
            pause_id: required(&fields, "pause_id")?,
            status: required(&fields, "status")?.into(),
            resumed_at: time_of(&fields, "resumed_at")?,
            resumed_by: text_of(&fields, "resumed_by"),
            already_resumed: fields.get("already_resumed") == Some(&Value::Bool(true)),
            decision: take_given(&mut fields, "resume_value"),
        })
    }
}

/// A page of pauses. The last page has no cursor.
#[derive(Debug)]
pub struct PausePage {
    pub pauses: Vec<Pause>,
    pub next_cursor: Option<String>,
}

impl PausePage {
    /// Reads a page, and adds the cursor of the next page to those of earlier pages.
    pub fn read(answer: &Answer, named: &mut HashSet<String>) -> Result<Self, Error> {
        let mut fields = answer.object("pauses")?;
        let next_cursor = answer.next_cursor("pauses", &fields, named)?;
        let Some(Value::Array(items)) = fields.get_mut("pauses").map(Value::take) else {
            return Err(answer.unreadable("pauses", "pauses is missing"));
        };
        let pauses: Result<_, String> = items.into_iter().map(Pause::parse).collect();
        Ok(Self {
            pauses: pauses.map_err(|problem| answer.unreadable("pauses", problem))?,
            next_cursor,
        })
    }
}

/// Takes a value unless it is null.
fn take_given(fields: &mut Value, key: &str) -> Option<Value> {
    let value = fields.get_mut(key)?.take();
    (!value.is_null()).then_some(value)
}
