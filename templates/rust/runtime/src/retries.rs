//! Retry policy.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::error::Error;
use crate::http_date::parse_http_date;
use crate::random::random_fraction;

/// Longest `Retry-After` that a call honours. Beyond it, the call fails.
const LONGEST_RETRY_AFTER: Duration = Duration::from_secs(60);

/// Upper bound of reported `Retry-After` values, in seconds.
const LONGEST_TOLD: f64 = 1e9;

/// A token bucket that limits the retries of a client while the service is failing.
///
/// Each retry takes one token. Each success returns a tenth of a token, so with an empty bucket about one call in ten can still
/// be retried.
#[derive(Debug)]
pub struct RetryBudget {
    /// Counted in tenths of a token.
    left: Mutex<u32>,
}

const TENTHS_PER_RETRY: u32 = 10;
const FULL_BUDGET: u32 = 10 * TENTHS_PER_RETRY;

impl RetryBudget {
    pub const fn new() -> Self {
        Self {
            left: Mutex::new(FULL_BUDGET),
        }
    }

    /// Takes a token for a retry. Returns `false` if the bucket is empty.
    pub fn take(&self) -> bool {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        match left.checked_sub(TENTHS_PER_RETRY) {
            Some(rest) => *left = rest,
            None => return false,
        }
        true
    }

    /// Records a success.
    pub fn give_back(&self) {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        *left = FULL_BUDGET.min(*left + 1);
    }
}

/// Reports whether the error is transient.
pub fn may_pass(error: &Error) -> bool {
    let kind = error.kind();
    match error.status() {
        Some(status) if kind.is_refusal() => matches!(status, 408 | 429) || status >= 500,
        _ => kind.is_connection_failure(),
    }
}

/// Returns the delay before a retry, where `retry` counts from 1.
///
/// `retry_after` takes precedence. Otherwise the delay is random between 0 and a bound that doubles with each retry, from `first`
/// to `longest`. `None` means that `retry_after` is too long.
pub fn wait_before(
    retry: u32,
    retry_after: Option<Duration>,
    first: Duration,
    longest: Duration,
) -> Option<Duration> {
    if let Some(asked) = retry_after {
        return (asked <= LONGEST_RETRY_AFTER).then_some(asked);
    }
    let bound = first
        .saturating_mul(2_u32.saturating_pow(retry.saturating_sub(1)))
        .min(longest);
    Some(bound.mul_f64(random_fraction()))
}

/// Parses a `Retry-After` header: seconds or a date.
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
