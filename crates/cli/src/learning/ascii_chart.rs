//! A learning curve in characters.

/// How many lines a curve is high; a line has eight steps.
const HEIGHT: usize = 8;
const STEPS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Returns the curve of rates (0 … 1) as lines, a column a round; `planned` columns have room.
pub fn curve(rates: &[f64], planned: usize) -> Vec<String> {
    let heights: Vec<usize> =
        rates.iter().map(|rate| (rate.clamp(0.0, 1.0) * (HEIGHT * 8) as f64).round() as usize).collect();
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
    lines.push(format!("{:>6} └{}", "0 %", "─".repeat(planned)));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_high_as_their_rates() {
        let lines = curve(&[0.0, 0.5, 1.0, 0.0625], 6);
        assert_eq!(lines.len(), HEIGHT + 1);
        assert_eq!(lines[0], " 100 % │  █");
        assert_eq!(lines[3], "       │  █");
        assert_eq!(lines[4], "  50 % │ ██");
        assert_eq!(lines[7], "       │ ██▄");
        assert_eq!(lines[8], "   0 % └──────");
    }

    #[test]
    fn anything_can_be_drawn() {
        for rates in [&[][..], &[f64::NAN, -3.0, 7.0, f64::INFINITY]] {
            assert_eq!(curve(rates, 0).len(), HEIGHT + 1);
        }
    }
}
