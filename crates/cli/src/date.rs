//! The date of a run.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The date in UTC as 2026-11-25; the one of `SOURCE_DATE_EPOCH` where that is set, so that a page can be made again
/// bit for bit.
#[must_use]
pub fn today() -> String {
    let stated = std::env::var("SOURCE_DATE_EPOCH").ok();
    let stated = stated.and_then(|s| s.trim().parse::<u64>().ok());
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let seconds = stated.unwrap_or_else(|| now.as_ref().map_or(0, Duration::as_secs));
    of_days(i64::try_from(seconds / 86_400).unwrap_or(0))
}

/// The Gregorian date of a number of days after 1970-01-01 by eras of 400 years that begin in March
/// (Hinnant, "chrono-compatible low-level date algorithms", 2013).
fn of_days(days: i64) -> String {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::of_days;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (days, date) in [
            (0, "1970-01-01"),
            (11_016, "2000-02-29"),
            (19_782, "2024-02-29"),
            (20_782, "2026-11-25"),
        ] {
            assert_eq!(of_days(days), date);
        }
    }
}
