//! Well-known types of `google.protobuf` and other field types.

pub use bytes::Bytes;
pub use serde_json::{Map, Value};

pub use crate::protojson::{Duration, Empty, FieldMask, NullValue, Timestamp, Unknown};

/// A JSON object: `google.protobuf.Struct`, or `google.protobuf.Any` with `@type`.
pub type Struct = Map<String, Value>;
