//! Codec of `bool`.

use serde::{Deserializer, Serializer};

use super::form::ProtoJson;
use super::token::{Token, read_token};

impl ProtoJson for bool {
    const NAME: &'static str = "bool";

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_token(deserializer, |token| match token {
            Token::Bool(value) => Ok(value),
            other => Err(other.is_not(Self::NAME)),
        })
    }

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bool(*self)
    }
}
