//! Floating point numbers: JSON numbers, or `NaN`, `Infinity` and `-Infinity` as texts.

use serde::Serializer;
use serde_json::Value;

use super::form::ProtoJson;
use super::number_text::parse_number;
use super::shape_error::ShapeError;

/// The first double that is nearer to infinity than to the largest float.
const BEYOND_FLOAT: f64 = 3.402_823_567_797_336_6e38;

impl ProtoJson for f64 {
    const NAME: &'static str = "double";

    fn read(value: Value) -> Result<Self, ShapeError> {
        read_float(&value, Self::NAME)
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

    fn read(value: Value) -> Result<Self, ShapeError> {
        let number = read_float(&value, Self::NAME)?;
        if number.is_finite() && number.abs() >= BEYOND_FLOAT {
            return Err(ShapeError::new(format!(
                "{number:e} is out of the range of float"
            )));
        }
        Ok(number as Self)
    }

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match special_name(f64::from(*self)) {
            Some(name) => serializer.serialize_str(name),
            None => serializer.serialize_f32(*self),
        }
    }
}

fn read_float(value: &Value, name: &str) -> Result<f64, ShapeError> {
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => match text.as_str() {
            "NaN" => Some(f64::NAN),
            "Infinity" => Some(f64::INFINITY),
            "-Infinity" => Some(f64::NEG_INFINITY),
            other => parse_number(other),
        },
        _ => None,
    };
    number.ok_or_else(|| ShapeError::expected(name, value))
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
