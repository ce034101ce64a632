//! Modes of members.

/// Mode of a member that takes one message and returns one.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Unary;

/// Mode of a member that returns a stream of messages.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Pipeline;
