//! Dates and times in UTC.
//!
//! Years of 365 days and their leap days are counted from March 1st of year 0 in eras of 400 years, so that the leap day is the last of
//! its year (H. Hinnant, "chrono-compatible low-level date algorithms", 2013).

/// Returns a time in seconds since 1970 as date and time, `2026-11-16T04:20:00Z`.
pub fn date(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let shifted = days + 719_468;
    let (era, day) = (shifted / 146_097, shifted % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, late) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = 400 * era + year + late;
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", rest / 3600, rest / 60 % 60, rest % 60)
}

/// Returns date and time for a table, `2026-11-16 04:20:00`.
pub fn date_in_table(seconds: u64) -> String {
    date(seconds).replace('T', " ").trim_end_matches('Z').to_owned()
}

/// Reads `2026-11-16`, `2026-11-16T04:20` or `2026-11-16T04:20:00Z` as seconds since 1970.
pub fn seconds(text: &str) -> Result<u64, String> {
    read(text).ok_or_else(|| "a date like 2026-11-16, or a time like 2026-11-16T04:20:00Z".to_owned())
}

fn read(text: &str) -> Option<u64> {
    let (day, time) = text.trim_end_matches('Z').split_once(['T', ' ']).unwrap_or((text, "0:0:0"));
    let numbers = |text: &str, separator: char| -> Option<Vec<u64>> {
        let plain =
            |part: &str| !part.is_empty() && part.len() <= 4 && part.bytes().all(|b| b.is_ascii_digit());
        text.split(separator).map(|part| plain(part).then(|| part.parse().ok())?).collect()
    };
    let (day, time) = (numbers(day, '-')?, numbers(time, ':')?);
    let [year, month, day] = day[..] else { return None };
    let (hour, minute, second) = match time[..] {
        [hour, minute] => (hour, minute, 0),
        [hour, minute, second] => (hour, minute, second),
        _ => return None,
    };
    if !(1970..=9999).contains(&year) || !(1..=12).contains(&month) || hour > 23 || minute > 59 || second > 59
    {
        return None;
    }
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days_before = (153 * month + 2) / 5;
    let days = 365 * year + year / 4 - year / 100 + year / 400 + days_before + day.checked_sub(1)?;
    let seconds = (days - 719_468) * 86_400 + hour * 3600 + minute * 60 + second;
    // A day that its month does not have comes back as another one.
    let same_day = date(seconds)[8..10].parse() == Ok(day);
    same_day.then_some(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        for (number, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_164_800 + 86_400, "2024-03-01T00:00:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(date(number), text);
            assert_eq!(seconds(text), Ok(number));
        }
    }

    #[test]
    fn times_are_read_or_refused() {
        assert_eq!(seconds("2000-02-29"), Ok(951_782_400));
        assert_eq!(seconds("2000-02-29 01:00"), Ok(951_786_000));
        for wrong in [
            "",
            "yesterday",
            "2026",
            "2026-13-01",
            "2026-02-29",
            "2026-11-16T25:00",
            "2026-11-1x",
            "2026-00-10",
            "2026-01-00",
            "1969-12-31",
        ] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }
}
