//! Following a run: its history, then new events.

use std::collections::{HashSet, VecDeque};
use std::mem;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::stream::{self, BoxStream, StreamExt};
use http::Method;
use tokio::time::{self, Instant};

use crate::answer::Answer;
use crate::connection::Connection;
use crate::error::{Error, ErrorKind, explain};
use crate::history::{EventPage, EventQuery, ExecutionEvent, ExecutionRecord, execution_path};
use crate::known_events::KnownEvents;
use crate::log::LogStep;
use crate::logical_call::{LogicalCall, get};
use crate::options::Options;
use crate::random::random_delay;
use crate::socket::{Ending, Socket};
use crate::wait::{FIRST_POLL_DELAY, bound_attempts};

const NAME: &str = "follow";

/// The maximum number of events in a page.
const LARGEST_PAGE: u32 = 1_000;

/// The number of consecutive blocked sockets after which the pages are polled instead.
const BLOCKED_SOCKETS: u32 = 3;

/// The maximum delay between two polls of the history.
const PAGE_DELAY: Duration = Duration::from_secs(1);

/// How long the pages are polled before a socket is tried again.
const SOCKET_DELAY: Duration = Duration::from_secs(60);

/// How long a socket must be ready to reset the retry count, even without retry delays.
const LEAST_LASTING: Duration = Duration::from_millis(100);

/// How long a socket may take until the service is ready. A proxy may open a socket but forward nothing.
const LONGEST_OPENING: Duration = Duration::from_secs(10);

/// Returns the events of a run until it has ended: the stored events, then those of a WebSocket. After a lost connection, they
/// resume where they stopped.
pub fn follow(
    connection: Arc<Connection>,
    execution_id: String,
    options: Options,
) -> BoxStream<'static, Result<ExecutionEvent, Error>> {
    let begin = async { Follower::new(connection, execution_id, options) };
    let events = stream::once(begin).map(|follower| match follower {
        Ok(follower) => stream::try_unfold(follower, Follower::step).boxed(),
        Err(error) => stream::iter([Err(error)]).boxed(),
    });
    events.flatten().boxed()
}

struct Follower {
    connection: Arc<Connection>,
    execution_id: String,
    options: Options,
    /// Opens the WebSockets. Consecutive lost ones are the attempts of one call.
    call: LogicalCall,
    /// The events returned so far, and their number when the last connection was lost.
    seen: KnownEvents,
    known: u64,
    /// The cursor of the last page.
    cursor: Option<String>,
    /// The cursors of all pages so far.
    cursors: HashSet<String>,
    /// Whether a page has been read. Until then, failures are handled as in any call.
    has_begun: bool,
    /// Whether all pages have been read once.
    has_read: bool,
    /// Whether the last WebSocket was closed normally, as at the end of a run.
    is_closed: bool,
    /// Whether the record says that the run has ended, so that the pages contain all events.
    has_ended: bool,
    /// When the current WebSocket became ready; `None` once it is lost.
    ready: Option<Instant>,
    /// The number of consecutive blocked WebSockets.
    blocked: u32,
    /// When a WebSocket is tried again. Until then, the pages are polled.
    next_socket: Option<Instant>,
    /// Events that have not been returned yet.
    events: VecDeque<ExecutionEvent>,
    next: Next,
}

/// The next step after the new events.
enum Next {
    /// Read a page, and after the last one continue with the socket.
    Page(Option<Box<Listener>>),
    Connect,
    Listen(Box<Listener>),
    /// Poll the pages, because WebSockets are blocked.
    Poll,
    /// The run has ended.
    Nothing,
}

/// An open WebSocket.
struct Listener {
    socket: Socket,
    /// The response that opened the socket; its body is the last message.
    answer: Answer,
    is_first: bool,
    /// An event that is held back until the pages before it have been read again.
    held: Option<ExecutionEvent>,
}

impl Follower {
    fn new(
        connection: Arc<Connection>,
        execution_id: String,
        options: Options,
    ) -> Result<Self, Error> {
        let path = format!("/invocations/v1/debug-stream?session_id={execution_id}&decode=true");
        let limits = [
            options.timeout(&connection.settings)?,
            options.attempt_timeout(&connection.settings)?,
            Some(LONGEST_OPENING),
        ];
        // Following a run has no overall time limit.
        let persistent = Options {
            timeout: Some(None),
            attempt_timeout: Some(limits.into_iter().flatten().min()),
            ..options.clone()
        };
        let mut call = LogicalCall::open(&connection, Method::GET, path, persistent)?;
        call.retries_upgrade = true;
        call.outlast();
        Ok(Self {
            call: call.about(&execution_id),
            connection,
            execution_id,
            options,
            seen: KnownEvents::default(),
            known: 0,
            cursor: None,
            cursors: HashSet::new(),
            has_begun: false,
            has_read: false,
            is_closed: false,
            has_ended: false,
            ready: None,
            blocked: 0,
            next_socket: None,
            events: VecDeque::new(),
            next: Next::Page(None),
        })
    }

    async fn step(mut self) -> Result<Option<(ExecutionEvent, Self)>, Error> {
        loop {
            if let Some(event) = self.events.pop_front() {
                if event.is_last() {
                    self.events.clear();
                    self.next = Next::Nothing;
                }
                return Ok(Some((event, self)));
            }
            self.next = match mem::replace(&mut self.next, Next::Nothing) {
                Next::Page(listener) => self.read_page(listener).await?,
                Next::Connect => self.connect().await?,
                Next::Listen(listener) => self.listen(listener).await?,
                Next::Poll => self.poll().await?,
                Next::Nothing => return Ok(None),
            };
        }
    }

    async fn read_page(&mut self, listener: Option<Box<Listener>>) -> Result<Next, Error> {
        let query = EventQuery {
            page_size: Some(LARGEST_PAGE),
            ..EventQuery::default()
        };
        let path = query.path(&execution_path(&self.execution_id), self.cursor.as_deref());
        let answer = match self.get(path).await {
            Ok(answer) => answer,
            Err(error) if self.has_begun && may_reconnect(&error) => {
                drop(listener);
                return self.resume_after(error).await;
            }
            Err(error) => return Err(error),
        };
        let page = EventPage::read(&answer, &mut self.cursors)?;
        self.has_begun = true;
        for event in page.events {
            // An event without an id predates event ids, so only the first pass over the pages returns it.
            if event.ulid.is_empty() && !self.has_read {
                self.events.push_back(event);
            } else {
                self.give(event);
            }
        }
        if let Some(cursor) = page.next_cursor {
            self.cursor = Some(cursor);
            return Ok(Next::Page(listener));
        }
        self.has_read = true;
        if self.has_ended {
            return Ok(Next::Nothing);
        }
        let Some(mut listener) = listener else {
            let is_polled = self.next_socket.is_some_and(|next| Instant::now() < next);
            return Ok(match is_polled {
                true => Next::Poll,
                false => Next::Connect,
            });
        };
        if let Some(event) = listener.held.take() {
            self.give(event);
        }
        Ok(Next::Listen(listener))
    }

    /// Opens the WebSocket, and falls back to polling if it is blocked.
    async fn connect(&mut self) -> Result<Next, Error> {
        let error = match self.open().await {
            Ok(listener) => {
                self.ready = Some(Instant::now());
                self.blocked = 0;
                self.next_socket = None;
                return Ok(Next::Listen(Box::new(listener)));
            }
            Err(error) => error,
        };
        if self.next_socket.is_none() {
            let is_blocked = error.is_retryable() || error.is_socket_blocked();
            if is_blocked && self.call.has_retries() {
                self.blocked += 1;
            }
            if self.blocked < BLOCKED_SOCKETS {
                return self.resume_after(error).await;
            }
            let reason = explain(&error);
            let step = || LogStep::ReadingPages { reason };
            self.call
                .log(self.call.attempts, Some(&self.execution_id), step);
            time::sleep(random_delay(FIRST_POLL_DELAY)).await;
        }
        self.next_socket = Some(Instant::now() + SOCKET_DELAY);
        Ok(Next::Page(None))
    }

    /// Waits before the pages are polled again, unless the run has ended. If the run has no last event, only its record says so.
    async fn poll(&mut self) -> Result<Next, Error> {
        if self.seen.count() == self.known {
            match self.check_end().await {
                Ok(true) => return Ok(Next::Page(None)),
                Ok(false) => {}
                Err(error) if may_reconnect(&error) => return self.resume_after(error).await,
                Err(error) => return Err(error),
            }
        }
        self.call.forget_retries();
        self.known = self.seen.count();
        time::sleep(random_delay(PAGE_DELAY)).await;
        Ok(Next::Page(None))
    }

    /// Returns the open socket.
    async fn open(&mut self) -> Result<Listener, Error> {
        let (answer, socket) = self.call.connect(NAME).await?;
        let mut listener = Listener {
            socket,
            answer,
            is_first: true,
            held: None,
        };
        let received = self.call.in_time(listener.socket.incoming.next()).await;
        let ready = received.map_err(|error| error.about(&self.execution_id))?;
        self.read(&mut listener, ready)?;
        self.call.succeed();
        Ok(listener)
    }

    async fn listen(&mut self, mut listener: Box<Listener>) -> Result<Next, Error> {
        let received = listener.socket.incoming.next().await;
        let event = match self.read(&mut listener, received) {
            Ok(event) => event,
            Err(error) => {
                drop(listener);
                if !self.is_closed {
                    self.call.log_failure(&error);
                }
                return self.resume_after(error).await;
            }
        };
        let is_first = mem::replace(&mut listener.is_first, false);
        let is_known = event.ulid.is_empty() || self.seen.has(&event.ulid);
        if is_first && !is_known {
            // Further events may have been stored between the last page and this event.
            listener.held = Some(event);
            return Ok(Next::Page(Some(listener)));
        }
        self.give(event);
        Ok(Next::Listen(listener))
    }

    /// Reads the received event.
    fn read(
        &mut self,
        listener: &mut Listener,
        received: Result<Bytes, Ending>,
    ) -> Result<ExecutionEvent, Error> {
        let answer = &mut listener.answer;
        match received {
            Ok(message) => {
                answer.body = message;
                Ok(ExecutionEvent::from_json(answer.object(NAME)?))
            }
            Err(ending) => {
                self.is_closed = ending.is_normal();
                Err(self.call.cut_off("the events were", &ending, answer))
            }
        }
    }

    /// Adds an event unless it is known. An event without an id counts as known, because it predates event ids.
    fn give(&mut self, event: ExecutionEvent) {
        if !event.ulid.is_empty() && self.seen.add(&event.ulid) {
            self.events.push_back(event);
        }
    }

    /// Waits after a lost connection, unless the run has ended. A connection that delivered a new event, or lasted longer than
    /// the longest delay, counts as a success.
    async fn resume_after(&mut self, error: Error) -> Result<Next, Error> {
        let error = if mem::take(&mut self.is_closed) {
            match self.check_end().await {
                Ok(true) => return Ok(Next::Page(None)),
                Ok(false) => error,
                Err(unread) if may_reconnect(&unread) => unread,
                Err(unread) => return Err(unread),
            }
        } else {
            error
        };
        let longest = self.connection.settings.max_retry_delay;
        let ready = self.ready.take();
        let has_lasted = ready.is_some_and(|ready| ready.elapsed() > longest.max(LEAST_LASTING));
        if has_lasted || self.seen.count() > self.known {
            self.call.forget_retries();
        }
        self.known = self.seen.count();
        self.call.wait_to_retry(error).await?;
        Ok(Next::Page(None))
    }

    /// Reads the record of the run, and reports whether the run has ended. A proxy may also close a socket normally.
    async fn check_end(&mut self) -> Result<bool, Error> {
        let answer = self.get(execution_path(&self.execution_id)).await?;
        self.has_ended = ExecutionRecord::read(NAME, &answer)?.is_terminal();
        Ok(self.has_ended)
    }

    /// Sends a request for a page or the record. After the first page, it is not retried, because the next connection serves as
    /// its retry.
    async fn get(&self, path: String) -> Result<Answer, Error> {
        let mut options = self.options.clone();
        if self.has_begun {
            options.max_retries = Some(0);
            bound_attempts(&mut options, &self.connection.settings)?;
        }
        let (_, answer) = get(&self.connection, &self.execution_id, path, options).await?;
        Ok(answer)
    }
}

/// Reports whether following continues after this failure of a page or the record, unless the service asks for too long a delay.
fn may_reconnect(error: &Error) -> bool {
    error.is_transient() || error.kind() == ErrorKind::TimedOut
}
