//! Everything that can go wrong: one type, [`Error`], and a [kind](ErrorKind) for each cause.

use std::error::Error as StdError;
use std::time::Duration;

use serde_json::Value;

/// What a call may end with instead of its output.
///
/// Its text says what happened, for people. Neither the text nor anything else in it holds the API key.
#[derive(Debug, thiserror::Error)]
#[error("{}", details.message)]
pub struct Error {
    // Boxed, so that a result is no larger for the sake of its error.
    details: Box<Details>,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

/// What is known of an error; what is not is `None`.
#[derive(Debug, Default)]
pub struct Details {
    pub kind: ErrorKind,
    pub message: String,
    pub status: Option<u16>,
    pub code: Option<String>,
    pub body: Option<Value>,
    pub execution_id: Option<String>,
    pub pause_id: Option<String>,
    pub retry_after: Option<Duration>,
}

/// The cause of an [`Error`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The client cannot be made as asked: no key, no base URL, or one that is malformed.
    #[default]
    Configuration,
    /// A message cannot be written as ProtoJSON, or a text is not ProtoJSON of it.
    Message,
    /// The service could not be reached, or the connection broke before an answer.
    ConnectionFailed,
    /// The connection broke in the middle of the answer.
    InterruptedAnswer,
    /// The call, its retries included, took longer than its timeout.
    TimedOut,
    /// The flow had not ended when the timeout was over; it runs on, and its [execution](Error::execution_id) can be found again.
    WaitTimedOut,
    /// The run of a flow failed or was cancelled; the message is the run's own.
    FlowFailed,
    /// The run of a flow waits for a decision; it goes on when somebody resumes it.
    FlowPaused,
    /// A successful answer is not JSON, or does not fit what the call returns.
    InvalidAnswer,
    /// 400: the request does not fit what is called.
    BadRequest,
    /// 401: the key is missing, malformed, expired or revoked.
    Unauthorized,
    /// 403: the key may not do this.
    Forbidden,
    /// 403 `tenant_suspended`: the operator has suspended the tenant.
    TenantSuspended,
    /// 403 `app_key_graph_denied`: the app key was not minted for this flow.
    AppKeyGraphDenied,
    /// 404: unknown to this tenant, or not deployed.
    NotFound,
    /// 413: the input is larger than the service takes.
    PayloadTooLarge,
    /// 422: the node itself returned an error.
    NodeFailed,
    /// 429: too many requests in a short time.
    RateLimited,
    /// 429 `quota_exceeded`: a daily quota is used up until midnight UTC.
    QuotaExceeded,
    /// 5xx: the service failed.
    Server,
    /// 502, 503 or 504: something that the service needs is down, usually for a moment.
    UpstreamUnavailable,
    /// Any other refusal.
    Status,
}

impl ErrorKind {
    /// Whether the service answered and refused the call.
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

    /// Whether the status was 403, whatever the reason.
    #[must_use]
    pub const fn is_forbidden(self) -> bool {
        matches!(
            self,
            Self::Forbidden | Self::TenantSuspended | Self::AppKeyGraphDenied
        )
    }

    /// Whether the status was 429, whatever the reason.
    #[must_use]
    pub const fn is_rate_limited(self) -> bool {
        matches!(self, Self::RateLimited | Self::QuotaExceeded)
    }

    /// Whether the status was 5xx.
    #[must_use]
    pub const fn is_server_error(self) -> bool {
        matches!(self, Self::Server | Self::UpstreamUnavailable)
    }

    /// Whether there was no answer, or no whole one.
    #[must_use]
    pub const fn is_connection_failure(self) -> bool {
        matches!(self, Self::ConnectionFailed | Self::InterruptedAnswer)
    }

    /// Whether time ran out, for a call or for the wait for a flow.
    #[must_use]
    pub const fn is_timeout(self) -> bool {
        matches!(self, Self::TimedOut | Self::WaitTimedOut)
    }
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self::from(Details {
            kind,
            message: message.into(),
            ..Details::default()
        })
    }

    pub(crate) fn because(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// The cause.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.details.kind
    }

    /// HTTP status of the answer, if there was one.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.details.status
    }

    /// The service's stable error class, `quota_exceeded`, if it gave one.
    #[must_use]
    pub fn code(&self) -> Option<&str> {
        self.details.code.as_deref()
    }

    /// Body of the answer: JSON, or else its text as a JSON string.
    #[must_use]
    pub fn body(&self) -> Option<&Value> {
        self.details.body.as_ref()
    }

    /// Id of the execution that the call made, if known.
    #[must_use]
    pub fn execution_id(&self) -> Option<&str> {
        self.details.execution_id.as_deref()
    }

    /// Id of the pause that a flow waits in.
    #[must_use]
    pub fn pause_id(&self) -> Option<&str> {
        self.details.pause_id.as_deref()
    }

    /// How long to wait before another attempt, if the service said so.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.details.retry_after
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
