//! HTTP responses: decoding outputs and mapping errors.

use std::collections::HashSet;
use std::fmt;
use std::time::SystemTime;

use bytes::Bytes;
use http::StatusCode;
use http::header::HeaderMap;
use serde_json::Value;

use crate::api_key::ApiKey;
use crate::error::{Details, Error, ErrorKind};
use crate::json::describe_problem;
use crate::protojson::{FromJson, ProtoJson};
use crate::retries::{parse_retry_after, seconds};
use crate::types::Timestamp;

const LONGEST_SHOWN: usize = 500;

/// A complete HTTP response, as received.
#[derive(Clone)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
    /// Redacted in errors.
    pub api_key: ApiKey,
    /// Number of attempts of the call so far.
    pub attempts: u32,
    pub idempotency_key: String,
    /// The execution that the call concerns, if known.
    pub about: Option<String>,
}

impl Answer {
    /// Returns the id of the execution behind the response, as far as it is known without the body.
    pub fn execution_id(&self) -> Option<&str> {
        self.about.as_deref().or(self.header("x-execution-id"))
    }

    /// Returns the id of the request in the log of the service.
    pub fn request_id(&self) -> Option<&str> {
        self.header("x-request-id")
    }

    /// Returns the execution and the request in parentheses, for the end of a message, as far as they are known.
    pub fn in_run(&self) -> String {
        self.named(None, self.execution_id())
    }

    fn named(&self, status: Option<u16>, execution_id: Option<&str>) -> String {
        let parts = [
            status.map(|status| format!("HTTP {status}")),
            execution_id.map(|id| format!("execution {id}")),
            self.request_id().map(|id| format!("request {id}")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        match parts.is_empty() {
            true => String::new(),
            false => format!(" ({})", parts.join(", ")),
        }
    }

    /// Reports whether the response is a successful event stream.
    pub fn is_event_stream(&self) -> bool {
        let kind = self
            .header("content-type")
            .and_then(|kind| kind.split(';').next());
        let kind = kind.unwrap_or_default().trim();
        self.status.is_success() && kind.eq_ignore_ascii_case("text/event-stream")
    }

    fn header(&self, name: &str) -> Option<&str> {
        let text = self.headers.get(name)?.to_str().ok()?;
        (!text.is_empty()).then_some(text)
    }

    /// Parses the JSON object in a successful response.
    pub fn object(&self, name: &str) -> Result<Value, Error> {
        let value: Value = self.read(name)?;
        match value.is_object() {
            true => Ok(value),
            false => Err(self.unreadable(name, "not a JSON object")),
        }
    }

    /// Returns the cursor of the next page, `None` on the last one, and adds it to the cursors of earlier pages. Rejects a
    /// repeated cursor, which would make the client read the same pages forever.
    pub fn next_cursor(
        &self,
        name: &str,
        fields: &Value,
        named: &mut HashSet<String>,
    ) -> Result<Option<String>, Error> {
        match text_of(fields, "next_cursor") {
            Some(next) if !named.insert(next.clone()) => {
                Err(self.unreadable(name, "next_cursor leads back to an earlier page"))
            }
            next => Ok(next),
        }
    }

    /// Returns a required string.
    pub fn required(&self, name: &str, fields: &Value, key: &str) -> Result<String, Error> {
        required(fields, key).map_err(|problem| self.unreadable(name, problem))
    }

    /// Returns the id of the execution that an invocation created.
    pub fn invoked(&self, name: &str, fields: &Value) -> Result<String, Error> {
        let id = self.required(name, fields, "execution_id")?;
        match is_execution_id(&id) {
            true => Ok(id),
            false => Err(self.unreadable(name, "execution_id is malformed")),
        }
    }

    /// Decodes the output of a run.
    pub fn output<T: ProtoJson>(&self, name: &str, fields: &Value) -> Result<T, Error> {
        self.decode(name, fields, "output")
    }

    /// Decodes a required message.
    pub fn decode<T: ProtoJson>(&self, name: &str, fields: &Value, key: &str) -> Result<T, Error> {
        match fields.get(key) {
            Some(message) => T::read(message)
                .map_err(|error| self.unreadable(name, describe_problem("response", &error))),
            None => Err(self.unreadable(name, format_args!("{key} is missing"))),
        }
    }

    /// Decodes the return value of the call `name`.
    pub fn read<T: ProtoJson>(&self, name: &str) -> Result<T, Error> {
        match serde_json::from_slice(&self.body) {
            Ok(FromJson(value)) => Ok(value),
            Err(error) => {
                let problem = describe_problem("response", &error);
                // Each frame of an event stream is JSON.
                let content_type = match error.is_data() || self.is_event_stream() {
                    true => String::new(),
                    false => self.content_type(),
                };
                Err(self.unreadable(name, format_args!("{problem}{content_type}")))
            }
        }
    }

    /// Returns the content type of the response for the end of a problem, if there is one.
    pub fn content_type(&self) -> String {
        match self.header("content-type") {
            Some(kind) => format!("; its content type is {}", self.shortened(kind)),
            None => String::new(),
        }
    }

    /// Returns the error for an invalid successful response.
    pub fn unreadable(&self, name: &str, problem: impl fmt::Display) -> Error {
        self.error(
            ErrorKind::InvalidResponse,
            format!("invalid response to {name}: {problem}{}", self.in_run()),
        )
    }

    /// Returns the error for an unsuccessful response.
    pub fn refusal(&self, now: SystemTime) -> Error {
        let body = self.json();
        let status = self.status.as_u16();
        let class = class_of(&body);
        let code = text_of(&body, "code").or_else(|| class.clone());
        let said = self.redirect().unwrap_or_else(|| self.explain(&body));
        let execution_id = match self.execution_id() {
            Some(id) => Some(id.to_owned()),
            None => text_of(&body, "execution_id"),
        };
        let place = self.named(Some(status), execution_id.as_deref());
        let kind = kind_of(status, class.as_deref());
        Error::from(Details {
            execution_id: execution_id.map(|id| self.api_key.redact(&id)),
            code: code.map(|code| self.api_key.redact(&code)),
            retry_after: self
                .header("retry-after")
                .and_then(|text| parse_retry_after(text, now))
                .or_else(|| seconds(body.get("retry_after_seconds")?.as_f64()?)),
            ..self.details(kind, format!("{said}{place}"))
        })
    }

    /// Returns the error for the response to a different, earlier request with the same idempotency key, if this is one.
    pub fn mismatch(&self) -> Option<Error> {
        let differences = self.header("idempotency-mismatch")?;
        let named = differences.split(',').map(|name| match name.trim() {
            "graph_id" => "flow",
            "execution_id" => "execution",
            name => name,
        });
        let named = named.collect::<Vec<_>>().join(" and ");
        // The execution of the call is not that of the earlier request.
        let execution_id = match self.header("x-execution-id") {
            Some(id) => Some(id.to_owned()),
            None => text_of(&self.json(), "execution_id"),
        };
        let place = self.named(None, execution_id.as_deref());
        let message = format!(
            "the idempotency key belongs to an earlier request that differs in its {named}{place}"
        );
        Some(Error::from(Details {
            execution_id: execution_id.map(|id| self.api_key.redact(&id)),
            ..self.details(ErrorKind::IdempotencyMismatch, message)
        }))
    }

    /// Explains a redirect. It is not followed, because the key is for this service only.
    fn redirect(&self) -> Option<String> {
        let location = self.header("location")?;
        let shown = self.shortened(location);
        self.status
            .is_redirection()
            .then(|| format!("the service redirects to {shown}; check the base URL"))
    }

    /// Returns the reason that the service or a gateway gives for the failure.
    fn explain(&self, body: &Value) -> String {
        let said = ["error_message", "message", "error"]
            .into_iter()
            .find_map(|name| text_of(body, name));
        said.unwrap_or_else(|| match String::from_utf8_lossy(&self.body).trim() {
            "" | "{}" => "no error message".to_owned(),
            text => self.shortened(text),
        })
    }

    /// Returns the beginning of a text. The key is redacted first, so that truncation cannot leave part of it.
    fn shortened(&self, text: &str) -> String {
        let redacted = self.api_key.redact(text);
        redacted.chars().take(LONGEST_SHOWN).collect()
    }

    /// Returns the error for a failed run; `message` is the error message of the run.
    pub fn run_failure(&self, message: Option<String>, execution_id: &str) -> Error {
        let message = message.as_deref().unwrap_or("no error message");
        let place = self.named(None, Some(execution_id));
        self.error(ErrorKind::FlowFailed, format!("{message}{place}"))
    }

    /// Returns an error about the response, with the API key redacted.
    pub fn error(&self, kind: ErrorKind, message: String) -> Error {
        Error::from(self.details(kind, message))
    }

    /// Returns an error about an incomplete response. Its message names the execution and the request.
    pub fn unfinished(&self, kind: ErrorKind, message: impl fmt::Display) -> Error {
        let message = format!("{message}{}", self.in_run());
        Error::from(Details {
            body: None,
            ..self.details(kind, message)
        })
    }

    /// Returns the error for a run that waits for a decision.
    pub fn paused(&self, pause_id: Option<String>, execution_id: &str) -> Error {
        let message = format!("execution {execution_id} is paused and waits for a decision");
        Error::from(Details {
            pause_id,
            ..self.details(ErrorKind::FlowPaused, message)
        })
    }

    /// Returns the details of an error about the response, with the API key redacted.
    pub fn details(&self, kind: ErrorKind, message: String) -> Details {
        Details {
            status: Some(self.status),
            headers: Some(self.api_key.redact_headers(self.headers.clone())),
            body: Some(self.api_key.redact_json(self.json())),
            execution_id: self.execution_id().map(|id| self.api_key.redact(id)),
            request_id: self.request_id().map(|id| self.api_key.redact(id)),
            attempts: self.attempts,
            idempotency_key: Some(self.idempotency_key.clone()),
            ..Details::new(kind, self.api_key.redact(&message))
        }
    }

    /// Returns the body as JSON, or as text if it is not JSON.
    fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|_| String::from_utf8_lossy(&self.body).into())
    }
}

/// Reports whether `text` has the form of an execution id.
pub fn is_execution_id(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|digit| digit.is_ascii_hexdigit())
}

/// Returns a non-empty string.
pub fn text_of(fields: &Value, key: &str) -> Option<String> {
    let text = fields.get(key)?.as_str()?;
    (!text.is_empty()).then(|| text.to_owned())
}

/// Returns a required string, or the problem with it.
pub fn required(fields: &Value, key: &str) -> Result<String, String> {
    text_of(fields, key).ok_or_else(|| format!("{key} is missing"))
}

/// Returns a time, `None` if it is absent, or the problem with it.
pub fn time_of(fields: &Value, key: &str) -> Result<Option<Timestamp>, String> {
    let parsed = text_of(fields, key).map(|text| text.parse());
    let parsed = parsed.transpose();
    parsed.map_err(|error: Error| format!("{key} is malformed: {error}"))
}

/// Returns the class in `error`, or else `code`, because `error` can be a sentence.
fn class_of(body: &Value) -> Option<String> {
    text_of(body, "error")
        .filter(|said| !said.contains(char::is_whitespace))
        .or_else(|| text_of(body, "code"))
}

fn kind_of(status: u16, class: Option<&str>) -> ErrorKind {
    match (status, class) {
        (403, Some("tenant_suspended")) => ErrorKind::TenantSuspended,
        (403, Some("app_key_graph_denied")) => ErrorKind::AppKeyGraphDenied,
        (429, Some("quota_exceeded")) => ErrorKind::QuotaExceeded,
        (400, _) => ErrorKind::BadRequest,
        (401, _) => ErrorKind::Unauthorized,
        (403, _) => ErrorKind::Forbidden,
        (404, _) => ErrorKind::NotFound,
        (413, _) => ErrorKind::PayloadTooLarge,
        (422, _) => ErrorKind::NodeFailed,
        (429, _) => ErrorKind::RateLimited,
        (502..=504, _) => ErrorKind::UpstreamUnavailable,
        (500.., _) => ErrorKind::Server,
        _ => ErrorKind::Status,
    }
}
