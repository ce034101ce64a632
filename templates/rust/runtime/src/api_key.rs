//! The API key, protected from being printed.

use std::fmt;
use std::sync::Arc;

use http::header::{HeaderMap, HeaderValue};
use serde_json::Value;

use crate::error::{Error, ErrorKind};

/// The length of the shortest key that is redacted. A shorter text can occur in other words by chance. The service never issues
/// such keys.
const SHORTEST_REDACTED: usize = 16;

const REDACTED: &str = "[redacted]";

/// An API key that appears only in the `Authorization` header.
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

    pub fn is_in(&self, text: &str) -> bool {
        self.0.len() >= SHORTEST_REDACTED && text.contains(&*self.0)
    }

    /// Redacts the key in a string.
    pub fn redact(&self, text: &str) -> String {
        match self.is_in(text) {
            true => text.replace(&*self.0, REDACTED),
            false => text.to_owned(),
        }
    }

    /// Redacts the key in a JSON value, property names included.
    pub fn redact_json(&self, value: Value) -> Value {
        match value {
            Value::String(text) => self.redact(&text).into(),
            Value::Array(items) => items
                .into_iter()
                .map(|item| self.redact_json(item))
                .collect(),
            Value::Object(fields) => fields
                .into_iter()
                .map(|(name, field)| (self.redact(&name), self.redact_json(field)))
                .collect(),
            other => other,
        }
    }

    /// Redacts the key in headers.
    pub fn redact_headers(&self, mut headers: HeaderMap) -> HeaderMap {
        for value in headers.values_mut() {
            let text = String::from_utf8_lossy(value.as_bytes());
            if self.is_in(&text) {
                let shown = HeaderValue::try_from(self.redact(&text));
                *value = shown.unwrap_or(HeaderValue::from_static(REDACTED));
            }
        }
        headers
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "ApiKey({REDACTED})")
    }
}
