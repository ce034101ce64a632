//! The error of times that another type cannot represent.

use std::fmt;

use crate::error::{Error, ErrorKind};

/// Returns the error for a time beyond the range of the type to convert it to.
pub fn out_of_range(time: impl fmt::Debug) -> Error {
    Error::new(ErrorKind::Message, format!("{time:?} is out of range"))
}
