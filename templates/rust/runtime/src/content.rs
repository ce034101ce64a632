//! Contents of requests and responses.

use bytes::Bytes;

use crate::answer::Answer;
use crate::socket::Socket;
use crate::transport::Body;

/// Body of a request.
pub enum Content {
    Whole(Bytes),
    /// Lines of JSON, produced while they are sent.
    Lines(Body),
    /// No body; the connection becomes a WebSocket.
    Socket,
}

/// A response, and the part that is still open after its head.
pub type Received = (Answer, Opened);

/// The part of a response that is still open after its head.
pub enum Opened {
    /// Nothing: the response is complete.
    Nothing,
    /// The rest of the response, which is read before it is returned.
    Body(Body),
    /// The body of an event stream that the call accepts.
    Stream(Body),
    Socket(Box<Socket>),
}
