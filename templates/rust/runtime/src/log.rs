//! Log events.

use std::fmt;
use std::time::Duration;

/// An event of a call. Never contains the API key.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LogEvent {
    /// `GET` or `POST`.
    pub method: String,
    /// Path relative to the base URL.
    pub path: String,
    /// Number of the attempt, starting at 1.
    pub attempt: u32,
    /// The step that was logged.
    pub step: LogStep,
}

/// A step of an attempt.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum LogStep {
    /// A response was received.
    Answered {
        /// HTTP status code.
        status: u16,
        /// Duration of the attempt.
        took: Duration,
    },
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
}

impl fmt::Display for LogEvent {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (method, path, attempt) = (&self.method, &self.path, self.attempt);
        write!(formatter, "{method} {path}: attempt {attempt}")?;
        match &self.step {
            LogStep::Answered { status, took } => {
                write!(
                    formatter,
                    " returned {status} after {} ms",
                    took.as_millis()
                )
            }
            LogStep::Failed { reason, took } => {
                write!(formatter, " failed after {} ms: {reason}", took.as_millis())
            }
            LogStep::Retrying { wait, reason } => {
                write!(
                    formatter,
                    " starts in {:.2} s: {reason}",
                    wait.as_secs_f64()
                )
            }
        }
    }
}
