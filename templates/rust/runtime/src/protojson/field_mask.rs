//! Field masks.

use serde::{Deserializer, Serializer};

use super::form::ProtoJson;
use super::shape_error::refuse;
use super::token::{Token, read_token};

/// A set of field paths (`google.protobuf.FieldMask`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct FieldMask {
    /// Paths of proto field names, for example `user.display_name`.
    pub paths: Vec<String>,
}

impl FieldMask {
    /// Creates a field mask from paths.
    #[must_use]
    pub fn new(paths: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self {
            paths: paths.into_iter().map(Into::into).collect(),
        }
    }
}

impl ProtoJson for FieldMask {
    const NAME: &'static str = "FieldMask";

    /// Decodes camel-case paths into proto field names.
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_token(deserializer, |token| {
            let paths = match &token {
                Token::Text(text) if text.is_empty() => Some(Vec::new()),
                Token::Text(text) => text.split(',').map(to_proto_names).collect(),
                _ => None,
            };
            match paths {
                Some(paths) => Ok(Self { paths }),
                None => Err(token.is_not("a field mask")),
            }
        })
    }

    /// Encodes proto field names as camel-case paths.
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut camel = Vec::with_capacity(self.paths.len());
        for path in &self.paths {
            match to_camel_case(path) {
                Some(text) => camel.push(text),
                None => {
                    return Err(refuse(format_args!(
                        "the path {path:?} cannot be converted to camel case"
                    )));
                }
            }
        }
        serializer.serialize_str(&camel.join(","))
    }
}

fn to_proto_names(camel: &str) -> Option<String> {
    let mut names = String::with_capacity(camel.len());
    for letter in camel.chars() {
        match letter {
            'A'..='Z' => names.extend(['_', letter.to_ascii_lowercase()]),
            'a'..='z' | '0'..='9' | '.' => names.push(letter),
            _ => return None,
        }
    }
    has_steps(camel).then_some(names)
}

/// Returns `None` for a path that does not survive a round trip.
fn to_camel_case(path: &str) -> Option<String> {
    let mut camel = String::with_capacity(path.len());
    let mut letters = path.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '_' => camel.push(
                letters
                    .next()
                    .filter(char::is_ascii_lowercase)?
                    .to_ascii_uppercase(),
            ),
            'a'..='z' | '0'..='9' | '.' => camel.push(letter),
            _ => return None,
        }
    }
    has_steps(path).then_some(camel)
}

fn has_steps(path: &str) -> bool {
    path.split('.').all(|step| !step.is_empty())
}

super::serde_forms! { FieldMask }
