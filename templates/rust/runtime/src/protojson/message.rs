//! Codec of messages, driven by a table per struct.

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess};
use serde::ser::{SerializeMap, Serializer};

use super::field::Field;
use super::shape_error::{is_placed, misfit, nest_misfit};
use super::token::{Name, Reader, Token, read};

/// Implemented by the table of a message.
pub trait Fields: Default {
    /// Encodes every present field.
    fn write_fields<M: SerializeMap>(&self, out: &mut M) -> Result<(), M::Error>;

    /// Decodes the value of a property. Unknown properties are ignored.
    fn read_field<'de, A: MapAccess<'de>>(
        &mut self,
        name: &str,
        properties: &mut A,
        given: &mut Given,
    ) -> Result<(), A::Error>;
}

/// The fields that the JSON object of a message contains so far, by their JSON names.
#[derive(Default)]
pub struct Given(Vec<&'static str>);

impl Given {
    /// Adds a field. Fails if the field was already given by either of its names.
    pub fn add<E: Error>(&mut self, field: &'static str) -> Result<(), E> {
        if self.0.contains(&field) {
            return Err(misfit("the field is given twice"));
        }
        self.0.push(field);
        Ok(())
    }
}

/// Decodes an object. Unknown fields are ignored.
pub fn read_message<'de, D: Deserializer<'de>, T: Fields>(deserializer: D) -> Result<T, D::Error> {
    let mut message = T::default();
    read(deserializer, Properties(&mut message))?;
    Ok(message)
}

struct Properties<'a, T>(&'a mut T);

impl<'de, T: Fields> Reader<'de> for Properties<'_, T> {
    type Output = ();

    fn token(self, token: Token<'_>) -> Result<(), String> {
        Err(token.is_not("an object"))
    }

    fn object<A: MapAccess<'de>>(self, mut properties: A) -> Result<(), A::Error> {
        let mut given = Given::default();
        while let Some(Name(name)) = properties.next_key()? {
            self.0
                .read_field(&name, &mut properties, &mut given)
                .map_err(|error| nest_misfit(&name, error))?;
        }
        Ok(())
    }
}

/// Decodes the value of a property into a field.
pub fn next_field<'de, A: MapAccess<'de>, F: Field>(
    properties: &mut A,
    field: &mut F,
) -> Result<(), A::Error> {
    properties.next_value_seed(FieldSeed(field))
}

/// Skips the value of a property.
pub fn skip_field<'de, A: MapAccess<'de>>(properties: &mut A) -> Result<(), A::Error> {
    properties.next_value::<IgnoredAny>().map(drop)
}

struct FieldSeed<'a, F>(&'a mut F);

impl<'de, F: Field> DeserializeSeed<'de> for FieldSeed<'_, F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.0.read(deserializer)
    }
}

/// Adds the name of the property to an error.
pub fn name_misfit<E: Error>(name: &str, error: E) -> E {
    let text = error.to_string();
    match is_placed(&text) {
        true => E::custom(format_args!("{name}{text}")),
        false => error,
    }
}

/// Encodes an object. Absent fields are omitted.
pub fn write_message<T: Fields, S: Serializer>(
    message: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut out = serializer.serialize_map(None)?;
    message.write_fields(&mut out)?;
    out.end()
}

/// Implements ProtoJSON for a struct. Each field has its JSON name and, if different, its proto name.
///
/// ```text
/// message! {
///     Word {
///         "text" => text,
///         "unitPrice" | "unit_price" => unit_price,
///     }
///     oneof origin: WordOrigin {
///         "book" => Book,
///     }
/// }
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! __message {
    ($type:ident {}) => {
        impl $crate::protojson::Fields for $type {
            fn write_fields<M: ::serde::ser::SerializeMap>(
                &self,
                _: &mut M,
            ) -> ::core::result::Result<(), M::Error> {
                Ok(())
            }

            fn read_field<'de, A: ::serde::de::MapAccess<'de>>(
                &mut self,
                _: &str,
                properties: &mut A,
                _: &mut $crate::protojson::Given,
            ) -> ::core::result::Result<(), A::Error> {
                $crate::protojson::skip_field(properties)
            }
        }

        $crate::__message! { @forms $type }
    };
    (
        $type:ident {
            $($json:literal $(| $proto:literal)? => $field:ident,)*
        }
        $(oneof $oneof:ident: $cases:ident {
            $($case_json:literal $(| $case_proto:literal)? => $case:ident,)*
        })*
    ) => {
        impl $crate::protojson::Fields for $type {
            fn write_fields<M: ::serde::ser::SerializeMap>(
                &self,
                out: &mut M,
            ) -> ::core::result::Result<(), M::Error> {
                $($crate::protojson::Field::write(&self.$field, $json, out)?;)*
                $(match &self.$oneof {
                    $(Some($cases::$case(value)) => $crate::protojson::write_entry(
                        out,
                        $case_json,
                        &$crate::protojson::AsJson(value),
                    )?,)*
                    None => {}
                })*
                Ok(())
            }

            fn read_field<'de, A: ::serde::de::MapAccess<'de>>(
                &mut self,
                name: &str,
                properties: &mut A,
                given: &mut $crate::protojson::Given,
            ) -> ::core::result::Result<(), A::Error> {
                match name {
                    $($json $(| $proto)? => {
                        given.add($json)?;
                        $crate::protojson::next_field(properties, &mut self.$field)
                    })*
                    $($($case_json $(| $case_proto)? => {
                        given.add($case_json)?;
                        $crate::protojson::next_case(
                            properties,
                            &mut self.$oneof,
                            stringify!($oneof),
                            $cases::$case,
                        )
                    })*)*
                    _ => $crate::protojson::skip_field(properties),
                }
            }
        }

        $crate::__message! { @forms $type }
    };
    (@forms $type:ident) => {
        impl $crate::protojson::ProtoJson for $type {
            const NAME: &'static str = stringify!($type);

            fn read<'de, D: ::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                $crate::protojson::read_message(deserializer)
            }

            fn write<S: ::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                $crate::protojson::write_message(self, serializer)
            }
        }

        $crate::__serde_forms! { $type }
    };
}

/// Implements serde's traits with the ProtoJSON form of a type.
#[doc(hidden)]
#[macro_export]
macro_rules! __serde_forms {
    ($type:ident) => {
        impl ::serde::Serialize for $type {
            fn serialize<S: ::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                $crate::protojson::ProtoJson::write(self, serializer).map_err(|error| {
                    <S::Error as ::serde::ser::Error>::custom(::core::format_args!(
                        "{}{error}",
                        stringify!($type),
                    ))
                })
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $type {
            fn deserialize<D: ::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                <Self as $crate::protojson::ProtoJson>::read(deserializer)
                    .map_err(|error| $crate::protojson::name_misfit(stringify!($type), error))
            }
        }
    };
}

pub use crate::{__message as message, __serde_forms as serde_forms};
