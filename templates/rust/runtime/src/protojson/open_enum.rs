//! Open enums, which preserve unknown values.

use std::borrow::Cow;
use std::fmt;

use serde::Deserializer;

use super::integer_forms::integer;
use super::token::{Reader, Token, read_open};

/// An unknown enum value: a name or number, sent unchanged.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Unknown(Inner);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Inner {
    Name(Box<str>),
    Number(i32),
}

impl Unknown {
    /// Internal, because declared names must not become unknown values.
    #[doc(hidden)]
    #[must_use]
    pub fn from_name(name: &str) -> Self {
        Self(Inner::Name(name.into()))
    }

    /// Internal, because declared numbers must not become unknown values.
    #[doc(hidden)]
    #[must_use]
    pub const fn from_number(number: i32) -> Self {
        Self(Inner::Number(number))
    }

    /// The name, if the value is a name.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match &self.0 {
            Inner::Name(name) => Some(name),
            Inner::Number(_) => None,
        }
    }

    /// The number, if the value is a number.
    #[must_use]
    pub fn number(&self) -> Option<i32> {
        match self.0 {
            Inner::Name(_) => None,
            Inner::Number(number) => Some(number),
        }
    }
}

/// Shows the name in quotes, or the number. An enum shows `Unknown("REGION_NORTH")`.
impl fmt::Debug for Unknown {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Inner::Name(name) => fmt::Debug::fmt(name, formatter),
            Inner::Number(number) => fmt::Debug::fmt(number, formatter),
        }
    }
}

impl fmt::Display for Unknown {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Inner::Name(name) => formatter.write_str(name),
            Inner::Number(number) => write!(formatter, "{number}"),
        }
    }
}

/// Decodes a name or number. `is_known` reports whether a name is declared.
pub fn read_enum<'de, D: Deserializer<'de>, E: for<'a> From<&'a str> + From<i32>>(
    deserializer: D,
    type_name: &'static str,
    is_known: fn(&E) -> bool,
) -> Result<E, D::Error> {
    let reader = EnumReader {
        type_name,
        is_known,
    };
    read_open(deserializer, type_name, reader)
}

struct EnumReader<E> {
    type_name: &'static str,
    is_known: fn(&E) -> bool,
}

impl<E: for<'a> From<&'a str> + From<i32>> Reader<'_> for EnumReader<E> {
    type Output = E;

    fn token(self, token: Token<'_>) -> Result<E, String> {
        match token {
            Token::Text(text) if !text.is_empty() => Ok(E::from(text.as_ref())),
            Token::Integer(_) | Token::Float(_) => {
                integer::<i32>(token, self.type_name).map(E::from)
            }
            other => Err(other.is_not(self.type_name)),
        }
    }

    fn known_name(self, name: Cow<'_, str>) -> Result<E, String> {
        let value = E::from(name.as_ref());
        match (self.is_known)(&value) {
            true => Ok(value),
            false => Err(Token::Text(name).is_not(self.type_name)),
        }
    }
}

/// Implements ProtoJSON for an enum from the proto names and numbers of its values. `also` lists aliases.
///
/// ```text
/// open_enum! {
///     Level {
///         "LEVEL_UNSPECIFIED" = 0 => Unspecified,
///         "LEVEL_INFO" = 1 => Info,
///     }
///     also {
///         "LEVEL_INFORMATION" => Info,
///     }
/// }
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! __open_enum {
    (
        $type:ident {
            $($name:literal = $number:literal => $value:ident,)*
        }
        $(also {
            $($alias:literal => $aliased:ident,)*
        })?
    ) => {
        impl $type {
            /// Name in the proto file, or `None` for an unknown number.
            #[must_use]
            pub fn name(&self) -> Option<&str> {
                match self {
                    $(Self::$value => Some($name),)*
                    Self::Unknown(value) => value.name(),
                }
            }

            /// Number in the proto file, or `None` for an unknown name.
            #[must_use]
            pub fn number(&self) -> Option<i32> {
                match self {
                    $(Self::$value => Some($number),)*
                    Self::Unknown(value) => value.number(),
                }
            }
        }

        /// Returns the value with a proto name.
        impl From<&str> for $type {
            fn from(name: &str) -> Self {
                match name {
                    $($name => Self::$value,)*
                    $($($alias => Self::$aliased,)*)?
                    _ => Self::Unknown($crate::protojson::Unknown::from_name(name)),
                }
            }
        }

        /// Returns the value with a proto name. Never fails.
        impl ::core::str::FromStr for $type {
            type Err = ::core::convert::Infallible;

            // `Self::Err` could be a value of the enum.
            fn from_str(
                name: &str,
            ) -> ::core::result::Result<Self, ::core::convert::Infallible> {
                ::core::result::Result::Ok(Self::from(name))
            }
        }

        /// Returns the value with a number.
        impl From<i32> for $type {
            fn from(number: i32) -> Self {
                match number {
                    $($number => Self::$value,)*
                    _ => Self::Unknown($crate::protojson::Unknown::from_number(number)),
                }
            }
        }

        /// Shows the proto name, or the number of a value without a name.
        impl ::core::fmt::Display for $type {
            fn fmt(&self, formatter: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                match self {
                    $(Self::$value => formatter.write_str($name),)*
                    Self::Unknown(value) => ::core::fmt::Display::fmt(value, formatter),
                }
            }
        }

        impl $crate::protojson::ProtoJson for $type {
            const NAME: &'static str = stringify!($type);

            fn read<'de, D: ::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                $crate::protojson::read_enum(deserializer, stringify!($type), |value: &Self| {
                    value.number().is_some()
                })
            }

            fn write<S: ::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                match (self.name(), self.number()) {
                    (Some(name), _) => serializer.serialize_str(name),
                    (None, number) => serializer.serialize_i32(number.unwrap_or_default()),
                }
            }
        }

        impl $crate::protojson::Field for $type {
            fn write<M: ::serde::ser::SerializeMap>(
                &self,
                name: &str,
                out: &mut M,
            ) -> ::core::result::Result<(), M::Error> {
                if *self == Self::default() {
                    return Ok(());
                }
                $crate::protojson::write_entry(out, name, &$crate::protojson::AsJson(self))
            }

            fn read<'de, D: ::serde::Deserializer<'de>>(
                &mut self,
                deserializer: D,
            ) -> ::core::result::Result<(), D::Error> {
                if let Some(value) = $crate::protojson::read_present(deserializer)? {
                    *self = value;
                }
                Ok(())
            }
        }

        $crate::__serde_forms! { $type }
    };
}

pub use crate::__open_enum as open_enum;
