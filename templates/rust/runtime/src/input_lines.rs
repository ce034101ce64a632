//! Streamed input as the body of a request.

use std::any::Any;
use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use futures::future::{self, Either};
use futures::stream::{self, BoxStream, Stream, StreamExt};
use tokio::sync::oneshot;

use crate::box_error::BoxError;
use crate::error::{Error, ErrorKind, explain};
use crate::json;
use crate::protojson::ProtoJson;
use crate::stream::{Input, Inputs};
use crate::transport::{Body, TransportError};

/// Streamed input that is being sent. Dropping it ends the request and drops the source of the input, even while the source is
/// pending.
pub struct SentInput {
    progress: Arc<InputProgress>,
    lines: Arc<Mutex<Lines>>,
    /// Open until the call is over.
    _is_sent: oneshot::Sender<Infallible>,
}

/// The rest of the input: an error once its call is over.
type Lines = BoxStream<'static, Result<Bytes, TransportError>>;

impl SentInput {
    /// Returns the progress of reading the input.
    pub const fn progress(&self) -> &Arc<InputProgress> {
        &self.progress
    }

    /// Returns the error that ended the input. Later calls return `None`.
    pub fn take_failure(&self) -> Option<Error> {
        self.progress.take_failure()
    }
}

impl Drop for SentInput {
    fn drop(&mut self) {
        // A transport may never request the next line, such as HTTP/2 while the service accepts no data. If a line is being read,
        // the source is dropped afterwards.
        if let Ok(mut lines) = self.lines.try_lock() {
            *lines = stream::iter([Err(over())]).boxed();
        }
    }
}

/// The progress of reading streamed input.
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

    fn take_failure(&self) -> Option<Error> {
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
            Err(error) => Err(self.fail(error)),
        }
    }

    fn fail(&self, error: Error) -> TransportError {
        let reason = explain(&error);
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        *failure = Some(error);
        TransportError::input(reason)
    }
}

/// Returns a body with one line per message, which reads the messages as it is sent.
pub fn input_lines<I: ProtoJson>(inputs: impl Inputs<I>) -> (Body, SentInput) {
    let progress = Arc::new(InputProgress::default());
    let shared = Arc::clone(&progress);
    let lines = inputs.map(move |input| shared.line(input.into_message()));
    // Otherwise, a panic would end the task of the connection and look like a lost connection.
    let lines = AssertUnwindSafe(lines).catch_unwind();
    let shared = Arc::clone(&progress);
    let lines =
        lines.map(move |line| line.unwrap_or_else(|panic| Err(shared.fail(panicked(&*panic)))));
    let lines = Arc::new(Mutex::new(lines.boxed()));
    let (is_sent, is_over) = oneshot::channel();
    let body = Body::from_stream(until_over(Arc::clone(&lines), is_over));
    let sent = SentInput {
        progress,
        lines,
        _is_sent: is_sent,
    };
    (body, sent)
}

/// Ends the lines with an error when their call is over, because an end without one would complete the request. HTTP/2 requests
/// lines after the end of the response, and an endless source must not be read on.
fn until_over(
    lines: Arc<Mutex<Lines>>,
    is_over: oneshot::Receiver<Infallible>,
) -> impl Stream<Item = Result<Bytes, TransportError>> + Send {
    stream::try_unfold((lines, is_over), |(lines, is_over)| async {
        let next = future::poll_fn(|context| {
            let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
            lines.poll_next_unpin(context)
        });
        match future::select(is_over, next).await {
            Either::Left(_) => Err(over()),
            Either::Right((Some(line), is_over)) => Ok(Some((line?, (lines, is_over)))),
            Either::Right((None, _)) => Ok(None),
        }
    })
}

fn over() -> TransportError {
    TransportError::connection("the call is over")
}

/// Returns the error of input whose source panicked.
fn panicked(panic: &(dyn Any + Send)) -> Error {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    Error::new(ErrorKind::InputFailed, "the streamed input panicked")
        .with_source(text.unwrap_or("unknown panic"))
}

/// Converts an error of the input. Errors of this crate are returned unchanged.
fn failure_of(error: BoxError) -> Error {
    match error.downcast::<Error>() {
        Ok(error) => *error,
        Err(error) => {
            Error::new(ErrorKind::InputFailed, "the streamed input failed").with_source(error)
        }
    }
}
