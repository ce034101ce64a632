//! Messages and enums.

use crate::{protojson, types};

/// A request.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct TokenizeRequest {
    /// Plain text.
    pub text: String,
    /// Min.
    pub min_length: i32,
}

protojson::message! {
    TokenizeRequest {
        "text" => text,
        "minLength" | "min_length" => min_length,
    }
}

/// A response.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct TokenizeResponse {
    /// Words.
    pub words: Vec<Word>,
}

protojson::message! {
    TokenizeResponse {
        "words" => words,
    }
}

/// A word.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Word {
    /// Text.
    pub text: String,
    /// Offset.
    pub offset: i64,
    /// State.
    pub state: State,
    /// When.
    pub at: Option<types::Timestamp>,
    /// Choice
    pub r#type: Option<WordType>,
}

/// Choice.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum WordType {
    /// a
    A(String),
    /// None
    None(types::NullValue),
    /// w
    W(Box<Word>),
}

protojson::message! {
    Word {
        "text" => text,
        "offset" => offset,
        "state" => state,
        "at" => at,
    }
    oneof r#type: WordType {
        "a" => A,
        "none" => None,
        "w" => W,
    }
}

/// Nothing.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct None {}

protojson::message! {
    None {}
}

/// State
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum State {
    /// Not said.
    #[default]
    Unspecified,
    /// Open.
    Open,
    /// A value that this release does not declare.
    Unknown(types::Unknown),
}

impl State {
    /// Alias.
    pub const OPENED: Self = Self::Open;
}

protojson::open_enum! {
    State {
        "STATE_UNSPECIFIED" = 0 => Unspecified,
        "STATE_OPEN" = 1 => Open,
    }
    also {
        "OPENED" => Open,
    }
}
