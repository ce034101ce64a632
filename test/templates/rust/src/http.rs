//! Transports and log events.

pub use http::header::{HeaderMap, HeaderName, HeaderValue};
pub use http::{Method, Request, Response, StatusCode, Uri};

pub use crate::log::{LogEvent, LogStep};
pub use crate::transport::{Body, BoxFuture, ByteStream, Transport, TransportError, Upgraded};
