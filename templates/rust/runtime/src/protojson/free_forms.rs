//! The well-known types that hold free JSON.

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use super::form::ProtoJson;
use super::shape_error::ShapeError;

/// `google.protobuf.Value`: any JSON value, null included.
impl ProtoJson for Value {
    const NAME: &'static str = "Value";
    const TAKES_NULL: bool = true;

    fn read(value: Value) -> Result<Self, ShapeError> {
        Ok(value)
    }

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.serialize(serializer)
    }
}

/// `google.protobuf.Struct`, and `google.protobuf.Any` with its `@type`.
impl ProtoJson for Map<String, Value> {
    const NAME: &'static str = "Struct";

    fn read(value: Value) -> Result<Self, ShapeError> {
        match value {
            Value::Object(entries) => Ok(entries),
            other => Err(ShapeError::expected("an object", &other)),
        }
    }

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.serialize(serializer)
    }
}

/// `google.protobuf.ListValue`
impl ProtoJson for Vec<Value> {
    const NAME: &'static str = "ListValue";

    fn read(value: Value) -> Result<Self, ShapeError> {
        match value {
            Value::Array(items) => Ok(items),
            other => Err(ShapeError::expected("an array", &other)),
        }
    }

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.serialize(serializer)
    }
}
