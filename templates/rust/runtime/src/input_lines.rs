//! Streamed input as the body of a request.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use futures::StreamExt;

use crate::box_error::BoxError;
use crate::error::{Error, ErrorKind};
use crate::json;
use crate::protojson::ProtoJson;
use crate::stream::{Input, Inputs};
use crate::transport::{Body, TransportError};

/// What was read of streamed input so far.
#[derive(Debug, Default)]
pub struct InputProgress {
    count: AtomicUsize,
    failure: Mutex<Option<Error>>,
}

impl InputProgress {
    /// Returns the number of messages that were sent.
    pub fn count(&self) -> usize {
        self.count.load(Ordering::Acquire)
    }

    /// Returns the error that ended the input, once.
    pub fn take_failure(&self) -> Option<Error> {
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.take()
    }

    fn line<I: ProtoJson>(&self, input: Result<I, BoxError>) -> Result<Bytes, TransportError> {
        let line = match input {
            Ok(message) => json::to_string(&message).map_err(|error| {
                let problem = format!("input message {}: {error}", self.count());
                Error::new(ErrorKind::Message, problem)
            }),
            Err(error) => Err(failure_of(error)),
        };
        match line {
            Ok(mut line) => {
                line.push('\n');
                self.count.fetch_add(1, Ordering::AcqRel);
                Ok(Bytes::from(line))
            }
            Err(error) => {
                let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
                *failure = Some(error);
                Err(TransportError::connection("the input failed"))
            }
        }
    }
}

/// Returns a body with a line for each message, which reads the messages as it is sent.
pub fn input_lines<I: ProtoJson>(inputs: impl Inputs<I>) -> (Body, Arc<InputProgress>) {
    let progress = Arc::new(InputProgress::default());
    let shared = Arc::clone(&progress);
    let lines = inputs.map(move |input| shared.line(input.into_message()));
    (Body::from_stream(lines), progress)
}

/// Errors of this crate stay as they are.
fn failure_of(error: BoxError) -> Error {
    match error.downcast::<Error>() {
        Ok(error) => *error,
        Err(error) => {
            Error::new(ErrorKind::InputFailed, "the streamed input failed").because(error)
        }
    }
}
