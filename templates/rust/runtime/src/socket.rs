//! WebSockets with the service.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::stream::{SplitSink, SplitStream};
use futures::{SinkExt, StreamExt};
use tokio::time;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{self, Message, Utf8Bytes};

use crate::transport::ByteStream;

/// The silence after which a connection counts as lost. In this time, the service pings WebSockets three times and sends six
/// comments in event streams.
pub const LONGEST_SILENCE: Duration = Duration::from_secs(90);

/// The close code of an orderly end.
const NORMAL: u16 = 1000;

/// The close code for a message that is too large.
const TOO_LARGE: u16 = 1009;

/// The close codes of a service that does not accept what it was sent: a protocol error, unsupported data, malformed data and a
/// policy violation.
const REFUSALS: [u16; 4] = [1002, 1003, 1007, 1008];

type Frames = WebSocketStream<Box<dyn ByteStream>>;

/// A WebSocket with the service. Dropping both halves closes the connection.
pub struct Socket {
    pub incoming: Incoming,
    pub outgoing: Outgoing,
}

impl Socket {
    /// Starts the protocol on a connection whose handshake has succeeded.
    pub async fn over(connection: Box<dyn ByteStream>) -> Self {
        // The service itself limits the size of its messages.
        let config = WebSocketConfig::default()
            .max_message_size(None)
            .max_frame_size(None);
        let frames = Frames::from_raw_socket(connection, Role::Client, Some(config)).await;
        let (outgoing, incoming) = frames.split();
        Self {
            incoming: Incoming(incoming),
            outgoing: Outgoing(outgoing),
        }
    }
}

/// The receiving half of a WebSocket.
pub struct Incoming(SplitStream<Frames>);

impl Incoming {
    /// Returns the next message. Answers pings until it arrives.
    pub async fn next(&mut self) -> Result<Bytes, Ending> {
        self.next_within(LONGEST_SILENCE).await
    }

    /// Like [`next`](Self::next), with a custom limit for the silence.
    pub async fn next_within(&mut self, silence: Duration) -> Result<Bytes, Ending> {
        loop {
            match time::timeout(silence, self.0.next()).await {
                Err(_) => return Err(Ending::Silence),
                Ok(None) => return Err(Ending::Closed(None)),
                Ok(Some(Err(error))) => return Err(Ending::lost(error)),
                Ok(Some(Ok(Message::Close(frame)))) => return Err(Ending::Closed(frame)),
                Ok(Some(Ok(Message::Text(text)))) => return Ok(text.into()),
                Ok(Some(Ok(Message::Binary(data)))) => return Ok(data),
                Ok(Some(Ok(_))) => {}
            }
        }
    }
}

/// The sending half of a WebSocket.
pub struct Outgoing(SplitSink<Frames, Message>);

impl Outgoing {
    /// Sends a message. Returns when the connection has accepted it.
    pub async fn send(&mut self, text: String) -> Result<(), Ending> {
        self.0.send(Message::text(text)).await.map_err(Ending::lost)
    }

    /// Tells the service that nothing more is sent or received.
    pub async fn close(&mut self) -> Result<(), Ending> {
        let frame = CloseFrame {
            code: NORMAL.into(),
            reason: Utf8Bytes::default(),
        };
        let closing = self.0.send(Message::Close(Some(frame)));
        closing.await.map_err(Ending::lost)
    }
}

/// Why a WebSocket has ended.
#[derive(Clone, Debug)]
pub enum Ending {
    /// The service closed the connection.
    Closed(Option<CloseFrame>),
    /// The connection was lost.
    Lost(Arc<tungstenite::Error>),
    /// The connection was lost after the program had not read a message for longer than the service allows.
    Stalled {
        cause: Arc<tungstenite::Error>,
        limit: Duration,
    },
    /// Nothing arrived for too long, not even a ping.
    Silence,
}

impl Ending {
    fn lost(error: tungstenite::Error) -> Self {
        Self::Lost(Arc::new(error))
    }

    /// Reports whether the service closed the connection normally.
    pub fn is_normal(&self) -> bool {
        self.code() == Some(NORMAL)
    }

    /// Reports whether the service closed the connection because a message was too large.
    pub fn is_too_large(&self) -> bool {
        self.code() == Some(TOO_LARGE)
    }

    /// Reports whether the service closed the connection because it does not accept what it was sent.
    pub fn is_refusal(&self) -> bool {
        self.code().is_some_and(|code| REFUSALS.contains(&code))
    }

    fn code(&self) -> Option<u16> {
        match self {
            Self::Closed(frame) => frame.as_ref().map(|frame| frame.code.into()),
            _ => None,
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Closed(Some(CloseFrame { code, reason })) => {
                let code = u16::from(*code);
                let shown = format!("the service closed with {code} {reason}");
                formatter.write_str(shown.trim_end())
            }
            Self::Closed(None) => formatter.write_str("the service closed without a code"),
            Self::Lost(_) => formatter.write_str("the connection was lost"),
            Self::Stalled { limit, .. } => {
                let seconds = limit.as_secs();
                write!(
                    formatter,
                    "the connection was lost; messages were not read for longer than the {seconds} s that the service allows"
                )
            }
            Self::Silence => {
                let seconds = LONGEST_SILENCE.as_secs();
                write!(formatter, "the connection was silent for {seconds} seconds")
            }
        }
    }
}
