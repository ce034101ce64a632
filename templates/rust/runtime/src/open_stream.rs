//! Streams whose response has begun.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use futures::StreamExt;
use http::StatusCode;
use http::header::HeaderName;
use tokio::time::{self, Instant, Sleep};

use crate::content::Content;
use crate::error::{Error, ErrorKind};
use crate::frames::{FrameReader, Streamed};
use crate::input_lines::SentInput;
use crate::logical_call::{LogicalCall, check_runtime};
use crate::options::check_header;
use crate::protojson::ProtoJson;
use crate::response::Response;
use crate::socket::LONGEST_SILENCE;
use crate::transport::{Body, BoxFuture, Failure, TransportError};

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// The time after the timeout for the transport to hand over the data that it has received.
const HANDOVER: Duration = Duration::from_millis(100);

/// A stream whose response has begun. Dropping it closes the connection.
pub struct OpenStream<T> {
    call: LogicalCall,
    response: Response<()>,
    body: Body,
    frames: FrameReader<T>,
    /// The deadline for reading the response: the timeout, and afterwards that of the handover.
    timeout: Option<Pin<Box<Sleep>>>,
    is_late: bool,
    /// Whether reading the response has ended.
    is_over: bool,
    input: Option<SentInput>,
    /// The timer of the silence after which the connection is lost, while more of the response is awaited.
    silence: Option<Pin<Box<Sleep>>>,
    stored: Option<Stored<T>>,
}

type Resuming<T> = BoxFuture<Result<OpenStream<T>, Error>>;

/// How a stream that the service has stored is resumed after a lost connection.
struct Stored<T> {
    /// The event after which the response begins.
    after: Option<String>,
    resume: fn(OpenStream<T>, Error) -> Resuming<T>,
}

impl<T: ProtoJson + 'static> OpenStream<T> {
    /// Sends a request for a stream that the service has stored, starting after an event.
    pub async fn replay(
        mut call: LogicalCall,
        member: Streamed,
        after: Option<String>,
    ) -> Result<Self, Error> {
        if let Some(id) = &after {
            let id = check_header(LAST_EVENT_ID.as_str(), id)?;
            call.headers.insert(LAST_EVENT_ID, id);
        }
        let opened = Self::open(call, member, None, || Content::Whole(Bytes::new()));
        let mut stream = opened.await?;
        stream.stored = Some(Stored {
            after,
            resume: Self::read_on,
        });
        Ok(stream)
    }

    /// Resends the request after a lost connection, as a call that outlasts an outage. A connection that delivered a message
    /// counts as a success.
    fn read_on(mut self, failure: Error) -> BoxFuture<Result<Self, Error>> {
        Box::pin(async move {
            let before = self.stored.and_then(|stored| stored.after);
            let last = self.frames.event_id().map(str::to_owned);
            // Resuming after the last id would deliver the message again.
            if self.frames.is_unmarked() {
                return Err(failure);
            }
            if last.is_some() && last != before {
                self.call.forget_retries();
            }
            self.call.outlast();
            self.call.wait_to_retry(failure).await?;
            let call = match self.frames.execution_id() {
                Some(id) => self.call.about(id),
                None => self.call,
            };
            Self::replay(call, self.frames.member(), last.or(before)).await
        })
    }
}

impl<T: ProtoJson> OpenStream<T> {
    /// Sends a request, whose content is created before each attempt, and returns when the response has begun.
    pub async fn open(
        mut call: LogicalCall,
        member: Streamed,
        input: Option<SentInput>,
        content: impl FnMut() -> Content + Send,
    ) -> Result<Self, Error> {
        let opened = call.open_stream(content).await;
        let (answer, body) = opened.map_err(|error| {
            let failure = input.as_ref().and_then(SentInput::take_failure);
            failure.map_or(error, |failure| call.name_call(failure))
        })?;
        let response = call.respond((), answer.clone());
        let progress = input.as_ref().map(|input| Arc::clone(input.progress()));
        let mut frames = FrameReader::new(member, answer, progress);
        let body = match body {
            Some(body) => body,
            None if response.status == StatusCode::NO_CONTENT => {
                frames.finish();
                Bytes::new().into()
            }
            None => return Err(frames.no_stream()),
        };
        Ok(Self {
            response,
            body,
            frames,
            timeout: call.deadline().map(|end| Box::pin(time::sleep_until(end))),
            is_late: false,
            is_over: false,
            input,
            silence: None,
            stored: None,
            call,
        })
    }

    /// Returns the next message, or the end of the stream.
    pub fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<T, Error>>> {
        loop {
            ready!(self.poll_rest(context));
            if let Poll::Ready(item) = self.frames.next() {
                return Poll::Ready(item);
            }
            if self.is_over {
                let message = "the stream did not end within its timeout";
                let error = self.frames.unfinished(ErrorKind::TimedOut, message);
                return Poll::Ready(Some(Err(error)));
            }
            let Poll::Ready(chunk) = self.body.poll_next_unpin(context) else {
                if let Err(error) = check_runtime() {
                    return Poll::Ready(Some(Err(self.about(error))));
                }
                ready!(self.poll_silence(context));
                let seconds = LONGEST_SILENCE.as_secs();
                let message =
                    format!("the stream was cut off: it was silent for {seconds} seconds");
                let error = self
                    .frames
                    .unfinished(ErrorKind::StreamInterrupted, &message);
                return Poll::Ready(Some(Err(error)));
            };
            self.silence = None;
            match chunk {
                Some(Ok(chunk)) => self.frames.feed(&chunk),
                Some(Err(error)) => return Poll::Ready(Some(Err(self.lost(Some(error))))),
                None => return Poll::Ready(Some(Err(self.lost(None)))),
            }
        }
    }

    /// Once the timeout has passed, reads all data that has arrived before returning any of it: the time that the program takes
    /// for a message must not lose the next messages. Ready if the timeout has not passed, or everything has been read.
    fn poll_rest(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let Some(timeout) = self.timeout.as_mut().filter(|_| !self.is_over) else {
            return Poll::Ready(());
        };
        if !self.is_late {
            if timeout.as_mut().poll(context).is_pending() {
                return Poll::Ready(());
            }
            self.is_late = true;
            timeout.as_mut().reset(Instant::now() + HANDOVER);
        }
        while Instant::now() < timeout.deadline() {
            match self.body.poll_next_unpin(context) {
                Poll::Ready(Some(Ok(chunk))) => {
                    self.silence = None;
                    self.frames.feed(&chunk);
                }
                // If the program has been waiting, there is no unread data.
                Poll::Pending if self.silence.is_none() => {
                    ready!(timeout.as_mut().poll(context));
                }
                _ => break,
            }
        }
        self.is_over = true;
        Poll::Ready(())
    }

    /// Waits for the end of the silence that a connection may have. Only the time during which the program waits for a message
    /// counts.
    fn poll_silence(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let silence = self
            .silence
            .get_or_insert_with(|| Box::pin(time::sleep(LONGEST_SILENCE)));
        silence.as_mut().poll(context)
    }

    /// Returns the id of the execution, once it is known.
    pub fn execution_id(&self) -> Option<String> {
        self.frames.execution_id().map(str::to_owned)
    }

    /// Returns the id of the event of the last message.
    pub fn event_id(&self) -> Option<String> {
        let before = self
            .stored
            .as_ref()
            .and_then(|stored| stored.after.as_deref());
        self.frames.event_id().or(before).map(str::to_owned)
    }

    /// Logs the failure, and resumes the stream if it is stored.
    ///
    /// # Errors
    ///
    /// The stream is not stored, so it ends with the failure.
    pub fn resume(self, failure: Error) -> Result<BoxFuture<Result<Self, Error>>, Error> {
        if matches!(
            failure.kind(),
            ErrorKind::StreamInterrupted | ErrorKind::TimedOut
        ) {
            self.call.log_failure(&failure);
        }
        match &self.stored {
            Some(stored) => Ok((stored.resume)(self, failure)),
            None => Err(failure),
        }
    }

    fn about(&self, error: Error) -> Error {
        match self.frames.execution_id() {
            Some(id) => error.about(id),
            None => error,
        }
    }

    /// Returns the error for a response that ended before its last frame.
    fn lost(&self, cause: Option<TransportError>) -> Error {
        if let Some(failure) = self.input.as_ref().and_then(SentInput::take_failure) {
            return self.about(self.call.name_call(failure));
        }
        let Some(error) = cause else {
            let message = "the stream was cut off: there was no last frame";
            return self
                .frames
                .unfinished(ErrorKind::StreamInterrupted, message);
        };
        let kind = match error.failure() {
            Failure::TimedOut => ErrorKind::TimedOut,
            _ => ErrorKind::StreamInterrupted,
        };
        let cause = self.call.redacted(error);
        let lost = self.frames.unfinished(kind, "the stream was cut off");
        lost.with_source(cause)
    }
}

impl<T> OpenStream<T> {
    /// Returns the status and headers of the response.
    pub fn response(&self) -> Response<()> {
        self.response.clone()
    }
}
