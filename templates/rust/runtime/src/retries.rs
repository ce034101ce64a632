//! When to try again, and how long to wait before.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::error::Error;
use crate::http_date::parse_http_date;
use crate::random::random_fraction;

/// A service that asks for more is not waited for.
const LONGEST_RETRY_AFTER: Duration = Duration::from_secs(60);

/// Seconds; a number beyond, however many digits it has, is told as this one.
const LONGEST_TOLD: f64 = 1e9;

/// Bounds the retries of a whole client, so that a failing service meets no storm.
///
/// Each retry takes a token and each success gives a tenth of one back: when the bucket is empty, about one call in ten may
/// still be retried.
#[derive(Debug)]
pub struct RetryBudget {
    /// In tenths of a token.
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

    /// Takes a token for a retry; false when there is none.
    pub fn take(&self) -> bool {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        match left.checked_sub(TENTHS_PER_RETRY) {
            Some(rest) => *left = rest,
            None => return false,
        }
        true
    }

    /// Counts a success.
    pub fn give_back(&self) {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        *left = FULL_BUDGET.min(*left + 1);
    }
}

/// Whether the same call may succeed a moment later.
pub fn may_pass(error: &Error) -> bool {
    let kind = error.kind();
    match error.status() {
        Some(status) if kind.is_refusal() => matches!(status, 408 | 429) || status >= 500,
        _ => kind.is_connection_failure(),
    }
}

/// Chooses the wait before a retry, counted from 1.
///
/// What the service asks for goes first. Without it the wait is random between 0 and a bound that doubles from `first` to
/// `longest` with each retry. `None`: the service asks for more patience than a call has, do not retry.
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

/// Reads a `Retry-After` header, seconds or a date.
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

/// Whether a text is made of digits, perhaps with a fraction.
fn is_seconds(text: &str) -> bool {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    [whole, fraction]
        .into_iter()
        .all(|digits| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit()))
}

/// A number of seconds, if time can go on for so long; one beyond all patience is cut.
pub fn seconds(number: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(number.min(LONGEST_TOLD)).ok()
}
