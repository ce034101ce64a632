//! JSON null.

use serde::ser::SerializeMap;
use serde::{Deserializer, Serializer};

use super::field::Field;
use super::form::ProtoJson;
use super::token::{Token, read_token};

/// The type of JSON null (`google.protobuf.NullValue`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NullValue;

impl ProtoJson for NullValue {
    const NAME: &'static str = "NullValue";
    const TAKES_NULL: bool = true;

    /// Decodes null, or its enum name or number.
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_token(deserializer, |token| match &token {
            Token::Null | Token::Integer(0) => Ok(Self),
            Token::Text(text) if text == "NULL_VALUE" => Ok(Self),
            _ => Err(token.is_not("null")),
        })
    }

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit()
    }
}

/// Without presence, the only value is the default value and is omitted.
impl Field for NullValue {
    fn write<M: SerializeMap>(&self, _: &str, _: &mut M) -> Result<(), M::Error> {
        Ok(())
    }

    fn read<'de, D: Deserializer<'de>>(&mut self, deserializer: D) -> Result<(), D::Error> {
        <Self as ProtoJson>::read(deserializer).map(drop)
    }
}

super::serde_forms! { NullValue }
