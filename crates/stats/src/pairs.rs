//! The exact distribution of the score of n pairs of games: is the new version better?
//!
//! Source: T.-s. Hsu, *Theory of Computer Games: Concluding Remarks* (slides), "Testing". Two versions play pairs of
//! games with seats swapped. If they are equally strong, and the first player wins with probability p and draws with
//! q, the score X of a pair (win 1, draw 0, loss −1, two games added) is
//!
//! ```text
//!   X      −2         −1              0              1          2
//!   Pr    p·l      q·(p + l)    p² + q² + l²     q·(p + l)     p·l         with l = 1 − p − q
//! ```
//!
//! and the sum X\[n\] of n pairs has mean 0 and standard deviation σₙ = √n·√(2pq + (2q + 8p)(1 − p − q)). On this
//! lattice "more than 2σ" is only nominally 5 %; the probabilities here are exact (see `pairs/fourier.rs` for how).

mod fourier;

use crate::distributions::normal_above;
use crate::error::Unfit;
use crate::outcomes::{Pentanomial, Trinomial};
use fourier::{Steps, Tilted};

/// The largest number of pairs for which the exact distribution is available.
pub const MOST_PAIRS: u64 = 10_000_000;

/// The distribution of one pair's score when both sides are equally strong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairModel {
    weights: [f64; 5],
}

impl PairModel {
    /// Returns the model of a game whose first player wins with probability `p` and draws with probability `q`.
    ///
    /// # Errors
    /// If `p` and `q` are not probabilities with `p + q ≤ 1`.
    pub fn new(p: f64, q: f64) -> Result<Self, Unfit> {
        // 0.7 + 0.3 must not be rejected because of its last bit.
        let rest = 1.0 - p - q;
        if !(p >= 0.0 && q >= 0.0 && rest >= -1e-12) {
            return Err(Unfit::Chances { p, q });
        }
        let l = rest.max(0.0);
        let (two, one) = (p * l, q * (p + l));
        Ok(PairModel { weights: [two, one, p * p + q * q + l * l, one, two] })
    }

    /// Returns the model with p and q estimated from games, counted from the first player's side; `None` without games.
    #[must_use]
    pub fn from_first_player(games: &Trinomial) -> Option<Self> {
        let n = games.games();
        if n == 0 {
            return None;
        }
        Self::new(games.wins as f64 / n as f64, games.draws as f64 / n as f64).ok()
    }

    /// Returns the model estimated from pairs alone, both directions pooled; `None` without pairs.
    ///
    /// Unlike [`PairModel::from_first_player`] it does not assume that the two games of a pair are independent, which
    /// they are not when both start from the same deal.
    #[must_use]
    pub fn from_pairs(pairs: &Pentanomial) -> Option<Self> {
        let n = pairs.pairs() as f64;
        let [a, b, c, d, e] = pairs.0.map(|count| count as f64);
        if n == 0.0 {
            return None;
        }
        let (two, one) = ((a + e) / (2.0 * n), (b + d) / (2.0 * n));
        Some(PairModel { weights: [two, one, c / n, one, two] })
    }

    /// Returns the probabilities of the pair scores −2, −1, 0, 1, 2.
    #[must_use]
    pub fn chances(&self) -> [f64; 5] {
        self.weights
    }

    /// Returns the distribution of the sum of `pairs` pair scores.
    ///
    /// # Errors
    /// If there are more than [`MOST_PAIRS`].
    pub fn sum(&self, pairs: u64) -> Result<ScoreSum, Unfit> {
        if pairs > MOST_PAIRS {
            return Err(Unfit::TooManyPairs { pairs, most: MOST_PAIRS });
        }
        Ok(ScoreSum { parts: vec![Steps { weights: self.weights, times: pairs }] })
    }
}

/// Returns the exact two-sided p-value of "no difference" for these pairs; it does not depend on p, q or the deals.
///
/// If the sides are equally strong, swapping their names changes nothing: each pair's score is as likely to be +x as
/// −x. Given how many pairs were decided by 1 and by 2, the p-value is the probability that fair coins for the signs
/// give a sum at least as far from 0 as the one seen (Fisher's randomisation test). 1 without decided pairs; `None`
/// beyond [`MOST_PAIRS`].
#[must_use]
pub fn sign_flip_p_value(pairs: &Pentanomial) -> Option<f64> {
    if pairs.pairs() > MOST_PAIRS {
        return None;
    }
    let [a, b, _, d, e] = pairs.0;
    let sum = ScoreSum {
        parts: vec![
            Steps { weights: [0.0, 0.5, 0.0, 0.5, 0.0], times: b + d },
            Steps { weights: [0.5, 0.0, 0.0, 0.0, 0.5], times: a + e },
        ],
    };
    Some(sum.two_sided(pairs.net()))
}

/// The exact distribution of a sum of symmetric scores.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreSum {
    parts: Vec<Steps>,
}

impl ScoreSum {
    /// Returns the largest score that can occur.
    #[must_use]
    pub fn most(&self) -> i64 {
        self.parts.iter().map(Steps::most).sum()
    }

    /// Returns the standard deviation σₙ.
    #[must_use]
    pub fn sigma(&self) -> f64 {
        let variance = |p: &Steps| p.times as f64 * (2.0 * p.weights[3] + 8.0 * p.weights[4]);
        self.parts.iter().map(variance).sum::<f64>().sqrt()
    }

    /// Returns the probability of exactly `score`.
    #[must_use]
    pub fn exactly(&self, score: i64) -> f64 {
        let score = score.saturating_abs();
        if !self.possible(score) {
            return 0.0;
        }
        Tilted::new(&self.parts, score).mass(score).min(1.0)
    }

    /// Returns the probability of at least `score`: the one-sided p-value.
    #[must_use]
    pub fn at_least(&self, score: i64) -> f64 {
        let most = self.most();
        if score > most {
            return 0.0;
        }
        if score <= -most {
            return 1.0;
        }
        if score <= 0 {
            // By symmetry; a tail is always summed from its thin end.
            return 1.0 - self.at_least(1 - score);
        }
        let near = Tilted::new(&self.parts, score);
        let last = most.min(score + (12.0 * near.sigma()) as i64 + 64);
        let sum: f64 = (score..=last).filter(|&s| self.possible(s)).map(|s| near.mass(s)).sum();
        sum.min(1.0)
    }

    /// Returns Pr(|X\[n\]| ≤ `score`), the quantity of the source's tables; 0 for a negative score.
    #[must_use]
    pub fn within(&self, score: i64) -> f64 {
        if score < 0 { 0.0 } else { (1.0 - 2.0 * self.at_least(score.saturating_add(1))).max(0.0) }
    }

    /// Returns Pr(|X\[n\]| ≥ |`score`|): the two-sided p-value.
    #[must_use]
    pub fn two_sided(&self, score: i64) -> f64 {
        if score == 0 { 1.0 } else { (2.0 * self.at_least(score.saturating_abs())).min(1.0) }
    }

    /// Returns the two-sided p-value of the normal distribution with continuity correction, for comparison.
    ///
    /// The correction is half a point also where only every second score is possible. With σₙ = 0 it is exact.
    #[must_use]
    pub fn two_sided_normal(&self, score: i64) -> f64 {
        let sigma = self.sigma();
        if score == 0 || sigma == 0.0 {
            return if score == 0 { 1.0 } else { 0.0 };
        }
        (2.0 * normal_above((score.unsigned_abs() as f64 - 0.5) / sigma)).min(1.0)
    }

    /// Returns the probabilities of all scores from −[`most`](Self::most) to `most`, in order.
    ///
    /// Probabilities that underflow are 0.
    #[must_use]
    pub fn all(&self) -> Vec<f64> {
        let most = self.most();
        let mut masses = vec![0.0; 2 * most as usize + 1];
        let mut near = Tilted::new(&self.parts, 0);
        let mut good_until = 2.0 * near.sigma();
        for score in 0..=most {
            if score as f64 > good_until {
                // The digits are accurate up to about two deviations from the tilt's target.
                near = Tilted::new(&self.parts, score);
                good_until = score as f64 + 2.0 * near.sigma();
            }
            if near.underflows(score) {
                break;
            }
            if self.possible(score) {
                let mass = near.mass(score).min(1.0);
                masses[(most + score) as usize] = mass;
                masses[(most - score) as usize] = mass;
            }
        }
        masses
    }

    /// Returns whether `score ≥ 0` can occur at all.
    fn possible(&self, score: i64) -> bool {
        let parity = self.parts.iter().try_fold(0, |sum, p| Some(sum + p.parity()?));
        score <= self.most() && parity.is_none_or(|odd| (odd + score) % 2 == 0)
    }
}
