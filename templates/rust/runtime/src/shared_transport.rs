//! The transport shared by all clients that have none of their own.

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

/// Clients for WebSockets, which HTTP/2 cannot carry.
static SOCKETS: Shared = Shared::new(|| settings().http1_only());

/// The time to connect. Afterwards, the attempt fails and can be retried within the time of the call.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// The maximum number of runtimes. Beyond it, the value of the least recently used runtime is dropped, which has probably ended.
const MOST_RUNTIMES: usize = 64;

/// A value per runtime, with the most recently used one at the end. A connection ends with the runtime that opened it, and hangs
/// while that runtime is idle.
pub struct PerRuntime<T>(Vec<(Option<runtime::Id>, T)>);

impl<T: Clone> PerRuntime<T> {
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Returns the value of a runtime. `None` stands for no runtime: such a value has no connections yet, and goes to the first
    /// runtime that asks for it.
    pub fn find(&mut self, current: Option<runtime::Id>) -> Option<T> {
        let place = |wanted| self.0.iter().position(|(runtime, _)| *runtime == wanted);
        let index = place(current).or_else(|| place(None))?;
        let (runtime, value) = self.0.remove(index);
        self.0.push((current.or(runtime), value.clone()));
        Some(value)
    }

    /// Adds the value of a runtime and returns it, unless the runtime has one by now, which is then returned.
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
    /// Clients for URLs without TLS, which need no certificates.
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
        // Reading certificates takes time, so no lock is held meanwhile.
        let client = create_client(self.settings, is_secure)?;
        Ok(lock().add(current, client))
    }

    fn client_for(&self, uri: &Uri) -> Result<reqwest::Client, TransportError> {
        self.client(uri.scheme() == Some(&Scheme::HTTPS))
    }
}

/// Sends requests through a client that all clients of a process share, as long as they use the same runtime.
pub struct SharedTransport;

impl SharedTransport {
    /// Creates the transport. `is_secure` says whether it must support TLS.
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

/// Trusts no certificates, so that the system needs none, as in a small container.
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
