//! Transports: `reqwest` or a custom implementation.

use std::error::Error as StdError;
use std::fmt;
use std::mem;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use futures::stream::{self, BoxStream, Stream, StreamExt, TryStreamExt};
use http::{Request, Response, StatusCode, Version};
use http_body::Frame;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::box_error::BoxError;
use crate::exclusive::Exclusive;

/// A future that can be sent between threads.
pub type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Sends requests. Implemented by `reqwest::Client`, and by an `Arc` of any transport, for example of one that a test also
/// inspects. The [module](crate::http) has an example for tests.
///
/// A transport must not retry or follow redirects. Dropping its future aborts the request.
pub trait Transport: Send + Sync + 'static {
    /// Sends a request and returns the response once its headers have arrived.
    ///
    /// The method is `GET` or `POST`. The API key is in the headers, marked as sensitive, so it is not printed.
    fn send(&self, request: Request<Bytes>) -> BoxFuture<Result<Response<Body>, TransportError>>;

    /// Sends a request with streamed input: a body of unknown length, which is read as it is sent. An error of the body ends the
    /// request. The response can begin before the body ends.
    ///
    /// By default, a transport rejects streamed input.
    fn upload(&self, request: Request<Body>) -> BoxFuture<Result<Response<Body>, TransportError>> {
        drop(request);
        let problem = "the transport cannot stream input: implement Transport::upload";
        Box::pin(async move { Err(TransportError::unsendable(problem)) })
    }

    /// Sends a request to upgrade the connection to the protocol in its `Upgrade` header. Returns the connection if the status is
    /// 101, and the body of the rejection otherwise. No timeout may end the connection later.
    ///
    /// By default, a transport rejects WebSockets.
    fn upgrade(
        &self,
        request: Request<()>,
    ) -> BoxFuture<Result<Response<Upgraded>, TransportError>> {
        drop(request);
        let problem = "the transport cannot open WebSockets: implement Transport::upgrade";
        Box::pin(async move { Err(TransportError::unsendable(problem)) })
    }
}

impl<T: Transport + ?Sized> Transport for Arc<T> {
    fn send(&self, request: Request<Bytes>) -> BoxFuture<Result<Response<Body>, TransportError>> {
        (**self).send(request)
    }

    fn upload(&self, request: Request<Body>) -> BoxFuture<Result<Response<Body>, TransportError>> {
        (**self).upload(request)
    }

    fn upgrade(
        &self,
        request: Request<()>,
    ) -> BoxFuture<Result<Response<Upgraded>, TransportError>> {
        (**self).upgrade(request)
    }
}

/// A connection that carries bytes in both directions.
pub trait ByteStream: AsyncRead + AsyncWrite + Send + Unpin + 'static {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin + 'static> ByteStream for T {}

/// The part that follows the head of a response to an upgrade request.
#[non_exhaustive]
pub enum Upgraded {
    /// The upgraded connection. Dropping it closes it.
    Connection(Box<dyn ByteStream>),
    /// The body of a rejection.
    Body(Body),
}

impl fmt::Debug for Upgraded {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Connection(_) => formatter.write_str("Connection"),
            Self::Body(body) => body.fmt(formatter),
        }
    }
}

/// A body as a stream of its chunks: those of a response as they arrive, or those of a request as they are sent.
pub struct Body(Exclusive<BoxStream<'static, Result<Bytes, TransportError>>>);

impl Body {
    /// Creates a body from chunks.
    #[must_use]
    pub fn from_stream(
        chunks: impl Stream<Item = Result<Bytes, TransportError>> + Send + 'static,
    ) -> Self {
        Self(Exclusive::new(chunks.boxed()))
    }

    /// Reads the chunks to the end, or until an error.
    pub(crate) async fn read(mut self, chunks: &mut Vec<Bytes>) -> Result<(), TransportError> {
        while let Some(chunk) = self.0.get_mut().try_next().await? {
            chunks.push(chunk);
        }
        Ok(())
    }
}

/// Creates a complete body.
impl<T: Into<Bytes>> From<T> for Body {
    fn from(whole: T) -> Self {
        let whole = whole.into();
        Self::from_stream(stream::iter([Ok(whole)]))
    }
}

impl Stream for Body {
    type Item = Result<Bytes, TransportError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.get_mut().poll_next_unpin(context)
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Body").finish_non_exhaustive()
    }
}

/// An error of a transport.
#[derive(Debug)]
pub struct TransportError {
    inner: BoxError,
    failure: Failure,
}

/// The way in which a transport failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    Connection,
    TimedOut,
    Unsendable,
    /// The body of the request ended with an error.
    Input,
}

impl TransportError {
    /// Creates an error for a failed connection. The call is retried.
    #[must_use]
    pub fn connection(error: impl Into<BoxError>) -> Self {
        Self::new(Failure::Connection, error)
    }

    /// Creates an error for a response that did not arrive within a timeout of the transport. The call is retried.
    #[must_use]
    pub fn timed_out(error: impl Into<BoxError>) -> Self {
        Self::new(Failure::TimedOut, error)
    }

    /// Creates an error for an invalid request or transport. The call is not retried.
    #[must_use]
    pub fn unsendable(error: impl Into<BoxError>) -> Self {
        Self::new(Failure::Unsendable, error)
    }

    /// Creates an error for streamed input that failed.
    pub(crate) fn input(error: impl Into<BoxError>) -> Self {
        Self::new(Failure::Input, error)
    }

    /// Returns the error of the streamed input, if a transport passed it on as the cause of its own error.
    pub(crate) fn of_input(&self) -> Option<&Self> {
        let mut cause: Option<&(dyn StdError + 'static)> = Some(self);
        while let Some(error) = cause {
            let own = error.downcast_ref::<Self>();
            if let Some(error) = own.filter(|error| error.failure == Failure::Input) {
                return Some(error);
            }
            cause = error.source();
        }
        None
    }

    fn new(failure: Failure, error: impl Into<BoxError>) -> Self {
        Self {
            inner: error.into(),
            failure,
        }
    }

    pub(crate) const fn failure(&self) -> Failure {
        self.failure
    }
}

/// Shows the wrapped error.
impl fmt::Display for TransportError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.inner, formatter)
    }
}

/// Returns the source of the wrapped error.
impl StdError for TransportError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.inner.source()
    }
}

impl From<reqwest::Error> for TransportError {
    fn from(error: reqwest::Error) -> Self {
        let failure = match () {
            () if error.is_builder() => Failure::Unsendable,
            // A connection that takes too long is treated like one that is refused.
            () if error.is_timeout() && !error.is_connect() => Failure::TimedOut,
            () => Failure::Connection,
        };
        // The URL is redundant for the caller.
        Self::new(failure, error.without_url())
    }
}

impl Transport for reqwest::Client {
    fn send(&self, request: Request<Bytes>) -> BoxFuture<Result<Response<Body>, TransportError>> {
        let client = self.clone();
        Box::pin(async move {
            let has_body = !request.body().is_empty();
            let mut sent = reqwest::Request::try_from(request)?;
            if !has_body {
                *sent.body_mut() = None;
            }
            execute(client, sent).await
        })
    }

    fn upload(&self, request: Request<Body>) -> BoxFuture<Result<Response<Body>, TransportError>> {
        let client = self.clone();
        Box::pin(async move {
            let sent = request.map(|body| reqwest::Body::wrap(SentBody(body)));
            execute(client, reqwest::Request::try_from(sent)?).await
        })
    }

    fn upgrade(
        &self,
        request: Request<()>,
    ) -> BoxFuture<Result<Response<Upgraded>, TransportError>> {
        let client = self.clone();
        Box::pin(async move {
            let request = request.map(|()| Bytes::new());
            let answer = client.execute(request.try_into()?).await?;
            let status = answer.status();
            if status == StatusCode::SWITCHING_PROTOCOLS {
                return switch(answer).await;
            }
            let was_dropped = status.is_success() || status == StatusCode::UPGRADE_REQUIRED;
            if was_dropped && answer.version() == Version::HTTP_2 {
                return Err(TransportError::unsendable(
                    "the HTTP client uses HTTP/2, which cannot carry WebSockets: build it with http1_only()",
                ));
            }
            Ok(response_of(answer).map(Upgraded::Body))
        })
    }
}

async fn execute(
    client: reqwest::Client,
    request: reqwest::Request,
) -> Result<Response<Body>, TransportError> {
    client
        .execute(request)
        .await
        .map(response_of)
        .map_err(TransportError::from)
}

/// Takes over the connection of a response.
async fn switch(mut answer: reqwest::Response) -> Result<Response<Upgraded>, TransportError> {
    let (status, headers) = (answer.status(), mem::take(answer.headers_mut()));
    let connection = answer.upgrade().await?;
    let mut response = Response::new(Upgraded::Connection(Box::new(connection)));
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    Ok(response)
}

fn response_of(mut answer: reqwest::Response) -> Response<Body> {
    let (status, headers) = (answer.status(), mem::take(answer.headers_mut()));
    let chunks = stream::try_unfold(answer, |mut answer| async {
        let chunk = answer.chunk().await?;
        Ok(chunk.map(|chunk| (chunk, answer)))
    });
    let mut response = Response::new(Body::from_stream(chunks));
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}

/// A request body in the form that `reqwest` sends.
struct SentBody(Body);

impl http_body::Body for SentBody {
    type Data = Bytes;
    type Error = TransportError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, TransportError>>> {
        let chunk = self.0.poll_next_unpin(context);
        chunk.map(|chunk| chunk.map(|chunk| chunk.map(Frame::data)))
    }
}
