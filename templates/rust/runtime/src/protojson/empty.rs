//! The empty message.

/// A message without fields (`google.protobuf.Empty`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Empty {}

impl Empty {
    /// Creates an empty message.
    #[must_use]
    pub const fn new() -> Self {
        Self {}
    }
}

super::message! { Empty {} }
