//! `string` as JSON's text.

use serde::Serializer;
use serde_json::Value;

use super::form::ProtoJson;
use super::shape_error::ShapeError;

impl ProtoJson for String {
    const NAME: &'static str = "string";

    fn read(value: Value) -> Result<Self, ShapeError> {
        match value {
            Value::String(text) => Ok(text),
            other => Err(ShapeError::expected(Self::NAME, &other)),
        }
    }

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}
