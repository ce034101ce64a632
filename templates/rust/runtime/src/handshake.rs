//! The handshake of a WebSocket, and the error of one that has ended.

use std::sync::Arc;

use http::header::{self, HeaderMap, HeaderValue};
use tokio_tungstenite::tungstenite::handshake::client::generate_key;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;

use crate::answer::Answer;
use crate::content::{Content, Opened};
use crate::error::{Error, ErrorKind};
use crate::logical_call::LogicalCall;
use crate::socket::{Ending, Socket};

/// A handshake. Its response proves that the service speaks the protocol.
pub struct Handshake {
    key: String,
}

impl Handshake {
    pub fn new() -> Self {
        Self {
            key: generate_key(),
        }
    }

    /// Adds the headers of the request.
    pub fn ask(&self, headers: &mut HeaderMap) {
        let key = HeaderValue::from_str(&self.key).expect("base64 is a header value");
        headers.extend([
            (header::CONNECTION, HeaderValue::from_static("Upgrade")),
            (header::UPGRADE, HeaderValue::from_static("websocket")),
            (
                header::SEC_WEBSOCKET_VERSION,
                HeaderValue::from_static("13"),
            ),
            (header::SEC_WEBSOCKET_KEY, key),
        ]);
    }

    /// Reports whether the headers of the response accept the handshake.
    pub fn is_accepted(&self, headers: &HeaderMap) -> bool {
        let proof = derive_accept_key(self.key.as_bytes());
        headers
            .get(header::SEC_WEBSOCKET_ACCEPT)
            .is_some_and(|given| given.as_bytes() == proof.as_bytes())
    }
}

impl LogicalCall {
    /// Makes one attempt to open a WebSocket.
    ///
    /// # Errors
    ///
    /// The service rejected the handshake, or the connection was lost.
    pub async fn connect(&mut self, name: &str) -> Result<(Answer, Socket), Error> {
        match self.attempt(|_| Content::Socket).await? {
            (answer, Opened::Socket(socket)) => Ok((answer, *socket)),
            (answer, _) => Err(answer.unreadable(name, "not a WebSocket")),
        }
    }

    /// Returns the error for a WebSocket that has ended prematurely. `what` names what was lost.
    pub fn cut_off(&self, what: &str, ending: &Ending, answer: &Answer) -> Error {
        let message = format!("{what} cut off: {ending}");
        let error = answer.unfinished(ErrorKind::StreamInterrupted, message);
        match ending {
            Ending::Lost(cause) | Ending::Stalled { cause, .. } => {
                error.with_source(self.redacted(Arc::clone(cause)))
            }
            _ => error,
        }
    }
}
