//! Learning by temporal differences: an actor that chooses columns by soft-max over the same 17 features, and a critic that judges
//! boards by their sums.
//!
//! The printed rule changes weights by who won, whatever else could have been done. Here a change is the surprise of the critic times
//! how the chosen column differed from those that could have been chosen, so that a block that comes before a loss is not blamed for it.

use super::features::{ABOVE, COUNT};
use super::value::{Judged, Weights};

/// The number of weights of the critic: one for each feature, summed over the columns, and one for having the move.
pub(super) const CRITIC: usize = COUNT + 1;

/// The weights of the critic.
pub(super) type Critic = [f64; CRITIC];

/// The constants of the rule.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct ActorCritic {
    /// The step size of the actor.
    pub step: f64,
    /// The step size of the critic.
    pub critic_step: f64,
    /// The decay of traces.
    pub lambda: f64,
    /// The temperature of the choice.
    pub temperature: f64,
}

/// One decision, as the rule needs it.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    /// The features of the chosen column minus the mean of those that could have been chosen.
    pub difference: Weights,
    /// What the critic sees.
    pub board: Critic,
}

/// Returns what the critic sees of a board: features summed over the columns, scaled so that each is about 1 at the most.
pub(super) fn critic_view(judged: &Judged) -> Critic {
    let mut view = [0.0; CRITIC];
    for &column in &judged.open {
        for (seen, &count) in view.iter_mut().zip(&judged.features[usize::from(column)]) {
            *seen += f64::from(count);
        }
    }
    for (at, seen) in view.iter_mut().enumerate() {
        *seen *= if at < 8 || at == ABOVE { 0.5 } else { 0.1 };
    }
    view[COUNT] = 1.0;
    view
}

/// Returns the probabilities of soft-max over values.
pub(super) fn softmax(values: &[f64], temperature: f64) -> arrayvec::ArrayVec<f64, 64> {
    let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut odds: arrayvec::ArrayVec<f64, 64> =
        values.iter().map(|value| libm::exp((value - best) / temperature)).collect();
    let total: f64 = odds.iter().sum();
    odds.iter_mut().for_each(|odds| *odds /= total);
    odds
}

fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

impl ActorCritic {
    /// Learns from the decisions of one side in a match, first to last, and its result, −1 to 1.
    pub(super) fn learn(&self, weights: &mut Weights, critic: &mut Critic, choices: &[Choice], result: f64) {
        let judge = |critic: &Critic, at: usize| {
            choices.get(at).map_or(result, |choice| libm::tanh(dot(critic, &choice.board)))
        };
        let mut actor_trace = Weights::default();
        let mut critic_trace = [0.0; CRITIC];
        for (at, choice) in choices.iter().enumerate() {
            let value = judge(critic, at);
            let surprise = judge(critic, at + 1) - value;
            for (trace, difference) in actor_trace.iter_mut().zip(choice.difference) {
                *trace = self.lambda * *trace + difference / self.temperature;
            }
            for (trace, seen) in critic_trace.iter_mut().zip(choice.board) {
                *trace = self.lambda * *trace + (1.0 - value * value) * seen;
            }
            for (weight, trace) in weights.iter_mut().zip(actor_trace) {
                *weight += self.step * surprise * trace;
            }
            for (weight, trace) in critic.iter_mut().zip(critic_trace) {
                *weight += self.critic_step * surprise * trace;
            }
        }
    }
}
