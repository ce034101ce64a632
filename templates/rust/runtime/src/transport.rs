//! How requests are sent: through `reqwest`, or by whatever a program puts in its place.

use std::error::Error as StdError;
use std::pin::Pin;

use bytes::Bytes;
use futures::stream::{self, Stream, StreamExt, TryStreamExt};
use reqwest::header::HeaderMap;
use reqwest::{Method, StatusCode, Url};

/// A future that may be sent between threads.
pub type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Pieces of a body, as they arrive.
pub type BodyStream = Pin<Box<dyn Stream<Item = Result<Bytes, TransportError>> + Send>>;

/// Sends requests. A `reqwest::Client` is one.
///
/// A transport neither retries nor follows redirects; dropping its future ends the request.
pub trait Transport: Send + Sync + 'static {
    /// Sends a request and gives the answer as soon as its head has arrived.
    fn send(&self, request: HttpRequest) -> BoxFuture<Result<HttpResponse, TransportError>>;
}

/// What is to be sent.
#[derive(Debug)]
#[non_exhaustive]
pub struct HttpRequest {
    /// `GET` or `POST`.
    pub method: Method,
    /// Where to.
    pub url: Url,
    /// All headers. The key among them is marked sensitive, so that it is not printed.
    pub headers: HeaderMap,
    /// The body; empty when there is none.
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

/// What came back.
#[non_exhaustive]
pub struct HttpResponse {
    /// HTTP status.
    pub status: StatusCode,
    /// All headers.
    pub headers: HeaderMap,
    /// The body, piece by piece.
    pub body: BodyStream,
}

impl HttpResponse {
    /// Makes an answer whose body is there already.
    #[must_use]
    pub fn new(status: StatusCode, headers: HeaderMap, body: impl Into<Bytes>) -> Self {
        let whole = stream::iter([Ok(body.into())]);
        Self::streaming(status, headers, whole)
    }

    /// Makes an answer whose body arrives piece by piece.
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
        // Most answers come in one piece, which is not copied.
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

/// Why a request or an answer did not get through.
#[derive(Debug, thiserror::Error)]
#[error("{source}")]
pub struct TransportError {
    source: Box<dyn StdError + Send + Sync>,
    is_unsendable: bool,
}

impl TransportError {
    /// The connection failed: the call is tried again.
    #[must_use]
    pub fn connection(source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self {
            source: source.into(),
            is_unsendable: false,
        }
    }

    /// The request cannot be sent as it is: the call is not tried again.
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

    /// The texts of all causes, from the outermost inwards.
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
        // The URL of an error says nothing that the caller does not know.
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
