//! Codec of `bytes` as base64. Decoding also accepts URL-safe and unpadded base64.

use base64::Engine as _;
use base64::alphabet;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, STANDARD};
use bytes::Bytes;
use serde::{Deserializer, Serializer};

use super::form::ProtoJson;
use super::token::{Token, read_token};

const LENIENT: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_allow_trailing_bits(true)
    .with_decode_padding_mode(DecodePaddingMode::Indifferent);
const READ_STANDARD: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, LENIENT);
const READ_URL_SAFE: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, LENIENT);

impl ProtoJson for Bytes {
    const NAME: &'static str = "bytes";

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_token(deserializer, |token| {
            let bytes = match &token {
                Token::Text(text) if text.contains(['-', '_']) => {
                    READ_URL_SAFE.decode(text.as_bytes()).ok()
                }
                Token::Text(text) => READ_STANDARD.decode(text.as_bytes()).ok(),
                _ => None,
            };
            bytes.map(Self::from).ok_or_else(|| token.is_not("base64"))
        })
    }

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(self))
    }
}
