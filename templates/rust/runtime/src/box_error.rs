//! Causes of errors.

use std::error::Error;

/// Any error, such as that of a custom transport.
pub type BoxError = Box<dyn Error + Send + Sync>;
