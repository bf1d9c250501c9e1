//! Elo differences with their intervals.
//!
//! Conventions: those of chess engine testing (M. Van den Bergh, *Normalized Elo*). With the scores of n results
//! (games, or pairs as points over 2) of mean μ and variance v (divided by n):
//!
//! ```text
//!   elo        −400·log₁₀(1/μ − 1)                     interval: the same function of μ ± z·√(v/n)
//!   nelo       (μ − ½)/√(g·v) · 800/ln 10              ± z/√(g·n) · 800/ln 10,   g games a result: 1 or 2
//!   LOS        Φ((μ − ½)/√(v/n))                       likelihood of superiority
//! ```
//!
//! A number that does not exist is `None`: the Elo of a score of 0 or 1, an interval end beyond that, the normalised
//! Elo of results without variance, the LOS of draws only.

use std::f64::consts::LN_10;

use crate::distributions::{Z95, binomial_at_least, normal_below, normal_two_sided, z_of_level};
use crate::error::Unfit;
use crate::outcomes::{Frequencies, Pentanomial, Tally, Trinomial};
use crate::pairs::sign_flip_p_value;

/// Elo for one unit of (score − ½)/deviation: the slope of the Elo curve at ½, as normalised Elo is defined.
pub const NELO_UNIT: f64 = 800.0 / LN_10;

/// Returns the Elo difference at which a side scores `score` on average; `None` unless `0 < score < 1`.
#[must_use]
pub fn elo_of_score(score: f64) -> Option<f64> {
    // `0.0 - x` rather than `-x`: level scores are 0, never -0.
    (score > 0.0 && score < 1.0).then(|| 0.0 - 400.0 * libm::log10(1.0 / score - 1.0))
}

/// Returns the mean score of the side that is `elo` stronger.
#[must_use]
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + libm::pow(10.0, -elo / 400.0))
}

/// Estimates of the difference between two sides, from the side of the first.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// Mean score, 0 to 1.
    pub score: Option<f64>,
    /// Variance of one result (a game, or a pair as points over 2), divided by n.
    pub variance: Option<f64>,
    /// Elo difference.
    pub elo: Option<f64>,
    /// Lower end of its interval.
    pub elo_low: Option<f64>,
    /// Upper end of its interval.
    pub elo_high: Option<f64>,
    /// Normalised Elo.
    pub nelo: Option<f64>,
    /// Half the width of its interval.
    pub nelo_error: Option<f64>,
    /// Likelihood of superiority.
    pub los: Option<f64>,
    /// Exact two-sided p-value of "no difference".
    ///
    /// For games: the sign test of wins against losses. For pairs: [`sign_flip_p_value`]. Above its limit, the normal
    /// p-value.
    pub p_value: Option<f64>,
    /// Two-sided normal p-value of "no difference", consistent with `los`; `None` where that is 0, 1 or missing
    /// only because no two results differ.
    pub p_value_normal: Option<f64>,
}

impl Estimate {
    /// Returns half the width of the Elo interval.
    #[must_use]
    pub fn elo_error(&self) -> Option<f64> {
        Some((self.elo_high? - self.elo_low?) / 2.0)
    }
}

/// Returns what games say, with 95 % intervals.
#[must_use]
pub fn of_games(games: &Trinomial) -> Estimate {
    estimate((*games).into(), sign_test(games), Z95)
}

/// Returns what pairs say, with 95 % intervals.
#[must_use]
pub fn of_pairs(pairs: &Pentanomial) -> Estimate {
    estimate((*pairs).into(), sign_flip_p_value(pairs), Z95)
}

/// Returns what games say, with intervals of the confidence `level`.
///
/// # Errors
/// If `level` is not strictly between 0 and 1.
pub fn of_games_at(games: &Trinomial, level: f64) -> Result<Estimate, Unfit> {
    let z = z_of_level(level).ok_or(Unfit::Level { level })?;
    Ok(estimate((*games).into(), sign_test(games), z))
}

/// Returns what pairs say, with intervals of the confidence `level`.
///
/// # Errors
/// If `level` is not strictly between 0 and 1.
pub fn of_pairs_at(pairs: &Pentanomial, level: f64) -> Result<Estimate, Unfit> {
    let z = z_of_level(level).ok_or(Unfit::Level { level })?;
    Ok(estimate((*pairs).into(), sign_flip_p_value(pairs), z))
}

/// Returns the likelihood of superiority from decided games alone, Φ((W − L)/√(W + L)); `None` without decided games.
#[must_use]
pub fn los_ignoring_draws(games: &Trinomial) -> Option<f64> {
    let (w, l) = (games.wins as f64, games.losses as f64);
    (w + l > 0.0).then(|| normal_below((w - l) / (w + l).sqrt()))
}

/// Returns the exact two-sided p-value of a split of the decided games at least this uneven under fair coins; 1
/// without decided games.
fn sign_test(games: &Trinomial) -> Option<f64> {
    let decided = games.wins.checked_add(games.losses)?;
    let more = games.wins.max(games.losses);
    binomial_at_least(more, decided, 0.5).map(|tail| (2.0 * tail).min(1.0))
}

fn estimate(tally: Tally, exact: Option<f64>, z: f64) -> Estimate {
    let Some(f) = tally.frequencies() else { return Estimate::default() };
    let error = (f.variance / f.n).sqrt();
    let spread = (f.variance > 0.0).then_some((f.mean - 0.5) / error);
    let p_value_normal = spread.map(normal_two_sided);
    Estimate {
        score: Some(f.mean),
        variance: Some(f.variance),
        elo: elo_of_score(f.mean),
        elo_low: elo_of_score(f.mean - z * error),
        elo_high: elo_of_score(f.mean + z * error),
        nelo: nelo(&f, tally.games_each()),
        nelo_error: (f.variance > 0.0).then(|| z / (tally.games_each() * f.n).sqrt() * NELO_UNIT),
        los: los(&f),
        p_value: exact.or(p_value_normal),
        p_value_normal,
    }
}

fn nelo(f: &Frequencies, games_each: f64) -> Option<f64> {
    (f.variance > 0.0).then(|| (f.mean - 0.5) / (games_each * f.variance).sqrt() * NELO_UNIT)
}

fn los(f: &Frequencies) -> Option<f64> {
    if f.variance > 0.0 {
        return Some(normal_below((f.mean - 0.5) / (f.variance / f.n).sqrt()));
    }
    // All results equal: certainty if they favour a side, no estimate if all are draws.
    if f.mean == 0.5 { None } else { Some(if f.mean > 0.5 { 1.0 } else { 0.0 }) }
}

/// The statistics of the Fishtest framework (Stockfish), which are always defined.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fishtest {
    /// Elo difference, within ±1199.83.
    pub elo: f64,
    /// Half the width of its 95 % interval.
    pub elo95: f64,
    /// Likelihood of superiority.
    pub los: f64,
}

/// Replaces a count of 0, and limits how close to 0 or 1 a score may come.
pub(crate) const FISHTEST_LEAST: f64 = 1e-3;

/// Returns Elo and LOS as Fishtest prints them; `None` without results.
///
/// Counts of 0 become 0.001, and scores are kept within 0.001 … 0.999.
#[must_use]
pub fn fishtest(results: impl Into<Tally>) -> Option<Fishtest> {
    let f = results.into().frequencies_at_least(FISHTEST_LEAST)?;
    let error = (f.variance / f.n).sqrt();
    let elo = |score: f64| elo_of_score(score.clamp(FISHTEST_LEAST, 1.0 - FISHTEST_LEAST));
    Some(Fishtest {
        elo: elo(f.mean)?,
        elo95: (elo(f.mean + Z95 * error)? - elo(f.mean - Z95 * error)?) / 2.0,
        los: normal_below((f.mean - 0.5) / error),
    })
}
