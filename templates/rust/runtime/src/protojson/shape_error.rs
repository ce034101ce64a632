//! Errors of invalid values: a path with a dot before each step, then a colon and the problem. The whole can follow the name of a
//! message.

use std::fmt;

use serde::{de, ser};

/// Returns the error for an invalid JSON value.
pub fn misfit<E: de::Error>(problem: impl fmt::Display) -> E {
    E::custom(format_args!(": {problem}"))
}

/// Returns the error for a value that JSON cannot represent.
pub fn refuse<E: ser::Error>(problem: impl fmt::Display) -> E {
    E::custom(format_args!(": {problem}"))
}

/// Prepends `step` to the path of an invalid value. Syntax errors are unchanged.
pub fn nest_misfit<E: de::Error>(step: impl fmt::Display, error: E) -> E {
    let text = error.to_string();
    match is_placed(&text) {
        true => E::custom(format_args!(".{step}{text}")),
        false => error,
    }
}

/// Prepends `step` to the path of a value that cannot be encoded.
pub fn nest_refusal<E: ser::Error>(step: impl fmt::Display, error: E) -> E {
    E::custom(format_args!(".{step}{error}"))
}

/// Reports whether a message describes an invalid value rather than a syntax error.
pub fn is_placed(text: &str) -> bool {
    text.starts_with([':', '.'])
}
