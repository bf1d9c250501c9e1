//! Numbers in cells: finding them, comparing them to the printed digits, writing others in their place.

/// Returns the numbers of a cell: where they are, and as they are printed. Thousands may have commas.
pub fn numbers(cell: &str) -> Vec<(usize, &str)> {
    let is_part = |c: char| c.is_ascii_digit() || c == '.' || c == ',';
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(begin) = cell[at..].find(|c: char| c.is_ascii_digit()).map(|begin| at + begin) {
        let end = cell[begin..].find(|c: char| !is_part(c)).map_or(cell.len(), |end| begin + end);
        let end = begin + cell[begin..end].trim_end_matches([',', '.']).len();
        // A sign is part of it.
        let begin = match cell[..begin].chars().last() {
            Some(sign @ ('-' | '−' | '+')) => begin - sign.len_utf8(),
            _ => begin,
        };
        found.push((begin, &cell[begin..end]));
        at = end;
    }
    found
}

/// How far a value may be from a fraction: an equilibrium is found to some digits only.
const FRACTION_TOLERANCE: f64 = 1e-5;

/// What a number of a cell should be.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Expected {
    /// Anything: it is not checked.
    Any,
    /// This value, to the digits that are printed; `None` if the program has none.
    Value(Option<f64>),
    /// Two numbers with a stroke between them, a fraction of this value.
    Fraction(Option<f64>),
}

/// Returns a cell with what is expected in the place of its own numbers, where they differ in the digits that are printed.
pub fn fresh_cell(old: &str, expected: &[Expected]) -> String {
    let mut fresh = String::new();
    let mut copied = 0;
    let mut found = numbers(old).into_iter();
    let has_fraction = found.clone().any(|(at, printed)| old[at + printed.len()..].starts_with('/'));
    for &expected in expected {
        if matches!(expected, Expected::Fraction(_)) && !has_fraction {
            continue;
        }
        let Some((at, printed)) = found.next() else { break };
        let (same, value) = match expected {
            Expected::Any => (true, None),
            Expected::Value(value) => (value.is_some_and(|value| is_shown(value, printed)), value),
            Expected::Fraction(value) => {
                let Some((_, below)) = found.next() else { break };
                let is_equal = |value: f64| (read(printed) / read(below) - value).abs() < FRACTION_TOLERANCE;
                if value.is_some_and(is_equal) {
                    continue;
                }
                // Nobody knows the numerator; the value stands for both.
                let end = old.find(below).map_or(at + printed.len(), |begin| begin + below.len());
                fresh.push_str(&old[copied..at]);
                fresh.push_str(&value.map_or("–".to_owned(), |value| value.to_string()));
                copied = end;
                continue;
            }
        };
        fresh.push_str(&old[copied..at]);
        copied = at + printed.len();
        match value {
            _ if same => fresh.push_str(printed),
            Some(value) => fresh.push_str(&written(value, printed)),
            None => fresh.push('–'),
        }
    }
    fresh.push_str(&old[copied..]);
    fresh
}

/// Reads a number as it is printed.
fn read(printed: &str) -> f64 {
    printed.replace(',', "").replace('−', "-").parse().unwrap_or(f64::NAN)
}

fn decimals(printed: &str) -> usize {
    printed.split_once('.').map_or(0, |(_, decimals)| decimals.len())
}

/// Returns whether a number is printed as this value.
fn is_shown(value: f64, printed: &str) -> bool {
    // Half a unit of the last digit, and what a rounded half may be off.
    (value - read(printed)).abs() <= half_a_digit(decimals(printed)) * (1.0 + 1e-9)
}

/// Returns half a unit of the last decimal.
fn half_a_digit(decimals: usize) -> f64 {
    (0..decimals).fold(0.5, |half, _| half / 10.0)
}

/// Writes a number as another one is written.
fn written(value: f64, like: &str) -> String {
    let decimals = decimals(like);
    let mut text = format!("{:.decimals$}", value.abs());
    if like.contains(',') || (decimals == 0 && value.abs() >= 10_000.0) {
        let whole = text.split('.').next().unwrap_or_default().to_owned();
        let mut grouped = String::new();
        for (at, digit) in whole.chars().enumerate() {
            if at > 0 && (whole.len() - at).is_multiple_of(3) {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        text = text.replacen(&whole, &grouped, 1);
    }
    match value {
        _ if value < 0.0 => format!("−{text}"),
        _ if like.starts_with('+') => format!("+{text}"),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(values: &[f64]) -> Vec<Expected> {
        values.iter().map(|&value| Expected::Value(Some(value))).collect()
    }

    #[test]
    fn cells_keep_what_is_right() {
        let same = [
            (" 0.259 [0.231 … 0.286] ", &[0.2594, 0.2308, 0.2861][..]),
            (" 1,383 ", &[1383.0]),
            (" 0 ", &[0.0, 0.0]),
            (" +1: c2 b3 ", &[1.0]),
        ];
        for (cell, numbers) in same {
            assert_eq!(fresh_cell(cell, &values(numbers)), cell);
        }
        let fresh = |cell: &str, numbers: &[f64]| fresh_cell(cell, &values(numbers));
        assert_eq!(fresh(" 0.259 [0.231 … 0.286] ", &[0.3, 0.231, 0.29]), " 0.300 [0.231 … 0.290] ");
        assert_eq!(fresh(" 2.5 % [2.0 … 3.0] ", &[2.56, 2.04, 12.0]), " 2.6 % [2.0 … 12.0] ");
        assert_eq!(fresh(" −0.039, 1,383 ", &[-0.05, 12000.0]), " −0.050, 12,000 ");
        assert_eq!(fresh(" +61 [−8 … +118] ", &[-3.0, 8.2, 119.0]), " −3 [8 … +119] ");
        assert_eq!(fresh_cell(" 4000 ", &[Expected::Value(None)]), " – ");
        assert_eq!(
            numbers("96.1 ± 0.3 %, 12.").iter().map(|(_, n)| *n).collect::<Vec<_>>(),
            ["96.1", "0.3", "12"]
        );
    }

    #[test]
    fn fractions_are_compared_where_there_are_any() {
        let expected = |value| [Expected::Fraction(Some(value)), Expected::Value(Some(100.0 * value))];
        for cell in [" 24/36 = 66.7 % ", " 66.67 % ", " 2/3 "] {
            assert_eq!(fresh_cell(cell, &expected(2.0 / 3.0)), cell);
        }
        assert_eq!(fresh_cell(" 24/36 = 66.7 % ", &expected(0.5)), " 0.5 = 50.0 % ");
        let skipped = [Expected::Any, Expected::Value(Some(4.0))];
        assert_eq!(fresh_cell(" 7 of 3 ", &skipped), " 7 of 4 ");
    }
}
