//! Fields of messages: what the type of a struct's field says of presence.

use std::collections::BTreeMap;

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::Value;

use super::form::{AsJson, ProtoJson, write_entry};
use super::map_key::MapKey;
use super::shape_error::{ShapeError, nest};

/// A field of a message; one that is absent is left out.
pub trait Field {
    /// Writes the field as a property, unless it is absent.
    fn write<M: SerializeMap>(&self, name: &str, out: &mut M) -> Result<(), M::Error>;

    /// Reads the field; null is absence where it is no value.
    fn read(&mut self, value: Value) -> Result<(), ShapeError>;
}

/// Fields without presence: their default value is not sent.
macro_rules! without_presence {
    ($($type:ty: $is_default:expr;)*) => {
        $(
            impl Field for $type {
                fn write<M: SerializeMap>(&self, name: &str, out: &mut M) -> Result<(), M::Error> {
                    let is_default: fn(&Self) -> bool = $is_default;
                    if is_default(self) {
                        return Ok(());
                    }
                    write_entry(out, name, &AsJson(self))
                }

                fn read(&mut self, value: Value) -> Result<(), ShapeError> {
                    if !value.is_null() {
                        *self = ProtoJson::read(value)?;
                    }
                    Ok(())
                }
            }
        )*
    };
}

without_presence! {
    i32: |value| *value == 0;
    i64: |value| *value == 0;
    u32: |value| *value == 0;
    u64: |value| *value == 0;
    // -0.0 is another value than 0.0.
    f32: |value| value.to_bits() == 0;
    f64: |value| value.to_bits() == 0;
    bool: |value| !*value;
    String: Self::is_empty;
    bytes::Bytes: Self::is_empty;
}

/// A field with presence.
impl<T: ProtoJson> Field for Option<T> {
    fn write<M: SerializeMap>(&self, name: &str, out: &mut M) -> Result<(), M::Error> {
        match self {
            Some(value) => write_entry(out, name, &AsJson(value)),
            None => Ok(()),
        }
    }

    fn read(&mut self, value: Value) -> Result<(), ShapeError> {
        if T::TAKES_NULL || !value.is_null() {
            *self = Some(T::read(value)?);
        }
        Ok(())
    }
}

/// A repeated field.
impl<T: ProtoJson> Field for Vec<T> {
    fn write<M: SerializeMap>(&self, name: &str, out: &mut M) -> Result<(), M::Error> {
        if self.is_empty() {
            return Ok(());
        }
        write_entry(out, name, &List(self))
    }

    fn read(&mut self, value: Value) -> Result<(), ShapeError> {
        let items = match value {
            Value::Null => return Ok(()),
            Value::Array(items) => items,
            other => return Err(ShapeError::expected("an array", &other)),
        };
        *self = items
            .into_iter()
            .enumerate()
            .map(|(index, item)| T::read(item).map_err(|error| error.within(index.to_string())))
            .collect::<Result<_, _>>()?;
        Ok(())
    }
}

/// A map field; in JSON its keys are texts.
impl<K: MapKey, V: ProtoJson> Field for BTreeMap<K, V> {
    fn write<M: SerializeMap>(&self, name: &str, out: &mut M) -> Result<(), M::Error> {
        if self.is_empty() {
            return Ok(());
        }
        write_entry(out, name, &Entries(self))
    }

    fn read(&mut self, value: Value) -> Result<(), ShapeError> {
        let entries = match value {
            Value::Null => return Ok(()),
            Value::Object(entries) => entries,
            other => return Err(ShapeError::expected("an object", &other)),
        };
        *self = entries
            .into_iter()
            .map(|(text, item)| {
                let entry = K::from_text(&text).and_then(|key| Ok((key, V::read(item)?)));
                entry.map_err(|error| error.within(text))
            })
            .collect::<Result<_, _>>()?;
        Ok(())
    }
}

struct List<'a, T>(&'a [T]);

impl<T: ProtoJson> Serialize for List<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_seq(Some(self.0.len()))?;
        for (index, item) in self.0.iter().enumerate() {
            out.serialize_element(&AsJson(item))
                .map_err(|error| nest(index, error))?;
        }
        out.end()
    }
}

struct Entries<'a, K, V>(&'a BTreeMap<K, V>);

impl<K: MapKey, V: ProtoJson> Serialize for Entries<'_, K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_map(Some(self.0.len()))?;
        for (key, item) in self.0 {
            write_entry(&mut out, &key.text(), &AsJson(item))?;
        }
        out.end()
    }
}
