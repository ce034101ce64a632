//! JSON's null as a type of its own.

use serde::Serializer;
use serde::ser::SerializeMap;
use serde_json::Value;

use super::field::Field;
use super::form::ProtoJson;
use super::shape_error::ShapeError;

/// JSON's null (`google.protobuf.NullValue`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NullValue;

impl ProtoJson for NullValue {
    const NAME: &'static str = "NullValue";
    const TAKES_NULL: bool = true;

    /// Reads null, or the enum's name or number for it.
    fn read(value: Value) -> Result<Self, ShapeError> {
        let is_null = value.is_null() || value == "NULL_VALUE" || value == 0;
        match is_null {
            true => Ok(Self),
            false => Err(ShapeError::expected("null", &value)),
        }
    }

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit()
    }
}

/// Without presence there is nothing to send: null is the only value.
impl Field for NullValue {
    fn write<M: SerializeMap>(&self, _: &str, _: &mut M) -> Result<(), M::Error> {
        Ok(())
    }

    fn read(&mut self, value: Value) -> Result<(), ShapeError> {
        <Self as ProtoJson>::read(value).map(drop)
    }
}

super::serde_forms! { NullValue }
