//! The trait of types with a ProtoJSON form.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::shape_error::nest_refusal;

/// A type with a ProtoJSON form: messages, enums, scalars and the well-known types.
///
/// Implemented for the types of this crate. Not meant to be implemented for other types.
pub trait ProtoJson: Sized {
    /// Name in error messages, for example `TokenizeRequest`.
    const NAME: &'static str;

    /// Whether JSON null is a value of the type rather than absence.
    const TAKES_NULL: bool = false;

    /// Decodes a value.
    ///
    /// # Errors
    ///
    /// The JSON value does not match the type.
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;

    /// Encodes the value.
    ///
    /// # Errors
    ///
    /// JSON cannot represent the value.
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
}

/// Serializes a value as ProtoJSON.
pub struct AsJson<'a, T>(pub &'a T);

impl<T: ProtoJson> Serialize for AsJson<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.write(serializer)
    }
}

/// Deserializes a value from ProtoJSON.
pub struct FromJson<T>(pub T);

impl<'de, T: ProtoJson> Deserialize<'de> for FromJson<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::read(deserializer).map(Self)
    }
}

/// Decodes an optional value. Null means absent, unless the type has a null value.
pub fn read_present<'de, D: Deserializer<'de>, T: ProtoJson>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    match T::TAKES_NULL {
        true => T::read(deserializer).map(Some),
        false => deserializer.deserialize_option(PresentVisitor(PhantomData)),
    }
}

struct PresentVisitor<T>(PhantomData<T>);

impl<'de, T: ProtoJson> Visitor<'de> for PresentVisitor<T> {
    type Value = Option<T>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(T::NAME)
    }

    fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        T::read(deserializer).map(Some)
    }
}

/// Encodes a property of an object.
pub fn write_entry<M: SerializeMap, T: Serialize>(
    out: &mut M,
    name: &str,
    value: &T,
) -> Result<(), M::Error> {
    out.serialize_entry(name, value)
        .map_err(|error| nest_refusal(name, error))
}

/// The type of recursive fields.
impl<T: ProtoJson> ProtoJson for Box<T> {
    const NAME: &'static str = T::NAME;
    const TAKES_NULL: bool = T::TAKES_NULL;

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::read(deserializer).map(Self::new)
    }

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).write(serializer)
    }
}
