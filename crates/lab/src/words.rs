//! Numbers as people write them, for every front end.

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
    fn numbers_are_written_with_care() {
        assert_eq!([signed(1.25), signed(-0.04), signed(-3.0)], ["+1.2", "0.0", "-3.0"]);
        assert_eq!([percent(Some(0.625)), percent(None)], ["62.5 %", "–"]);
        assert_eq!([likelihood(Some(0.99999)), likelihood(Some(1e-9))], ["> 99.9 %", "< 0.1 %"]);
        assert_eq!([shell("a-b"), shell("a(b=c)"), shell("it's")], ["a-b", "'a(b=c)'", "'it'\\''s'"]);
        assert_eq!([cut("größer", 6), cut("größer", 5)], ["größer", "größ…"]);
    }
}
