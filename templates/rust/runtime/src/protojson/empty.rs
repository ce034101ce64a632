//! The message without fields.

/// Nothing (`google.protobuf.Empty`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Empty {}

impl Empty {
    /// Makes one.
    #[must_use]
    pub const fn new() -> Self {
        Self {}
    }
}

super::message! { Empty {} }
