//! Errors: one type, [`Error`], with a [kind](ErrorKind).

use std::error::Error as StdError;
use std::time::Duration;

use serde_json::Value;

/// The error of a failed call.
///
/// `Display` shows a human-readable description. Errors never contain the API key.
#[derive(Debug, thiserror::Error)]
#[error("{}", details.message)]
pub struct Error {
    // Boxed to keep `Result` small.
    details: Box<Details>,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

/// Details of an error. Unknown details are `None`.
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

/// The kind of an [`Error`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A setting or call option is missing or malformed. No request was sent.
    #[default]
    Configuration,
    /// A message cannot be encoded as, or decoded from, ProtoJSON.
    Message,
    /// The service is unreachable, or the connection was lost before a response.
    ConnectionFailed,
    /// The connection was lost while reading the response.
    InterruptedAnswer,
    /// The call, including retries, did not complete within its timeout.
    TimedOut,
    /// The run of a flow did not end within the timeout. It continues; use its [execution id](Error::execution_id) to wait again.
    WaitTimedOut,
    /// The run of a flow failed or was cancelled. The message contains the reason.
    FlowFailed,
    /// The run of a flow is paused. It continues when it is resumed.
    FlowPaused,
    /// A successful response is not valid JSON for the return type.
    InvalidAnswer,
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
    /// 413: the input exceeds the size limit of the service.
    PayloadTooLarge,
    /// 422: the node returned an error.
    NodeFailed,
    /// 429: too many requests.
    RateLimited,
    /// 429 `quota_exceeded`: a daily quota is exhausted until midnight UTC.
    QuotaExceeded,
    /// 5xx: the service failed.
    Server,
    /// 502, 503 or 504: a dependency of the service is temporarily unavailable.
    UpstreamUnavailable,
    /// Any other error status.
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
        matches!(self, Self::ConnectionFailed | Self::InterruptedAnswer)
    }

    /// Reports whether a call or the wait for a flow timed out.
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

    /// The kind of the error.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.details.kind
    }

    /// HTTP status code, if there was a response.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.details.status
    }

    /// Error code of the service, for example `quota_exceeded`, if present.
    #[must_use]
    pub fn code(&self) -> Option<&str> {
        self.details.code.as_deref()
    }

    /// Response body: JSON, or text as a JSON string.
    #[must_use]
    pub fn body(&self) -> Option<&Value> {
        self.details.body.as_ref()
    }

    /// Id of the execution that the call created, if known.
    #[must_use]
    pub fn execution_id(&self) -> Option<&str> {
        self.details.execution_id.as_deref()
    }

    /// Id of the pause of a paused run.
    #[must_use]
    pub fn pause_id(&self) -> Option<&str> {
        self.details.pause_id.as_deref()
    }

    /// Time to wait before the next attempt, if the service sent it.
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
