//! Messages and enums with every kind of field, as the generator writes them.

use std::collections::BTreeMap;

use crate::{protojson, types};

/// A request.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct TokenizeRequest {
    /// Plain text.
    pub text: String,
    /// Leaves shorter words out.
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
    /// In the order of the text.
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
    /// The word itself.
    pub text: String,
    /// Where it begins.
    pub offset: i64,
}

protojson::message! {
    Word {
        "text" => text,
        "offset" => offset,
    }
}

/// A field of each kind.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Order {
    /// A scalar of each type.
    pub small: i32,
    /// 64 bits.
    pub large: i64,
    /// Unsigned.
    pub count: u32,
    /// Unsigned, of 64 bits.
    pub total: u64,
    /// Of 32 bits.
    pub ratio: f32,
    /// Of 64 bits.
    pub price: f64,
    /// True or false.
    pub is_open: bool,
    /// Bytes.
    pub data: types::Bytes,
    /// An enum without presence.
    pub state: State,
    /// A scalar with presence.
    pub note: Option<String>,
    /// An enum with presence.
    pub before: Option<State>,
    /// A point in time.
    pub at: Option<types::Timestamp>,
    /// A span of time.
    pub span: Option<types::Duration>,
    /// Any JSON.
    pub value: Option<types::Value>,
    /// An object.
    pub object: Option<types::Struct>,
    /// An array.
    pub list: Option<Vec<types::Value>>,
    /// A set of fields.
    pub mask: Option<types::FieldMask>,
    /// Nothing.
    pub empty: Option<types::Empty>,
    /// Null.
    pub null: types::NullValue,
    /// A wrapper.
    pub wrapped: Option<i64>,
    /// Messages.
    pub words: Vec<Word>,
    /// By text.
    pub by_name: BTreeMap<String, i64>,
    /// By number.
    pub by_number: BTreeMap<u64, Word>,
    /// By truth.
    pub by_truth: BTreeMap<bool, String>,
    /// The message itself again.
    pub parent: Option<Box<Order>>,
    /// One of several.
    pub r#type: Option<OrderType>,
}

/// One of several.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum OrderType {
    /// A text.
    Card(String),
    /// A message.
    Goods(Box<Word>),
    /// Null.
    Nothing(types::NullValue),
}

protojson::message! {
    Order {
        "small" => small,
        "large" => large,
        "count" => count,
        "total" => total,
        "ratio" => ratio,
        "price" => price,
        "isOpen" | "is_open" => is_open,
        "data" => data,
        "state" => state,
        "note" => note,
        "before" => before,
        "at" => at,
        "span" => span,
        "value" => value,
        "object" => object,
        "list" => list,
        "mask" => mask,
        "empty" => empty,
        "null" => null,
        "wrapped" => wrapped,
        "words" => words,
        "byName" | "by_name" => by_name,
        "byNumber" | "by_number" => by_number,
        "byTruth" | "by_truth" => by_truth,
        "parent" => parent,
    }
    oneof r#type: OrderType {
        "card" => Card,
        "goods" => Goods,
        "nothing" => Nothing,
    }
}

/// State of an order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum State {
    /// Not said.
    #[default]
    Unspecified,
    /// Taken.
    Open,
    /// Gone.
    Lost,
    /// A value that this release does not declare; it is sent as it came.
    Unknown(types::Unknown),
}

impl State {
    /// Another name of `Open`.
    pub const OPENED: Self = Self::Open;
}

protojson::open_enum! {
    State {
        "STATE_UNSPECIFIED" = 0 => Unspecified,
        "STATE_OPEN" = 1 => Open,
        "STATE_LOST" = -1 => Lost,
    }
    also {
        "STATE_OPENED" => Open,
    }
}
