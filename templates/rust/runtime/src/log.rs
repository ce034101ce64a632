//! Log events.

use std::fmt;
use std::time::Duration;

use http::{Method, StatusCode};

/// An event of a call. Never contains the API key.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LogEvent {
    /// `GET` or `POST`.
    pub method: Method,
    /// Path relative to the base URL.
    pub path: String,
    /// Number of the attempt, starting at 1.
    pub attempt: u32,
    /// Id of the execution that the call concerns, if known.
    pub execution_id: Option<String>,
    /// The step that was logged.
    pub step: LogStep,
}

/// A step of an attempt.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum LogStep {
    /// A response was received.
    Responded {
        /// HTTP status code.
        status: StatusCode,
        /// Duration of the attempt.
        took: Duration,
    },
    /// The service started the execution of a flow.
    Started,
    /// No complete response was received.
    Failed {
        /// Reason of the failure.
        reason: String,
        /// Duration of the attempt.
        took: Duration,
    },
    /// The call will be retried.
    Retrying {
        /// Delay before the retry.
        wait: Duration,
        /// Reason of the retry.
        reason: String,
    },
    /// WebSockets are blocked: the history of the run is polled until a WebSocket works, which is tried once a minute.
    ReadingPages {
        /// Reason of the last failure.
        reason: String,
    },
    /// The call is not retried, because the retry budget of the client is empty.
    BudgetEmpty {
        /// Reason of the failure.
        reason: String,
    },
}

impl fmt::Display for LogEvent {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (method, path, attempt) = (&self.method, &self.path, self.attempt);
        write!(formatter, "{method} {path}: attempt {attempt}")?;
        match &self.step {
            LogStep::Responded { status, took } => {
                let (status, took) = (status.as_u16(), took.as_millis());
                write!(formatter, " returned {status} after {took} ms")?;
            }
            LogStep::Started => formatter.write_str(" started a run")?,
            LogStep::Failed { reason, took } => {
                write!(formatter, " failed after {} ms: {reason}", took.as_millis())?;
            }
            LogStep::Retrying { wait, reason } => {
                let wait = wait.as_secs_f64();
                write!(formatter, " starts in {wait:.2} s: {reason}")?;
            }
            LogStep::ReadingPages { reason } => {
                write!(
                    formatter,
                    " failed; polling the run's events for now: {reason}"
                )?;
            }
            LogStep::BudgetEmpty { reason } => {
                write!(
                    formatter,
                    " will not be retried because the retry budget is empty: {reason}"
                )?;
            }
        }
        match &self.execution_id {
            Some(id) => write!(formatter, " (execution {id})"),
            None => Ok(()),
        }
    }
}

/// Emits an event of the `tracing` crate: attempts at DEBUG, retries and following by pages at INFO, an empty budget at WARN.
#[cfg(feature = "tracing")]
pub fn trace(event: &LogEvent) {
    let LogEvent {
        method,
        path,
        attempt,
        ..
    } = event;
    let execution_id = event.execution_id.as_deref();
    match &event.step {
        LogStep::Responded { status, took } => tracing::debug!(
            %method, path, attempt, execution_id,
            status = status.as_u16(), ?took,
            "attempt received a response"
        ),
        LogStep::Started => {
            tracing::debug!(%method, path, attempt, execution_id, "attempt started a run");
        }
        LogStep::Failed { reason, took } => tracing::debug!(
            %method, path, attempt, execution_id, reason, ?took,
            "attempt failed"
        ),
        LogStep::Retrying { wait, reason } => tracing::info!(
            %method, path, attempt, execution_id, reason, ?wait,
            "retrying after a delay"
        ),
        LogStep::ReadingPages { reason } => tracing::info!(
            %method, path, attempt, execution_id, reason,
            "following the run by polling for now"
        ),
        LogStep::BudgetEmpty { reason } => tracing::warn!(
            %method, path, attempt, execution_id, reason,
            "retry budget is empty"
        ),
    }
}
