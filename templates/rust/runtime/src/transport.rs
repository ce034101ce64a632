//! Transports: `reqwest` or a custom implementation.

use std::error::Error as StdError;
use std::pin::Pin;

use bytes::Bytes;
use futures::stream::{self, Stream, StreamExt, TryStreamExt};
use reqwest::header::HeaderMap;
use reqwest::{Method, StatusCode, Url};

/// A future that can be sent between threads.
pub type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Chunks of a body as they arrive.
pub type BodyStream = Pin<Box<dyn Stream<Item = Result<Bytes, TransportError>> + Send>>;

/// Sends requests. Implemented by `reqwest::Client`.
///
/// A transport must not retry or follow redirects. Dropping its future aborts the request.
pub trait Transport: Send + Sync + 'static {
    /// Sends a request and returns the response once its headers have arrived.
    fn send(&self, request: HttpRequest) -> BoxFuture<Result<HttpResponse, TransportError>>;
}

/// A request.
#[derive(Debug)]
#[non_exhaustive]
pub struct HttpRequest {
    /// `GET` or `POST`.
    pub method: Method,
    /// Target URL.
    pub url: Url,
    /// Headers. The API key is marked as sensitive, so it is not printed.
    pub headers: HeaderMap,
    /// Request body; may be empty.
    pub body: Bytes,
}

impl HttpRequest {
    pub(crate) const fn new(method: Method, url: Url, headers: HeaderMap, body: Bytes) -> Self {
        Self {
            method,
            url,
            headers,
            body,
        }
    }
}

/// A response.
#[non_exhaustive]
pub struct HttpResponse {
    /// HTTP status code.
    pub status: StatusCode,
    /// Headers.
    pub headers: HeaderMap,
    /// Response body as a stream.
    pub body: BodyStream,
}

impl HttpResponse {
    /// Creates a response with a complete body.
    #[must_use]
    pub fn new(status: StatusCode, headers: HeaderMap, body: impl Into<Bytes>) -> Self {
        let whole = stream::iter([Ok(body.into())]);
        Self::streaming(status, headers, whole)
    }

    /// Creates a response with a streamed body.
    #[must_use]
    pub fn streaming(
        status: StatusCode,
        headers: HeaderMap,
        body: impl Stream<Item = Result<Bytes, TransportError>> + Send + 'static,
    ) -> Self {
        Self {
            status,
            headers,
            body: body.boxed(),
        }
    }

    pub(crate) async fn collect(self) -> Result<(StatusCode, HeaderMap, Bytes), TransportError> {
        let mut pieces = self.body;
        let mut body = pieces.try_next().await?.unwrap_or_default();
        // Most bodies arrive as one chunk, which is not copied.
        if let Some(next) = pieces.try_next().await? {
            let mut whole = Vec::from(body);
            whole.extend_from_slice(&next);
            while let Some(next) = pieces.try_next().await? {
                whole.extend_from_slice(&next);
            }
            body = Bytes::from(whole);
        }
        Ok((self.status, self.headers, body))
    }
}

/// An error of a transport.
#[derive(Debug, thiserror::Error)]
#[error("{source}")]
pub struct TransportError {
    source: Box<dyn StdError + Send + Sync>,
    is_unsendable: bool,
}

impl TransportError {
    /// Creates an error for a failed connection. The call is retried.
    #[must_use]
    pub fn connection(source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self {
            source: source.into(),
            is_unsendable: false,
        }
    }

    /// Creates an error for an invalid request. The call is not retried.
    #[must_use]
    pub fn unsendable(source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self {
            source: source.into(),
            is_unsendable: true,
        }
    }

    pub(crate) const fn is_unsendable(&self) -> bool {
        self.is_unsendable
    }

    /// Returns the messages of all causes, outermost first.
    pub(crate) fn explain(&self) -> String {
        let mut text = self.source.to_string();
        let mut cause = self.source.source();
        while let Some(inner) = cause {
            text = format!("{text}: {inner}");
            cause = inner.source();
        }
        text
    }
}

impl From<reqwest::Error> for TransportError {
    fn from(error: reqwest::Error) -> Self {
        // The URL is redundant for the caller.
        let is_unsendable = error.is_builder();
        Self {
            source: Box::new(error.without_url()),
            is_unsendable,
        }
    }
}

impl Transport for reqwest::Client {
    fn send(&self, request: HttpRequest) -> BoxFuture<Result<HttpResponse, TransportError>> {
        let mut sent = reqwest::Request::new(request.method, request.url);
        *sent.headers_mut() = request.headers;
        if !request.body.is_empty() {
            *sent.body_mut() = Some(request.body.into());
        }
        let sent = self.execute(sent);
        Box::pin(async {
            let mut response = sent.await?;
            let status = response.status();
            let headers = std::mem::take(response.headers_mut());
            let pieces = stream::try_unfold(response, |mut response| async {
                let piece = response.chunk().await?;
                Ok(piece.map(|piece| (piece, response)))
            });
            Ok(HttpResponse::streaming(status, headers, pieces))
        })
    }
}
