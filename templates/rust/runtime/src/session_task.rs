//! The task that carries the messages of a live session.

use std::pin::pin;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use futures::future::{self, Either};
use tokio::sync::mpsc::error::SendError;
use tokio::sync::{mpsc, oneshot};
use tokio::time;

use crate::answer::Answer;
use crate::error::{Error, ErrorKind};
use crate::logical_call::LogicalCall;
use crate::session_limits::SessionLimits;
use crate::socket::{Ending, Incoming, LONGEST_SILENCE, Outgoing, Socket};

/// The time within which the cause of a failed write may arrive. The cause may follow a message that is never received.
const CAUSE_DELAY: Duration = Duration::from_secs(1);

/// The time to tell the service that the program closes the session, even if the connection accepts no data.
const CLOSING_DELAY: Duration = Duration::from_secs(1);

/// A message in flight, and the sender that waits until it is sent.
pub struct Input {
    pub text: String,
    pub sent: oneshot::Sender<()>,
}

/// The state of a session.
pub struct SessionState {
    pub call: LogicalCall,
    /// The response that opened the session.
    pub answer: Answer,
    pub limits: SessionLimits,
    /// Whether the program has left a message unread for longer than the service allows.
    pub has_stalled: AtomicBool,
    /// Why the session has ended.
    pub ending: OnceLock<Ending>,
}

impl SessionState {
    /// Records why the session has ended, unless that is already known.
    fn end(&self, ending: Ending) {
        let stall = self.limits.stall;
        let stall = stall.filter(|_| self.has_stalled.load(Ordering::Relaxed));
        self.ending.get_or_init(|| match (ending, stall) {
            // The service has given up on the program, but its reason is lost behind unread messages.
            (Ending::Lost(cause), Some(limit)) => Ending::Stalled { cause, limit },
            (ending, _) => ending,
        });
    }

    /// Explains why the session has ended before its last message.
    pub fn interruption(&self) -> Error {
        match self.ending.get() {
            Some(ending) => cut_off(&self.call, ending, &self.answer),
            None => self
                .answer
                .unfinished(ErrorKind::StreamInterrupted, "the session is closed")
                .permanent(),
        }
    }
}

/// Returns the error for a session that has ended prematurely.
pub fn cut_off(call: &LogicalCall, ending: &Ending, answer: &Answer) -> Error {
    if ending.is_too_large() {
        let message = format!("an input message is too large: {ending}");
        return answer.unfinished(ErrorKind::PayloadTooLarge, message);
    }
    let error = call.cut_off("the session was", ending, answer);
    match ending.is_refusal() {
        true => error.permanent(),
        false => error,
    }
}

/// Carries messages in both directions until the session has ended or the program has `left` it. In the latter case, the service
/// is notified and nothing more is sent. Messages are received before they are requested, so that pings are answered, but only
/// one is read ahead.
pub async fn carry(
    mut socket: Socket,
    inputs: mpsc::Receiver<Input>,
    frames: mpsc::Sender<Bytes>,
    left: oneshot::Receiver<()>,
    state: &SessionState,
) {
    let has_left = {
        let talking = pin!(talk(&mut socket, inputs, frames, state));
        matches!(future::select(left, talking).await, Either::Left(_))
    };
    if has_left {
        // The connection ends either way.
        let _ = time::timeout(CLOSING_DELAY, socket.outgoing.close()).await;
    }
}

async fn talk(
    socket: &mut Socket,
    inputs: mpsc::Receiver<Input>,
    frames: mpsc::Sender<Bytes>,
    state: &SessionState,
) {
    let Unsent { failure, waiting } = {
        let sending = pin!(send_all(&mut socket.outgoing, inputs));
        let receiving = pin!(receive_all(
            &mut socket.incoming,
            &frames,
            LONGEST_SILENCE,
            state
        ));
        match future::select(sending, receiving).await {
            Either::Left((unsent, _)) => unsent,
            Either::Right((ending, _)) => {
                // Record the ending first: the end of this function wakes those that wait for a message or for a send.
                state.end(ending);
                return;
            }
        }
    };
    let mut rest = pin!(receive_all(
        &mut socket.incoming,
        &frames,
        CAUSE_DELAY,
        state
    ));
    let cause = time::timeout(CAUSE_DELAY, rest.as_mut()).await;
    let has_more = cause.is_err();
    let ending = match cause {
        Ok(Ending::Silence) | Err(_) => failure,
        Ok(cause) => cause,
    };
    state.end(ending);
    drop(waiting);
    // The program reads the messages that have arrived at its own pace.
    if has_more {
        rest.await;
    }
}

/// A message that could not be sent.
struct Unsent {
    failure: Ending,
    /// The senders that wait until their messages are sent.
    waiting: (oneshot::Sender<()>, mpsc::Receiver<Input>),
}

async fn send_all(outgoing: &mut Outgoing, mut inputs: mpsc::Receiver<Input>) -> Unsent {
    while let Some(Input { text, sent }) = inputs.recv().await {
        if let Err(failure) = outgoing.send(text).await {
            let waiting = (sent, inputs);
            return Unsent { failure, waiting };
        }
        // The sender may have stopped waiting.
        let _ = sent.send(());
    }
    future::pending().await
}

async fn receive_all(
    incoming: &mut Incoming,
    frames: &mpsc::Sender<Bytes>,
    silence: Duration,
    state: &SessionState,
) -> Ending {
    while let Ok(permit) = until_read(frames, state).await {
        match incoming.next_within(silence).await {
            Ok(frame) => permit.send(frame),
            Err(ending) => return ending,
        }
    }
    future::pending().await
}

/// Waits until the program has read the previous message, and records if that takes longer than the service allows.
async fn until_read<'a>(
    frames: &'a mpsc::Sender<Bytes>,
    state: &SessionState,
) -> Result<mpsc::Permit<'a, Bytes>, SendError<()>> {
    let mut reading = pin!(frames.reserve());
    if let Some(limit) = state.limits.stall {
        match time::timeout(limit, reading.as_mut()).await {
            Ok(read) => return read,
            Err(_) => state.has_stalled.store(true, Ordering::Relaxed),
        }
    }
    reading.await
}
