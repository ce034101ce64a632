//! What does not fit, and where.

use std::fmt;

use serde::ser;
use serde_json::Value;

const LONGEST_SHOWN: usize = 60;

/// A JSON value that does not fit, and where in the message it stands.
#[derive(Debug)]
pub struct ShapeError {
    problem: String,
    /// From the value outwards.
    path: Vec<String>,
}

impl ShapeError {
    pub fn new(problem: impl Into<String>) -> Self {
        Self {
            problem: problem.into(),
            path: Vec::new(),
        }
    }

    /// `expected int32, got string "a"`
    pub fn expected(what: &str, got: &Value) -> Self {
        Self::new(format!("expected {what}, got {}", describe(got)))
    }

    /// Says that the value stands beneath `step`.
    pub fn within(mut self, step: impl Into<String>) -> Self {
        self.path.push(step.into());
        self
    }
}

/// Begins with the path, each step behind a dot, so that it can follow the name of a message.
impl fmt::Display for ShapeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in self.path.iter().rev() {
            write!(formatter, ".{step}")?;
        }
        write!(formatter, ": {}", self.problem)
    }
}

/// The same while writing: the problem, in the form of [`ShapeError`]'s text.
pub fn refuse<E: ser::Error>(problem: impl fmt::Display) -> E {
    E::custom(format_args!(": {problem}"))
}

/// Says that what could not be written stands beneath `step`.
pub fn nest<E: ser::Error>(step: impl fmt::Display, error: E) -> E {
    E::custom(format_args!(".{step}{error}"))
}

fn describe(value: &Value) -> String {
    let kind = match value {
        Value::Null => return "null".to_owned(),
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let text = value.to_string();
    if text.chars().count() <= LONGEST_SHOWN {
        return format!("{kind} {text}");
    }
    let start: String = text.chars().take(LONGEST_SHOWN - 3).collect();
    format!("{kind} {start}...")
}
