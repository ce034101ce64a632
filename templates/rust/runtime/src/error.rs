//! Errors: one type, [`Error`], with a [kind](ErrorKind).

use std::error::Error as StdError;
use std::fmt;
use std::time::Duration;

use http::StatusCode;
use http::header::HeaderMap;
use serde_json::Value;

use crate::box_error::BoxError;

/// The longest `Retry-After` that a call honours. A longer one fails the call.
pub(crate) const LONGEST_RETRY_AFTER: Duration = Duration::from_secs(60);

/// The error of a failed call.
///
/// `Display` shows a description without the cause, which is the [`source`](StdError::source). Errors never contain the API key.
pub struct Error {
    // Boxed to keep `Result` small.
    details: Box<Details>,
    source: Option<BoxError>,
}

/// Details of an error. Unknown details are `None`.
pub struct Details {
    pub kind: ErrorKind,
    pub message: String,
    pub status: Option<StatusCode>,
    pub headers: Option<HeaderMap>,
    pub code: Option<String>,
    pub body: Option<Value>,
    pub execution_id: Option<String>,
    pub request_id: Option<String>,
    pub pause_id: Option<String>,
    pub retry_after: Option<Duration>,
    pub attempts: u32,
    pub idempotency_key: Option<String>,
    /// Whether the same call would fail again, although its kind is usually transient.
    pub is_permanent: bool,
}

impl Details {
    /// Creates details with only a kind and a message.
    pub const fn new(kind: ErrorKind, message: String) -> Self {
        Self {
            kind,
            message,
            status: None,
            headers: None,
            code: None,
            body: None,
            execution_id: None,
            request_id: None,
            pause_id: None,
            retry_after: None,
            attempts: 0,
            idempotency_key: None,
            is_permanent: false,
        }
    }
}

/// The kind of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A setting or call option is missing or malformed. No request was sent.
    Configuration,
    /// A message cannot be encoded as, or decoded from, ProtoJSON, or is too large for a live session, or a time is out of range
    /// for the type that it is converted to.
    Message,
    /// The service is unreachable, or the connection was lost before a response.
    ConnectionFailed,
    /// The connection was lost while reading the response.
    InterruptedResponse,
    /// A stream ended without its last frame, or the service did not receive the complete streamed input.
    StreamInterrupted,
    /// The streamed input yielded an error, which is the [`source`](StdError::source), or panicked.
    InputFailed,
    /// The call, including retries, did not complete within its timeout. If an earlier attempt failed, its error is the
    /// [`source`](StdError::source).
    TimedOut,
    /// The run of a flow did not end within the timeout. It continues; use its [execution id](Error::execution_id) to wait again.
    WaitTimedOut,
    /// The run of a flow failed or was cancelled. The message contains the reason.
    FlowFailed,
    /// The run of a flow waits for a decision. It continues when it is [resumed](crate::Execution::resume).
    FlowPaused,
    /// A successful response is not valid JSON for the return type.
    InvalidResponse,
    /// The idempotency key of the call belongs to a different, earlier request. The [execution id](Error::execution_id) is that
    /// of the earlier request.
    IdempotencyMismatch,
    /// 400: the request is invalid.
    BadRequest,
    /// 401: the API key is missing, invalid, expired or revoked.
    Unauthorized,
    /// 403: the API key lacks permission.
    Forbidden,
    /// 403 `tenant_suspended`: the tenant is suspended.
    TenantSuspended,
    /// 403 `app_key_graph_denied`: the app key does not cover this flow.
    AppKeyGraphDenied,
    /// 404: the resource does not exist or is not deployed.
    NotFound,
    /// 413, or the close code 1009 of a live session: the input exceeds the size limit of the service.
    PayloadTooLarge,
    /// 422, or the last frame of a stream: the node returned an error.
    NodeFailed,
    /// 429: too many requests.
    RateLimited,
    /// 429 `quota_exceeded`: a daily quota is exhausted until midnight UTC.
    QuotaExceeded,
    /// 5xx: the service failed.
    Server,
    /// 502, 503 or 504: a dependency of the service is temporarily unavailable.
    UpstreamUnavailable,
    /// Any other error status, or a redirect, which is not followed.
    Status,
}

impl ErrorKind {
    /// Reports whether the service returned an error status.
    #[must_use]
    pub const fn is_refusal(self) -> bool {
        matches!(
            self,
            Self::BadRequest
                | Self::Unauthorized
                | Self::NotFound
                | Self::PayloadTooLarge
                | Self::NodeFailed
                | Self::Status
        ) || self.is_forbidden()
            || self.is_rate_limited()
            || self.is_server_error()
    }

    /// Reports whether the status was 403.
    #[must_use]
    pub const fn is_forbidden(self) -> bool {
        matches!(
            self,
            Self::Forbidden | Self::TenantSuspended | Self::AppKeyGraphDenied
        )
    }

    /// Reports whether the status was 429.
    #[must_use]
    pub const fn is_rate_limited(self) -> bool {
        matches!(self, Self::RateLimited | Self::QuotaExceeded)
    }

    /// Reports whether the status was 5xx.
    #[must_use]
    pub const fn is_server_error(self) -> bool {
        matches!(self, Self::Server | Self::UpstreamUnavailable)
    }

    /// Reports whether there was no complete response.
    #[must_use]
    pub const fn is_connection_failure(self) -> bool {
        matches!(
            self,
            Self::ConnectionFailed | Self::InterruptedResponse | Self::StreamInterrupted
        )
    }

    /// Reports whether a call or the wait for a flow timed out.
    #[must_use]
    pub const fn is_timeout(self) -> bool {
        matches!(self, Self::TimedOut | Self::WaitTimedOut)
    }
}

/// Creates errors, for example in a test of your program.
impl Error {
    /// Creates an error of a kind. The kind and the status determine whether it [is retryable](Self::is_retryable).
    #[must_use]
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self::from(Details::new(kind, message.into()))
    }

    /// Sets the HTTP status code.
    #[must_use]
    pub fn with_status(mut self, status: StatusCode) -> Self {
        self.details.status = Some(status);
        self
    }

    /// Sets the error code of the service.
    #[must_use]
    pub fn with_code(mut self, code: impl Into<String>) -> Self {
        self.details.code = Some(code.into());
        self
    }

    /// Sets the headers of the response.
    #[must_use]
    pub fn with_headers(mut self, headers: HeaderMap) -> Self {
        self.details.headers = Some(headers);
        self
    }

    /// Sets the body of the response.
    #[must_use]
    pub fn with_body(mut self, body: Value) -> Self {
        self.details.body = Some(body);
        self
    }

    /// Sets the id of the execution.
    #[must_use]
    pub fn with_execution_id(mut self, id: impl Into<String>) -> Self {
        self.details.execution_id = Some(id.into());
        self
    }

    /// Sets the id of the request.
    #[must_use]
    pub fn with_request_id(mut self, id: impl Into<String>) -> Self {
        self.details.request_id = Some(id.into());
        self
    }

    /// Sets the id of the pause.
    #[must_use]
    pub fn with_pause_id(mut self, id: impl Into<String>) -> Self {
        self.details.pause_id = Some(id.into());
        self
    }

    /// Sets the time to wait before the next attempt.
    #[must_use]
    pub fn with_retry_after(mut self, wait: Duration) -> Self {
        self.details.retry_after = Some(wait);
        self
    }

    /// Sets the number of attempts.
    #[must_use]
    pub fn with_attempts(mut self, count: u32) -> Self {
        self.details.attempts = count;
        self
    }

    /// Sets the key that was sent with every attempt.
    #[must_use]
    pub fn with_idempotency_key(mut self, key: impl Into<String>) -> Self {
        self.details.idempotency_key = Some(key.into());
        self
    }

    /// Sets the cause, which is the [`source`](StdError::source).
    #[must_use]
    pub fn with_source(mut self, source: impl Into<BoxError>) -> Self {
        self.source = Some(source.into());
        self
    }
}

impl Error {
    /// Adds the number of attempts and the idempotency key of the call, unless they are known.
    pub(crate) fn of_call(mut self, attempts: u32, idempotency_key: &str) -> Self {
        if self.details.idempotency_key.is_none() {
            self.details.attempts = attempts;
            self.details.idempotency_key = Some(idempotency_key.to_owned());
        }
        self
    }

    /// Sets the idempotency key that started the run, in place of that of a request about it.
    pub(crate) fn of_run(mut self, idempotency_key: Option<String>) -> Self {
        self.details.idempotency_key = idempotency_key;
        self
    }

    /// Adds to the message why the call is not retried.
    pub(crate) fn not_tried_again(mut self, reason: &str) -> Self {
        self.details.message += &format!("; not tried again: {reason}");
        self
    }

    /// Makes the failure of an earlier attempt the cause.
    pub(crate) fn after(mut self, earlier: Self) -> Self {
        self.details.message += "; an earlier attempt failed";
        self.with_source(earlier)
    }

    /// Marks an error after which the same call would fail again.
    pub(crate) fn permanent(mut self) -> Self {
        self.details.is_permanent = true;
        self
    }

    /// Adds the id of the execution that the call concerns, unless it is known, and names it in the message.
    pub(crate) fn about(mut self, execution_id: &str) -> Self {
        let known = &mut self.details.execution_id;
        let id = known.get_or_insert_with(|| execution_id.to_owned());
        if !self.details.message.contains(&*id) {
            self.details.message += &format!(" (execution {id})");
        }
        self
    }

    /// Returns the kind of the error.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.details.kind
    }

    /// Returns the HTTP status code, if there was a response.
    #[must_use]
    pub fn status(&self) -> Option<StatusCode> {
        self.details.status
    }

    /// Returns the headers of the response, if there was one.
    #[must_use]
    pub fn headers(&self) -> Option<&HeaderMap> {
        self.details.headers.as_ref()
    }

    /// Returns the error code of the service, for example `quota_exceeded`, if present: `code` of the response, or else `error`
    /// if that is one word. If the response has no code, it is `flow_failed` if a flow failed, `flow_paused` if it waits for a
    /// decision, and `node_failed` if a node failed.
    #[must_use]
    pub fn code(&self) -> Option<&str> {
        let own = match self.details.kind {
            ErrorKind::FlowFailed => Some("flow_failed"),
            ErrorKind::FlowPaused => Some("flow_paused"),
            ErrorKind::NodeFailed => Some("node_failed"),
            _ => None,
        };
        self.details.code.as_deref().or(own)
    }

    /// Returns the response body: JSON, or text as a JSON string. `Debug` shows it only if the service rejected the request.
    #[must_use]
    pub fn body(&self) -> Option<&Value> {
        self.details.body.as_ref()
    }

    /// Returns the id of the execution that the call created or concerns, if known.
    #[must_use]
    pub fn execution_id(&self) -> Option<&str> {
        self.details.execution_id.as_deref()
    }

    /// Returns the id of the request in the log of the service, if there was a response. Include it when you report a problem.
    #[must_use]
    pub fn request_id(&self) -> Option<&str> {
        self.details.request_id.as_deref()
    }

    /// Returns the id of the pause of a paused run.
    #[must_use]
    pub fn pause_id(&self) -> Option<&str> {
        self.details.pause_id.as_deref()
    }

    /// Returns the time to wait before the next attempt, if the service sent it.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.details.retry_after
    }

    /// Returns the number of attempts of the request that failed, including the first, or 0 if no request was sent. Consecutive
    /// failed polls of a run are attempts of one request.
    #[must_use]
    pub fn attempts(&self) -> u32 {
        self.details.attempts
    }

    /// Reports whether the same call may succeed later: the service was unreachable, the connection was lost, the call timed out,
    /// or the status was 408, 429 or 5xx and the service did not ask for more than a minute. The call has already been retried,
    /// unless retries were disabled or the retry budget was empty.
    ///
    /// Returns `false` for [`ErrorKind::WaitTimedOut`], because running the flow again would start another run: wait for the run
    /// of [`execution_id`](Self::execution_id) instead. Also returns `false` for a live session that your program has closed, or
    /// that the service closed because it does not accept what was sent: with 1002, 1003, 1007, 1008 or 1009.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        self.may_pass() || self.kind() == ErrorKind::TimedOut
    }

    /// Reports whether another attempt may succeed while a call waits for it.
    pub(crate) fn may_pass(&self) -> bool {
        self.is_transient() && self.retry_after() <= Some(LONGEST_RETRY_AFTER)
    }

    /// Reports whether another attempt may succeed, however long the service asked to wait.
    pub(crate) fn is_transient(&self) -> bool {
        if self.details.is_permanent {
            return false;
        }
        match self.status().map(|status| status.as_u16()) {
            Some(status) if self.kind().is_refusal() => {
                matches!(status, 408 | 429) || status >= 500
            }
            _ => {
                let kind = self.kind();
                // Errors created by a program may have no status.
                kind.is_connection_failure() || kind.is_rate_limited() || kind.is_server_error()
            }
        }
    }

    /// Reports whether a proxy rejected a WebSocket, or dropped the upgrade so that the service received a plain request.
    /// Rejections by a proxy do not have a code of the service.
    pub(crate) fn is_socket_blocked(&self) -> bool {
        self.status().is_some_and(|status| match status {
            StatusCode::UPGRADE_REQUIRED => true,
            StatusCode::SWITCHING_PROTOCOLS | StatusCode::UNAUTHORIZED => false,
            _ => self.details.code.is_none(),
        })
    }

    /// Returns the idempotency key that was sent with every attempt. Pass it to a later call to continue this one. For a wait, it
    /// is the key that started the run, if known.
    #[must_use]
    pub fn idempotency_key(&self) -> Option<&str> {
        self.details.idempotency_key.as_deref()
    }
}

/// Shows the known details. The body is shown only if the service rejected the request: other bodies may contain secrets, such as
/// the [`resume_url`](crate::Pause::resume_url) of a pause.
impl fmt::Debug for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let details = &*self.details;
        let body = details.body.as_ref();
        let body = body.filter(|_| details.kind.is_refusal());
        let known: [(&str, Option<&dyn fmt::Debug>); 11] = [
            ("kind", Some(&details.kind)),
            ("message", Some(&details.message)),
            ("status", debug(&details.status)),
            ("code", debug(&details.code)),
            ("headers", debug(&details.headers)),
            ("body", debug(&body)),
            ("execution_id", debug(&details.execution_id)),
            ("request_id", debug(&details.request_id)),
            ("pause_id", debug(&details.pause_id)),
            ("retry_after", debug(&details.retry_after)),
            ("idempotency_key", debug(&details.idempotency_key)),
        ];
        let mut out = formatter.debug_struct("Error");
        for (name, value) in known {
            if let Some(value) = value {
                out.field(name, value);
            }
        }
        if details.attempts > 0 {
            out.field("attempts", &details.attempts);
        }
        if let Some(source) = &self.source {
            out.field("source", source);
        }
        out.finish()
    }
}

fn debug<T: fmt::Debug>(value: &Option<T>) -> Option<&dyn fmt::Debug> {
    value.as_ref().map(|value| value as &dyn fmt::Debug)
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.details.message)
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source
            .as_deref()
            .map(|source| source as &(dyn StdError + 'static))
    }
}

impl From<Details> for Error {
    fn from(details: Details) -> Self {
        Self {
            details: Box::new(details),
            source: None,
        }
    }
}

/// Returns the messages of an error and its causes, outermost first.
pub fn explain(error: &dyn StdError) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text = format!("{text}: {inner}");
        cause = inner.source();
    }
    text
}
