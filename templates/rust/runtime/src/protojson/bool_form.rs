//! `bool` as JSON's true and false.

use serde::Serializer;
use serde_json::Value;

use super::form::ProtoJson;
use super::shape_error::ShapeError;

impl ProtoJson for bool {
    const NAME: &'static str = "bool";

    fn read(value: Value) -> Result<Self, ShapeError> {
        value
            .as_bool()
            .ok_or_else(|| ShapeError::expected(Self::NAME, &value))
    }

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bool(*self)
    }
}
