//! Retry policy.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::error::Error;
use crate::http_date::parse_http_date;
use crate::random::random_fraction;

/// The shortest `Retry-After` that paces a client. With a shorter one, a call could repeat its request nearly as fast as it can.
const SHORTEST_PACE: Duration = Duration::from_secs(1);

/// The upper bound of reported `Retry-After` values, in seconds.
const LONGEST_TOLD: f64 = 1e9;

/// A token bucket that limits the retries of a client while the service is failing.
///
/// Each retry takes one token. A call that succeeds by a retry returns the token, and any other success returns a tenth of one.
/// With an empty bucket, about one call in ten can therefore still be retried.
#[derive(Debug)]
pub struct RetryBudget {
    /// `None`: no limit.
    capacity: Option<u64>,
    /// The tokens left, in tenths, like `capacity`.
    left: Mutex<u64>,
}

const TENTHS_PER_RETRY: u64 = 10;

impl RetryBudget {
    /// Creates a full bucket; `None` means no limit.
    pub fn new(retries: Option<u32>) -> Self {
        let capacity = retries.map(|count| u64::from(count) * TENTHS_PER_RETRY);
        Self {
            capacity,
            left: Mutex::new(capacity.unwrap_or_default()),
        }
    }

    /// Takes a token for a retry. Returns `false` if the bucket is empty.
    pub fn take(&self) -> bool {
        if self.capacity.is_none() {
            return true;
        }
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        match left.checked_sub(TENTHS_PER_RETRY) {
            Some(rest) => *left = rest,
            None => return false,
        }
        true
    }

    /// Records a success. `is_drawn` says whether its attempt was a retry that took a token.
    pub fn give_back(&self, is_drawn: bool) {
        if let Some(capacity) = self.capacity {
            let tenths = if is_drawn { TENTHS_PER_RETRY } else { 1 };
            let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
            *left = capacity.min(*left + tenths);
        }
    }
}

/// Reports whether the service paces the client: it did no work for the request and said when to come back.
///
/// Any other failure is an ordinary one, which counts as a retry.
pub fn is_pacing(error: &Error) -> bool {
    let asks_for_a_pause = error
        .retry_after()
        .is_some_and(|wait| wait >= SHORTEST_PACE);
    error.kind().is_rate_limited() && asks_for_a_pause
}

/// Returns the delay before a retry, where `retry` counts from 1.
///
/// The delay is random between 0 and a bound that doubles with each retry, from `first` to `longest`. `retry_after` replaces it,
/// with jitter on top, so that clients that were turned away together do not come back together. The jitter is up to
/// `retry_after` or, if that is longer, up to the shorter of `first` and one second, and at most `longest`.
pub fn wait_before(
    retry: u32,
    retry_after: Option<Duration>,
    first: Duration,
    longest: Duration,
) -> Duration {
    let least = retry_after.unwrap_or_default();
    let bound = match retry_after {
        Some(asked) => asked.max(first.min(SHORTEST_PACE)),
        None => first.saturating_mul(2_u32.saturating_pow(retry.saturating_sub(1))),
    };
    least.saturating_add(bound.min(longest).mul_f64(random_fraction()))
}

/// Parses a `Retry-After` header: seconds or an HTTP date.
pub fn parse_retry_after(header: &str, now: SystemTime) -> Option<Duration> {
    let text = header.trim();
    if is_seconds(text) {
        return seconds(text.parse().ok()?);
    }
    let date = parse_http_date(text)?;
    let now = now.duration_since(UNIX_EPOCH).ok()?;
    let date = Duration::from_secs(u64::try_from(date).ok()?);
    Some(date.saturating_sub(now))
}

/// Reports whether a string is a decimal number with an optional fraction.
fn is_seconds(text: &str) -> bool {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    [whole, fraction]
        .into_iter()
        .all(|digits| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit()))
}

/// Converts seconds to a duration, capped to avoid overflow.
pub fn seconds(number: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(number.min(LONGEST_TOLD)).ok()
}
