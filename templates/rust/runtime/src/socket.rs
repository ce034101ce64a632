//! WebSockets with the service.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use futures::StreamExt;
use tokio::time;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};

use crate::box_error::BoxError;
use crate::transport::ByteStream;

/// Silence after which a connection is taken for lost. The service pings three times as often.
const LONGEST_SILENCE: Duration = Duration::from_secs(90);

/// Close code of an orderly end.
const NORMAL: u16 = 1000;

/// A WebSocket with the service. Dropping it closes the connection.
pub struct Socket {
    frames: WebSocketStream<Box<dyn ByteStream>>,
}

impl Socket {
    /// Speaks the protocol over a connection whose handshake has succeeded.
    pub async fn over(connection: Box<dyn ByteStream>) -> Self {
        // The service limits what it sends.
        let config = WebSocketConfig::default()
            .max_message_size(None)
            .max_frame_size(None);
        let frames = WebSocketStream::from_raw_socket(connection, Role::Client, Some(config));
        Self {
            frames: frames.await,
        }
    }

    /// Returns the next message, and answers pings until it arrives.
    pub async fn next(&mut self) -> Result<Bytes, Ending> {
        loop {
            match time::timeout(LONGEST_SILENCE, self.frames.next()).await {
                Err(_) => return Err(Ending::Silence),
                Ok(None) => return Err(Ending::Closed(None)),
                Ok(Some(Err(error))) => return Err(Ending::Lost(error.into())),
                Ok(Some(Ok(Message::Close(frame)))) => return Err(Ending::Closed(frame)),
                Ok(Some(Ok(Message::Text(text)))) => return Ok(text.into()),
                Ok(Some(Ok(Message::Binary(data)))) => return Ok(data),
                Ok(Some(Ok(_))) => {}
            }
        }
    }
}

impl fmt::Debug for Socket {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Socket").finish_non_exhaustive()
    }
}

/// Why a WebSocket has ended.
#[derive(Debug)]
pub enum Ending {
    /// The service closed it.
    Closed(Option<CloseFrame>),
    /// The connection was lost.
    Lost(BoxError),
    /// Nothing arrived for too long, not even a ping.
    Silence,
}

impl Ending {
    /// Reports whether the service closed it in order.
    pub fn is_normal(&self) -> bool {
        matches!(self, Self::Closed(Some(frame)) if u16::from(frame.code) == NORMAL)
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Closed(Some(CloseFrame { code, reason })) if reason.is_empty() => {
                write!(formatter, "the service closed with {}", u16::from(*code))
            }
            Self::Closed(Some(CloseFrame { code, reason })) => {
                let code = u16::from(*code);
                write!(formatter, "the service closed with {code} {reason}")
            }
            Self::Closed(None) => formatter.write_str("the service closed without a code"),
            Self::Lost(_) => formatter.write_str("the connection was lost"),
            Self::Silence => {
                let seconds = LONGEST_SILENCE.as_secs();
                write!(formatter, "the connection was silent for {seconds} seconds")
            }
        }
    }
}
