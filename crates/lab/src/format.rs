//! Numbers as people write them, for every front end.

use parlor_core::WinDrawLoss;
use parlor_stats::intervals::wilson;

/// Returns a number with its sign and one decimal; no sign for what rounds to 0.
#[must_use]
pub fn signed(number: f64) -> String {
    let text = format!("{number:+.1}");
    if text == "+0.0" || text == "-0.0" { "0.0".to_owned() } else { text }
}

/// Returns a rate in percent with one decimal; a dash without a rate.
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
pub fn results(games: WinDrawLoss) -> String {
    let WinDrawLoss { wins, draws, losses } = games;
    format!("+{wins} ={draws} -{losses}")
}

/// Returns the sentence about an agent that saw more than its seat may.
#[must_use]
pub fn sees_all(agent: &str) -> String {
    format!("{agent} is an oracle: it saw what is hidden from its seat.")
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

/// Returns a count with its noun, in the plural unless it is 1: `1 game`, `1 234 games`.
#[must_use]
pub fn counted(count: u64, noun: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { noun.to_owned() } else { plural(noun) })
}

fn plural(noun: &str) -> String {
    if let Some(stem) = noun.strip_suffix('y') {
        format!("{stem}ies")
    } else if let Some(stem) = noun.strip_suffix("sis") {
        format!("{stem}ses")
    } else if noun.ends_with("ch") {
        format!("{noun}es")
    } else {
        format!("{noun}s")
    }
}

/// Returns a result with the digits that people compare: two decimals below 10, one below 1000, none above.
#[must_use]
pub fn figure(number: f64) -> String {
    let size = number.abs();
    if !number.is_finite() {
        return "–".to_owned();
    }
    if size >= 999.95 {
        let sign = if number < 0.0 { "-" } else { "" };
        return format!("{sign}{}", grouped(size.round() as u64));
    }
    let text = if size < 9.995 { format!("{number:.2}") } else { format!("{number:.1}") };
    if text == "-0.00" { "0.00".to_owned() } else { text }
}

/// Returns an exact value: whole numbers as they are, others with six decimals at the most.
#[must_use]
pub fn exact(number: f64) -> String {
    let text = format!("{number:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Returns a loss, which may be small: three digits that count.
#[must_use]
pub fn loss(number: f64) -> String {
    if number == 0.0 || number.abs() >= 1.0 || !number.is_finite() {
        return if number == 0.0 { "0".to_owned() } else { figure(number) };
    }
    let decimals = (2.0 - libm::log10(number.abs()).floor()).min(9.0) as usize;
    format!("{number:.decimals$}")
}

/// Returns a result in its unit: `68.2 %`, `1.5 MiB`, `12.3 rounds`.
#[must_use]
pub fn with_unit(number: f64, unit: &str) -> String {
    match unit {
        "" => figure(number),
        "%" => format!("{} %", tenths(number)),
        "points" => format!("{} points", signed(number)),
        "bytes" if number >= 0.0 => bytes(number.round() as u64),
        unit => format!("{} {unit}", tenths(number)),
    }
}

/// Returns two limits in a unit, without it where that is clear: `66.1 … 70.3`.
#[must_use]
pub fn limits(low: f64, high: f64, unit: &str) -> String {
    let end = |number: f64| match unit {
        "" => figure(number),
        "points" => signed(number),
        "bytes" if number >= 0.0 => bytes(number.round() as u64),
        "bytes" => figure(number),
        _ => tenths(number),
    };
    format!("{} … {}", end(low), end(high))
}

/// Returns a number with one decimal, never a negative zero.
fn tenths(number: f64) -> String {
    let text = format!("{number:.1}");
    if text == "-0.0" { "0.0".to_owned() } else { text }
}

/// Returns a p-value; small ones are not written as 0.
#[must_use]
pub fn p_value(p: f64) -> String {
    match p {
        p if p < 0.0001 => "< 0.0001".to_owned(),
        p if p < 0.001 => format!("{p:.4}"),
        p if p < 0.1 => format!("{p:.3}"),
        p => format!("{p:.2}"),
    }
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
        assert_eq!([0, 1, 1_000].map(|n| counted(n, "game")), ["0 games", "1 game", "1\u{202f}000 games"]);
        let nouns = ["match", "entry", "hypothesis", "pair"].map(|noun| counted(2, noun));
        assert_eq!(nouns, ["2 matches", "2 entries", "2 hypotheses", "2 pairs"]);
        assert_eq!([1023, 1024, 1536 * 1024].map(bytes), ["1023 bytes", "1.0 KiB", "1.5 MiB"]);
        assert_eq!(rate_and_interval(5, 10), ("50.0 %".to_owned(), "23.7 … 76.3".to_owned()));
        assert_eq!(rate_and_interval(0, 0).0, "–");
        assert_eq!([rate_and_half(5, 10), rate_and_half(1, 0)], ["50.0 % ± 26.3", "–"]);
    }

    #[test]
    fn results_have_the_digits_that_people_compare() {
        let numbers = [0.0, -0.001, 9.99, 9.996, 31.64, 999.94, 12345.6, -1999.9, f64::NAN];
        let texts = ["0.00", "0.00", "9.99", "10.0", "31.6", "999.9", "12\u{202f}346", "-2\u{202f}000", "–"];
        assert_eq!(numbers.map(figure), texts);
        assert_eq!(with_unit(68.24, "%"), "68.2 %");
        assert_eq!(with_unit(-3.0, "points"), "-3.0 points");
        assert_eq!([with_unit(1536.0, "bytes"), with_unit(-0.01, "rounds")], ["1.5 KiB", "0.0 rounds"]);
        assert_eq!([limits(66.1, 70.34, "%"), limits(-0.5, 2.0, "points")], ["66.1 … 70.3", "-0.5 … +2.0"]);
        let p = [0.00001, 0.0004, 0.0123, 0.5, 1.0].map(p_value);
        assert_eq!(p, ["< 0.0001", "0.0004", "0.012", "0.50", "1.00"]);
    }

    #[test]
    fn exact_values_and_losses() {
        assert_eq!([15.0, -2.0, -0.0, 0.5, 1.0 / 3.0].map(exact), ["15", "-2", "0", "0.5", "0.333333"]);
        assert_eq!([0.0, 0.002_777, 0.25, 1.391, 15.83].map(loss), ["0", "0.00278", "0.250", "1.39", "15.8"]);
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
