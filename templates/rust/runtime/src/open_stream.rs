//! Streams whose response has begun.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use futures::StreamExt;
use tokio::time::{self, Sleep};

use crate::content::Content;
use crate::error::Error;
use crate::frames::{FrameReader, Streamed};
use crate::input_lines::InputProgress;
use crate::logical_call::LogicalCall;
use crate::protojson::ProtoJson;
use crate::response::Response;
use crate::transport::{Body, TransportError};

/// A stream whose response has begun. Dropping it closes the connection.
pub struct OpenStream<T> {
    call: LogicalCall,
    response: Response<()>,
    body: Body,
    frames: FrameReader<T>,
    timeout: Option<Pin<Box<Sleep>>>,
    input: Option<Arc<InputProgress>>,
}

impl<T: ProtoJson> OpenStream<T> {
    /// Sends a request, whose content is made before each attempt, and returns when the response has begun.
    pub async fn open(
        mut call: LogicalCall,
        member: Streamed,
        input: Option<Arc<InputProgress>>,
        content: impl FnMut() -> Content + Send,
    ) -> Result<Self, Error> {
        let opened = call.open_stream(content).await;
        let (answer, body) = opened.map_err(|error| {
            let failure = input.as_deref().and_then(InputProgress::take_failure);
            failure.map_or(error, |failure| call.name_call(failure))
        })?;
        let Some(body) = body else {
            return Err(answer.unreadable(member.name, "not an event stream"));
        };
        Ok(Self {
            response: call.respond((), answer.clone()),
            body,
            frames: FrameReader::new(member, answer, input.clone()),
            timeout: call.deadline().map(|end| Box::pin(time::sleep_until(end))),
            input,
            call,
        })
    }

    /// Returns the next message, or the end of the stream.
    pub fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<T, Error>>> {
        loop {
            if let Poll::Ready(item) = self.frames.next() {
                return Poll::Ready(item);
            }
            let timeout = self.timeout.as_mut();
            if timeout.is_some_and(|timeout| timeout.as_mut().poll(context).is_ready()) {
                let error = self.call.name_call(self.call.too_late());
                return Poll::Ready(Some(Err(self.about(error))));
            }
            match ready!(self.body.poll_next_unpin(context)) {
                Some(Ok(chunk)) => self.frames.feed(&chunk),
                Some(Err(error)) => {
                    let error = self.lost(Some(error));
                    return Poll::Ready(Some(Err(error)));
                }
                None => return Poll::Ready(Some(Err(self.lost(None)))),
            }
        }
    }

    /// Id of the execution, once it is known.
    pub fn execution_id(&self) -> Option<String> {
        self.frames.execution_id().map(str::to_owned)
    }

    fn about(&self, error: Error) -> Error {
        match self.frames.execution_id() {
            Some(id) => error.about(id),
            None => error,
        }
    }

    /// Returns the error of a response that ended before its last frame.
    fn lost(&self, cause: Option<TransportError>) -> Error {
        if let Some(failure) = self.input.as_deref().and_then(InputProgress::take_failure) {
            return self.about(self.call.name_call(failure));
        }
        match cause {
            Some(error) => {
                let cause = self.call.redacted(error);
                let message = "the stream was cut off";
                self.frames.interrupted(message).because(cause)
            }
            None => {
                let message = "the stream was cut off: there was no last frame";
                self.frames.interrupted(message)
            }
        }
    }
}

impl<T> OpenStream<T> {
    /// Status and headers.
    pub fn response(&self) -> Response<()> {
        self.response.clone()
    }
}
