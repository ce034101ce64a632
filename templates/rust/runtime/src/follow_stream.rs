//! The stream of the events of a run that continues.

use std::fmt;
use std::mem;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures::stream::{FusedStream, Stream, StreamExt};

use crate::connection::Connection;
use crate::error::Error;
use crate::follow::follow;
use crate::history::ExecutionEvent;
use crate::items::Items;
use crate::options::Options;

/// The events of a run, oldest first: the stored events, then new ones as they happen, each once, until the run has ended.
///
/// Nothing is sent until you request the first event. Options must be set before. The first request fails like any other call.
/// Afterwards, a lost connection is reopened. Where WebSockets are blocked, the history is polled about once a second instead,
/// and a WebSocket is tried once a minute. Where a proxy opens WebSockets but forwards nothing, this begins after three of them,
/// each of which takes ten seconds. Dropping the stream closes the connection; the run continues.
#[must_use = "streams do nothing unless polled"]
pub struct FollowStream {
    /// Empty if the program created the stream.
    execution_id: String,
    options: Options,
    state: State,
}

enum State {
    Unsent(Arc<Connection>),
    Begun(Items<ExecutionEvent>),
}

impl FollowStream {
    pub(crate) fn new(connection: &Arc<Connection>, execution_id: String) -> Self {
        Self {
            execution_id,
            options: Options::default(),
            state: State::Unsent(Arc::clone(connection)),
        }
    }

    /// Creates a stream of these events, for example in a test of your program. It sends nothing. The first error is the last
    /// item, as for any stream of this crate.
    pub fn from_stream(
        events: impl Stream<Item = Result<ExecutionEvent, Error>> + Send + 'static,
    ) -> Self {
        Self {
            execution_id: String::new(),
            options: Options::default(),
            state: State::Begun(Items::new(events)),
        }
    }

    /// Sets the timeout of each request for a page of the history, and of each attempt to connect, which takes at most ten
    /// seconds. The stream as a whole has no time limit.
    pub const fn timeout(mut self, timeout: Duration) -> Self {
        self.options.timeout = Some(Some(timeout));
        self
    }

    /// Disables the timeout set by [`timeout`](Self::timeout).
    pub const fn without_timeout(mut self) -> Self {
        self.options.timeout = Some(None);
        self
    }

    /// Sets the timeout of each attempt at a page or a connection. An attempt that times out is retried.
    pub const fn attempt_timeout(mut self, timeout: Duration) -> Self {
        self.options.attempt_timeout = Some(Some(timeout));
        self
    }

    /// Disables the timeout of attempts.
    pub const fn without_attempt_timeout(mut self) -> Self {
        self.options.attempt_timeout = Some(None);
        self
    }

    /// Sets the maximum number of consecutive connections that may be lost without a new event, at least 8. Connections that
    /// lasted longer than the longest retry delay do not count. Until the first page of the history has been read, it is the
    /// maximum number of retries, as for any other call. 0 disables retries.
    pub const fn max_retries(mut self, count: u32) -> Self {
        self.options.max_retries = Some(count);
        self
    }

    /// Adds a header. It overrides an additional header of the client. A `User-Agent` precedes that of this crate. Headers that the
    /// crate or the transport sets are rejected.
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.options.headers.push((name.into(), value.into()));
        self
    }

    /// Returns the next event, or `None` at the end. A failed run is an event, not an error.
    ///
    /// Dropping the future loses no event, so it can be used in `tokio::select!`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::StreamInterrupted`](crate::ErrorKind::StreamInterrupted) if too many connections were lost, or the error of
    /// any other call. The error is the last item.
    pub async fn next(&mut self) -> Option<Result<ExecutionEvent, Error>> {
        StreamExt::next(self).await
    }
}

impl Stream for FollowStream {
    type Item = Result<ExecutionEvent, Error>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        loop {
            match &mut this.state {
                State::Begun(events) => return events.poll_next(context),
                State::Unsent(connection) => {
                    let (connection, id) = (Arc::clone(connection), this.execution_id.clone());
                    let events = follow(connection, id, mem::take(&mut this.options));
                    this.state = State::Begun(Items::new(events));
                }
            }
        }
    }
}

impl FusedStream for FollowStream {
    fn is_terminated(&self) -> bool {
        matches!(&self.state, State::Begun(events) if events.is_over())
    }
}

impl fmt::Debug for FollowStream {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("FollowStream")
            .field("execution_id", &self.execution_id)
            .finish_non_exhaustive()
    }
}
