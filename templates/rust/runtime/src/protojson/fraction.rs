//! Fractions of seconds with nanosecond precision.

pub const NANOS_PER_SECOND: u32 = 1_000_000_000;

/// Parses one to nine fractional digits.
pub fn parse_fraction(digits: &str) -> Option<u32> {
    let length = u32::try_from(digits.len()).ok()?;
    if !(1..=9).contains(&length) {
        return None;
    }
    Some(parse_digits(digits)? * 10_u32.pow(9 - length))
}

/// Parses a number of at most nine digits.
pub fn parse_digits(digits: &str) -> Option<u32> {
    let are_digits = digits.bytes().all(|byte| byte.is_ascii_digit());
    match are_digits && digits.len() <= 9 {
        true => digits.parse().ok(),
        false => None,
    }
}

/// Formats nanoseconds as a fraction of 0, 3, 6 or 9 digits.
pub fn print_fraction(nanos: u32) -> String {
    match nanos {
        0 => String::new(),
        _ if nanos % 1_000_000 == 0 => format!(".{:03}", nanos / 1_000_000),
        _ if nanos % 1_000 == 0 => format!(".{:06}", nanos / 1_000),
        _ => format!(".{nanos:09}"),
    }
}
