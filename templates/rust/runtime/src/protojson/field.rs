//! Codecs of message fields. The field type determines presence.

use std::collections::BTreeMap;

use serde::de::{Deserializer, MapAccess, SeqAccess};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use super::form::{AsJson, FromJson, ProtoJson, read_present, write_entry};
use super::map_key::MapKey;
use super::shape_error::{misfit, nest_misfit, nest_refusal};
use super::token::{Name, Reader, Token, read};

/// A field of a message. Absent fields are omitted.
pub trait Field {
    /// Encodes the field as a property, unless it is absent.
    fn write<M: SerializeMap>(&self, name: &str, out: &mut M) -> Result<(), M::Error>;

    /// Decodes the field. Null means absent, unless the type has a null value.
    fn read<'de, D: Deserializer<'de>>(&mut self, deserializer: D) -> Result<(), D::Error>;
}

/// Fields without presence. Their default value is omitted.
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

                fn read<'de, D: Deserializer<'de>>(
                    &mut self,
                    deserializer: D,
                ) -> Result<(), D::Error> {
                    if let Some(value) = read_present(deserializer)? {
                        *self = value;
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
    // -0.0 is not the default value.
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

    fn read<'de, D: Deserializer<'de>>(&mut self, deserializer: D) -> Result<(), D::Error> {
        if let Some(value) = read_present(deserializer)? {
            *self = Some(value);
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

    fn read<'de, D: Deserializer<'de>>(&mut self, deserializer: D) -> Result<(), D::Error> {
        read(deserializer, Items(self))
    }
}

/// A map field. Its keys are strings in JSON.
impl<K: MapKey, V: ProtoJson> Field for BTreeMap<K, V> {
    fn write<M: SerializeMap>(&self, name: &str, out: &mut M) -> Result<(), M::Error> {
        if self.is_empty() {
            return Ok(());
        }
        write_entry(out, name, &Entries(self))
    }

    fn read<'de, D: Deserializer<'de>>(&mut self, deserializer: D) -> Result<(), D::Error> {
        read(deserializer, Pairs(self))
    }
}

struct Items<'a, T>(&'a mut Vec<T>);

impl<'de, T: ProtoJson> Reader<'de> for Items<'_, T> {
    type Output = ();

    fn token(self, token: Token<'_>) -> Result<(), String> {
        match token {
            Token::Null => Ok(()),
            other => Err(other.is_not("an array")),
        }
    }

    fn array<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        self.0.clear();
        loop {
            let next = items.next_element::<FromJson<T>>();
            match next.map_err(|error| nest_misfit(self.0.len(), error))? {
                Some(FromJson(item)) => self.0.push(item),
                None => return Ok(()),
            }
        }
    }
}

struct Pairs<'a, K, V>(&'a mut BTreeMap<K, V>);

impl<'de, K: MapKey, V: ProtoJson> Reader<'de> for Pairs<'_, K, V> {
    type Output = ();

    fn token(self, token: Token<'_>) -> Result<(), String> {
        match token {
            Token::Null => Ok(()),
            other => Err(other.is_not("an object")),
        }
    }

    fn object<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        self.0.clear();
        while let Some(Name(text)) = entries.next_key()? {
            let key = K::from_text(&text).map_err(misfit);
            let entry = key.and_then(|key| Ok((key, entries.next_value::<FromJson<V>>()?)));
            let (key, FromJson(value)) = entry.map_err(|error| nest_misfit(&text, error))?;
            if self.0.insert(key, value).is_some() {
                return Err(nest_misfit(
                    text,
                    misfit::<A::Error>("the key is given twice"),
                ));
            }
        }
        Ok(())
    }
}

struct List<'a, T>(&'a [T]);

impl<T: ProtoJson> Serialize for List<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_seq(Some(self.0.len()))?;
        for (index, item) in self.0.iter().enumerate() {
            out.serialize_element(&AsJson(item))
                .map_err(|error| nest_refusal(index, error))?;
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
