//! What one call may change of its client's settings.

use std::time::Duration;

use reqwest::header::{self, HeaderMap, HeaderName, HeaderValue};
use tokio::time::Instant;

use crate::error::{Error, ErrorKind};

/// Headers that say how a request travels.
const OF_TRANSPORT: [HeaderName; 6] = [
    header::CONNECTION,
    header::CONTENT_LENGTH,
    header::EXPECT,
    header::HOST,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
];

/// Options of one call; what is absent is as the client has it.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// `Some(None)`: no limit.
    pub timeout: Option<Option<Duration>>,
    pub max_retries: Option<u32>,
    pub idempotency_key: Option<String>,
    pub headers: Vec<(String, String)>,
}

impl Options {
    /// The same for a request that is a part of the call.
    pub fn until(&self, deadline: Option<Instant>) -> Self {
        let mut rest = self.clone();
        if let Some(deadline) = deadline {
            let left = deadline.saturating_duration_since(Instant::now());
            rest.timeout = Some(Some(left.max(Duration::from_millis(1))));
        }
        rest
    }
}

/// Refuses a timeout that no call could meet.
pub fn check_timeout(timeout: Option<Duration>) -> Result<Option<Duration>, Error> {
    match timeout {
        Some(Duration::ZERO) => Err(Error::new(
            ErrorKind::Configuration,
            "the timeout must be more than 0 seconds; without_timeout() takes the limit away",
        )),
        other => Ok(other),
    }
}

/// Adds headers in order, each in the place of one of its name.
pub fn add_headers(map: &mut HeaderMap, headers: &[(String, String)]) -> Result<(), Error> {
    for (name, text) in headers {
        let value = check_header(name, text)?;
        let name = HeaderName::try_from(name).map_err(|_| malformed(name))?;
        if OF_TRANSPORT.contains(&name) {
            let problem = format!("the header {name} is the transport's own: leave it out");
            return Err(Error::new(ErrorKind::Configuration, problem));
        }
        map.insert(name, value);
    }
    Ok(())
}

/// Refuses what HTTP cannot carry.
pub fn check_header(name: &str, text: &str) -> Result<HeaderValue, Error> {
    match text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        true => HeaderValue::from_str(text).map_err(|_| malformed(name)),
        false => Err(malformed(name)),
    }
}

/// Refuses a key that is not one word.
pub fn check_idempotency_key(key: &str) -> Result<HeaderValue, Error> {
    match !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_graphic()) {
        true => check_header("idempotency-key", key),
        false => Err(Error::new(
            ErrorKind::Configuration,
            "the idempotency key must be one word of printable ASCII",
        )),
    }
}

fn malformed(name: &str) -> Error {
    let problem =
        format!("the header {name:?} is malformed: name and value must be printable ASCII");
    Error::new(ErrorKind::Configuration, problem)
}
