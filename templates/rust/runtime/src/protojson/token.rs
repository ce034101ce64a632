//! JSON tokens.

use std::borrow::Cow;
use std::fmt;
use std::sync::LazyLock;

use serde::de::value::CowStrDeserializer;
use serde::de::{DeserializeSeed, EnumAccess, Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Number;

use super::shape_error::misfit;

const LONGEST_SHOWN: usize = 60;

/// Whether `serde_json` has the feature `arbitrary_precision`, which any crate of a program can enable. Numbers beyond 64-bit
/// integers are then objects whose only property is the text of the number.
static ARE_NUMBERS_OBJECTS: LazyLock<bool> =
    LazyLock::new(|| serde_json::from_str::<Number>("1e999").is_ok());

const NUMBER: &str = "$serde_json::private::Number";

/// A JSON value. Arrays and objects have no contents.
pub enum Token<'a> {
    Null,
    Bool(bool),
    Integer(i128),
    Float(f64),
    Text(Cow<'a, str>),
    Array,
    Object,
}

impl Token<'_> {
    /// Returns a problem such as `expected int32, got string "a"`.
    pub fn is_not(&self, what: &str) -> String {
        format!("expected {what}, got {self}")
    }
}

impl fmt::Display for Token<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => formatter.write_str("null"),
            Self::Bool(value) => write!(formatter, "bool {value}"),
            Self::Integer(value) => write!(formatter, "number {value}"),
            Self::Float(value) => write!(formatter, "number {value:?}"),
            Self::Text(text) if text.chars().count() <= LONGEST_SHOWN => {
                write!(formatter, "string {text:?}")
            }
            Self::Text(text) => {
                let start: String = text.chars().take(LONGEST_SHOWN).collect();
                write!(formatter, "string {start:?}...")
            }
            Self::Array => formatter.write_str("an array"),
            Self::Object => formatter.write_str("an object"),
        }
    }
}

/// Reads one value of any type.
pub trait Reader<'de>: Sized {
    type Output;

    /// Reads a scalar value.
    fn token(self, token: Token<'_>) -> Result<Self::Output, String>;

    /// Reads the name of an enum value, which must be a known one.
    fn known_name(self, name: Cow<'_, str>) -> Result<Self::Output, String> {
        self.token(Token::Text(name))
    }

    /// Reads an array.
    fn array<A: SeqAccess<'de>>(self, _: A) -> Result<Self::Output, A::Error> {
        self.token(Token::Array).map_err(misfit)
    }

    /// Reads an object.
    fn object<A: MapAccess<'de>>(self, _: A) -> Result<Self::Output, A::Error> {
        self.token(Token::Object).map_err(misfit)
    }
}

/// Reads the next value of `deserializer`.
pub fn read<'de, D: Deserializer<'de>, R: Reader<'de>>(
    deserializer: D,
    reader: R,
) -> Result<R::Output, D::Error> {
    deserializer.deserialize_any(Visit(reader))
}

/// Reads the next value of `deserializer`, which is that of an open enum: a number or a name. Open enums are newtypes to serde,
/// whose names [`Strict`](super::Strict) passes as the variants of an enum.
pub fn read_open<'de, D: Deserializer<'de>, R: Reader<'de>>(
    deserializer: D,
    name: &'static str,
    reader: R,
) -> Result<R::Output, D::Error> {
    deserializer.deserialize_newtype_struct(name, Visit(reader))
}

/// Reads a scalar value.
pub fn read_token<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    make: impl FnOnce(Token<'_>) -> Result<T, String>,
) -> Result<T, D::Error> {
    read(deserializer, Plain(make))
}

struct Plain<F>(F);

impl<T, F: FnOnce(Token<'_>) -> Result<T, String>> Reader<'_> for Plain<F> {
    type Output = T;

    fn token(self, token: Token<'_>) -> Result<T, String> {
        (self.0)(token)
    }
}

struct Visit<R>(R);

impl<'de, R: Reader<'de>> Visitor<'de> for Visit<R> {
    type Value = R::Output;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        self.0.token(Token::Null).map_err(misfit)
    }

    fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
        self.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, value: A) -> Result<Self::Value, A::Error> {
        let (Name(name), _) = value.variant()?;
        self.0.known_name(name).map_err(misfit)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Self::Value, E> {
        self.0.token(Token::Bool(value)).map_err(misfit)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
        self.0.token(Token::Integer(value.into())).map_err(misfit)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Self::Value, E> {
        self.0.token(Token::Integer(value.into())).map_err(misfit)
    }

    fn visit_i128<E: Error>(self, value: i128) -> Result<Self::Value, E> {
        self.visit_f64(value as f64)
    }

    fn visit_u128<E: Error>(self, value: u128) -> Result<Self::Value, E> {
        self.visit_f64(value as f64)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Self::Value, E> {
        self.0.token(Token::Float(value)).map_err(misfit)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        self.0
            .token(Token::Text(Cow::Borrowed(text)))
            .map_err(misfit)
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Self::Value, E> {
        self.0.token(Token::Text(Cow::Owned(text))).map_err(misfit)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Self::Value, A::Error> {
        self.0.array(items)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut properties: A) -> Result<Self::Value, A::Error> {
        if !*ARE_NUMBERS_OBJECTS {
            return self.0.object(properties);
        }
        match properties.next_key()? {
            Some(Name(name)) if name == NUMBER => {
                let text: String = properties.next_value()?;
                match text.parse::<f64>() {
                    Ok(number) if number.is_finite() => self.visit_f64(number),
                    _ => Err(misfit(format_args!("number {text} is out of range"))),
                }
            }
            first => self.0.object(Begun {
                first,
                rest: properties,
            }),
        }
    }
}

/// An object whose first name has been read.
struct Begun<'de, A> {
    first: Option<Name<'de>>,
    rest: A,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Begun<'de, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        match self.first.take() {
            Some(Name(name)) => seed.deserialize(CowStrDeserializer::new(name)).map(Some),
            None => self.rest.next_key_seed(seed),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.rest.next_value_seed(seed)
    }
}

/// The name of a property, borrowed from the input if it has no escapes.
pub struct Name<'de>(pub Cow<'de, str>);

impl<'de> Deserialize<'de> for Name<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(NameVisitor)
    }
}

struct NameVisitor;

impl<'de> Visitor<'de> for NameVisitor {
    type Value = Name<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the name of a property")
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Name(Cow::Borrowed(text)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Name(Cow::Owned(text.to_owned())))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Self::Value, E> {
        Ok(Name(Cow::Owned(text)))
    }
}
