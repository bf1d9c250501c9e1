//! What an axis shows and how its numbers are written.

use super::axis::{Axis, is_drawable};

/// How the numbers of an axis are written.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub enum Unit {
    /// As they are.
    #[default]
    Number,
    /// As percent: 0.5 is `50 %`.
    Percent,
}

/// What an axis shows.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Scale {
    /// Its title.
    pub title: String,
    /// How its numbers are written.
    pub unit: Unit,
    /// Whether equal factors are equal lengths. Numbers from 0 down are then left out.
    pub log: bool,
    /// Two numbers that are always on the axis, for any data.
    pub reach: Option<[f64; 2]>,
}

impl Scale {
    /// Returns a plain scale.
    #[must_use]
    pub fn new(title: impl Into<String>) -> Scale {
        Scale { title: title.into(), ..Scale::default() }
    }

    /// Returns a scale of rates, written as percent.
    #[must_use]
    pub fn percent(title: impl Into<String>) -> Scale {
        Scale { unit: Unit::Percent, ..Scale::new(title) }
    }

    /// Returns the same scale, logarithmic.
    #[must_use]
    pub fn log(self) -> Scale {
        Scale { log: true, ..self }
    }

    /// Returns the same scale; both numbers are on the axis, for any data.
    #[must_use]
    pub fn reaching(self, low: f64, high: f64) -> Scale {
        Scale { reach: Some([low, high]), ..self }
    }

    /// Tells whether a number can be drawn.
    pub(super) fn takes(&self, number: f64) -> bool {
        is_drawable(number) && (!self.log || number > 1e-100)
    }

    /// The axis over all numbers that can be drawn; `None` without any number.
    pub(super) fn axis(&self, numbers: impl Iterator<Item = f64>, ends: Ends) -> Option<Axis> {
        let all = numbers.chain(self.reach.into_iter().flatten()).filter(|number| self.takes(*number));
        let (low, high) =
            all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), n| (low.min(n), high.max(n)));
        if low > high {
            return None;
        }
        let least = if self.unit == Unit::Percent { LEAST_RATE_SPAN } else { 0.0 };
        Some(match ends {
            _ if self.log => Axis::log(low, high),
            Ends::Round => Axis::round(low, high, least),
            Ends::Tight => Axis::tight(low, high, least),
        })
    }

    /// Returns a mark as text.
    pub(super) fn mark(&self, number: f64, axis: &Axis) -> String {
        // On logarithmic axes each mark is its own measure.
        let step = if axis.step() > 0.0 { axis.step() } else { number };
        match self.unit {
            Unit::Number => plain(number, step),
            Unit::Percent => plain(100.0 * number, 100.0 * step) + " %",
        }
    }

    /// Returns a result as text, with the digits that people compare.
    pub(super) fn figure(&self, number: f64) -> String {
        match self.unit {
            Unit::Percent => format!("{:.1}", 100.0 * number),
            Unit::Number if number.abs() < 10.0 => plain(number, 0.01),
            Unit::Number => plain(number, if number.abs() < 1000.0 { 0.1 } else { 1.0 }),
        }
    }
}

/// The shortest axis of rates: two percent.
const LEAST_RATE_SPAN: f64 = 0.02;

/// Where an axis ends.
#[derive(Copy, Clone)]
pub(super) enum Ends {
    /// At round numbers.
    Round,
    /// Where the data end.
    Tight,
}

/// Returns a number with the digits that steps of `step` need.
fn plain(number: f64, step: f64) -> String {
    if number.abs() < 1e-6 * step {
        return "0".to_owned();
    }
    if number.abs() >= 1e9 || step < 1e-6 {
        return format!("{:e}", format!("{number:.3e}").parse::<f64>().unwrap_or(number));
    }
    let digits = (-libm::floor(libm::log10(step * 1.000_001))).max(0.0) as usize;
    let text = format!("{number:.digits$}");
    let (sign, text) = text.strip_prefix('-').map_or(("", &text[..]), |rest| ("-", rest));
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    if whole.len() < 5 {
        return format!("{sign}{whole}{rest}");
    }
    // Thin spaces between thousands, as in print.
    let mut grouped = String::new();
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            grouped.push('\u{2009}');
        }
        grouped.push(digit);
    }
    format!("{sign}{grouped}{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_have_the_digits_they_need() {
        for (number, step, text) in [
            (0.0, 0.1, "0"),
            (-1e-17, 0.1, "0"),
            (0.30000000000000004, 0.1, "0.3"),
            (0.25, 0.05, "0.25"),
            (-20.0, 10.0, "-20"),
            (5000.0, 1000.0, "5000"),
            (20000.0, 5000.0, "20\u{2009}000"),
            (-1234567.0, 1.0, "-1\u{2009}234\u{2009}567"),
            (2e12, 1e12, "2e12"),
            (3e-9, 1e-9, "3e-9"),
        ] {
            assert_eq!(plain(number, step), text);
        }
        let scale = Scale::percent("won");
        let axis = scale.axis([0.5, 0.55].into_iter(), Ends::Round).unwrap();
        assert_eq!(scale.mark(axis.marks()[1], &axis), "51 %");
    }

    #[test]
    fn what_cannot_be_drawn_makes_no_axis() {
        assert!(Scale::new("").axis([f64::NAN, f64::INFINITY, 1e200].into_iter(), Ends::Round).is_none());
        assert!(Scale::new("").log().axis([0.0, -1.0].into_iter(), Ends::Tight).is_none());
        assert!(Scale::new("").reaching(0.0, 1.0).axis(std::iter::empty(), Ends::Round).is_some());
    }
}
