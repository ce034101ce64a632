//! `bytes` as base64: written in the standard alphabet, read in either, padded or not.

use base64::Engine as _;
use base64::alphabet;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, STANDARD};
use bytes::Bytes;
use serde::Serializer;
use serde_json::Value;

use super::form::ProtoJson;
use super::shape_error::ShapeError;

const LENIENT: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_allow_trailing_bits(true)
    .with_decode_padding_mode(DecodePaddingMode::Indifferent);
const READ_STANDARD: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, LENIENT);
const READ_URL_SAFE: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, LENIENT);

impl ProtoJson for Bytes {
    const NAME: &'static str = "bytes";

    fn read(value: Value) -> Result<Self, ShapeError> {
        let bytes = value.as_str().and_then(|text| {
            let engine = match text.contains(['-', '_']) {
                true => &READ_URL_SAFE,
                false => &READ_STANDARD,
            };
            engine.decode(text).ok()
        });
        match bytes {
            Some(bytes) => Ok(Self::from(bytes)),
            None => Err(ShapeError::expected("base64 text", &value)),
        }
    }

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(self))
    }
}
