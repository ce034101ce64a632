//! ProtoJSON encoding and decoding of messages.
//!
//! Messages, enums and times also implement serde's traits. Use these functions for messages that map to primitive types, such as
//! 64-bit integers or bytes.

pub use crate::protojson::ProtoJson;

use crate::error::{Error, ErrorKind};
use crate::protojson::{AsJson, FromJson, Strict};

/// Decodes a message from ProtoJSON. Unknown fields are ignored.
///
/// # Errors
///
/// [`ErrorKind::Message`]: the text is not JSON or does not match the message type.
pub fn from_str<T: ProtoJson>(text: &str) -> Result<T, Error> {
    from_slice(text.as_bytes())
}

/// Decodes a message from ProtoJSON in UTF-8.
///
/// # Errors
///
/// [`ErrorKind::Message`]: the bytes are not JSON or do not match the message type.
pub fn from_slice<T: ProtoJson>(text: &[u8]) -> Result<T, Error> {
    match serde_json::from_slice(text) {
        Ok(FromJson(message)) => Ok(message),
        Err(error) => Err(Error::new(
            ErrorKind::Message,
            describe_problem(T::NAME, &error),
        )),
    }
}

/// Decodes a message from ProtoJSON that a person wrote, as the programs in `examples/` do. Unknown fields and unknown names of
/// enum values are errors, because a misspelled field would otherwise be treated as absent.
///
/// # Errors
///
/// [`ErrorKind::Message`]: the text is not JSON, does not match the message type, or has an unknown field or name.
pub fn from_str_strict<T: ProtoJson>(text: &str) -> Result<T, Error> {
    let message = from_str(text)?;
    serde_json::from_str(text)
        .and_then(|value| T::read(Strict(value)))
        .map(|_| message)
        .map_err(|error| Error::new(ErrorKind::Message, describe_problem(T::NAME, &error)))
}

/// Describes an error and its path in the value `name`.
pub(crate) fn describe_problem(name: &str, error: &serde_json::Error) -> String {
    let text = error.to_string();
    if !text.starts_with([':', '.']) {
        return format!("not JSON: {text}");
    }
    // The path in the message is more useful than the position in the text.
    let place = format!(" at line {} column {}", error.line(), error.column());
    format!("{name}{}", text.strip_suffix(&place).unwrap_or(&text))
}

/// Encodes a message as canonical ProtoJSON.
///
/// # Errors
///
/// [`ErrorKind::Message`]: a field has a value that ProtoJSON cannot represent.
pub fn to_string<T: ProtoJson>(message: &T) -> Result<String, Error> {
    serde_json::to_string(&AsJson(message))
        .map_err(|error| Error::new(ErrorKind::Message, format!("{}{error}", T::NAME)))
}
