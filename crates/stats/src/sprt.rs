//! Sequential tests that stop as soon as the answer is clear.
//!
//! The generalised sequential probability ratio test (A. Wald, *Sequential Tests of Statistical Hypotheses* (1945);
//! M. Van den Bergh, *A Practical Introduction to the GSPRT*): after each result compare the log-likelihood
//! ratio of "the difference is elo1" to "it is elo0" with two bounds,
//!
//! ```text
//!   LLR ≤ ln(β/(1 − α))  accept H0        between: go on        LLR ≥ ln((1 − β)/α)  accept H1
//! ```
//!
//! where each likelihood is the largest that any distribution of results with that difference can have (see
//! `sprt/likelihood.rs`). α is the probability of accepting H1 when the difference is elo0, β that of accepting H0
//! when it is elo1; with the few results of an early stop both hold only approximately (`tests/it/sprt.rs` measures
//! them).

mod likelihood;
mod stopped;

pub use stopped::Stopped;

use crate::elo::{FISHTEST_LEAST, NELO_UNIT, score_of_elo};
use crate::error::Unfit;
use crate::outcomes::{Frequencies, Tally};

/// The largest Elo difference that can be a hypothesis.
pub const MOST_ELO: f64 = 1000.0;

/// The Elo scale of the hypotheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Logistic Elo: fixes the mean score.
    Logistic,
    /// Normalised Elo: fixes (mean score − ½)/deviation of a game, so the length of a test hardly depends on the draw
    /// rate.
    Normalised,
}

/// The state of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Undecided: play on.
    Continue,
    /// H0 is accepted: the difference is elo0 rather than elo1.
    H0,
    /// H1 is accepted: the difference is elo1 rather than elo0.
    H1,
}

/// A sequential test of two hypotheses about the Elo difference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    scale: Scale,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

impl Sprt {
    /// Returns the test of `elo0` against `elo1` with error rates of 5 %.
    ///
    /// # Errors
    /// Unless `elo0 < elo1`, both within ±[`MOST_ELO`].
    pub fn new(scale: Scale, elo0: f64, elo1: f64) -> Result<Self, Unfit> {
        if !(elo0 < elo1 && elo0 >= -MOST_ELO && elo1 <= MOST_ELO) {
            return Err(Unfit::Hypotheses { elo0, elo1, most: MOST_ELO });
        }
        Ok(Sprt { scale, elo0, elo1, alpha: 0.05, beta: 0.05 })
    }

    /// Returns the test with other error rates.
    ///
    /// # Errors
    /// Unless both are above 0 and together below 1.
    pub fn with_rates(self, alpha: f64, beta: f64) -> Result<Self, Unfit> {
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            return Err(Unfit::ErrorRates { alpha, beta });
        }
        Ok(Sprt { alpha, beta, ..self })
    }

    /// Returns the bound at or below which H0 is accepted.
    #[must_use]
    pub fn lower(&self) -> f64 {
        libm::log(self.beta / (1.0 - self.alpha))
    }

    /// Returns the bound at or above which H1 is accepted.
    #[must_use]
    pub fn upper(&self) -> f64 {
        libm::log((1.0 - self.beta) / self.alpha)
    }

    /// Returns the log-likelihood ratio of H1 to H0; 0 without results.
    ///
    /// Counts of 0 count as 0.001, so that results not seen so far are not impossible under a hypothesis.
    #[must_use]
    pub fn llr(&self, results: impl Into<Tally>) -> f64 {
        let tally = results.into();
        let Some(f) = tally.frequencies_at_least(FISHTEST_LEAST) else { return 0.0 };
        let fit = |elo: f64| match self.scale {
            Scale::Logistic => likelihood::loss_with_mean(&f, score_of_elo(elo)),
            Scale::Normalised => likelihood::loss_with_ratio(&f, ratio(elo, &tally)),
        };
        fit(self.elo0) - fit(self.elo1)
    }

    /// Returns the log-likelihood ratio of normal distributions with the observed variance, which [`llr`](Self::llr)
    /// approaches for small differences; 0 without results.
    #[must_use]
    pub fn llr_normal(&self, results: impl Into<Tally>) -> f64 {
        let tally = results.into();
        let Some(f) = tally.frequencies_at_least(FISHTEST_LEAST) else { return 0.0 };
        let (s0, s1) = self.scores(&f, &tally);
        f.n * (s1 - s0) * (2.0 * f.mean - s0 - s1) / (2.0 * f.variance)
    }

    /// Returns the state of the test at a log-likelihood ratio.
    #[must_use]
    pub fn state(&self, llr: f64) -> State {
        if llr >= self.upper() {
            State::H1
        } else if llr <= self.lower() {
            State::H0
        } else {
            State::Continue
        }
    }

    /// Returns an estimate of the difference that allows for the test having stopped by its own rule.
    ///
    /// See [`Stopped`]; `None` without results.
    #[must_use]
    pub fn estimate(&self, results: impl Into<Tally>) -> Option<Stopped> {
        stopped::estimate(self, &results.into())
    }

    /// Returns the mean scores of both hypotheses, with the observed variance where it matters.
    fn scores(&self, f: &Frequencies, tally: &Tally) -> (f64, f64) {
        let score = |elo: f64| match self.scale {
            Scale::Logistic => score_of_elo(elo),
            Scale::Normalised => 0.5 + ratio(elo, tally) * f.variance.sqrt(),
        };
        (score(self.elo0), score(self.elo1))
    }
}

/// Returns (mean − ½)/deviation of one result at a normalised Elo.
fn ratio(nelo: f64, tally: &Tally) -> f64 {
    nelo / NELO_UNIT * tally.games_each().sqrt()
}
