//! Well-known types for arbitrary JSON.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use super::form::ProtoJson;
use super::shape_error::misfit;
use super::token::Token;

/// `google.protobuf.Value`: any JSON value, including null.
impl ProtoJson for Value {
    const NAME: &'static str = "Value";
    const TAKES_NULL: bool = true;

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::deserialize(deserializer)
    }

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.serialize(serializer)
    }
}

/// `google.protobuf.Struct`, or `google.protobuf.Any` with `@type`.
impl ProtoJson for Map<String, Value> {
    const NAME: &'static str = "Struct";

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::Object(entries) => Ok(entries),
            other => Err(misfit(token_of(&other).is_not("an object"))),
        }
    }

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.serialize(serializer)
    }
}

/// `google.protobuf.ListValue`
impl ProtoJson for Vec<Value> {
    const NAME: &'static str = "ListValue";

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::Array(items) => Ok(items),
            other => Err(misfit(token_of(&other).is_not("an array"))),
        }
    }

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.serialize(serializer)
    }
}

fn token_of(value: &Value) -> Token<'_> {
    match value {
        Value::Null => Token::Null,
        Value::Bool(value) => Token::Bool(*value),
        Value::Number(number) => match number.as_i128() {
            Some(whole) => Token::Integer(whole),
            None => Token::Float(number.as_f64().unwrap_or(f64::NAN)),
        },
        Value::String(text) => Token::Text(text.into()),
        Value::Array(_) => Token::Array,
        Value::Object(_) => Token::Object,
    }
}
