//! Complete responses.

use bytes::Bytes;
use reqwest::header::HeaderMap;

/// A successful response: the typed value plus status, headers and body.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Response<T> {
    /// HTTP status code.
    pub status: u16,
    /// Headers.
    pub headers: HeaderMap,
    /// Raw response body.
    pub body: Bytes,
    /// Return value of the call.
    pub value: T,
    /// Id of the execution that the call created.
    pub execution_id: Option<String>,
    /// Number of attempts, including the first.
    pub attempts: u32,
    /// Key sent with every attempt.
    pub idempotency_key: String,
}
