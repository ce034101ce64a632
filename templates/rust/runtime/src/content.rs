//! What requests carry, and what their responses open.

use bytes::Bytes;

use crate::answer::Answer;
use crate::socket::Socket;
use crate::transport::Body;

/// Body of a request.
pub enum Content {
    Whole(Bytes),
    /// Lines of JSON, produced while they are sent.
    Lines(Body),
    /// None, and the connection becomes a WebSocket.
    Socket,
}

/// A response, and what is open behind its head.
pub type Received = (Answer, Opened);

/// What is open behind the head of a response.
pub enum Opened {
    /// Nothing: the response is complete.
    Nothing,
    /// The rest of the response, which is read before it is given.
    Body(Body),
    /// The body of an event stream that the call accepts.
    Stream(Body),
    Socket(Box<Socket>),
}
