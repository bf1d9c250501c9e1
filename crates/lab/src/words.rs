//! Numbers as people write them, for every front end.

use parlor_stats::intervals::wilson;

/// Returns a number with its sign and one decimal; no sign for what rounds to 0.
#[must_use]
pub fn signed(number: f64) -> String {
    let text = format!("{number:+.1}");
    if text == "+0.0" || text == "-0.0" { "0.0".to_owned() } else { text }
}

/// Returns a rate in percent with one decimal; a dash if there is none.
#[must_use]
pub fn percent(rate: Option<f64>) -> String {
    rate.map_or_else(|| "–".to_owned(), |rate| format!("{:.1} %", 100.0 * rate))
}

/// Returns a likelihood in percent. What is not certain is never written as certain.
#[must_use]
pub fn likelihood(rate: Option<f64>) -> String {
    match rate {
        Some(rate) if rate > 0.9995 => "> 99.9 %".to_owned(),
        Some(rate) if rate < 0.0005 => "< 0.1 %".to_owned(),
        rate => percent(rate),
    }
}

/// Returns won, drawn and lost games: `+3 =1 -2`.
#[must_use]
pub fn results([wins, draws, losses]: [u64; 3]) -> String {
    format!("+{wins} ={draws} -{losses}")
}

/// Returns a word quoted for a shell if it needs to be.
#[must_use]
pub fn shell(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | ':' | '+');
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// Returns the share of `part` in `whole` and its Wilson interval of 95 %, both in percent; dashes if there is nothing.
#[must_use]
pub fn rate_and_interval(part: u64, whole: u64) -> (String, String) {
    match wilson(part, whole, LEVEL) {
        Some(ends) if whole > 0 => (
            percent(Some(part as f64 / whole as f64)),
            format!("{:.1} … {:.1}", 100.0 * ends.low, 100.0 * ends.high),
        ),
        _ => ("–".to_owned(), "–".to_owned()),
    }
}

/// Returns the share of `part` in `whole` in percent, give or take half of its Wilson interval of 95 %.
#[must_use]
pub fn rate_and_half(part: u64, whole: u64) -> String {
    match wilson(part, whole, LEVEL) {
        Some(ends) if whole > 0 => {
            format!("{:.1} % ± {:.1}", 100.0 * part as f64 / whole as f64, 50.0 * (ends.high - ends.low))
        }
        _ => "–".to_owned(),
    }
}

/// The confidence of every interval that is shown.
const LEVEL: f64 = 0.95;

/// Returns a count with narrow gaps between its thousands: `12 345`.
#[must_use]
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// Returns a number of bytes in the unit that fits: `512 bytes`, `1.5 MiB`.
#[must_use]
pub fn bytes(count: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if count < 1024 {
        return format!("{count} bytes");
    }
    let mut number = count as f64 / 1024.0;
    let mut unit = 0;
    while number >= 1024.0 && unit + 1 < UNITS.len() {
        number /= 1024.0;
        unit += 1;
    }
    format!("{number:.1} {}", UNITS[unit])
}

/// Returns a text cut to `most` characters, with a mark where it was cut.
#[must_use]
pub fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_easy_to_read() {
        assert_eq!(grouped(0), "0");
        assert_eq!([999, 1_000, 1_234_567].map(grouped), ["999", "1\u{202f}000", "1\u{202f}234\u{202f}567"]);
        assert_eq!([1023, 1024, 1536 * 1024].map(bytes), ["1023 bytes", "1.0 KiB", "1.5 MiB"]);
        assert_eq!(rate_and_interval(5, 10), ("50.0 %".to_owned(), "23.7 … 76.3".to_owned()));
        assert_eq!(rate_and_interval(0, 0).0, "–");
        assert_eq!([rate_and_half(5, 10), rate_and_half(1, 0)], ["50.0 % ± 26.3", "–"]);
    }

    #[test]
    fn numbers_are_written_with_care() {
        assert_eq!([signed(1.25), signed(-0.04), signed(-3.0)], ["+1.2", "0.0", "-3.0"]);
        assert_eq!([percent(Some(0.625)), percent(None)], ["62.5 %", "–"]);
        assert_eq!([likelihood(Some(0.99999)), likelihood(Some(1e-9))], ["> 99.9 %", "< 0.1 %"]);
        assert_eq!([shell("a-b"), shell("a(b=c)"), shell("it's")], ["a-b", "'a(b=c)'", "'it'\\''s'"]);
        assert_eq!([cut("größer", 6), cut("größer", 5)], ["größer", "größ…"]);
    }
}
