//! HTTP dates.

use crate::calendar::{SECONDS_PER_DAY, days_of};

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

/// Parses a date such as `Sun, 06 Nov 1994 08:49:37 GMT` into seconds since 1970. Obsolete formats are not supported.
pub fn parse_http_date(text: &str) -> Option<i64> {
    let (_, date) = text.split_once(", ")?;
    let [day, month, year, clock, "GMT"] = date.split(' ').collect::<Vec<_>>()[..] else {
        return None;
    };
    let month = MONTHS.iter().position(|name| *name == month)? + 1;
    let days = days_of(
        number(year, 4)?.into(),
        u32::try_from(month).ok()?,
        number(day, 2)?,
    )?;
    let [hour, minute, second] = clock.split(':').collect::<Vec<_>>()[..] else {
        return None;
    };
    let (hour, minute, second) = (number(hour, 2)?, number(minute, 2)?, number(second, 2)?);
    // 60 is a leap second.
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    Some(days * SECONDS_PER_DAY + i64::from(hour * 3_600 + minute * 60 + second))
}

fn number(digits: &str, length: usize) -> Option<u32> {
    let are_digits = digits.bytes().all(|byte| byte.is_ascii_digit());
    match are_digits && digits.len() == length {
        true => digits.parse().ok(),
        false => None,
    }
}
