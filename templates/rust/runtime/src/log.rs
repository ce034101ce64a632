//! What a client tells of its attempts.

use std::fmt;
use std::time::Duration;

/// Something that a client did. Never holds the API key.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LogEvent {
    /// `GET` or `POST`.
    pub method: String,
    /// Path beneath the base URL.
    pub path: String,
    /// The attempt, counted from 1.
    pub attempt: u32,
    /// What happened.
    pub step: LogStep,
}

/// What happened in an attempt.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum LogStep {
    /// An answer arrived.
    Answered {
        /// HTTP status.
        status: u16,
        /// How long it took.
        took: Duration,
    },
    /// No answer arrived, or not all of it.
    Failed {
        /// Why.
        reason: String,
        /// How long it took.
        took: Duration,
    },
    /// The call is about to be tried again.
    Retrying {
        /// How long it waits before.
        wait: Duration,
        /// What the attempt before ended with.
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
                    " was answered {status} in {} ms",
                    took.as_millis()
                )
            }
            LogStep::Failed { reason, took } => {
                write!(
                    formatter,
                    " had no answer in {} ms: {reason}",
                    took.as_millis()
                )
            }
            LogStep::Retrying { wait, reason } => {
                write!(
                    formatter,
                    " in {:.2} s, after: {reason}",
                    wait.as_secs_f64()
                )
            }
        }
    }
}
