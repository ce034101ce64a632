//! Conversion between calendar dates and days since 1970-01-01.

pub const SECONDS_PER_DAY: i64 = 86_400;

/// Days in 400 years, the period of the calendar.
const DAYS_PER_ERA: i64 = 146_097;

/// Days from 0000-03-01, the start of an era, to 1970-01-01.
const DAYS_TO_1970: i64 = 719_468;

/// Returns the days since 1970-01-01, or `None` for an invalid date.
pub fn days_of(year: i64, month: u32, day: u32) -> Option<i64> {
    if !(1..=12).contains(&month) || day == 0 || day > days_in(year, month) {
        return None;
    }
    // Years start in March, which makes leap days the last day of a year.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let months_since_march = i64::from((month + 9) % 12);
    let day_of_year = (153 * months_since_march + 2) / 5 + i64::from(day) - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    Some(era * DAYS_PER_ERA + day_of_era - DAYS_TO_1970)
}

/// Returns the year, month and day for a number of days since 1970-01-01.
pub fn date_of(days: i64) -> (i64, i64, i64) {
    let shifted = days + DAYS_TO_1970;
    let era = shifted.div_euclid(DAYS_PER_ERA);
    let day_of_era = shifted.rem_euclid(DAYS_PER_ERA);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let months_since_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * months_since_march + 2) / 5 + 1;
    let month = (months_since_march + 2) % 12 + 1;
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day)
}

fn days_in(year: i64, month: u32) -> u32 {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}
