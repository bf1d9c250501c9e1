//! Confidence intervals for rates, means and arbitrary statistics.
//!
//! Sources: E. B. Wilson, *Probable inference, the law of succession, and statistical inference* (1927); C. J. Clopper
//! and E. S. Pearson, *The use of confidence or fiducial limits* (1934); B. Efron, *Bootstrap methods* (1979).

use crate::distributions::{student_quantile, z_of_level};
use crate::samples::Sample;
use crate::special::beta_quantile_logit;

/// A range that covers the true value with a stated confidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    /// Returns whether `value` lies in the interval, ends included.
    #[must_use]
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }
}

/// Returns Wilson's score interval of a rate of `successes` in `trials`.
///
/// Its coverage is close to the level on average, at times a little below; it never leaves 0 … 1. Without trials it
/// is 0 … 1. `None` if there are more successes than trials or the level is not between 0 and 1.
#[must_use]
pub fn wilson(successes: u64, trials: u64, level: f64) -> Option<Interval> {
    let z = z_of_level(level)?;
    if successes > trials {
        return None;
    }
    if trials == 0 {
        return Some(Interval { low: 0.0, high: 1.0 });
    }
    Some(score_interval(successes as f64, trials as f64, z))
}

/// Returns Wilson's score interval of a rate that was estimated from as much evidence as `trials` equal ones give, which need not be a
/// whole number: for weighted samples.
///
/// `None` if the rate is not between 0 and 1, `trials` is not above 0, or the level is not between 0 and 1.
#[must_use]
pub fn wilson_of_rate(rate: f64, trials: f64, level: f64) -> Option<Interval> {
    let z = z_of_level(level)?;
    let is_fit = (0.0..=1.0).contains(&rate) && trials > 0.0 && trials.is_finite();
    is_fit.then(|| score_interval(rate * trials, trials, z))
}

fn score_interval(k: f64, n: f64, z: f64) -> Interval {
    let p = k / n;
    let centre = (k + z * z / 2.0) / (n + z * z);
    let half = z / (n + z * z) * (n * p * (1.0 - p) + z * z / 4.0).sqrt();
    // At the edges the formula gives 0 and 1 only up to rounding.
    let low = if k == 0.0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if k == n { 1.0 } else { (centre + half).min(1.0) };
    Interval { low, high }
}

/// Returns the interval of Clopper and Pearson. It covers with *at least* the stated confidence and is therefore
/// wider.
///
/// Without trials it is 0 … 1. `None` as for [`wilson`].
#[must_use]
pub fn clopper_pearson(successes: u64, trials: u64, level: f64) -> Option<Interval> {
    z_of_level(level)?;
    if successes > trials {
        return None;
    }
    let tail = (1.0 - level) / 2.0;
    let (k, rest) = (successes as f64, (trials - successes) as f64);
    let unit = |logit: f64| 1.0 / (1.0 + libm::exp(-logit));
    // The ends are quantiles of beta distributions; the upper one is 1 minus the lower one of the failures.
    let low = if k == 0.0 { 0.0 } else { unit(beta_quantile_logit(k, rest + 1.0, tail)) };
    let high = if rest == 0.0 { 1.0 } else { unit(-beta_quantile_logit(rest, k + 1.0, tail)) };
    Some(Interval { low, high })
}

/// Returns Student's interval for the mean of the distribution that `values` were drawn from.
///
/// `None` for fewer than two values, a value that is not finite, or a level not between 0 and 1. Equal values give an
/// interval of width 0, because they carry no information about the variance.
#[must_use]
pub fn mean(values: &[f64], level: f64) -> Option<Interval> {
    z_of_level(level)?;
    let sample = Sample::of(values)?;
    let error = sample.squared_error()?.sqrt();
    let t = student_quantile(1.0 - (1.0 - level) / 2.0, (sample.n - 1) as f64)?;
    around(sample.mean, t * error)
}

/// Returns an interval for the ratio of two sums whose terms come in groups, such as mistakes among decisions,
/// grouped by match. Decisions of one match resemble each other, so the group is the unit. Each pair is (part, whole)
/// of a group.
///
/// The ratio is linearised around its estimate, which is accurate from some dozens of groups on. `None` for fewer
/// than two groups, wholes that add up to 0, or a level not between 0 and 1.
#[must_use]
pub fn ratio(groups: &[(f64, f64)], level: f64) -> Option<Interval> {
    let (part, whole) = groups.iter().fold((0.0, 0.0), |(p, w), group| (p + group.0, w + group.1));
    if whole <= 0.0 {
        return None;
    }
    let (estimate, size) = (part / whole, whole / groups.len() as f64);
    let strays: Vec<f64> = groups.iter().map(|(p, w)| (p - estimate * w) / size).collect();
    let stray = mean(&strays, level)?;
    around(estimate, (stray.high - stray.low) / 2.0)
}

/// Returns `centre ± half`, if both ends are finite.
pub(crate) fn around(centre: f64, half: f64) -> Option<Interval> {
    let interval = Interval { low: centre - half, high: centre + half };
    (interval.low.is_finite() && interval.high.is_finite()).then_some(interval)
}

/// Returns the percentile bootstrap interval of any `statistic` of `values`.
///
/// Draws `rounds` samples with replacement. `random` returns numbers from 0 up to, not including, 1, so the caller's
/// seed determines the result. The percentile interval is accurate for means, medians and quantiles of some dozens of
/// values or more; with few values it is too narrow (use [`mean`] for means). `None` without values or rounds, for a
/// level not between 0 and 1, or if the statistic is ever not a finite number.
#[must_use]
pub fn bootstrap(
    values: &[f64],
    statistic: impl Fn(&[f64]) -> f64,
    rounds: usize,
    level: f64,
    mut random: impl FnMut() -> f64,
) -> Option<Interval> {
    z_of_level(level)?;
    if values.is_empty() || rounds == 0 {
        return None;
    }
    let mut drawn = vec![0.0; values.len()];
    let mut results = Vec::with_capacity(rounds);
    for _ in 0..rounds {
        for slot in &mut drawn {
            let index = (random() * values.len() as f64) as usize;
            *slot = values[index.min(values.len() - 1)];
        }
        let result = statistic(&drawn);
        if !result.is_finite() {
            return None;
        }
        results.push(result);
    }
    results.sort_unstable_by(f64::total_cmp);
    let tail = (1.0 - level) / 2.0;
    Some(Interval { low: quantile(&results, tail), high: quantile(&results, 1.0 - tail) })
}

/// Returns the quantile of sorted values, interpolated between neighbours.
fn quantile(sorted: &[f64], p: f64) -> f64 {
    let place = p * (sorted.len() - 1) as f64;
    let below = place as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (place - below as f64) * (sorted[above] - sorted[below])
}
