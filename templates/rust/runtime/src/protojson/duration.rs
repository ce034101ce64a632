//! Durations.

use std::fmt;
use std::str::FromStr;
use std::time::Duration as StdDuration;

use serde::{Deserializer, Serializer};

use super::form::ProtoJson;
use super::fraction::{NANOS_PER_SECOND, parse_fraction, print_fraction};
use super::out_of_range::out_of_range;
use super::shape_error::refuse;
use super::token::{Token, read_token};
use crate::error::{Error, ErrorKind};

const LONGEST_SECONDS: u64 = 315_576_000_000;
const OUT_OF_RANGE: &str = "the duration exceeds 10,000 years or its parts have different signs";

/// A span of time (`google.protobuf.Duration`) with nanosecond precision. Can be negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Duration {
    /// Whole seconds.
    pub seconds: i64,
    /// Nanoseconds within the second, with the sign of `seconds`.
    pub nanos: i32,
}

impl Duration {
    /// Creates the sum of seconds and nanoseconds, which may have different signs. A billion nanoseconds or more are carried into the
    /// seconds, which saturate.
    #[must_use]
    pub const fn new(seconds: i64, nanos: i32) -> Self {
        let billion = NANOS_PER_SECOND as i32;
        let seconds = seconds.saturating_add((nanos / billion) as i64);
        let nanos = nanos % billion;
        if seconds > 0 && nanos < 0 {
            Self {
                seconds: seconds - 1,
                nanos: nanos + billion,
            }
        } else if seconds < 0 && nanos > 0 {
            Self {
                seconds: seconds + 1,
                nanos: nanos - billion,
            }
        } else {
            Self { seconds, nanos }
        }
    }

    fn is_in_range(self) -> bool {
        self.seconds.unsigned_abs() <= LONGEST_SECONDS
            && self.nanos.unsigned_abs() < NANOS_PER_SECOND
            && i64::from(self.nanos.signum()) * self.seconds.signum() >= 0
    }
}

/// Fails for a negative duration, which `std::time::Duration` cannot represent.
impl TryFrom<Duration> for StdDuration {
    type Error = Error;

    fn try_from(span: Duration) -> Result<Self, Error> {
        match (u64::try_from(span.seconds), u32::try_from(span.nanos)) {
            (Ok(seconds), Ok(nanos)) => Ok(Self::new(seconds, nanos)),
            _ => Err(out_of_range(span)),
        }
    }
}

/// Saturates. A duration beyond the range of ProtoJSON fails when it is encoded.
impl From<StdDuration> for Duration {
    fn from(span: StdDuration) -> Self {
        Self {
            seconds: i64::try_from(span.as_secs()).unwrap_or(i64::MAX),
            nanos: span.subsec_nanos() as i32,
        }
    }
}

/// Shows the form of ProtoJSON: `1.500s`.
impl fmt::Display for Duration {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self.seconds < 0 || self.nanos < 0 {
            true => "-",
            false => "",
        };
        let seconds = self.seconds.unsigned_abs();
        let fraction = print_fraction(self.nanos.unsigned_abs());
        write!(formatter, "{sign}{seconds}{fraction}s")
    }
}

/// Parses the form of ProtoJSON: seconds with up to nine fractional digits and the suffix `s`.
impl FromStr for Duration {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        read_text(&Token::Text(text.into()))
            .map_err(|problem| Error::new(ErrorKind::Message, problem))
    }
}

impl ProtoJson for Duration {
    const NAME: &'static str = "Duration";

    /// Decodes seconds with up to nine fractional digits and the suffix `s`.
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_token(deserializer, |token| read_text(&token))
    }

    /// Encodes seconds with 0, 3, 6 or 9 fractional digits.
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.is_in_range() {
            true => serializer.collect_str(self),
            false => Err(refuse(OUT_OF_RANGE)),
        }
    }
}

fn read_text(token: &Token<'_>) -> Result<Duration, String> {
    let parsed = match token {
        Token::Text(text) => parse(text),
        _ => None,
    };
    match parsed.ok_or_else(|| token.is_not("a duration such as \"1.5s\""))? {
        value if value.is_in_range() => Ok(value),
        _ => Err(OUT_OF_RANGE.to_owned()),
    }
}

fn parse(text: &str) -> Option<Duration> {
    let number = text.strip_suffix('s')?;
    let (sign, number) = match number.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, number),
    };
    let (whole, nanos) = match number.split_once('.') {
        Some((whole, digits)) => (whole, parse_fraction(digits)?),
        None => (number, 0),
    };
    let are_digits = whole.bytes().all(|byte| byte.is_ascii_digit());
    if !are_digits || whole.len() > 12 {
        return None;
    }
    let seconds: i64 = whole.parse().ok()?;
    Some(Duration {
        seconds: sign * seconds,
        nanos: i32::try_from(sign).ok()? * (nanos as i32),
    })
}

super::serde_forms! { Duration }
