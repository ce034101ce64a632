//! Options of a call.

use std::fmt;
use std::time::Duration;

use http::header::{self, HeaderMap, HeaderName, HeaderValue};
use tokio::time::Instant;

use crate::IDENTITY;
use crate::connection::Settings;
use crate::error::{Error, ErrorKind};

/// Headers controlled by the HTTP transport.
const OF_TRANSPORT: [HeaderName; 7] = [
    header::ACCEPT_ENCODING,
    header::CONNECTION,
    header::CONTENT_LENGTH,
    header::EXPECT,
    header::HOST,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
];

/// Headers of the SDK, and the option that sets each of them, if there is one.
const OF_SDK: [(HeaderName, Option<&str>); 6] = [
    (header::ACCEPT, None),
    (header::AUTHORIZATION, Some("api_key() on the builder")),
    (header::CONTENT_TYPE, None),
    (
        HeaderName::from_static("idempotency-key"),
        Some("idempotency_key() on the call"),
    ),
    (
        HeaderName::from_static("last-event-id"),
        Some("output_after() on the split stream"),
    ),
    (HeaderName::from_static("x-svc-client"), None),
];

/// Options of one call. Absent options default to those of the client.
#[derive(Clone, Default)]
pub struct Options {
    /// `Some(None)`: no limit.
    pub timeout: Option<Option<Duration>>,
    /// Like `timeout`.
    pub attempt_timeout: Option<Option<Duration>>,
    pub max_retries: Option<u32>,
    pub idempotency_key: Option<String>,
    pub headers: Vec<(String, String)>,
}

impl Options {
    /// Returns the number of retries of a request.
    pub fn retries(&self, settings: &Settings) -> u32 {
        self.max_retries.unwrap_or(settings.max_retries)
    }

    /// Returns the timeout of the call.
    pub fn timeout(&self, settings: &Settings) -> Result<Option<Duration>, Error> {
        check_timeout("timeout", self.timeout.unwrap_or(settings.timeout))
    }

    /// Returns the timeout of each attempt.
    pub fn attempt_timeout(&self, settings: &Settings) -> Result<Option<Duration>, Error> {
        let timeout = self.attempt_timeout.unwrap_or(settings.attempt_timeout);
        check_timeout("attempt_timeout", timeout)
    }

    /// Returns the options for a request that is part of the call.
    pub fn until(&self, deadline: Option<Instant>) -> Self {
        let mut rest = self.clone();
        if let Some(deadline) = deadline {
            let left = deadline.saturating_duration_since(Instant::now());
            rest.timeout = Some(Some(left.max(Duration::from_millis(1))));
        }
        rest
    }
}

/// Does not show the values of headers, because they can be secret.
impl fmt::Debug for Options {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.headers.iter().map(|(name, _)| &**name).collect();
        formatter
            .debug_struct("Options")
            .field("timeout", &self.timeout)
            .field("attempt_timeout", &self.attempt_timeout)
            .field("max_retries", &self.max_retries)
            .field("idempotency_key", &self.idempotency_key)
            .field("headers", &names)
            .finish()
    }
}

/// Rejects a timeout of zero that the method `setter` has set.
pub fn check_timeout(setter: &str, timeout: Option<Duration>) -> Result<Option<Duration>, Error> {
    match timeout {
        Some(Duration::ZERO) => Err(Error::new(
            ErrorKind::Configuration,
            format!("{setter} must be greater than 0; call without_{setter}() for no limit"),
        )),
        other => Ok(other),
    }
}

/// Adds headers in order. Each replaces an earlier header of the same name. Rejects those that the SDK or the transport sets.
pub fn add_headers(map: &mut HeaderMap, headers: &[(String, String)]) -> Result<(), Error> {
    for (name, text) in headers {
        let value = check_header(name, text)?;
        let name = HeaderName::try_from(name).map_err(|_| {
            let problem =
                format!("the header name {name:?} is malformed: use letters, digits and -");
            Error::new(ErrorKind::Configuration, problem)
        })?;
        if let Some(problem) = problem_of(&name) {
            return Err(Error::new(ErrorKind::Configuration, problem));
        }
        map.insert(name, value);
    }
    Ok(())
}

/// Explains why a program cannot set a header.
fn problem_of(name: &HeaderName) -> Option<String> {
    if OF_TRANSPORT.contains(name) {
        return Some(format!(
            "the header {name} is set by the transport and cannot be changed"
        ));
    }
    let (_, setter) = OF_SDK.into_iter().find(|(own, _)| own == name)?;
    Some(match setter {
        Some(setter) => format!("the header {name} is set by the SDK: call {setter} instead"),
        None => format!("the header {name} is set by the SDK and cannot be changed"),
    })
}

/// Adds the headers of the SDK. A `User-Agent` precedes its own.
pub fn identify(headers: &mut HeaderMap, own: &HeaderMap) {
    headers.extend(own.clone());
    let agent = match headers.get(header::USER_AGENT) {
        Some(given) => HeaderValue::try_from([given.as_bytes(), IDENTITY.as_bytes()].join(&b' '))
            .expect("two header values and a space are a header value"),
        None => HeaderValue::from_static(IDENTITY),
    };
    headers.insert(header::USER_AGENT, agent);
}

/// Rejects malformed values of headers.
pub fn check_header(name: &str, text: &str) -> Result<HeaderValue, Error> {
    match text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        true => HeaderValue::from_str(text).map_err(|_| malformed(name)),
        false => Err(malformed(name)),
    }
}

/// Rejects malformed idempotency keys.
pub fn check_idempotency_key(key: &str) -> Result<HeaderValue, Error> {
    match !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_graphic()) {
        true => check_header("idempotency-key", key),
        false => Err(Error::new(
            ErrorKind::Configuration,
            "the idempotency key must contain only visible ASCII characters",
        )),
    }
}

fn malformed(name: &str) -> Error {
    let problem =
        format!("the value of the header {name:?} is malformed: use printable ASCII characters");
    Error::new(ErrorKind::Configuration, problem)
}
