//! Codec of `string`.

use serde::{Deserializer, Serializer};

use super::form::ProtoJson;
use super::token::{Token, read_token};

impl ProtoJson for String {
    const NAME: &'static str = "string";

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_token(deserializer, |token| match token {
            Token::Text(text) => Ok(text.into_owned()),
            other => Err(other.is_not(Self::NAME)),
        })
    }

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}
