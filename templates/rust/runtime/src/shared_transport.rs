//! The transport of clients that were given none: one for all of them.

use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use http::{Request, Response};
use reqwest::redirect::Policy;
use tokio::runtime::{self, Handle};

use crate::transport::{Body, BoxFuture, Transport, TransportError, Upgraded};

type Clients = Mutex<PerRuntime<reqwest::Client>>;

static CLIENTS: Clients = Mutex::new(PerRuntime::new());

/// Open WebSockets, which HTTP/2 cannot carry.
static SOCKET_CLIENTS: Clients = Mutex::new(PerRuntime::new());

/// Beyond this number of runtimes, the value of the oldest is dropped: it has probably ended.
const MOST_RUNTIMES: usize = 64;

/// A value per runtime. A connection ends with the runtime that opened it, and hangs while that is idle.
pub struct PerRuntime<T>(Vec<(Option<runtime::Id>, T)>);

impl<T: Clone> PerRuntime<T> {
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Returns the value of a runtime, or creates it. `None` stands for no runtime: such a value has no connections yet, and
    /// belongs to the first runtime that asks.
    pub fn of<E>(
        &mut self,
        current: Option<runtime::Id>,
        create: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        let usable = self
            .0
            .iter_mut()
            .find(|(runtime, _)| *runtime == current || runtime.is_none());
        if let Some((runtime, value)) = usable {
            *runtime = current.or(*runtime);
            return Ok(value.clone());
        }
        let value = create()?;
        if self.0.len() == MOST_RUNTIMES {
            self.0.remove(0);
        }
        self.0.push((current, value.clone()));
        Ok(value)
    }
}

/// Sends requests through a client that all clients of a process share, as far as they use the same runtime.
pub struct SharedTransport;

impl SharedTransport {
    /// Creates the transport.
    ///
    /// # Errors
    ///
    /// TLS cannot be set up.
    pub fn new() -> Result<Self, TransportError> {
        client_of_runtime(&CLIENTS, create_client)?;
        Ok(Self)
    }
}

impl Transport for SharedTransport {
    fn send(&self, request: Request<Bytes>) -> BoxFuture<Result<Response<Body>, TransportError>> {
        match client_of_runtime(&CLIENTS, create_client) {
            Ok(client) => client.send(request),
            Err(error) => Box::pin(async { Err(error) }),
        }
    }

    fn upload(&self, request: Request<Body>) -> BoxFuture<Result<Response<Body>, TransportError>> {
        match client_of_runtime(&CLIENTS, create_client) {
            Ok(client) => client.upload(request),
            Err(error) => Box::pin(async { Err(error) }),
        }
    }

    fn upgrade(
        &self,
        request: Request<()>,
    ) -> BoxFuture<Result<Response<Upgraded>, TransportError>> {
        match client_of_runtime(&SOCKET_CLIENTS, create_socket_client) {
            Ok(client) => client.upgrade(request),
            Err(error) => Box::pin(async { Err(error) }),
        }
    }
}

fn client_of_runtime(
    clients: &Clients,
    create: fn() -> Result<reqwest::Client, TransportError>,
) -> Result<reqwest::Client, TransportError> {
    let current = Handle::try_current().ok().map(|handle| handle.id());
    let mut clients = clients.lock().unwrap_or_else(PoisonError::into_inner);
    clients.of(current, create)
}

fn create_socket_client() -> Result<reqwest::Client, TransportError> {
    let client = reqwest::Client::builder().redirect(Policy::none());
    let client = client.http1_only().build();
    client.map_err(TransportError::unsendable)
}

fn create_client() -> Result<reqwest::Client, TransportError> {
    #[cfg(all(
        feature = "rustls-no-provider",
        not(any(feature = "rustls", feature = "native-tls"))
    ))]
    if rustls::crypto::CryptoProvider::get_default().is_none() {
        return Err(TransportError::unsendable(
            "rustls has no crypto provider: install one with CryptoProvider::install_default()",
        ));
    }
    let client = reqwest::Client::builder().redirect(Policy::none()).build();
    client.map_err(TransportError::unsendable)
}
