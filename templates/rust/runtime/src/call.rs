//! Calls, before they are sent.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::connection::Connection;
use crate::error::Error;
use crate::options::Options;
use crate::response::Response;
use crate::transport::BoxFuture;

/// Sends a call with its options.
type Work<T> = Box<dyn FnOnce(Options) -> BoxFuture<Result<Response<T>, Error>> + Send>;

/// A call that is sent when it is awaited. Dropping the future that `await` makes of it cancels it.
#[must_use = "a call is sent when it is awaited"]
pub struct Call<T> {
    options: Options,
    work: Work<T>,
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
            work: Box::new(|options| Box::pin(send(connection, options))),
        }
    }

    /// Bounds the call, its retries and waits included.
    pub const fn timeout(mut self, timeout: Duration) -> Self {
        self.options.timeout = Some(Some(timeout));
        self
    }

    /// Lets the call take as long as it needs.
    pub const fn without_timeout(mut self) -> Self {
        self.options.timeout = Some(None);
        self
    }

    /// Sets how often to try again after a failure that may pass; 0: never.
    pub const fn max_retries(mut self, count: u32) -> Self {
        self.options.max_retries = Some(count);
        self
    }

    /// Sets the key that names the call, the same on every retry; one is made otherwise.
    pub fn idempotency_key(mut self, key: impl Into<String>) -> Self {
        self.options.idempotency_key = Some(key.into());
        self
    }

    /// Adds a header, stronger than the client's own further headers.
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.options.headers.push((name.into(), value.into()));
        self
    }

    /// Sends the call and gives its output; the same as awaiting the call itself.
    ///
    /// # Errors
    ///
    /// See [`ErrorKind`](crate::ErrorKind).
    pub async fn send(self) -> Result<T, Error> {
        Ok(self.response().await?.value)
    }

    /// Sends the call and gives its whole answer: status, headers and body beside the output.
    ///
    /// # Errors
    ///
    /// See [`ErrorKind`](crate::ErrorKind).
    pub async fn response(self) -> Result<Response<T>, Error> {
        (self.work)(self.options).await
    }
}

impl<T: 'static> IntoFuture for Call<T> {
    type Output = Result<T, Error>;
    type IntoFuture = BoxFuture<Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        let answer = (self.work)(self.options);
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
