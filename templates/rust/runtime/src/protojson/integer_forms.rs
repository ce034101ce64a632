//! Integers of 32 bits, JSON numbers, and of 64 bits, JSON texts. Exact either way.

use serde::Serializer;
use serde_json::Value;

use super::form::ProtoJson;
use super::number_text::parse_number;
use super::shape_error::ShapeError;

macro_rules! integer_forms {
    ($($type:ty, $name:literal, |$value:ident, $serializer:ident| $write:expr;)*) => {
        $(
            impl ProtoJson for $type {
                const NAME: &'static str = $name;

                fn read(value: Value) -> Result<Self, ShapeError> {
                    let whole = whole_number(&value)
                        .ok_or_else(|| ShapeError::expected(Self::NAME, &value))?;
                    Self::try_from(whole).map_err(|_| {
                        ShapeError::new(format!("{whole} is out of the range of {}", Self::NAME))
                    })
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

/// Reads a number or a text of digits; a fraction must be zero.
pub fn whole_number(value: &Value) -> Option<i128> {
    match value {
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(whole), _) => Some(i128::from(whole)),
            (_, Some(whole)) => Some(i128::from(whole)),
            _ => without_fraction(number.as_f64()?),
        },
        Value::String(text) => {
            let digits = text.strip_prefix('-').unwrap_or(text);
            let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit())
                && (digits == "0" || !digits.starts_with('0'));
            match is_plain {
                true => text.parse().ok(),
                false => without_fraction(parse_number(text)?),
            }
        }
        _ => None,
    }
}

fn without_fraction(number: f64) -> Option<i128> {
    let fits = number.fract() == 0.0 && number.abs() < 1e30;
    fits.then_some(number as i128)
}
