//! The event stream of a run.

use std::collections::{HashSet, VecDeque};
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures::stream::{self, FusedStream, Stream, StreamExt};

use crate::connection::Connection;
use crate::error::Error;
use crate::history::{EventPage, EventQuery, ExecutionEvent, execution_path};
use crate::items::Items;
use crate::logical_call::get;
use crate::options::Options;

/// Selects events recorded so far. Read them with [`stream`](Self::stream).
#[must_use = "call stream() to read the events"]
pub struct Events {
    connection: Arc<Connection>,
    execution_id: String,
    query: EventQuery,
    options: Options,
}

impl Events {
    pub(crate) fn new(connection: &Arc<Connection>, execution_id: String) -> Self {
        Self {
            connection: Arc::clone(connection),
            execution_id,
            query: EventQuery::default(),
            options: Options::default(),
        }
    }

    /// Includes events of this kind, for example `NODE_COMPLETED`. Call again to include more kinds.
    pub fn kind(mut self, kind: impl Into<String>) -> Self {
        self.query.kinds.push(kind.into());
        self
    }

    /// Includes only events of the node with this name in the flow.
    pub fn node_name(mut self, name: impl Into<String>) -> Self {
        self.query.node_name = Some(name.into());
        self
    }

    /// Sets the number of events per request, at most 1,000. Defaults to 100.
    pub const fn page_size(mut self, count: u32) -> Self {
        self.query.page_size = Some(count);
        self
    }

    /// Sets the timeout of each request, retries included.
    pub const fn timeout(mut self, timeout: Duration) -> Self {
        self.options.timeout = Some(Some(timeout));
        self
    }

    /// Disables the timeout of requests.
    pub const fn without_timeout(mut self) -> Self {
        self.options.timeout = Some(None);
        self
    }

    /// Sets the timeout of each attempt. An attempt that times out is retried.
    pub const fn attempt_timeout(mut self, timeout: Duration) -> Self {
        self.options.attempt_timeout = Some(Some(timeout));
        self
    }

    /// Disables the timeout of attempts.
    pub const fn without_attempt_timeout(mut self) -> Self {
        self.options.attempt_timeout = Some(None);
        self
    }

    /// Sets the maximum number of retries of each request after a transient failure. 0 disables retries.
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

    /// Returns the events as a stream, which loads pages lazily. It ends at the present and does not wait for further events.
    pub fn stream(self) -> EventStream {
        let start = Reader {
            events: self,
            page: VecDeque::new(),
            next: Next::First,
            named: HashSet::new(),
        };
        EventStream::from_stream(stream::try_unfold(start, Reader::next))
    }
}

impl fmt::Debug for Events {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Events")
            .field("execution_id", &self.execution_id)
            .field("query", &self.query)
            .finish_non_exhaustive()
    }
}

/// A stream of the events of a run so far, oldest first. It ends at the present.
#[must_use = "streams do nothing unless polled"]
pub struct EventStream(Items<ExecutionEvent>);

impl EventStream {
    /// Creates a stream of these events, for example in a test of your program. It sends nothing. The first error is the last
    /// item, as for any stream of this crate.
    pub fn from_stream(
        events: impl Stream<Item = Result<ExecutionEvent, Error>> + Send + 'static,
    ) -> Self {
        Self(Items::new(events))
    }

    /// Returns the next event, or `None` at the end.
    ///
    /// Dropping the future loses no event, so it can be used in `tokio::select!`.
    ///
    /// # Errors
    ///
    /// See [`ErrorKind`](crate::ErrorKind). The error is the last item.
    pub async fn next(&mut self) -> Option<Result<ExecutionEvent, Error>> {
        StreamExt::next(self).await
    }
}

impl Stream for EventStream {
    type Item = Result<ExecutionEvent, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_next(context)
    }
}

impl FusedStream for EventStream {
    fn is_terminated(&self) -> bool {
        self.0.is_over()
    }
}

impl fmt::Debug for EventStream {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("EventStream")
            .finish_non_exhaustive()
    }
}

struct Reader {
    events: Events,
    page: VecDeque<ExecutionEvent>,
    next: Next,
    /// The cursors of all pages so far.
    named: HashSet<String>,
}

/// The next page to read.
enum Next {
    First,
    From(String),
    None,
}

impl Reader {
    async fn next(mut self) -> Result<Option<(ExecutionEvent, Self)>, Error> {
        loop {
            if let Some(event) = self.page.pop_front() {
                return Ok(Some((event, self)));
            }
            let cursor = match &self.next {
                Next::First => None,
                Next::From(cursor) => Some(cursor.as_str()),
                Next::None => return Ok(None),
            };
            let Events {
                connection,
                execution_id,
                query,
                options,
            } = &self.events;
            let path = query.path(&execution_path(execution_id), cursor);
            let (_, answer) = get(connection, execution_id, path, options.clone()).await?;
            let page = EventPage::read(&answer, &mut self.named)?;
            self.page = page.events.into();
            self.next = page.next_cursor.map_or(Next::None, Next::From);
        }
    }
}
