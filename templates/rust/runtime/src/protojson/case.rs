//! Oneofs: at most one of several fields is set.

use serde::Deserializer;
use serde::de::{DeserializeSeed, MapAccess};

use super::form::{ProtoJson, read_present};
use super::shape_error::misfit;

/// Decodes the value of a property into `slot`.
pub fn next_case<'de, A: MapAccess<'de>, T: ProtoJson, C>(
    properties: &mut A,
    slot: &mut Option<C>,
    oneof: &str,
    case: fn(T) -> C,
) -> Result<(), A::Error> {
    properties.next_value_seed(CaseSeed { slot, oneof, case })
}

struct CaseSeed<'a, T, C> {
    slot: &'a mut Option<C>,
    oneof: &'a str,
    case: fn(T) -> C,
}

impl<'de, T: ProtoJson, C> DeserializeSeed<'de> for CaseSeed<'_, T, C> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let Some(value) = read_present(deserializer)? else {
            return Ok(());
        };
        if self.slot.is_some() {
            let oneof = self.oneof.trim_start_matches("r#");
            return Err(misfit(format_args!(
                "more than one field of {oneof} is set"
            )));
        }
        *self.slot = Some((self.case)(value));
        Ok(())
    }
}
