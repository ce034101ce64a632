//! Complete responses.

use std::fmt;

use bytes::Bytes;
use http::StatusCode;
use http::header::HeaderMap;

/// A successful response: the typed value plus status, headers and body. Nothing in it is redacted.
#[derive(Clone)]
#[non_exhaustive]
pub struct Response<T> {
    /// HTTP status code.
    pub status: StatusCode,
    /// Headers as received.
    pub headers: HeaderMap,
    /// Response body as received, decompressed.
    pub body: Bytes,
    /// Return value of the call.
    pub value: T,
    /// Id of the execution that the call created or concerns.
    pub execution_id: Option<String>,
    /// Id of the request in the log of the service.
    pub request_id: Option<String>,
    /// Number of attempts of the request that led to this response, including the first. Earlier requests of a wait do not count.
    pub attempts: u32,
    /// Idempotency key sent with every attempt. For a wait, it is the key that started the run, if known.
    pub idempotency_key: String,
}

impl<T> Response<T> {
    /// Creates a response with the status 200, for example in a test of your program. Set the other fields as you need them.
    #[must_use]
    pub fn new(value: T) -> Self {
        Self {
            status: StatusCode::OK,
            headers: HeaderMap::new(),
            body: Bytes::new(),
            value,
            execution_id: None,
            request_id: None,
            attempts: 1,
            idempotency_key: String::new(),
        }
    }

    /// Replaces the value.
    pub(crate) fn with<U>(self, value: U) -> Response<U> {
        Response {
            status: self.status,
            headers: self.headers,
            body: self.body,
            value,
            execution_id: self.execution_id,
            request_id: self.request_id,
            attempts: self.attempts,
            idempotency_key: self.idempotency_key,
        }
    }
}

/// Shows the size of the body, which may contain secrets that the value does not show.
impl<T: fmt::Debug> fmt::Debug for Response<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Response")
            .field("status", &self.status)
            .field("headers", &self.headers)
            .field("body", &format_args!("{} bytes", self.body.len()))
            .field("value", &self.value)
            .field("execution_id", &self.execution_id)
            .field("request_id", &self.request_id)
            .field("attempts", &self.attempts)
            .field("idempotency_key", &self.idempotency_key)
            .finish()
    }
}
