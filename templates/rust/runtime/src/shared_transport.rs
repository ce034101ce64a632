//! The transport of clients that were given none: one for all of them.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http::uri::Scheme;
use http::{Request, Response, Uri};
use reqwest::redirect::Policy;
use tokio::runtime::{self, Handle};

use crate::transport::{Body, BoxFuture, Transport, TransportError, Upgraded};

type Clients = Mutex<PerRuntime<reqwest::Client>>;

static CALLS: Shared = Shared::new(settings);

/// Open WebSockets, which HTTP/2 cannot carry.
static SOCKETS: Shared = Shared::new(|| settings().http1_only());

/// Time to connect, after which the attempt has failed and can be retried in the time of the call.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Beyond this number of runtimes, the value of the one that was not used for longest is dropped: it has probably ended.
const MOST_RUNTIMES: usize = 64;

/// A value per runtime, the last used one at the end. A connection ends with the runtime that opened it, and hangs while that is idle.
pub struct PerRuntime<T>(Vec<(Option<runtime::Id>, T)>);

impl<T: Clone> PerRuntime<T> {
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Returns the value of a runtime. `None` stands for no runtime: such a value has no connections yet, and belongs to the first
    /// runtime that asks.
    pub fn find(&mut self, current: Option<runtime::Id>) -> Option<T> {
        let place = |wanted| self.0.iter().position(|(runtime, _)| *runtime == wanted);
        let index = place(current).or_else(|| place(None))?;
        let (runtime, value) = self.0.remove(index);
        self.0.push((current.or(runtime), value.clone()));
        Some(value)
    }

    /// Adds the value of a runtime, unless it has one by now, and returns that which it has.
    pub fn add(&mut self, current: Option<runtime::Id>, value: T) -> T {
        if let Some(earlier) = self.find(current) {
            return earlier;
        }
        if self.0.len() == MOST_RUNTIMES {
            self.0.remove(0);
        }
        self.0.push((current, value.clone()));
        value
    }
}

/// Clients of `reqwest` that have the same settings.
struct Shared {
    settings: fn() -> reqwest::ClientBuilder,
    secure: Clients,
    /// For URLs without TLS. They need no certificates.
    plain: Clients,
}

impl Shared {
    const fn new(settings: fn() -> reqwest::ClientBuilder) -> Self {
        Self {
            settings,
            secure: Mutex::new(PerRuntime::new()),
            plain: Mutex::new(PerRuntime::new()),
        }
    }

    /// Returns the client of the runtime.
    fn client(&self, is_secure: bool) -> Result<reqwest::Client, TransportError> {
        let clients = if is_secure { &self.secure } else { &self.plain };
        let current = Handle::try_current().ok().map(|handle| handle.id());
        let lock = || clients.lock().unwrap_or_else(PoisonError::into_inner);
        let known = lock().find(current);
        if let Some(client) = known {
            return Ok(client);
        }
        // Certificates are read here, for which no other runtime waits.
        let client = create_client(self.settings, is_secure)?;
        Ok(lock().add(current, client))
    }

    fn client_for(&self, uri: &Uri) -> Result<reqwest::Client, TransportError> {
        self.client(uri.scheme() == Some(&Scheme::HTTPS))
    }
}

/// Sends requests through a client that all clients of a process share, as far as they use the same runtime.
pub struct SharedTransport;

impl SharedTransport {
    /// Creates the transport. `is_secure`: it is to speak TLS.
    ///
    /// # Errors
    ///
    /// TLS cannot be set up.
    pub fn new(is_secure: bool) -> Result<Self, TransportError> {
        CALLS.client(is_secure)?;
        Ok(Self)
    }
}

impl Transport for SharedTransport {
    fn send(&self, request: Request<Bytes>) -> BoxFuture<Result<Response<Body>, TransportError>> {
        match CALLS.client_for(request.uri()) {
            Ok(client) => client.send(request),
            Err(error) => Box::pin(async { Err(error) }),
        }
    }

    fn upload(&self, request: Request<Body>) -> BoxFuture<Result<Response<Body>, TransportError>> {
        match CALLS.client_for(request.uri()) {
            Ok(client) => client.upload(request),
            Err(error) => Box::pin(async { Err(error) }),
        }
    }

    fn upgrade(
        &self,
        request: Request<()>,
    ) -> BoxFuture<Result<Response<Upgraded>, TransportError>> {
        match SOCKETS.client_for(request.uri()) {
            Ok(client) => client.upgrade(request),
            Err(error) => Box::pin(async { Err(error) }),
        }
    }
}

fn settings() -> reqwest::ClientBuilder {
    reqwest::Client::builder()
        .redirect(Policy::none())
        .connect_timeout(CONNECT_TIMEOUT)
}

fn create_client(
    settings: fn() -> reqwest::ClientBuilder,
    is_secure: bool,
) -> Result<reqwest::Client, TransportError> {
    #[cfg(all(
        feature = "rustls-no-provider",
        not(any(feature = "rustls", feature = "native-tls"))
    ))]
    if rustls::crypto::CryptoProvider::get_default().is_none() {
        return Err(TransportError::unsendable(
            "rustls has no crypto provider: install one with CryptoProvider::install_default()",
        ));
    }
    match settings().build() {
        Err(_) if !is_secure => without_certificates(settings()).build(),
        built => built,
    }
    .map_err(TransportError::unsendable)
}

/// Trusts no service that speaks TLS, so that the system needs no certificates, as in a small container.
fn without_certificates(settings: reqwest::ClientBuilder) -> reqwest::ClientBuilder {
    #[cfg(any(
        feature = "native-tls",
        feature = "rustls",
        feature = "rustls-no-provider"
    ))]
    {
        settings.tls_certs_only([])
    }
    #[cfg(not(any(
        feature = "native-tls",
        feature = "rustls",
        feature = "rustls-no-provider"
    )))]
    {
        settings
    }
}
