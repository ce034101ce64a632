//! What every value that ProtoJSON can carry has in common.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;

use super::shape_error::{ShapeError, nest};

/// A type with a ProtoJSON form: messages, enums, scalars and the well-known types.
///
/// The types that it is implemented for are those of this crate; there is no need to implement it for others.
pub trait ProtoJson: Sized {
    /// Name for errors: `TokenizeRequest`.
    const NAME: &'static str;

    /// Whether JSON's null is a value of the type rather than the absence of one.
    const TAKES_NULL: bool = false;

    /// Reads a JSON value.
    ///
    /// # Errors
    ///
    /// The value does not fit.
    fn read(value: Value) -> Result<Self, ShapeError>;

    /// Writes the value.
    ///
    /// # Errors
    ///
    /// JSON cannot carry the value.
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
}

/// Hands a value to serde in its ProtoJSON form.
pub struct AsJson<'a, T>(pub &'a T);

impl<T: ProtoJson> Serialize for AsJson<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.write(serializer)
    }
}

/// Writes one property of an object.
pub fn write_entry<M: SerializeMap, T: Serialize>(
    out: &mut M,
    name: &str,
    value: &T,
) -> Result<(), M::Error> {
    out.serialize_entry(name, value)
        .map_err(|error| nest(name, error))
}

/// What recursive messages hold.
impl<T: ProtoJson> ProtoJson for Box<T> {
    const NAME: &'static str = T::NAME;
    const TAKES_NULL: bool = T::TAKES_NULL;

    fn read(value: Value) -> Result<Self, ShapeError> {
        T::read(value).map(Self::new)
    }

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).write(serializer)
    }
}
