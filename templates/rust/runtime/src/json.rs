//! Messages as ProtoJSON texts.
//!
//! Messages, enums and times work with serde too; what differs is what has no type of its own here: a 64-bit integer or bytes
//! as a whole message.

pub use crate::protojson::ProtoJson;

use crate::error::{Error, ErrorKind};
use crate::protojson::{AsJson, FromJson};

/// Reads ProtoJSON. Fields that this crate does not know are ignored.
///
/// # Errors
///
/// [`ErrorKind::Message`]: the text is not JSON, or does not fit; the error says where.
pub fn from_str<T: ProtoJson>(text: &str) -> Result<T, Error> {
    from_slice(text.as_bytes())
}

/// Reads ProtoJSON from UTF-8.
///
/// # Errors
///
/// [`ErrorKind::Message`]: the bytes are not JSON, or do not fit; the error says where.
pub fn from_slice<T: ProtoJson>(text: &[u8]) -> Result<T, Error> {
    match serde_json::from_slice(text) {
        Ok(FromJson(message)) => Ok(message),
        Err(error) => Err(Error::new(
            ErrorKind::Message,
            describe_problem(T::NAME, &error),
        )),
    }
}

/// Says what does not fit, and where in a value that is called `name`.
pub(crate) fn describe_problem(name: &str, error: &serde_json::Error) -> String {
    let text = error.to_string();
    if !text.starts_with([':', '.']) {
        return format!("not JSON: {text}");
    }
    // The place in the message says more than the place in the text.
    let place = format!(" at line {} column {}", error.line(), error.column());
    format!("{name}{}", text.strip_suffix(&place).unwrap_or(&text))
}

/// Writes canonical ProtoJSON.
///
/// # Errors
///
/// [`ErrorKind::Message`]: a field holds what its type cannot; the error says which.
pub fn to_string<T: ProtoJson>(message: &T) -> Result<String, Error> {
    serde_json::to_string(&AsJson(message))
        .map_err(|error| Error::new(ErrorKind::Message, format!("{}{error}", T::NAME)))
}
