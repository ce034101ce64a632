//! Streams of messages.

use std::fmt;
use std::future::{self, Future};
use std::mem;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use futures::stream::{FusedStream, Stream, StreamExt};

use crate::connection::Connection;
use crate::error::Error;
use crate::exclusive::Exclusive;
use crate::items::Items;
use crate::open_stream::OpenStream;
use crate::options::Options;
use crate::protojson::ProtoJson;
use crate::response::Response;
use crate::transport::BoxFuture;

/// Sends a request with its options.
type Work<T> = Box<dyn FnOnce(Options) -> BoxFuture<Result<OpenStream<T>, Error>> + Send>;

/// The messages of a pipeline member, as they arrive.
///
/// The request is sent when you request the first message, by [`next`](Self::next) or by polling; [`send`](Self::send) sends it
/// earlier. Options must be set before. Dropping the stream closes the connection, which cancels the run.
///
/// The stream ends after the last message or after the first error. An end without an error means that it is complete. The
/// service sends something every 15 seconds, so a connection that is silent for 90 seconds counts as lost.
#[must_use = "streams do nothing unless polled"]
pub struct FrameStream<T> {
    options: Options,
    response: Option<Response<()>>,
    last_event_id: Option<String>,
    state: State<T>,
}

enum State<T> {
    Unsent(Exclusive<Work<T>>),
    Opening(Exclusive<BoxFuture<Result<OpenStream<T>, Error>>>),
    Open(Box<OpenStream<T>>),
    /// A stream created by the program, which sends nothing.
    Made(Items<T>),
    Ended,
}

impl<T: 'static> FrameStream<T> {
    pub(crate) fn new<Opening>(
        connection: &Arc<Connection>,
        open: impl FnOnce(Arc<Connection>, Options) -> Opening + Send + 'static,
    ) -> Self
    where
        Opening: Future<Output = Result<OpenStream<T>, Error>> + Send + 'static,
    {
        let connection = Arc::clone(connection);
        let work: Work<T> = Box::new(|mut options| {
            let usual = connection.settings.stream_timeout;
            options.timeout.get_or_insert(usual);
            Box::pin(open(connection, options))
        });
        Self {
            options: Options::default(),
            response: None,
            last_event_id: None,
            state: State::Unsent(Exclusive::new(work)),
        }
    }

    /// Creates a stream of these messages, for example in a test of your program. It sends nothing, and has no response. The
    /// first error is the last item, as for any stream of this crate.
    pub fn from_stream(messages: impl Stream<Item = Result<T, Error>> + Send + 'static) -> Self {
        Self {
            options: Options::default(),
            response: None,
            last_event_id: None,
            state: State::Made(Items::new(messages)),
        }
    }
}

impl<T> FrameStream<T> {
    /// Sets the timeout of the whole stream. Defaults to the stream timeout of the client, or to five minutes. A flow is given
    /// the same time. The time that your program takes counts, but messages that have arrived are not lost: the stream returns
    /// them before it fails.
    pub const fn timeout(mut self, timeout: Duration) -> Self {
        self.options.timeout = Some(Some(timeout));
        self
    }

    /// Disables the timeout of the stream.
    pub const fn without_timeout(mut self) -> Self {
        self.options.timeout = Some(None);
        self
    }

    /// Sets the timeout of each attempt, which ends when the response begins. An attempt that times out is retried. Ignored for
    /// streamed input, which is not retried.
    pub const fn attempt_timeout(mut self, timeout: Duration) -> Self {
        self.options.attempt_timeout = Some(Some(timeout));
        self
    }

    /// Disables the timeout of attempts.
    pub const fn without_attempt_timeout(mut self) -> Self {
        self.options.attempt_timeout = Some(None);
        self
    }

    /// Sets the maximum number of retries after a transient failure. 0 disables retries. Nothing is retried once the response has
    /// begun, except the output of a split stream. Ignored for streamed input, which is never retried.
    pub const fn max_retries(mut self, count: u32) -> Self {
        self.options.max_retries = Some(count);
        self
    }

    /// Sets the idempotency key, which is sent with every attempt. The service ignores it for streams. Defaults to a random key.
    pub fn idempotency_key(mut self, key: impl Into<String>) -> Self {
        self.options.idempotency_key = Some(key.into());
        self
    }

    /// Adds a header. It overrides an additional header of the client. A `User-Agent` precedes that of this crate. Headers that the
    /// crate or the transport sets are rejected.
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.options.headers.push((name.into(), value.into()));
        self
    }

    /// Sends the request, unless it has been sent, and returns the stream when the response has begun. It then has a
    /// [`response`](Self::response).
    ///
    /// # Errors
    ///
    /// See [`ErrorKind`](crate::ErrorKind).
    pub async fn send(mut self) -> Result<Self, Error> {
        future::poll_fn(|context| self.poll_open(context)).await?;
        Ok(self)
    }

    /// Returns the status and headers of the response, once it has begun. Its body is empty.
    #[must_use]
    pub const fn response(&self) -> Option<&Response<()>> {
        self.response.as_ref()
    }

    /// Returns the id of the execution, once the service has sent it.
    #[must_use]
    pub fn execution_id(&self) -> Option<&str> {
        self.response.as_ref()?.execution_id.as_deref()
    }

    /// Returns the id of the event of the last message. To continue reading the output of a [`SplitStream`](crate::SplitStream)
    /// after it, pass it to [`output_after`](crate::SplitStream::output_after).
    #[must_use]
    pub fn last_event_id(&self) -> Option<&str> {
        self.last_event_id.as_deref()
    }

    fn poll_open(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Error>> {
        if let State::Unsent(_) = &self.state {
            if let State::Unsent(work) = mem::replace(&mut self.state, State::Ended) {
                let opening = work.into_inner()(mem::take(&mut self.options));
                self.state = State::Opening(Exclusive::new(opening));
            }
        }
        if let State::Opening(opening) = &mut self.state {
            let opened = ready!(opening.get_mut().as_mut().poll(context));
            self.state = State::Ended;
            let opened = opened?;
            self.response = Some(opened.response());
            self.state = State::Open(Box::new(opened));
        }
        Poll::Ready(Ok(()))
    }
}

impl<T: ProtoJson> FrameStream<T> {
    /// Returns the next message, or `None` at the end. Sends the request, unless it has been sent.
    ///
    /// Dropping the future loses no message, so it can be used in `tokio::select!`.
    ///
    /// # Errors
    ///
    /// See [`ErrorKind`](crate::ErrorKind). The error is the last item.
    pub async fn next(&mut self) -> Option<Result<T, Error>> {
        StreamExt::next(self).await
    }
}

impl<T: ProtoJson> Stream for FrameStream<T> {
    type Item = Result<T, Error>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        loop {
            if let Err(error) = ready!(this.poll_open(context)) {
                return Poll::Ready(Some(Err(error)));
            }
            let stream = match &mut this.state {
                State::Open(stream) => stream,
                State::Made(messages) => return messages.poll_next(context),
                _ => return Poll::Ready(None),
            };
            let item = ready!(stream.poll_next(context));
            if let Some(response) = &mut this.response {
                let known = &mut response.execution_id;
                *known = known.take().or_else(|| stream.execution_id());
            }
            let item = match item {
                Some(Ok(message)) => {
                    this.last_event_id = stream.event_id();
                    return Poll::Ready(Some(Ok(message)));
                }
                other => other,
            };
            let State::Open(stream) = mem::replace(&mut this.state, State::Ended) else {
                return Poll::Ready(item);
            };
            match item {
                Some(Err(error)) => match stream.resume(error) {
                    Ok(resuming) => this.state = State::Opening(Exclusive::new(resuming)),
                    Err(error) => return Poll::Ready(Some(Err(error))),
                },
                ended => return Poll::Ready(ended),
            }
        }
    }
}

impl<T: ProtoJson> FusedStream for FrameStream<T> {
    fn is_terminated(&self) -> bool {
        match &self.state {
            State::Made(messages) => messages.is_over(),
            State::Ended => true,
            _ => false,
        }
    }
}

impl<T> fmt::Debug for FrameStream<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("FrameStream")
            .field("execution_id", &self.execution_id())
            .finish_non_exhaustive()
    }
}
