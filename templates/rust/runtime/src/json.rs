//! Messages as ProtoJSON texts.
//!
//! Messages, enums and times work with serde too; what differs is what has no type of its own here: a 64-bit integer or bytes
//! as a whole message.

pub use crate::protojson::ProtoJson;

use serde_json::Value;

use crate::error::{Error, ErrorKind};
use crate::protojson::AsJson;

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
    let value: Value = serde_json::from_slice(text)
        .map_err(|error| Error::new(ErrorKind::Message, format!("not JSON: {error}")))?;
    T::read(value).map_err(|error| Error::new(ErrorKind::Message, format!("{}{error}", T::NAME)))
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
