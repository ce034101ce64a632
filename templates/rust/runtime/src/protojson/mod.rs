//! ProtoJSON encoding and decoding without a protobuf library.
//!
//! Internal. Use [`json`](crate::json) instead.

mod bool_form;
mod bytes_form;
mod case;
#[cfg(feature = "chrono")]
mod chrono_times;
mod duration;
mod empty;
mod field;
mod field_mask;
mod float_forms;
mod form;
mod fraction;
mod free_forms;
mod integer_forms;
#[cfg(feature = "jiff")]
mod jiff_times;
mod map_key;
mod message;
mod null_value;
mod number_text;
mod open_enum;
mod out_of_range;
mod shape_error;
mod strict;
mod string_form;
mod timestamp;
mod token;

pub use case::next_case;
pub use duration::Duration;
pub use empty::Empty;
pub use field::Field;
pub use field_mask::FieldMask;
pub use form::{AsJson, FromJson, ProtoJson, read_present, write_entry};
pub use message::{
    Fields, Given, message, name_misfit, next_field, read_message, serde_forms, skip_field,
    write_message,
};
pub use null_value::NullValue;
pub use open_enum::{Unknown, open_enum, read_enum};
pub use strict::Strict;
pub use timestamp::Timestamp;
