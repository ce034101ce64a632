//! Causes of errors.

use std::error::Error;

/// Any error, for example of a custom transport.
pub type BoxError = Box<dyn Error + Send + Sync>;
