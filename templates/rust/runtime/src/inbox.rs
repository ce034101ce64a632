//! The pauses of all runs.

use std::collections::{HashSet, VecDeque};
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use futures::stream::{self, FusedStream, Stream, StreamExt};
use http::Method;
use reqwest::Url;

use crate::connection::Connection;
use crate::error::Error;
use crate::items::Items;
use crate::logical_call::LogicalCall;
use crate::options::Options;
use crate::pause::{Pause, PausePage, PauseStatus};

const PATH: &str = "/invocations/v1/pauses";

/// Selects pauses of all runs. Read them with [`stream`](Self::stream).
#[must_use = "call stream() to read the pauses"]
pub struct Pauses {
    connection: Arc<Connection>,
    statuses: Vec<PauseStatus>,
    page_size: Option<u32>,
    options: Options,
}

impl Pauses {
    pub(crate) fn new(connection: &Arc<Connection>) -> Self {
        Self {
            connection: Arc::clone(connection),
            statuses: Vec::new(),
            page_size: None,
            options: Options::default(),
        }
    }

    /// Includes pauses of this status. Call again to include more statuses. [`PauseStatus::Waiting`] selects the open questions.
    pub fn status(mut self, status: PauseStatus) -> Self {
        self.statuses.push(status);
        self
    }

    /// Sets the number of pauses per request, at most 1,000. Defaults to 100.
    pub const fn page_size(mut self, count: u32) -> Self {
        self.page_size = Some(count);
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

    /// Returns the pauses as a stream, newest first, which loads pages lazily.
    pub fn stream(self) -> PauseStream {
        let start = Reader {
            pauses: self,
            page: VecDeque::new(),
            next: Next::First,
            named: HashSet::new(),
        };
        PauseStream::from_stream(stream::try_unfold(start, Reader::next))
    }

    /// Returns the path and query of a page.
    fn path(&self, cursor: Option<&str>) -> String {
        // Only the query of this URL is used.
        let mut url = Url::parse("http://localhost").expect("the address is well-formed");
        let mut query = url.query_pairs_mut();
        for status in &self.statuses {
            query.append_pair("status", status.as_str());
        }
        if let Some(size) = self.page_size {
            query.append_pair("limit", &size.to_string());
        }
        if let Some(cursor) = cursor {
            query.append_pair("cursor", cursor);
        }
        drop(query);
        match url.query() {
            Some(query) if !query.is_empty() => format!("{PATH}?{query}"),
            _ => PATH.to_owned(),
        }
    }
}

impl fmt::Debug for Pauses {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Pauses")
            .field("statuses", &self.statuses)
            .field("page_size", &self.page_size)
            .finish_non_exhaustive()
    }
}

/// A stream of the pauses of all runs, newest first.
#[must_use = "streams do nothing unless polled"]
pub struct PauseStream(Items<Pause>);

impl PauseStream {
    /// Creates a stream of these pauses, for example in a test of your program. It sends nothing. The first error is the last
    /// item, as for any stream of this crate.
    pub fn from_stream(pauses: impl Stream<Item = Result<Pause, Error>> + Send + 'static) -> Self {
        Self(Items::new(pauses))
    }

    /// Returns the next pause, or `None` at the end.
    ///
    /// Dropping the future loses no pause, so it can be used in `tokio::select!`.
    ///
    /// # Errors
    ///
    /// See [`ErrorKind`](crate::ErrorKind). The error is the last item.
    pub async fn next(&mut self) -> Option<Result<Pause, Error>> {
        StreamExt::next(self).await
    }
}

impl Stream for PauseStream {
    type Item = Result<Pause, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_next(context)
    }
}

impl FusedStream for PauseStream {
    fn is_terminated(&self) -> bool {
        self.0.is_over()
    }
}

impl fmt::Debug for PauseStream {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("PauseStream")
            .finish_non_exhaustive()
    }
}

struct Reader {
    pauses: Pauses,
    page: VecDeque<Pause>,
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
    async fn next(mut self) -> Result<Option<(Pause, Self)>, Error> {
        loop {
            if let Some(pause) = self.page.pop_front() {
                return Ok(Some((pause, self)));
            }
            let cursor = match &self.next {
                Next::First => None,
                Next::From(cursor) => Some(cursor.as_str()),
                Next::None => return Ok(None),
            };
            let path = self.pauses.path(cursor);
            let (connection, options) = (&self.pauses.connection, self.pauses.options.clone());
            let mut call = LogicalCall::open(connection, Method::GET, path, options)?;
            let answer = call.send(Bytes::new()).await?;
            let page = PausePage::read(&answer, &mut self.named)?;
            self.page = page.pauses.into();
            self.next = page.next_cursor.map_or(Next::None, Next::From);
        }
    }
}
