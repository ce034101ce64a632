//! Messages: JSON objects, by the tables that stand beside their structs.

use serde::ser::{SerializeMap, Serializer};
use serde_json::Value;

use super::shape_error::ShapeError;

/// What the table of a message is made into.
pub trait Fields: Default {
    /// Writes every field that is present.
    fn write_fields<M: SerializeMap>(&self, out: &mut M) -> Result<(), M::Error>;

    /// Reads one property; a name that is not known is ignored.
    fn read_field(&mut self, name: &str, value: Value) -> Result<(), ShapeError>;
}

/// Reads an object; unknown fields are ignored.
pub fn read_message<T: Fields>(value: Value) -> Result<T, ShapeError> {
    let Value::Object(properties) = value else {
        return Err(ShapeError::expected("an object", &value));
    };
    let mut message = T::default();
    for (name, item) in properties {
        message
            .read_field(&name, item)
            .map_err(|error| error.within(name))?;
    }
    Ok(message)
}

/// Writes an object; fields that are absent are left out.
pub fn write_message<T: Fields, S: Serializer>(
    message: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut out = serializer.serialize_map(None)?;
    message.write_fields(&mut out)?;
    out.end()
}

/// Gives a struct its ProtoJSON form, by the names of its fields: the JSON name, and the proto name where it is another one.
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

            fn read_field(
                &mut self,
                _: &str,
                _: ::serde_json::Value,
            ) -> ::core::result::Result<(), $crate::protojson::ShapeError> {
                Ok(())
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

            fn read_field(
                &mut self,
                name: &str,
                value: ::serde_json::Value,
            ) -> ::core::result::Result<(), $crate::protojson::ShapeError> {
                match name {
                    $($json $(| $proto)? => {
                        $crate::protojson::Field::read(&mut self.$field, value)
                    })*
                    $($($case_json $(| $case_proto)? => $crate::protojson::read_case(
                        &mut self.$oneof,
                        stringify!($oneof),
                        value,
                        $cases::$case,
                    ),)*)*
                    _ => Ok(()),
                }
            }
        }

        $crate::__message! { @forms $type }
    };
    (@forms $type:ident) => {
        impl $crate::protojson::ProtoJson for $type {
            const NAME: &'static str = stringify!($type);

            fn read(
                value: ::serde_json::Value,
            ) -> ::core::result::Result<Self, $crate::protojson::ShapeError> {
                $crate::protojson::read_message(value)
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

/// Gives a type to serde in its ProtoJSON form.
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
                let value =
                    <::serde_json::Value as ::serde::Deserialize>::deserialize(deserializer)?;
                <Self as $crate::protojson::ProtoJson>::read(value).map_err(|error| {
                    <D::Error as ::serde::de::Error>::custom(::core::format_args!(
                        "{}{error}",
                        stringify!($type),
                    ))
                })
            }
        }
    };
}

pub use crate::{__message as message, __serde_forms as serde_forms};
