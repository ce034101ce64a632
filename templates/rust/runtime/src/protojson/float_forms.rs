//! Codecs of floats: JSON numbers or the strings `NaN`, `Infinity` and `-Infinity`.

use serde::{Deserializer, Serializer};

use super::form::ProtoJson;
use super::number_text::parse_number;
use super::token::{Token, read_token};

/// The smallest double that rounds to an infinite float.
const BEYOND_FLOAT: f64 = 3.402_823_567_797_336_6e38;

impl ProtoJson for f64 {
    const NAME: &'static str = "double";

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_token(deserializer, |token| float(&token, Self::NAME))
    }

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match special_name(*self) {
            Some(name) => serializer.serialize_str(name),
            None => serializer.serialize_f64(*self),
        }
    }
}

impl ProtoJson for f32 {
    const NAME: &'static str = "float";

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_token(deserializer, |token| {
            let number = float(&token, Self::NAME)?;
            match number.is_finite() && number.abs() >= BEYOND_FLOAT {
                true => Err(format!("{number:e} is out of the range of float")),
                false => Ok(number as Self),
            }
        })
    }

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match special_name(f64::from(*self)) {
            Some(name) => serializer.serialize_str(name),
            None => serializer.serialize_f32(*self),
        }
    }
}

fn float(token: &Token<'_>, name: &str) -> Result<f64, String> {
    let number = match token {
        Token::Integer(number) => Some(*number as f64),
        Token::Float(number) => Some(*number),
        Token::Text(text) => match text.as_ref() {
            "NaN" => Some(f64::NAN),
            "Infinity" => Some(f64::INFINITY),
            "-Infinity" => Some(f64::NEG_INFINITY),
            other => parse_number(other),
        },
        _ => None,
    };
    number.ok_or_else(|| token.is_not(name))
}

fn special_name(number: f64) -> Option<&'static str> {
    if number.is_finite() {
        return None;
    }
    Some(match number {
        f64::INFINITY => "Infinity",
        f64::NEG_INFINITY => "-Infinity",
        _ => "NaN",
    })
}
