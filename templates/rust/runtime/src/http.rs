//! Transports and log events.

pub use reqwest::header::HeaderMap;
pub use reqwest::{Method, StatusCode, Url};

pub use crate::log::{LogEvent, LogStep};
pub use crate::transport::{
    BodyStream, BoxFuture, HttpRequest, HttpResponse, Transport, TransportError,
};
