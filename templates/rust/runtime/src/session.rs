//! Live sessions: concurrent input and output.

use std::fmt;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::task::{Context, Poll, ready};

use futures::stream::{self, FusedStream, Stream, StreamExt};
use http::Method;
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};

use crate::answer::{Answer, text_of};
use crate::call::Call;
use crate::connection::Connection;
use crate::error::{Error, ErrorKind};
use crate::frames::{FrameReader, Streamed};
use crate::items::Items;
use crate::json;
use crate::logical_call::LogicalCall;
use crate::mode::Pipeline;
use crate::node::Node;
use crate::protojson::ProtoJson;
use crate::session_limits::SessionLimits;
use crate::session_task::{Input, SessionState, carry, cut_off};
use crate::socket::Socket;

/// A live session with a pipeline node: messages travel in both directions concurrently.
///
/// It sends messages with [`send`](Self::send), and is the stream of the messages of the node. That stream ends after the last
/// message of the node, or with an error: [`ErrorKind::NodeFailed`], or [`ErrorKind::StreamInterrupted`] with the reason, for
/// example that messages were not read in time. The end of the stream closes the session, after which nothing is sent. A session
/// has no record and cannot be resumed. Dropping it closes it, which cancels the node.
#[must_use = "dropping a session closes it"]
pub struct Session<I, O> {
    sender: SessionSender<I>,
    limits: SessionLimits,
    outputs: Items<O>,
}

/// Sends the messages of a [`Session`], for example from another task.
pub struct SessionSender<I> {
    count: Arc<AtomicUsize>,
    route: Route<I>,
}

/// Receives the messages of a session that sends nothing.
type Taker<I> = Mutex<Box<dyn FnMut(&I) + Send>>;

/// The destination of the messages of a program.
enum Route<I> {
    Socket(mpsc::Sender<Input>, Arc<SessionState>),
    /// A session created by the program. The receiver lives as long as the session.
    Made(Weak<Taker<I>>),
}

impl<I> Route<I> {
    fn state(&self) -> Option<&SessionState> {
        match self {
            Self::Socket(_, state) => Some(state),
            Self::Made(_) => None,
        }
    }
}

impl<I: 'static, O: 'static> Session<I, O> {
    /// Creates a session for a test of your program: `outputs` are the messages of the node, and `on_send` is called with each
    /// message that the program sends. It sends nothing and has no limits. The first error is the last item, as for any stream of
    /// this crate.
    pub fn from_stream(
        outputs: impl Stream<Item = Result<O, Error>> + Send + 'static,
        on_send: impl FnMut(&I) + Send + 'static,
    ) -> Self {
        let taker: Arc<Taker<I>> = Arc::new(Mutex::new(Box::new(on_send)));
        let route = Route::Made(Arc::downgrade(&taker));
        Self {
            sender: SessionSender {
                count: Arc::default(),
                route,
            },
            limits: SessionLimits::default(),
            outputs: Items::new(outputs.map(move |output| {
                let _alive = &taker;
                output
            })),
        }
    }
}

impl<I, O> Session<I, O> {
    /// Returns the id of the session in the log of the service. The session has no record.
    #[must_use]
    pub fn execution_id(&self) -> Option<&str> {
        self.sender.execution_id()
    }

    /// Returns the limits that the service enforces.
    #[must_use]
    pub const fn limits(&self) -> &SessionLimits {
        &self.limits
    }

    /// Returns a handle that only sends. It does not keep the session open.
    #[must_use]
    pub fn sender(&self) -> SessionSender<I> {
        self.sender.clone()
    }

    /// Closes the session, which cancels the node.
    pub fn close(self) {
        drop(self);
    }
}

impl<I: ProtoJson, O> Session<I, O> {
    /// Sends a message: see [`SessionSender::send`].
    ///
    /// # Errors
    ///
    /// See [`SessionSender::send`].
    pub async fn send(&self, input: &I) -> Result<(), Error> {
        self.sender.send(input).await
    }
}

impl<I, O: ProtoJson> Session<I, O> {
    /// Returns the next message of the node, or `None` after the last one.
    ///
    /// Dropping the future loses no message, so it can be used in `tokio::select!`.
    ///
    /// # Errors
    ///
    /// See [`ErrorKind`]. The error is the last item.
    pub async fn next(&mut self) -> Option<Result<O, Error>> {
        StreamExt::next(self).await
    }
}

impl<I> SessionSender<I> {
    fn execution_id(&self) -> Option<&str> {
        self.route.state()?.answer.execution_id()
    }
}

impl<I: ProtoJson> SessionSender<I> {
    /// Sends a message, and waits while the connection is not ready for it. The message may be sent even if the future is
    /// dropped.
    ///
    /// `Ok` means that the connection has accepted the message, not that the node has received it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Message`]: the message cannot be encoded, or is larger than
    /// [`input_message_bytes`](SessionLimits::input_message_bytes); the session stays open. [`ErrorKind::StreamInterrupted`]: the
    /// session has ended; the error has the reason. [`ErrorKind::PayloadTooLarge`]: the service closed it because a message is too
    /// large.
    pub async fn send(&self, input: &I) -> Result<(), Error> {
        let refuse = |problem: fmt::Arguments<'_>| {
            let index = self.count.load(Ordering::Acquire);
            Error::new(
                ErrorKind::Message,
                format!("input message {index}{problem}"),
            )
        };
        let text = json::to_string(input).map_err(|error| refuse(format_args!(": {error}")))?;
        match &self.route {
            Route::Socket(inputs, state) => {
                let size = u64::try_from(text.len()).unwrap_or(u64::MAX);
                let limit = state.limits.input_message_bytes;
                if let Some(limit) = limit.filter(|limit| size > *limit) {
                    return Err(refuse(format_args!(
                        " has {size} bytes of JSON; the service takes {limit}"
                    )));
                }
                let (sent, is_sent) = oneshot::channel();
                let queued = inputs.send(Input { text, sent }).await;
                if queued.is_err() || is_sent.await.is_err() {
                    return Err(state.interruption());
                }
            }
            Route::Made(taker) => {
                let taker = taker.upgrade().ok_or_else(|| {
                    let closed = "the session is closed";
                    Error::new(ErrorKind::StreamInterrupted, closed).permanent()
                })?;
                taker.lock().unwrap_or_else(PoisonError::into_inner)(input);
            }
        }
        self.count.fetch_add(1, Ordering::AcqRel);
        Ok(())
    }
}

impl<I, O: ProtoJson> Stream for Session<I, O> {
    type Item = Result<O, Error>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.get_mut().outputs.poll_next(context)
    }
}

impl<I, O: ProtoJson> FusedStream for Session<I, O> {
    fn is_terminated(&self) -> bool {
        self.outputs.is_over()
    }
}

impl<I> Clone for SessionSender<I> {
    fn clone(&self) -> Self {
        Self {
            count: Arc::clone(&self.count),
            route: match &self.route {
                Route::Socket(inputs, state) => Route::Socket(inputs.clone(), Arc::clone(state)),
                Route::Made(taker) => Route::Made(Weak::clone(taker)),
            },
        }
    }
}

impl<I, O> fmt::Debug for Session<I, O> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Session")
            .field("execution_id", &self.execution_id())
            .finish_non_exhaustive()
    }
}

impl<I> fmt::Debug for SessionSender<I> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("SessionSender")
            .field("execution_id", &self.execution_id())
            .finish_non_exhaustive()
    }
}

/// Opens a live session, and retries if it is lost before the service is ready.
pub fn open<I: 'static, O: ProtoJson + 'static>(
    connection: &Arc<Connection>,
    node: &Node<I, O, Pipeline>,
) -> Call<Session<I, O>> {
    let name = node.name();
    let path = format!("{}/live", node.path());
    Call::new(connection, move |connection, options| async move {
        let mut call = LogicalCall::open(&connection, Method::GET, path, options)?;
        let opened = loop {
            match open_once(&mut call, name).await {
                Ok(opened) => break opened,
                Err(error) => call.wait_to_retry(error).await?,
            }
        };
        let (socket, answer, limits) = opened;
        let response = call.respond((), answer.clone());
        let session = begin(call, socket, answer, limits, name);
        Ok(response.with(session))
    })
}

/// Opens a session and waits until the service is ready. The first message of the service is the body of the answer.
async fn open_once(
    call: &mut LogicalCall,
    name: &str,
) -> Result<(Socket, Answer, SessionLimits), Error> {
    let (mut answer, mut socket) = call.connect(name).await?;
    let ready = call.in_time(socket.incoming.next()).await?;
    answer.body = ready.map_err(|ending| cut_off(call, &ending, &answer))?;
    let fields = answer.object(name)?;
    if fields.get("type").and_then(Value::as_str) != Some("SESSION_READY") {
        return Err(answer.unreadable(name, "the session does not begin with SESSION_READY"));
    }
    answer.about = text_of(&fields, "execution_id");
    call.succeed();
    Ok((socket, answer, SessionLimits::read(&fields)))
}

fn begin<I, O: ProtoJson + 'static>(
    call: LogicalCall,
    socket: Socket,
    answer: Answer,
    limits: SessionLimits,
    name: &'static str,
) -> Session<I, O> {
    let member = Streamed {
        name,
        failure: ErrorKind::NodeFailed,
    };
    let mut reader = FrameReader::new(member, answer.clone(), None);
    let state = Arc::new(SessionState {
        call,
        answer,
        limits: limits.clone(),
        has_stalled: AtomicBool::new(false),
        ending: OnceLock::new(),
    });
    let (inputs, from_sender) = mpsc::channel(1);
    let (to_reader, mut frames) = mpsc::channel(1);
    let shared = Arc::clone(&state);
    let (open, left) = oneshot::channel();
    tokio::spawn(async move { carry(socket, from_sender, to_reader, left, &shared).await });
    let ended = Arc::clone(&state);
    let outputs = stream::poll_fn(move |context| {
        // Held until the end of the stream or of the session. Dropping it closes the connection.
        let _open = &open;
        loop {
            if let Poll::Ready(item) = reader.next() {
                return Poll::Ready(item);
            }
            let Some(frame) = ready!(frames.poll_recv(context)) else {
                let error = ended.interruption();
                ended.call.log_failure(&error);
                return Poll::Ready(Some(Err(error)));
            };
            reader.push(frame);
        }
    });
    Session {
        sender: SessionSender {
            count: Arc::default(),
            route: Route::Socket(inputs, state),
        },
        limits,
        outputs: Items::new(outputs),
    }
}
