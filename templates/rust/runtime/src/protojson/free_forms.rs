//! Well-known types for arbitrary JSON.

use serde::de::{MapAccess, SeqAccess};
use serde::{Deserializer, Serialize, Serializer};
use serde_json::{Map, Number, Value};

use super::form::{FromJson, ProtoJson};
use super::shape_error::{misfit, nest_misfit};
use super::token::{Name, Reader, Token, read};

/// `google.protobuf.Value`: any JSON value, including null.
impl ProtoJson for Value {
    const NAME: &'static str = "Value";
    const TAKES_NULL: bool = true;

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read(deserializer, Free)
    }

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.serialize(serializer)
    }
}

/// `google.protobuf.Struct`, or `google.protobuf.Any` with `@type`.
impl ProtoJson for Map<String, Value> {
    const NAME: &'static str = "Struct";

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read(deserializer, Members)
    }

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.serialize(serializer)
    }
}

/// `google.protobuf.ListValue`
impl ProtoJson for Vec<Value> {
    const NAME: &'static str = "ListValue";

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read(deserializer, Items)
    }

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.serialize(serializer)
    }
}

/// Reads any value. Unlike this reader, `Value` itself accepts duplicate keys and keeps the last value.
struct Free;

impl<'de> Reader<'de> for Free {
    type Output = Value;

    fn token(self, token: Token<'_>) -> Result<Value, String> {
        Ok(match token {
            Token::Bool(value) => Value::Bool(value),
            Token::Integer(value) => Number::from_i128(value).map_or(Value::Null, Value::Number),
            Token::Float(value) => Number::from_f64(value).map_or(Value::Null, Value::Number),
            Token::Text(text) => Value::String(text.into_owned()),
            Token::Null | Token::Array | Token::Object => Value::Null,
        })
    }

    fn array<A: SeqAccess<'de>>(self, items: A) -> Result<Value, A::Error> {
        Items.array(items).map(Value::Array)
    }

    fn object<A: MapAccess<'de>>(self, members: A) -> Result<Value, A::Error> {
        Members.object(members).map(Value::Object)
    }
}

struct Items;

impl<'de> Reader<'de> for Items {
    type Output = Vec<Value>;

    fn token(self, token: Token<'_>) -> Result<Self::Output, String> {
        Err(token.is_not("an array"))
    }

    fn array<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Output, A::Error> {
        let mut list = Vec::new();
        loop {
            let next = items.next_element::<FromJson<Value>>();
            match next.map_err(|error| nest_misfit(list.len(), error))? {
                Some(FromJson(item)) => list.push(item),
                None => return Ok(list),
            }
        }
    }
}

struct Members;

impl<'de> Reader<'de> for Members {
    type Output = Map<String, Value>;

    fn token(self, token: Token<'_>) -> Result<Self::Output, String> {
        Err(token.is_not("an object"))
    }

    fn object<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Output, A::Error> {
        let mut entries = Map::new();
        while let Some(Name(key)) = members.next_key()? {
            let value = members.next_value::<FromJson<Value>>();
            let FromJson(value) = value.map_err(|error| nest_misfit(&key, error))?;
            if entries.contains_key(&*key) {
                let error = misfit::<A::Error>("the key is given twice");
                return Err(nest_misfit(&key, error));
            }
            entries.insert(key.into_owned(), value);
        }
        Ok(entries)
    }
}
