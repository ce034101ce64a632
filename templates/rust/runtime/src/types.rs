//! The well-known types of `google.protobuf` that have a ProtoJSON form of their own, and what messages are made of.

pub use bytes::Bytes;
pub use serde_json::{Map, Value};

pub use crate::protojson::{Duration, Empty, FieldMask, NullValue, Timestamp, Unknown};

/// A JSON object: `google.protobuf.Struct`, and `google.protobuf.Any` with its `@type`.
pub type Struct = Map<String, Value>;
