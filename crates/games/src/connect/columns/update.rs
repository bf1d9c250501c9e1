//! How weights change after a match: the rule as printed, with its caps.

use super::features::{ABOVE, ColumnFeatures};
use super::value::Weights;

/// Which weights are kept within bounds.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Caps {
    /// All: own threats of three within 8 … 10, the other side's within 1 … 3, threats of two within 0.01 … 0.3, "above" below the
    /// smallest of the threats of three.
    Loose,
    /// Those in the text: own threats of three at most 10, "above" below the smallest of the threats of three.
    Text,
    /// None.
    Off,
}

/// The constants of the printed rule.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct PrintedRule {
    /// By what a change counts less for each own move further from the end.
    pub lambda: f64,
    /// By what changes are divided.
    pub beta: f64,
    /// The most that the weights of own threats of three can be.
    pub cap: f64,
    /// By how much "above" stays smaller than the smallest weight of a threat of three.
    pub margin: f64,
    /// Which bounds apply.
    pub caps: Caps,
}

/// The bounds of weights with [`Caps::Loose`]: of the other side's threats of three, and of all threats of two. The lower bounds are
/// ours; the text has none.
const OTHER_THREES: [f64; 2] = [1.0, 3.0];
const TWOS: [f64; 2] = [0.01, 0.3];
/// The least that weights of own threats of three are with [`Caps::Loose`].
const OWN_THREES: f64 = 8.0;

impl PrintedRule {
    /// Changes the weights after a match: `history` has the features of the chosen columns, first move first, `result` is 1 or −1.
    ///
    /// `wᵢ += λ^(n−m) · r · |wᵢ| / β` for each feature that was present at move *m*, from the last move back to the first.
    pub fn update(&self, weights: &mut Weights, history: &[ColumnFeatures], result: f64) {
        for (back, features) in history.iter().rev().enumerate() {
            let decay = libm::pow(self.lambda, back as f64);
            for (weight, &count) in weights.iter_mut().zip(features) {
                if count > 0 {
                    *weight += decay * result * weight.abs() / self.beta;
                }
            }
            self.keep_within(weights);
        }
    }

    /// Puts weights back within their bounds.
    fn keep_within(&self, weights: &mut Weights) {
        if self.caps == Caps::Off {
            return;
        }
        let loose = self.caps == Caps::Loose;
        for weight in &mut weights[..4] {
            *weight = weight.min(self.cap);
        }
        if loose {
            let zero_stays = |weight: &&mut f64| **weight != 0.0;
            weights[..4].iter_mut().filter(zero_stays).for_each(|weight| *weight = weight.max(OWN_THREES));
            for (group, [least, most]) in [(4..8, OTHER_THREES), (8..ABOVE, TWOS)] {
                weights[group]
                    .iter_mut()
                    .filter(zero_stays)
                    .for_each(|weight| *weight = weight.clamp(least, most));
            }
        }
        let smallest = weights[..8].iter().copied().fold(f64::INFINITY, f64::min);
        let limit = (smallest - self.margin).max(0.0);
        weights[ABOVE] = weights[ABOVE].clamp(-limit, limit);
    }
}
