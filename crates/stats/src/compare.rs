//! Tests of differences: rates, means, variances, several groups.
//!
//! Sources: R. A. Fisher, *Statistical Methods for Research Workers* (1925); B. L. Welch, *The generalization of
//! "Student's" problem* (1947); R. G. Newcombe, *Interval estimation for the difference between independent
//! proportions* (1998); S. Holm, *A simple sequentially rejective multiple test procedure* (1979).
//!
//! Where all values of the samples are equal, the formulas divide by 0. The statistic is then `None`, and the p-value
//! is its limit: 1 without a difference, 0 with one.

use crate::distributions::{binomial_at_least, binomial_at_most};
use crate::distributions::{
    binomial_exactly, f_above, normal_below, normal_two_sided, student_quantile, student_two_sided,
};
use crate::intervals::{Interval, around, wilson};
use crate::samples::Sample;
use crate::special::square;

/// The difference of two rates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RateDifference {
    /// First rate minus second rate.
    pub difference: f64,
    /// 95 % interval (Newcombe's, from two Wilson intervals).
    pub interval: Interval,
    /// Pooled z statistic: the difference in standard errors under "no difference"; `None` if all trials had the same
    /// result.
    pub z: Option<f64>,
    /// Two-sided p-value.
    pub p_value: f64,
    /// One-sided confidence that the first rate is larger; the sources call it the confidence of rejecting.
    pub confidence: f64,
}

/// Returns the difference of the rates `a.0` of `a.1` and `b.0` of `b.1`.
///
/// `None` if a side has no trials or more successes than trials.
#[must_use]
pub fn rates(a: (u64, u64), b: (u64, u64)) -> Option<RateDifference> {
    let ((ka, na), (kb, nb)) = (a, b);
    if na == 0 || nb == 0 {
        return None;
    }
    let (wa, wb) = (wilson(ka, na, 0.95)?, wilson(kb, nb, 0.95)?);
    let [ka, na, kb, nb] = [ka, na, kb, nb].map(|count| count as f64);
    let (pa, pb) = (ka / na, kb / nb);
    let difference = pa - pb;
    let interval = Interval {
        low: (difference - libm::hypot(pa - wa.low, wb.high - pb)).max(-1.0),
        high: (difference + libm::hypot(wa.high - pa, pb - wb.low)).min(1.0),
    };
    let pooled = (ka + kb) / (na + nb);
    let error = (pooled * (1.0 - pooled) * (1.0 / na + 1.0 / nb)).sqrt();
    let z = (error > 0.0).then(|| difference / error);
    Some(RateDifference {
        difference,
        interval,
        z,
        p_value: z.map_or(1.0, normal_two_sided),
        confidence: z.map_or(0.5, normal_below),
    })
}

/// The difference of two means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeanDifference {
    /// First mean minus second mean.
    pub difference: f64,
    /// 95 % interval.
    pub interval: Interval,
    /// The difference in standard errors; `None` if all values are equal.
    pub t: Option<f64>,
    /// Degrees of freedom.
    pub freedom: f64,
    /// Two-sided p-value.
    pub p_value: f64,
}

/// Returns the difference of the means of two independent samples, whose variances may differ (Welch).
///
/// `None` if a sample has fewer than two values or a value that is not finite.
#[must_use]
pub fn means(a: &[f64], b: &[f64]) -> Option<MeanDifference> {
    let (a, b) = (Sample::of(a)?, Sample::of(b)?);
    let (ea, eb) = (a.squared_error()?, b.squared_error()?);
    let (fa, fb) = ((a.n - 1) as f64, (b.n - 1) as f64);
    // Shares rather than squares of the errors, because the squares could underflow.
    let share = if ea + eb > 0.0 { ea / (ea + eb) } else { fa / (fa + fb) };
    let freedom = 1.0 / (share * share / fa + square(1.0 - share) / fb);
    mean_difference(a.mean - b.mean, (ea + eb).sqrt(), freedom)
}

/// Returns the mean difference of pairs, such as two agents on the same deals.
///
/// `None` if there are fewer than two pairs, the samples differ in length, or a value is not finite.
#[must_use]
pub fn paired_means(a: &[f64], b: &[f64]) -> Option<MeanDifference> {
    if a.len() != b.len() {
        return None;
    }
    let differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    let sample = Sample::of(&differences)?;
    mean_difference(sample.mean, sample.squared_error()?.sqrt(), (sample.n - 1) as f64)
}

fn mean_difference(difference: f64, error: f64, freedom: f64) -> Option<MeanDifference> {
    let t = (error > 0.0).then(|| difference / error).filter(|t| t.is_finite());
    let p_value = match t {
        Some(t) => student_two_sided(t, freedom)?,
        None => f64::from(u8::from(difference == 0.0)),
    };
    let interval = around(difference, student_quantile(0.975, freedom)? * error)?;
    Some(MeanDifference { difference, interval, t, freedom, p_value })
}

/// The ratio of two variances.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VarianceRatio {
    /// First variance over second variance; `None` if the second is 0.
    pub f: Option<f64>,
    /// Degrees of freedom of both samples.
    pub freedom: (f64, f64),
    /// Two-sided p-value of "the variances are equal", for normally distributed values.
    pub p_value: f64,
    /// Probability of a larger ratio if the variances are equal: the one-sided p-value of "the first is not larger".
    pub above: f64,
}

/// Returns the F test of the variances of two samples; `None` if one has fewer than two values or a value that is not
/// finite.
#[must_use]
pub fn variances(a: &[f64], b: &[f64]) -> Option<VarianceRatio> {
    let (a, b) = (Sample::of(a)?, Sample::of(b)?);
    let (va, vb) = (a.variance()?, b.variance()?);
    let freedom = ((a.n - 1) as f64, (b.n - 1) as f64);
    let f = (vb > 0.0).then(|| va / vb).filter(|f| f.is_finite());
    let (above, below) = match f {
        Some(f) if f > 0.0 => (f_above(f, freedom.0, freedom.1)?, f_above(1.0 / f, freedom.1, freedom.0)?),
        Some(_) => (1.0, 0.0),
        None if va == 0.0 => (0.5, 0.5),
        None => (0.0, 1.0),
    };
    Some(VarianceRatio { f, freedom, p_value: (2.0 * above.min(below)).min(1.0), above })
}

/// A one-way analysis of variance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anova {
    /// Variance between the groups over variance within them; `None` if there is no variance within.
    pub f: Option<f64>,
    /// Degrees of freedom between (groups − 1) and within (values − groups).
    pub freedom: (f64, f64),
    /// Probability of a larger F if all groups have the same mean.
    pub p_value: f64,
}

/// Returns the one-way analysis of variance of several groups.
///
/// `None` for fewer than two groups, an empty group, no more values than groups, or a value that is not finite.
#[must_use]
pub fn anova(groups: &[&[f64]]) -> Option<Anova> {
    let samples: Vec<Sample> = groups.iter().map(|g| Sample::of(g)).collect::<Option<_>>()?;
    let values: usize = samples.iter().map(|s| s.n).sum();
    if samples.len() < 2 || values == samples.len() {
        return None;
    }
    let freedom = ((samples.len() - 1) as f64, (values - samples.len()) as f64);
    let first = samples[0].mean;
    let shift = samples.iter().map(|s| s.n as f64 * (s.mean - first)).sum::<f64>() / values as f64;
    let between: f64 = samples.iter().map(|s| s.n as f64 * square(s.mean - first - shift)).sum();
    let within: f64 = samples.iter().map(|s| s.squares).sum();
    if !between.is_finite() || !within.is_finite() {
        return None;
    }
    let f = (within > 0.0).then(|| (between / freedom.0) / (within / freedom.1)).filter(|f| f.is_finite());
    let p_value = match f {
        Some(f) => f_above(f, freedom.0, freedom.1)?,
        None => f64::from(u8::from(between == 0.0)),
    };
    Some(Anova { f, freedom, p_value })
}

/// Returns the two-sided p-value of `successes` in `trials` at the rate `p`: the total probability of all outcomes
/// that are at most as likely.
///
/// `None` with more successes than trials, or if `p` is not a probability.
#[must_use]
pub fn binomial(successes: u64, trials: u64, p: f64) -> Option<f64> {
    let here = binomial_exactly(successes, trials, p)?;
    if successes > trials {
        return None;
    }
    // Outcomes that are equally likely in theory may differ in their last digits.
    let bar = here * (1.0 + 1e-9);
    let mode = (((trials as f64 + 1.0) * p) as u64).min(trials);
    let likelier = |k: u64| binomial_exactly(k, trials, p).is_some_and(|mass| mass > bar);
    if successes == mode || !likelier(mode) {
        return Some(1.0);
    }
    // The probabilities fall on either side of the mode: find where the far side falls to the bar.
    let sum = if successes < mode {
        let far = first(mode, trials.saturating_add(1), |k| k > trials || !likelier(k));
        binomial_at_most(successes, trials, p)? + binomial_at_least(far, trials, p)?
    } else {
        let steps = first(0, mode + 1, |back| back > mode || !likelier(mode - back));
        let near = if steps > mode { 0.0 } else { binomial_at_most(mode - steps, trials, p)? };
        near + binomial_at_least(successes, trials, p)?
    };
    Some(sum.min(1.0))
}

/// Returns the first number from `low` to `high` that passes. All numbers after it must pass too, `high` included.
fn first(mut low: u64, mut high: u64, passes: impl Fn(u64) -> bool) -> u64 {
    while low < high {
        let middle = low + (high - low) / 2;
        if passes(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

/// Returns p-values adjusted for multiple tests (Holm), in the order given.
///
/// Rejecting the hypotheses with adjusted values below α keeps the probability of any false rejection at α, for any
/// dependence between the tests. Not-a-number counts as 1.
#[must_use]
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let clean = |p: f64| if p.is_nan() { 1.0 } else { p.clamp(0.0, 1.0) };
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| clean(p_values[a]).total_cmp(&clean(p_values[b])));
    let mut adjusted = vec![0.0; p_values.len()];
    let mut so_far: f64 = 0.0;
    for (rank, &index) in order.iter().enumerate() {
        so_far = so_far.max((p_values.len() - rank) as f64 * clean(p_values[index])).min(1.0);
        adjusted[index] = so_far;
    }
    adjusted
}
