//! State shared by the calls of a client.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use http::header::HeaderMap;

use crate::api_key::ApiKey;
use crate::log::LogEvent;
use crate::retries::RetryBudget;
use crate::transport::Transport;

/// Receives log events.
pub type Logger = Arc<dyn Fn(&LogEvent) + Send + Sync>;

/// Settings, retry budget and transport of a client.
pub struct Connection {
    pub settings: Settings,
    pub budget: RetryBudget,
    pub transport: Arc<dyn Transport>,
}

/// Validated settings of a client.
pub struct Settings {
    pub api_key: ApiKey,
    /// Has no trailing slash.
    pub base_url: String,
    pub timeout: Option<Duration>,
    pub stream_timeout: Option<Duration>,
    pub attempt_timeout: Option<Duration>,
    pub max_retries: u32,
    pub retry_delay: Duration,
    pub max_retry_delay: Duration,
    /// Additional headers of every request.
    pub given_headers: HeaderMap,
    /// The additional headers and those of the SDK.
    pub headers: HeaderMap,
    /// Headers of the SDK.
    pub own_headers: HeaderMap,
    pub logger: Option<Logger>,
}

impl fmt::Debug for Connection {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Connection")
            .field("base_url", &self.settings.base_url)
            .field("api_key", &self.settings.api_key)
            .finish_non_exhaustive()
    }
}
