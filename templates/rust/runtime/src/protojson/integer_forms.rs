//! Codecs of integers: JSON numbers for 32 bits, strings for 64 bits.

use serde::{Deserializer, Serializer};

use super::form::ProtoJson;
use super::number_text::parse_number;
use super::token::{Token, read_token};

macro_rules! integer_forms {
    ($($type:ty, $name:literal, |$value:ident, $serializer:ident| $write:expr;)*) => {
        $(
            impl ProtoJson for $type {
                const NAME: &'static str = $name;

                fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    read_token(deserializer, |token| integer(token, Self::NAME))
                }

                fn write<S: Serializer>(&self, $serializer: S) -> Result<S::Ok, S::Error> {
                    let $value = self;
                    $write
                }
            }
        )*
    };
}

integer_forms! {
    i32, "int32", |value, serializer| serializer.serialize_i32(*value);
    u32, "uint32", |value, serializer| serializer.serialize_u32(*value);
    i64, "int64", |value, serializer| serializer.collect_str(value);
    u64, "uint64", |value, serializer| serializer.collect_str(value);
}

/// 2^53, from which on a double may have been rounded.
const LEAST_INEXACT: f64 = 9_007_199_254_740_992.0;

/// Converts a number or numeric string to an integer. A fractional part must be zero.
pub fn integer<T: TryFrom<i128>>(token: Token<'_>, name: &str) -> Result<T, String> {
    let whole = match &token {
        Token::Integer(whole) => Some(*whole),
        Token::Float(number) => without_fraction(*number),
        Token::Text(text) => parse_whole(text),
        _ => None,
    };
    let whole = whole.ok_or_else(|| token.is_not(name))?;
    T::try_from(whole).map_err(|_| format!("{whole} is out of the range of {name}"))
}

fn parse_whole(text: &str) -> Option<i128> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit())
        && (digits == "0" || !digits.starts_with('0'));
    match is_plain {
        true => text.parse().ok(),
        false => without_fraction(parse_number(text)?),
    }
}

/// Returns `None` for a fraction, and also beyond 2^53, where a double may have been rounded.
fn without_fraction(number: f64) -> Option<i128> {
    let is_exact = number.fract() == 0.0 && number.abs() < LEAST_INEXACT;
    is_exact.then_some(number as i128)
}
