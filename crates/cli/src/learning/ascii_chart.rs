//! A learning curve in characters.

use parlor_lab::format::grouped;

/// How many lines a curve is high; a line has eight steps.
const HEIGHT: usize = 8;
const STEPS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// How many columns a curve is wide.
const WIDTH: usize = 60;

/// Returns the curve of tests, each with the matches before it and its rate (0 … 1), as lines. The axis reaches to `planned`
/// matches and is logarithmic, because most is learnt in the first ones.
pub fn curve(tests: &[(u64, f64)], planned: u64) -> Vec<String> {
    let heights: Vec<usize> = columns(tests, planned)
        .map(|rate| (rate.clamp(0.0, 1.0) * (HEIGHT * 8) as f64).round() as usize)
        .collect();
    let mut lines: Vec<String> = (0..HEIGHT)
        .rev()
        .map(|line| {
            let mark = match line + 1 {
                HEIGHT => "100 %",
                half if 2 * half == HEIGHT => " 50 %",
                _ => "",
            };
            let cells: String =
                heights.iter().map(|height| STEPS[height.saturating_sub(8 * line).min(8)]).collect();
            format!("{mark:>6} │{cells}").trim_end().to_owned()
        })
        .collect();
    lines.push(format!("{:>6} └{}", "0 %", axis(planned)));
    lines.push(format!("        {}", marks(planned)));
    lines
}

/// Returns the column of this number of matches: 1 is in the first, all that are planned are in the last.
fn column_of(matches: u64, planned: u64) -> usize {
    let share = libm::log(matches.max(1) as f64) / libm::log(planned.max(2) as f64);
    ((share * (WIDTH - 1) as f64).round() as usize).min(WIDTH - 1)
}

/// Returns the rate of each column up to the last test: that of the last test in it or before it.
fn columns(tests: &[(u64, f64)], planned: u64) -> impl Iterator<Item = f64> {
    let until = tests.last().map_or(0, |&(matches, _)| column_of(matches, planned) + 1);
    (0..until).map(move |column| {
        let test = tests.iter().rev().find(|&&(matches, _)| column_of(matches, planned) <= column);
        test.map_or(0.0, |&(_, rate)| rate)
    })
}

/// Returns the powers of ten from 1 to `planned`, with their columns.
fn powers(planned: u64) -> impl Iterator<Item = (u64, usize)> {
    let all = std::iter::successors(Some(1_u64), |power| power.checked_mul(10));
    all.take_while(move |&power| power <= planned.max(1)).map(move |power| (power, column_of(power, planned)))
}

fn axis(planned: u64) -> String {
    let mut line = vec!['─'; WIDTH];
    for (_, column) in powers(planned) {
        line[column] = '┬';
    }
    line.into_iter().collect()
}

/// Returns the numbers below the axis; those that would touch the one before are left out.
fn marks(planned: u64) -> String {
    let mut line = String::new();
    for (power, column) in powers(planned) {
        let width = line.chars().count();
        if line.is_empty() || width < column {
            line.extend(std::iter::repeat_n(' ', column - width));
            line.push_str(&grouped(power));
        }
    }
    line + " matches"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_high_as_the_last_test_before_them() {
        let rates: Vec<f64> = columns(&[(0, 0.25), (10, 0.5), (100, 1.0)], 1000).collect();
        let [ten, hundred] = [10, 100].map(|matches| column_of(matches, 1000));
        assert_eq!((ten, hundred, rates.len()), (20, 39, 40));
        assert!(rates[..ten].iter().all(|&rate| rate == 0.25), "{rates:?}");
        assert!(rates[ten..hundred].iter().all(|&rate| rate == 0.5), "{rates:?}");
        assert_eq!(rates[hundred..], [1.0]);
    }

    #[test]
    fn a_curve_has_marks_at_powers_of_ten() {
        let lines = curve(&[(0, 0.0), (1, 0.5), (1000, 1.0)], 1000);
        assert_eq!(lines.len(), HEIGHT + 2);
        assert_eq!(lines[0], format!(" 100 % │{}█", " ".repeat(WIDTH - 1)));
        assert_eq!(lines[4], format!("  50 % │{}", "█".repeat(WIDTH)));
        let gap = "─".repeat(19);
        assert_eq!(lines[8], format!("   0 % └┬{gap}┬{}┬{gap}┬", "─".repeat(18)));
        assert_eq!(
            lines[9],
            format!(
                "        1{}10{}100{}1\u{202f}000 matches",
                " ".repeat(19),
                " ".repeat(17),
                " ".repeat(17)
            )
        );
    }

    #[test]
    fn anything_can_be_drawn() {
        for tests in [&[][..], &[(0, f64::NAN), (3, -3.0), (5, f64::INFINITY), (u64::MAX, 7.0)]] {
            for planned in [0, 1, 2, 600_000, u64::MAX] {
                assert_eq!(curve(tests, planned).len(), HEIGHT + 2);
            }
        }
    }
}
