//! Calls and their options.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::connection::Connection;
use crate::error::Error;
use crate::exclusive::Exclusive;
use crate::options::Options;
use crate::response::Response;
use crate::transport::BoxFuture;

/// Sends a call with its options.
type Work<T> = Box<dyn FnOnce(Options) -> BoxFuture<Result<Response<T>, Error>> + Send>;

/// A call, which is sent when it is awaited in a tokio runtime. Dropping its future cancels the call.
///
/// A call is not itself a future, so that you can set options on it. [`send`](Self::send) returns a future, for example for
/// `tokio::spawn`.
#[must_use = "a call is only sent when it is awaited"]
pub struct Call<T> {
    options: Options,
    work: Exclusive<Work<T>>,
}

impl<T: 'static> Call<T> {
    pub(crate) fn new<Sending>(
        connection: &Arc<Connection>,
        send: impl FnOnce(Arc<Connection>, Options) -> Sending + Send + 'static,
    ) -> Self
    where
        Sending: Future<Output = Result<Response<T>, Error>> + Send + 'static,
    {
        let connection = Arc::clone(connection);
        Self {
            options: Options::default(),
            work: Exclusive::new(Box::new(|options| Box::pin(send(connection, options)))),
        }
    }

    /// Sets the timeout of the call, retries included.
    pub const fn timeout(mut self, timeout: Duration) -> Self {
        self.options.timeout = Some(Some(timeout));
        self
    }

    /// Disables the timeout of the call.
    pub const fn without_timeout(mut self) -> Self {
        self.options.timeout = Some(None);
        self
    }

    /// Sets the timeout of each attempt. An attempt that times out is retried.
    pub const fn attempt_timeout(mut self, timeout: Duration) -> Self {
        self.options.attempt_timeout = Some(Some(timeout));
        self
    }

    /// Disables the timeout of attempts.
    pub const fn without_attempt_timeout(mut self) -> Self {
        self.options.attempt_timeout = Some(None);
        self
    }

    /// Sets the maximum number of retries after a transient failure. 0 disables retries.
    pub const fn max_retries(mut self, count: u32) -> Self {
        self.options.max_retries = Some(count);
        self
    }

    /// Sets the idempotency key: the service starts at most one run of a flow per key within five minutes. Calls of nodes ignore
    /// it, so each retry calls the node again. Defaults to a random key.
    ///
    /// If the key belongs to an earlier request with a different flow or input, the call fails with
    /// [`ErrorKind::IdempotencyMismatch`](crate::ErrorKind::IdempotencyMismatch).
    pub fn idempotency_key(mut self, key: impl Into<String>) -> Self {
        self.options.idempotency_key = Some(key.into());
        self
    }

    /// Adds a header. It overrides an additional header of the client. A `User-Agent` precedes that of this crate. Headers that the
    /// crate or the transport sets are rejected.
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.options.headers.push((name.into(), value.into()));
        self
    }

    /// Sends the call and returns its output. Equivalent to awaiting the call.
    ///
    /// # Errors
    ///
    /// See [`ErrorKind`](crate::ErrorKind).
    pub async fn send(self) -> Result<T, Error> {
        Ok(self.response().await?.value)
    }

    /// Sends the call and returns the complete response: the output plus status, headers and body.
    ///
    /// # Errors
    ///
    /// See [`ErrorKind`](crate::ErrorKind).
    pub async fn response(self) -> Result<Response<T>, Error> {
        self.work.into_inner()(self.options).await
    }
}

impl<T: 'static> IntoFuture for Call<T> {
    type Output = Result<T, Error>;
    type IntoFuture = BoxFuture<Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        let answer = self.work.into_inner()(self.options);
        Box::pin(async { Ok(answer.await?.value) })
    }
}

impl<T> fmt::Debug for Call<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Call")
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}
