//! The formulas of time management, each by itself. Times are seconds.
//!
//! T.-s. Hsu, *Theory of Computer Games: Concluding Remarks*, "Commonly time-using rules"; R. M. Hyatt, *Using time
//! wisely*, ICGA Journal 1984. Plies are a program's own.

/// The source enlarges its guess of a game's length once nine tenths of it are played …
const NEARLY: (u64, u64) = (9, 10);
/// … by a fifth.
const GROWTH: (u64, u64) = (6, 5);

/// Returns the fixed plan: the total divided evenly.
#[must_use]
pub fn fixed(total: f64, plies: u32) -> f64 {
    sane(total) / f64::from(plies.max(1))
}

/// Returns the dynamic plan: what is left divided by the plies it must last for, this one included.
#[must_use]
pub fn dynamic(left: f64, plies_left: f64) -> f64 {
    sane(left) / plies_left.max(1.0)
}

/// Returns the guess of a game's length after `played` plies, by the literal rule: while nine tenths of it are played, it
/// grows by a fifth, rounded up.
#[must_use]
pub fn grown(expected: u32, played: u32) -> u64 {
    let (mut expected, played) = (u64::from(expected.max(1)), u64::from(played));
    while played * NEARLY.1 >= expected * NEARLY.0 {
        expected = (expected * GROWTH.0).div_ceil(GROWTH.1);
    }
    expected
}

/// Returns the plies to come after `played`, this one included, by the literal rule.
#[must_use]
pub fn plies_left_literal(expected: u32, played: u32) -> f64 {
    (grown(expected, played) - u64::from(played)) as f64
}

/// Returns the plies to come after `played`, this one included, by the smoothed rule: as many as were expected, but at
/// least a third of those played.
///
/// A third is what the literal rule leaves right after each growth (1.2 ÷ 0.9 − 1). The literal rule jumps there from a
/// ninth, which cuts the plan to a third from one ply to the next; this rule never falls below it, so nothing jumps.
#[must_use]
pub fn plies_left_smoothed(expected: u32, played: u32) -> f64 {
    let beyond = (GROWTH.0 * NEARLY.1) as f64 / (GROWTH.1 * NEARLY.0) as f64 - 1.0;
    let (expected, played) = (f64::from(expected), f64::from(played));
    (expected - played).max(beyond * played).max(1.0)
}

/// Returns how long the next depth of iterative deepening will take if it grows as the last one did: `tᵢ²/tᵢ₋₁`. `None`
/// if nothing can be said: fewer than two depths, or one too short to measure.
#[must_use]
pub fn predict(times: &[f64]) -> Option<f64> {
    let [.., before, last] = times else { return None };
    Some(last * (last / before)).filter(|_| *before > 0.0).filter(|next| next.is_finite() && *next >= 0.0)
}

/// Returns how many simulations of `each` seconds fit into `budget`, or `None` if `each` is zero.
#[must_use]
pub fn simulations(budget: f64, each: f64) -> Option<u64> {
    /// Three times 0.1 s fit into 0.3 s, though 0.3 ÷ 0.1 is a little less than 3 in binary.
    const ROUNDING: f64 = 1e-12;
    (each > 0.0 && each.is_finite()).then(|| (sane(budget) / each * (1.0 + ROUNDING)) as u64)
}

/// Returns `x`, or 0 if it is negative or no number.
pub(super) fn sane(x: f64) -> f64 {
    x.max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_ends_even_for_absurd_games() {
        assert!(grown(0, u32::MAX) > u64::from(u32::MAX));
        assert_eq!(grown(u32::MAX, 0), u64::from(u32::MAX));
    }

    #[test]
    fn the_smoothed_rule_touches_the_literal_one_where_it_has_just_grown() {
        assert_eq!(plies_left_smoothed(60, 0), 60.0);
        assert_eq!(plies_left_smoothed(60, 44), 16.0);
        for played in [54, 45] {
            assert!((plies_left_smoothed(60, played) - f64::from(played) / 3.0).abs() < 1e-9);
        }
        assert_eq!(plies_left_literal(60, 53), 7.0);
        assert_eq!(plies_left_literal(60, 54), 18.0);
    }

    #[test]
    fn rounding_does_not_cost_a_simulation() {
        assert_eq!(simulations(0.3, 0.1), Some(3));
        assert_eq!(simulations(f64::NAN, 0.1), Some(0));
        assert_eq!((simulations(1.0, 0.0), simulations(1.0, f64::NAN)), (None, None));
    }
}
