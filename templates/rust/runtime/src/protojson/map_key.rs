//! Keys of maps, as the texts that JSON has for them.

use std::borrow::Cow;

use serde_json::Value;

use super::form::ProtoJson;
use super::shape_error::ShapeError;

/// A scalar that may be the key of a map.
pub trait MapKey: Ord + Sized {
    fn text(&self) -> Cow<'_, str>;

    fn from_text(text: &str) -> Result<Self, ShapeError>;
}

impl MapKey for String {
    fn text(&self) -> Cow<'_, str> {
        Cow::Borrowed(self)
    }

    fn from_text(text: &str) -> Result<Self, ShapeError> {
        Ok(text.to_owned())
    }
}

impl MapKey for bool {
    fn text(&self) -> Cow<'_, str> {
        Cow::Borrowed(if *self { "true" } else { "false" })
    }

    fn from_text(text: &str) -> Result<Self, ShapeError> {
        text.parse()
            .map_err(|_| ShapeError::expected("bool", &Value::from(text)))
    }
}

macro_rules! integer_keys {
    ($($type:ty),*) => {
        $(
            impl MapKey for $type {
                fn text(&self) -> Cow<'_, str> {
                    Cow::Owned(self.to_string())
                }

                fn from_text(text: &str) -> Result<Self, ShapeError> {
                    Self::read(Value::from(text))
                }
            }
        )*
    };
}

integer_keys!(i32, i64, u32, u64);
