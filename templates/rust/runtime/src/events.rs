//! The events of a run, as a stream.

use std::collections::VecDeque;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures::stream::{self, BoxStream, Stream, StreamExt};

use crate::connection::Connection;
use crate::error::Error;
use crate::execution::{execution_path, get};
use crate::history::{EventPage, EventQuery, ExecutionEvent};
use crate::options::Options;

/// Which events of a run to read; [`stream`](Self::stream) reads them.
#[must_use = "events are read by stream()"]
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

    /// Reads only events of this kind, or of several when called again: `NODE_COMPLETED`.
    pub fn kind(mut self, kind: impl Into<String>) -> Self {
        self.query.kinds.push(kind.into());
        self
    }

    /// Reads only events of this placement in the flow.
    pub fn node_name(mut self, name: impl Into<String>) -> Self {
        self.query.node_name = Some(name.into());
        self
    }

    /// Sets how many events one request reads, at most 1,000: 100 otherwise.
    pub const fn page_size(mut self, count: u32) -> Self {
        self.query.page_size = Some(count);
        self
    }

    /// Bounds each request.
    pub const fn timeout(mut self, timeout: Duration) -> Self {
        self.options.timeout = Some(Some(timeout));
        self
    }

    /// Reads the events. A request is sent whenever the stream is asked for more than the page that it holds.
    pub fn stream(self) -> EventStream {
        let start = Reader {
            events: self,
            page: VecDeque::new(),
            next: Next::First,
        };
        EventStream(stream::try_unfold(start, Reader::next).boxed())
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

/// The events of a run; ends with the last one so far.
#[must_use = "a stream reads nothing until it is polled"]
pub struct EventStream(BoxStream<'static, Result<ExecutionEvent, Error>>);

impl EventStream {
    /// The next event; `None` behind the last one.
    pub async fn next(&mut self) -> Option<Result<ExecutionEvent, Error>> {
        self.0.next().await
    }
}

impl Stream for EventStream {
    type Item = Result<ExecutionEvent, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_next_unpin(context)
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
}

/// The page to be read when this one is at its end.
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
            let (_, answer) = get(connection, path, options.clone()).await?;
            let page = EventPage::read(&answer)?;
            self.page = page.events.into();
            self.next = page.next_cursor.map_or(Next::None, Next::From);
        }
    }
}
