//! Timestamps.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration as StdDuration, SystemTime, UNIX_EPOCH};

use serde::{Deserializer, Serializer};

use super::form::ProtoJson;
use super::fraction::{NANOS_PER_SECOND, parse_digits, parse_fraction, print_fraction};
use super::out_of_range::out_of_range;
use super::shape_error::refuse;
use super::token::{Token, read_token};
use crate::calendar::{SECONDS_PER_DAY, date_of, days_of};
use crate::error::{Error, ErrorKind};

const FIRST_SECOND: i64 = -62_135_596_800;
const LAST_SECOND: i64 = 253_402_300_799;

/// A point in time (`google.protobuf.Timestamp`) in the years 1 to 9999 with nanosecond precision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp {
    /// Seconds since 1970-01-01T00:00:00Z.
    pub seconds: i64,
    /// Nanoseconds within the second, 0 to 999,999,999.
    pub nanos: u32,
}

impl Timestamp {
    /// Creates a timestamp from seconds since 1970 and nanoseconds. A billion nanoseconds or more are carried into the seconds, which
    /// saturate.
    #[must_use]
    pub const fn new(seconds: i64, nanos: u32) -> Self {
        Self {
            seconds: seconds.saturating_add((nanos / NANOS_PER_SECOND) as i64),
            nanos: nanos % NANOS_PER_SECOND,
        }
    }

    /// Returns the current time.
    #[must_use]
    pub fn now() -> Self {
        Self::from(SystemTime::now())
    }
}

impl From<SystemTime> for Timestamp {
    fn from(moment: SystemTime) -> Self {
        let (seconds, nanos) = match moment.duration_since(UNIX_EPOCH) {
            Ok(since) => (since.as_secs() as i64, since.subsec_nanos()),
            Err(error) => {
                let before = error.duration();
                let seconds = -(before.as_secs() as i64);
                match before.subsec_nanos() {
                    0 => (seconds, 0),
                    nanos => (seconds - 1, NANOS_PER_SECOND - nanos),
                }
            }
        };
        Self { seconds, nanos }
    }
}

/// Fails beyond the range of the platform.
impl TryFrom<Timestamp> for SystemTime {
    type Error = Error;

    fn try_from(moment: Timestamp) -> Result<Self, Error> {
        let seconds = StdDuration::from_secs(moment.seconds.unsigned_abs());
        let whole = match moment.seconds < 0 {
            true => UNIX_EPOCH.checked_sub(seconds),
            false => UNIX_EPOCH.checked_add(seconds),
        };
        let nanos = StdDuration::from_nanos(u64::from(moment.nanos));
        whole
            .and_then(|whole| whole.checked_add(nanos))
            .ok_or_else(|| out_of_range(moment))
    }
}

/// Formats the time as RFC 3339 in UTC: `2026-01-31T09:30:00Z`.
impl fmt::Display for Timestamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = date_of(self.seconds.div_euclid(SECONDS_PER_DAY));
        let second = self.seconds.rem_euclid(SECONDS_PER_DAY);
        let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
        let fraction = print_fraction(self.nanos);
        write!(
            formatter,
            "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{fraction}Z"
        )
    }
}

/// Parses RFC 3339 with any UTC offset.
impl FromStr for Timestamp {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        read_text(&Token::Text(text.into()))
            .map_err(|problem| Error::new(ErrorKind::Message, problem))
    }
}

impl ProtoJson for Timestamp {
    const NAME: &'static str = "Timestamp";

    /// Decodes RFC 3339 with any UTC offset.
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_token(deserializer, |token| read_text(&token))
    }

    /// Encodes RFC 3339 in UTC with 0, 3, 6 or 9 fractional digits.
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.is_in_range() {
            true => serializer.collect_str(self),
            false => Err(refuse(OUT_OF_RANGE)),
        }
    }
}

const OUT_OF_RANGE: &str = "the timestamp is outside the years 1 to 9999";

impl Timestamp {
    fn is_in_range(self) -> bool {
        (FIRST_SECOND..=LAST_SECOND).contains(&self.seconds) && self.nanos < NANOS_PER_SECOND
    }
}

fn read_text(token: &Token<'_>) -> Result<Timestamp, String> {
    let parsed = match token {
        Token::Text(text) => parse(text),
        _ => None,
    };
    match parsed.ok_or_else(|| token.is_not("an RFC 3339 time"))? {
        value if value.is_in_range() => Ok(value),
        _ => Err(OUT_OF_RANGE.to_owned()),
    }
}

fn parse(text: &str) -> Option<Timestamp> {
    let (date, rest) = text.split_at_checked(10)?;
    let (clock, rest) = rest.strip_prefix('T')?.split_at_checked(8)?;
    let [year, month, day] = parts(date, '-')?;
    let [hour, minute, second] = parts(clock, ':')?;
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let days = days_of(i64::from(year), month, day)?;
    let end = rest.find(['Z', '+', '-'])?;
    let (fraction, zone) = rest.split_at(end);
    let nanos = match fraction.strip_prefix('.') {
        Some(digits) => parse_fraction(digits)?,
        None if fraction.is_empty() => 0,
        None => return None,
    };
    let within_day = i64::from(hour * 3_600 + minute * 60 + second);
    let seconds = days * SECONDS_PER_DAY + within_day - parse_zone(zone)?;
    Some(Timestamp { seconds, nanos })
}

/// Returns the UTC offset in seconds.
fn parse_zone(zone: &str) -> Option<i64> {
    if zone == "Z" {
        return Some(0);
    }
    let (sign, offset) = zone.split_at_checked(1)?;
    let [hours, minutes] = parts(offset, ':')?;
    if offset.len() != 5 || hours > 23 || minutes > 59 {
        return None;
    }
    let seconds = i64::from(hours * 3_600 + minutes * 60);
    Some(if sign == "-" { -seconds } else { seconds })
}

/// Parses exactly `N` numbers of two digits; a year has four.
fn parts<const COUNT: usize>(text: &str, separator: char) -> Option<[u32; COUNT]> {
    let mut numbers = [0; COUNT];
    let mut given = text.split(separator);
    for (index, number) in numbers.iter_mut().enumerate() {
        let digits = given.next()?;
        let length = if separator == '-' && index == 0 { 4 } else { 2 };
        if digits.len() != length {
            return None;
        }
        *number = parse_digits(digits)?;
    }
    given.next().is_none().then_some(numbers)
}

super::serde_forms! { Timestamp }
