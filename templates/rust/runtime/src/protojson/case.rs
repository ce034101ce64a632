//! Oneofs: at most one of several fields is set.

use serde_json::Value;

use super::form::ProtoJson;
use super::shape_error::ShapeError;

/// Reads a field of a oneof into `slot`.
pub fn read_case<T: ProtoJson, C>(
    slot: &mut Option<C>,
    oneof: &str,
    value: Value,
    case: fn(T) -> C,
) -> Result<(), ShapeError> {
    if value.is_null() && !T::TAKES_NULL {
        return Ok(());
    }
    if slot.is_some() {
        let oneof = oneof.trim_start_matches("r#");
        return Err(ShapeError::new(format!(
            "another field of {oneof} is set too"
        )));
    }
    *slot = Some(case(T::read(value)?));
    Ok(())
}
