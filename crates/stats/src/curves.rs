//! Metrics of learning curves.
//!
//! Source: *Dominating Dominoes*, "Metametrics". Our copy lacks its formulas; gain and margin are reconstructed from
//! Table 5 and the text, deviation and benefit from their descriptions.

use crate::compare::{Anova, anova};
use crate::samples::Sample;

/// Number of groups of tournaments that the F ratio compares.
pub const GROUPS: usize = 3;
/// Number of tournaments in a group.
pub const GROUP: usize = 5;

/// Returns the gain 100·(w − l)/max(w, l), from −100 to 100: the form that fits Table 5; 0 without decided contests.
#[must_use]
pub fn gain(wins: u64, losses: u64) -> f64 {
    let (w, l) = (wins as f64, losses as f64);
    if wins.max(losses) == 0 { 0.0 } else { 100.0 * (w - l) / w.max(l) }
}

/// Returns the linear gain 2·(w − 50) of a win percentage `w`, from −100 to 100: the form that fits "−5 is about
/// 47.5 %"; `None` without contests or with more wins than contests.
#[must_use]
pub fn linear_gain(wins: u64, contests: u64) -> Option<f64> {
    (contests > 0 && wins <= contests).then(|| 2.0 * (100.0 * wins as f64 / contests as f64 - 50.0))
}

/// Returns the margin: half the difference of two players' gains.
#[must_use]
pub fn margin(own: f64, other: f64) -> f64 {
    own / 2.0 - other / 2.0
}

/// The standard deviation on which the deviation is based; the source does not specify it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// Divided by n − 1; the normaliser is 3.3·√2 = 4.667.
    Sample,
    /// Divided by n; the normaliser is 3.3.
    Population,
}

/// Returns the deviation of margins: the width 3.3·σ of the band that holds 90 %, scaled so that {−100, 100} gives 100.
///
/// `None` without margins, with a single one for [`Spread::Sample`], or if one is not finite.
#[must_use]
pub fn deviation(margins: &[f64], spread: Spread) -> Option<f64> {
    const BAND: f64 = 3.3;
    let sample = Sample::of(margins)?;
    let (variance, normaliser) = match spread {
        Spread::Sample => (sample.variance()?, BAND * std::f64::consts::SQRT_2),
        Spread::Population => (sample.population_variance(), BAND),
    };
    Some(BAND * variance.sqrt() / normaliser)
}

/// Returns the benefit after each tournament: the mean of the gains so far, which must be finite numbers.
#[must_use]
pub fn benefit(gains: &[f64]) -> Vec<f64> {
    let mut mean = 0.0;
    gains
        .iter()
        .enumerate()
        .map(|(i, gain)| {
            mean += (gain - mean) / (i + 1) as f64;
            mean
        })
        .collect()
}

/// Returns whether a curve is still moving: the analysis of variance of its last fifteen values in three groups of
/// five.
///
/// It has 2 and 12 degrees of freedom (the source counts 4 within), so F has mean 1.2 without a trend, not 0.18.
/// `None` for fewer than fifteen values, or if one is not finite.
#[must_use]
pub fn still_moving(values: &[f64]) -> Option<Anova> {
    let last = &values[values.len().checked_sub(GROUPS * GROUP)?..];
    let groups: Vec<&[f64]> = last.chunks_exact(GROUP).collect();
    anova(&groups)
}
