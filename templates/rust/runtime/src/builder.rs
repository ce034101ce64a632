//! Client settings.

use std::env;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use http::header::{self, HeaderMap, HeaderName, HeaderValue};
use reqwest::Url;

use crate::IDENTITY;
use crate::api_key::ApiKey;
use crate::client::Client;
use crate::connection::{Connection, Logger, Settings};
use crate::error::{Error, ErrorKind};
use crate::logical_call::JSON;
use crate::options::{add_headers, check_timeout, identify};
use crate::retries::RetryBudget;
use crate::shared_transport::SharedTransport;
use crate::transport::Transport;

const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);
const DEFAULT_STREAM_TIMEOUT: Duration = Duration::from_secs(300);
const DEFAULT_MAX_RETRIES: u32 = 2;
const DEFAULT_RETRY_BUDGET: u32 = 100;
const DEFAULT_RETRY_DELAY: Duration = Duration::from_millis(500);
const DEFAULT_MAX_RETRY_DELAY: Duration = Duration::from_secs(8);

const HAS_TLS: bool = cfg!(any(
    feature = "native-tls",
    feature = "rustls",
    feature = "rustls-no-provider"
));
const NO_TLS: &str = "the base URL needs TLS: enable a feature of this crate, such as rustls, or call http_client() or \
                      transport() on the builder";

/// Configures a [`Client`]. Create one with [`Client::builder`].
#[must_use = "call build() to create the client"]
pub struct ClientBuilder {
    api_key: Option<String>,
    base_url: Option<String>,
    /// `Some(None)`: no limit.
    timeout: Option<Option<Duration>>,
    /// Like `timeout`, which applies if this is not set.
    stream_timeout: Option<Option<Duration>>,
    attempt_timeout: Option<Duration>,
    max_retries: u32,
    retry_budget: Option<u32>,
    retry_delay: Duration,
    max_retry_delay: Duration,
    headers: Vec<(String, String)>,
    transport: Option<Arc<dyn Transport>>,
    logger: Option<Logger>,
}

impl Client {
    /// Returns a builder for a client with custom settings.
    pub const fn builder() -> ClientBuilder {
        ClientBuilder::new()
    }
}

impl ClientBuilder {
    const fn new() -> Self {
        Self {
            api_key: None,
            base_url: None,
            timeout: None,
            stream_timeout: None,
            attempt_timeout: None,
            max_retries: DEFAULT_MAX_RETRIES,
            retry_budget: Some(DEFAULT_RETRY_BUDGET),
            retry_delay: DEFAULT_RETRY_DELAY,
            max_retry_delay: DEFAULT_MAX_RETRY_DELAY,
            headers: Vec::new(),
            transport: None,
            logger: None,
        }
    }

    /// Sets the API key. Defaults to the `SVC_API_KEY` environment variable.
    pub fn api_key(mut self, key: impl Into<String>) -> Self {
        self.api_key = Some(key.into());
        self
    }

    /// Sets the URL of the service. Defaults to the `SVC_BASE_URL` environment variable.
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = Some(url.into());
        self
    }

    /// Sets the timeout of each call, retries included. Defaults to 60 seconds, or five minutes for a stream. Streams can have
    /// another [timeout](Self::stream_timeout).
    pub const fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(Some(timeout));
        self
    }

    /// Disables the timeout of calls.
    pub const fn without_timeout(mut self) -> Self {
        self.timeout = Some(None);
        self
    }

    /// Sets the timeout of each whole stream. Defaults to the [timeout](Self::timeout) of calls if that is set, or else to five
    /// minutes.
    pub const fn stream_timeout(mut self, timeout: Duration) -> Self {
        self.stream_timeout = Some(Some(timeout));
        self
    }

    /// Disables the timeout of streams.
    pub const fn without_stream_timeout(mut self) -> Self {
        self.stream_timeout = Some(None);
        self
    }

    /// Sets the timeout of each attempt. An attempt that times out is retried. By default, only the timeout of the call applies,
    /// and 30 seconds to each poll of a run.
    ///
    /// An attempt can take as long as the slowest node, and waits up to 50 seconds for the run of a flow, or one second less than
    /// this timeout.
    pub const fn attempt_timeout(mut self, timeout: Duration) -> Self {
        self.attempt_timeout = Some(timeout);
        self
    }

    /// Disables the timeout of attempts.
    pub const fn without_attempt_timeout(mut self) -> Self {
        self.attempt_timeout = None;
        self
    }

    /// Sets the maximum number of retries after a transient failure. Defaults to 2.
    ///
    /// A 429 with a `Retry-After` of a second or more is retried until the timeout of the call and does not count as a retry,
    /// unless the number is 0.
    pub const fn max_retries(mut self, count: u32) -> Self {
        self.max_retries = count;
        self
    }

    /// Sets the number of retries in reserve. Each retry takes one. A call that succeeds by a retry returns it, and any other
    /// successful call returns a tenth of one. When none is left, calls fail without a retry. Defaults to 100.
    pub const fn retry_budget(mut self, count: u32) -> Self {
        self.retry_budget = Some(count);
        self
    }

    /// Disables the retry budget.
    pub const fn without_retry_budget(mut self) -> Self {
        self.retry_budget = None;
        self
    }

    /// Sets the maximum delay before the first retry. It doubles with each retry. Defaults to 0.5 seconds.
    pub const fn retry_delay(mut self, delay: Duration) -> Self {
        self.retry_delay = delay;
        self
    }

    /// Sets the maximum delay before any retry. Defaults to 8 seconds.
    pub const fn max_retry_delay(mut self, delay: Duration) -> Self {
        self.max_retry_delay = delay;
        self
    }

    /// Adds a header to every request. A `User-Agent` precedes that of this crate. Headers that the crate or the transport sets are
    /// rejected, such as `Authorization`, `Content-Type` and `Idempotency-Key`.
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Sends requests through a custom client of `reqwest` 0.13, for example for certificates. Build it with
    /// `redirect(Policy::none())`, because following a redirect would send the input elsewhere. By default, all clients share one
    /// that uses the proxies of the environment.
    pub fn http_client(self, client: reqwest::Client) -> Self {
        self.transport(client)
    }

    /// Sends requests through a custom transport, for example for tests or another HTTP library.
    pub fn transport(mut self, transport: impl Transport) -> Self {
        self.transport = Some(Arc::new(transport));
        self
    }

    /// Calls a function for every attempt and retry. Events never contain the API key.
    pub fn logger(
        mut self,
        logger: impl Fn(&crate::http::LogEvent) + Send + Sync + 'static,
    ) -> Self {
        self.logger = Some(Arc::new(logger));
        self
    }

    /// Creates the client. Sends no request.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Configuration`]: a setting is missing or malformed, or the crate was built without the TLS that the base URL needs.
    pub fn build(self) -> Result<Client, Error> {
        let key = given("API key", self.api_key, "SVC_API_KEY", "api_key")?;
        let url = given("base URL", self.base_url, "SVC_BASE_URL", "base_url")?;
        let api_key = ApiKey::parse(&key)?;
        let own_headers = own_headers(&api_key);
        let mut given_headers = HeaderMap::new();
        add_headers(&mut given_headers, &self.headers)?;
        let mut headers = given_headers.clone();
        identify(&mut headers, &own_headers);
        let stream_timeout = self.stream_timeout.or(self.timeout);
        let settings = Settings {
            api_key,
            base_url: check_base_url(url.trim())?,
            timeout: check_timeout("timeout", self.timeout.unwrap_or(Some(DEFAULT_TIMEOUT)))?,
            stream_timeout: check_timeout(
                "stream_timeout",
                stream_timeout.unwrap_or(Some(DEFAULT_STREAM_TIMEOUT)),
            )?,
            attempt_timeout: check_timeout("attempt_timeout", self.attempt_timeout)?,
            max_retries: self.max_retries,
            retry_delay: self.retry_delay,
            max_retry_delay: self.max_retry_delay,
            given_headers,
            headers,
            own_headers,
            logger: self.logger,
        };
        let is_secure = settings.base_url.starts_with("https:");
        let transport = match self.transport {
            Some(transport) => transport,
            None if !HAS_TLS && is_secure => {
                return Err(Error::new(ErrorKind::Configuration, NO_TLS));
            }
            None => Arc::new(SharedTransport::new(is_secure).map_err(|error| {
                let problem = "cannot set up TLS";
                Error::new(ErrorKind::Configuration, problem).with_source(error)
            })?),
        };
        Ok(Client::over(Connection {
            settings,
            budget: RetryBudget::new(self.retry_budget),
            transport,
        }))
    }
}

/// Does not show the base URL, because it may contain a password until it is validated.
impl fmt::Debug for ClientBuilder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ClientBuilder")
            .field("timeout", &self.timeout)
            .field("max_retries", &self.max_retries)
            .finish_non_exhaustive()
    }
}

fn given(
    what: &str,
    passed: Option<String>,
    variable: &str,
    setter: &str,
) -> Result<String, Error> {
    let text = passed.or_else(|| env::var(variable).ok());
    text.filter(|text| !text.is_empty()).ok_or_else(|| {
        Error::new(
            ErrorKind::Configuration,
            format!("no {what}: set {variable} or call {setter}() on the builder"),
        )
    })
}

/// Returns the URL without a trailing slash.
fn check_base_url(text: &str) -> Result<String, Error> {
    let refuse = |problem| Err(Error::new(ErrorKind::Configuration, problem));
    let url = match Url::parse(text) {
        Ok(url) if matches!(url.scheme(), "http" | "https") => url,
        _ => {
            return refuse(
                "the base URL must be an HTTP or HTTPS URL such as https://svc.example.com",
            );
        }
    };
    let has_user = !url.username().is_empty() || url.password().is_some();
    if has_user || url.query().is_some() || url.fragment().is_some() {
        return refuse("the base URL must not contain a user, a query or a fragment");
    }
    Ok(url.as_str().trim_end_matches('/').to_owned())
}

fn own_headers(api_key: &ApiKey) -> HeaderMap {
    HeaderMap::from_iter([
        (header::ACCEPT, JSON),
        (header::AUTHORIZATION, api_key.authorization()),
        (
            HeaderName::from_static("x-svc-client"),
            HeaderValue::from_static(IDENTITY),
        ),
    ])
}
