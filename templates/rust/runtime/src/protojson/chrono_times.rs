//! Conversions to and from the times of `chrono`.

use chrono::{DateTime, TimeDelta, TimeZone, Utc};

use super::duration::Duration;
use super::fraction::NANOS_PER_SECOND;
use super::out_of_range::out_of_range;
use super::timestamp::Timestamp;
use crate::error::Error;

/// Converts a time. A leap second becomes the second after it.
impl<Tz: TimeZone> From<DateTime<Tz>> for Timestamp {
    fn from(moment: DateTime<Tz>) -> Self {
        let nanos = moment.timestamp_subsec_nanos();
        Self {
            seconds: moment.timestamp() + i64::from(nanos / NANOS_PER_SECOND),
            nanos: nanos % NANOS_PER_SECOND,
        }
    }
}

/// Fails beyond the range of `chrono`, which contains all valid timestamps.
impl TryFrom<Timestamp> for DateTime<Utc> {
    type Error = Error;

    fn try_from(moment: Timestamp) -> Result<Self, Error> {
        Self::from_timestamp(moment.seconds, moment.nanos).ok_or_else(|| out_of_range(moment))
    }
}

impl From<TimeDelta> for Duration {
    fn from(span: TimeDelta) -> Self {
        Self {
            seconds: span.num_seconds(),
            nanos: span.subsec_nanos(),
        }
    }
}

/// Fails beyond the range of `chrono`, which contains all valid durations.
impl TryFrom<Duration> for TimeDelta {
    type Error = Error;

    fn try_from(span: Duration) -> Result<Self, Error> {
        let seconds = Self::try_seconds(span.seconds);
        let sum =
            seconds.and_then(|whole| whole.checked_add(&Self::nanoseconds(span.nanos.into())));
        sum.ok_or_else(|| out_of_range(span))
    }
}
