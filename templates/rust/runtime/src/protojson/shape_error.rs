//! What does not fit, and where: a path, each step behind a dot, and a problem behind a colon, so that both can follow the name
//! of a message.

use std::fmt;

use serde::{de, ser};

/// The error of a value that does not fit.
pub fn misfit<E: de::Error>(problem: impl fmt::Display) -> E {
    E::custom(format_args!(": {problem}"))
}

/// The error of a value that JSON cannot carry.
pub fn refuse<E: ser::Error>(problem: impl fmt::Display) -> E {
    E::custom(format_args!(": {problem}"))
}

/// Says that what does not fit stands beneath `step`; what is no JSON at all stands where it is.
pub fn nest_misfit<E: de::Error>(step: impl fmt::Display, error: E) -> E {
    let text = error.to_string();
    match is_placed(&text) {
        true => E::custom(format_args!(".{step}{text}")),
        false => error,
    }
}

/// Says that what cannot be carried stands beneath `step`.
pub fn nest_refusal<E: ser::Error>(step: impl fmt::Display, error: E) -> E {
    E::custom(format_args!(".{step}{error}"))
}

/// Whether a text is that of a value that does not fit, rather than the parser's own.
pub fn is_placed(text: &str) -> bool {
    text.starts_with([':', '.'])
}
