//! The API key, protected from being printed.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use reqwest::header::{HeaderMap, HeaderValue};

use crate::error::{Error, ErrorKind};

const REDACTED: &str = "[redacted]";

/// An API key that only appears in the `Authorization` header.
#[derive(Clone)]
pub struct ApiKey(Arc<str>);

impl ApiKey {
    pub fn parse(text: &str) -> Result<Self, Error> {
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Error::new(
                ErrorKind::Configuration,
                "the API key is malformed: it must contain only visible ASCII characters; check for spaces or line breaks around it",
            ));
        }
        Ok(Self(text.into()))
    }

    pub fn authorization(&self) -> HeaderValue {
        let mut value = HeaderValue::try_from(format!("Bearer {}", self.0))
            .expect("a key of printable ASCII is a header value");
        value.set_sensitive(true);
        value
    }

    /// Redacts the key in a string.
    pub fn redact(&self, text: &str) -> String {
        text.replace(&*self.0, REDACTED)
    }
}

impl ApiKey {
    /// Redacts the key in bytes. Copies them only if necessary.
    pub fn redact_bytes(&self, bytes: Bytes) -> Bytes {
        match self.is_in(&bytes) {
            true => Bytes::from(self.redact(&String::from_utf8_lossy(&bytes))),
            false => bytes,
        }
    }

    /// Redacts the key in headers.
    pub fn redact_headers(&self, headers: &mut HeaderMap) {
        for value in headers.values_mut() {
            if self.is_in(value.as_bytes()) {
                let shown = self.redact(&String::from_utf8_lossy(value.as_bytes()));
                *value = HeaderValue::try_from(shown).unwrap_or(HeaderValue::from_static(REDACTED));
            }
        }
    }

    fn is_in(&self, bytes: &[u8]) -> bool {
        let key = self.0.as_bytes();
        bytes.len() >= key.len()
            && match std::str::from_utf8(bytes) {
                Ok(text) => text.contains(&*self.0),
                Err(_) => bytes.windows(key.len()).any(|window| window == key),
            }
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "ApiKey({REDACTED})")
    }
}
