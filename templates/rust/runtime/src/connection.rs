//! What all calls of a client share.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::HeaderMap;

use crate::api_key::ApiKey;
use crate::log::LogEvent;
use crate::retries::RetryBudget;
use crate::transport::Transport;

/// Is told what a client does.
pub type Logger = Arc<dyn Fn(&LogEvent) + Send + Sync>;

/// Settings, budget and transport of one client.
pub struct Connection {
    pub settings: Settings,
    pub budget: RetryBudget,
    pub transport: Arc<dyn Transport>,
}

/// Checked settings of a client.
pub struct Settings {
    pub api_key: ApiKey,
    /// Without a slash at its end.
    pub base_url: String,
    pub timeout: Option<Duration>,
    pub max_retries: u32,
    pub retry_delay: Duration,
    pub max_retry_delay: Duration,
    /// What every request carries, the SDK's own headers included.
    pub headers: HeaderMap,
    /// The SDK's own headers, which no others replace.
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
