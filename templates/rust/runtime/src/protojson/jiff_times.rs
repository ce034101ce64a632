//! Conversions to and from the times of `jiff`.

use jiff::{SignedDuration, Timestamp as Moment, Zoned};

use super::duration::Duration;
use super::fraction::NANOS_PER_SECOND;
use super::out_of_range::out_of_range;
use super::timestamp::Timestamp;
use crate::error::Error;

impl From<Moment> for Timestamp {
    fn from(moment: Moment) -> Self {
        let (seconds, nanos) = (moment.as_second(), moment.subsec_nanosecond());
        match u32::try_from(nanos) {
            Ok(nanos) => Self { seconds, nanos },
            Err(_) => Self {
                seconds: seconds - 1,
                nanos: NANOS_PER_SECOND - nanos.unsigned_abs(),
            },
        }
    }
}

impl From<Zoned> for Timestamp {
    fn from(moment: Zoned) -> Self {
        moment.timestamp().into()
    }
}

/// Fails beyond the range of `jiff`, which ends about a day before the year 10000.
impl TryFrom<Timestamp> for Moment {
    type Error = Error;

    fn try_from(moment: Timestamp) -> Result<Self, Error> {
        let nanos = i32::try_from(moment.nanos).unwrap_or(i32::MAX);
        Self::new(moment.seconds, nanos).map_err(|error| out_of_range(moment).with_source(error))
    }
}

impl From<SignedDuration> for Duration {
    fn from(span: SignedDuration) -> Self {
        Self {
            seconds: span.as_secs(),
            nanos: span.subsec_nanos(),
        }
    }
}

/// Adds the seconds and nanoseconds; saturates beyond the range of `jiff`, which contains all valid durations.
impl From<Duration> for SignedDuration {
    fn from(span: Duration) -> Self {
        Self::from_secs(span.seconds).saturating_add(Self::from_nanos(span.nanos.into()))
    }
}
