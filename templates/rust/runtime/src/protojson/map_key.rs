//! Codecs of map keys, which are strings in JSON.

use std::borrow::Cow;

use super::form::ProtoJson;
use super::integer_forms::integer;
use super::token::Token;

/// A scalar type that can be a map key.
pub trait MapKey: Ord + Sized {
    fn text(&self) -> Cow<'_, str>;

    fn from_text(text: &str) -> Result<Self, String>;
}

impl MapKey for String {
    fn text(&self) -> Cow<'_, str> {
        Cow::Borrowed(self)
    }

    fn from_text(text: &str) -> Result<Self, String> {
        Ok(text.to_owned())
    }
}

impl MapKey for bool {
    fn text(&self) -> Cow<'_, str> {
        Cow::Borrowed(if *self { "true" } else { "false" })
    }

    fn from_text(text: &str) -> Result<Self, String> {
        text.parse()
            .map_err(|_| Token::Text(text.into()).is_not(Self::NAME))
    }
}

macro_rules! integer_keys {
    ($($type:ty),*) => {
        $(
            impl MapKey for $type {
                fn text(&self) -> Cow<'_, str> {
                    Cow::Owned(self.to_string())
                }

                fn from_text(text: &str) -> Result<Self, String> {
                    integer(Token::Text(text.into()), Self::NAME)
                }
            }
        )*
    };
}

integer_keys!(i32, i64, u32, u64);
