//! Correlation of the two games of a pair, and its effect on the intervals.
//!
//! Games of a pair share a deal. Its luck cancels between them, so ratings from pairs are more precise than from the
//! same number of separate games; where the agents' form rather than the deal is shared, they may be less precise.
//! The estimate stays the same, only
//! its covariance changes, to that of P. J. Huber, *The behavior of maximum likelihood estimates under nonstandard
//! conditions* (1967), with the pair as the unit:
//!
//! ```text
//!   H⁻¹ B H⁻¹     H: the information if all games were separate     B: the sum over pairs of (gradient)(gradient)ᵀ
//! ```
//!
//! A few pairs do not suffice to estimate the correlation. So each pairing's part of B is a mixture of the sample of
//! its n pairs, with weight n/(n + [`PRIOR_PAIRS`]), and the value for separate games.

use super::{Meeting, chances};

/// Number of pairs at which their sample and the value for separate games have equal weight.
pub(super) const PRIOR_PAIRS: f64 = 10.0;

/// Pairs of two agents by the results of both games.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pairs {
    /// The two games, one with each agent in the first seat; their counts are all those of the pairs.
    pub(super) games: [Meeting; 2],
    /// Number of pairs with result *i* in the first and *j* in the second game, each counted from the side of the
    /// agent in that game's first seat: 0 for a win, 1 for a draw, 2 for a loss.
    pub(super) counts: [[f64; 3]; 3],
}

/// A gradient or a row of a matrix, for the four parameters that a pair's likelihood depends on: the strengths of the
/// two agents, the first seat's advantage, the logarithm of the draw parameter.
type Four = [f64; 4];

impl Pairs {
    /// Adds the correlation of the pairs to `middle`, which holds H.
    pub(super) fn correct(&self, values: &[f64], middle: &mut [Vec<f64>]) {
        let agents = values.len() - 2;
        let places = [self.games[0].first, self.games[0].second, agents, agents + 1];
        let gradients = [0, 1].map(|game| self.gradients(values, game));
        let seen: f64 = self.counts.iter().flatten().sum();
        let weight = seen / (seen + PRIOR_PAIRS);
        for (row, &at) in places.iter().enumerate() {
            for (column, &to) in places.iter().enumerate() {
                let mut shown = 0.0;
                for (first, counts) in gradients[0].1.iter().zip(&self.counts) {
                    for (second, count) in gradients[1].1.iter().zip(counts) {
                        shown += count * (first[row] + second[row]) * (first[column] + second[column]);
                    }
                }
                let separate: f64 = gradients
                    .iter()
                    .map(|(chances, by_result)| {
                        let each = chances.iter().zip(by_result);
                        seen * each.map(|(chance, g)| chance * g[row] * g[column]).sum::<f64>()
                    })
                    .sum();
                middle[at][to] += weight * (shown - separate);
            }
        }
    }

    /// Returns the probabilities of the three results of a game, and the gradient of the log-likelihood at each.
    fn gradients(&self, values: &[f64], game: usize) -> ([f64; 3], [Four; 3]) {
        let agents = values.len() - 2;
        let Meeting { first, second, seat, .. } = self.games[game];
        let [win, draw, loss] =
            chances(values[first] - values[second] + seat * values[agents], values[agents + 1]);
        // The first strength in `Four` is that of the agent that has the first seat in game 0.
        let sign = if game == 0 { 1.0 } else { -1.0 };
        let at = |half: f64, drawn: f64| {
            let lead = half - (win - loss) / 2.0;
            [sign * lead, -sign * lead, seat * lead, drawn - draw]
        };
        ([win, draw, loss], [at(0.5, 0.0), at(0.0, 1.0), at(-0.5, 0.0)])
    }
}

/// Returns outer · middle · outer for symmetric matrices.
pub(super) fn sandwich(outer: &[Vec<f64>], middle: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let product = |a: &[Vec<f64>], b: &[Vec<f64>]| -> Vec<Vec<f64>> {
        // Both matrices are symmetric up to rounding, so rows of `b` serve as its columns.
        a.iter()
            .map(|row| b.iter().map(|column| row.iter().zip(column).map(|(x, y)| x * y).sum()).collect())
            .collect()
    };
    let half = product(outer, middle);
    product(&half, outer)
}
