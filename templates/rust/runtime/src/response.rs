//! An answer with everything that came along.

use bytes::Bytes;
use reqwest::header::HeaderMap;

/// A successful answer: status, headers and body beside the typed value.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Response<T> {
    /// HTTP status.
    pub status: u16,
    /// All headers.
    pub headers: HeaderMap,
    /// The body as received.
    pub body: Bytes,
    /// What the call returns.
    pub value: T,
    /// Id of the execution that the call made.
    pub execution_id: Option<String>,
    /// How often the request was sent.
    pub attempts: u32,
    /// Key that every attempt carried.
    pub idempotency_key: String,
}
