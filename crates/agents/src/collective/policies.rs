//! The policies of the collective learner: how a stage is evaluated, how the evaluation is compensated, and how it
//! changes a weight.
//!
//! After "Dominating Dominoes", Design and Synthesis. Its formulas are lost from our copy; those of the polynomial
//! evaluation, the additive update and the time-based compensation are reconstructed from the ranges it states.

use parlor_core::{BySeat, Episode, Game, Payoffs};

use super::matrix::{Transition, weight_of};

/// How an action is chosen.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Selection {
    /// The respondent with the greatest weight; ties are broken at random (MUDS/RA).
    Greatest,
    /// Uniformly at random.
    Random,
}

/// What counts as the result of a stage.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Judged {
    /// Who won the stage (in dominoes: went out); numbers are the match's scores so far.
    Stage,
    /// Who scored more in the stage; numbers are its points.
    Points,
    /// Who scored more from the decision to the end of the stage; numbers are these points.
    Rest,
    /// Who won the match, once it is over; numbers are its final scores.
    Match,
}

/// How a result is evaluated.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Evaluation {
    /// One number for a win and one for a loss.
    Constant {
        /// For the winner.
        win: f64,
        /// For the loser.
        loss: f64,
    },
    /// By the squares of both scores: g = (own² − other²)/(100·γ).
    Polynomial,
    /// By the difference of both scores: g = (own − other)/γ.
    Linear,
}

/// How the strength of an evaluation changes during training.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Compensation {
    /// Always full strength.
    Simple,
    /// From zero to full strength over the rounds of training.
    Ramp,
    /// As the ramp, but continuing beyond full strength.
    Growing,
}

/// How an evaluation changes a weight.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Update {
    /// Multiplies the weight. Stored as a logarithm, so that it neither overflows nor vanishes.
    Multiplicative,
    /// Adds to the weight.
    Additive,
    /// The weight is the mean of all evaluations.
    Mean {
        /// The number of evaluations that the initial weight counts as.
        prior: u32,
    },
}

/// How a draw counts.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Draws {
    /// As a win of the seat that did not begin the match, as in the source.
    Second,
    /// As half a win and half a loss.
    Half,
    /// Not at all.
    Skip,
}

/// What has a weight.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Weighed {
    /// A transition, as in the source.
    Transition,
    /// A respondent, from any stimulant: learns faster, distinguishes less.
    Respondent,
}

/// All policies of a learner.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Policies {
    /// What has a weight.
    pub weighed: Weighed,
    /// How an action is chosen.
    pub selection: Selection,
    /// What counts as the result of a stage.
    pub judged: Judged,
    /// How the result is evaluated.
    pub evaluation: Evaluation,
    /// γ of the evaluations by scores.
    pub gamma: f64,
    /// The constant term of a factor from scores.
    pub translate: f64,
    /// The scale of a factor from scores.
    pub scale: f64,
    /// How the strength of evaluations changes.
    pub compensation: Compensation,
    /// Matches per round.
    pub round: u64,
    /// The number of rounds of the ramp.
    pub rounds: u64,
    /// How an evaluation changes a weight.
    pub update: Update,
    /// How a draw counts.
    pub draws: Draws,
    /// The probability of a random action while learning.
    pub explore: f64,
}

/// Bounds of factors, to keep them away from 0, which has no logarithm.
const FACTORS: [f64; 2] = [1e-3, 1e3];

impl Policies {
    /// Returns the change of a transition as a weight: the logarithm of a factor, or a summand. `None` if nothing is
    /// learnt now. `before` are the scores at the decision; `matches` is the number of matches learnt from before.
    #[must_use]
    pub fn change<G: Game>(
        &self,
        episode: &Episode<'_, G>,
        before: BySeat<f64>,
        matches: u64,
    ) -> Option<i64> {
        let (seat, other) = (episode.seat, episode.seat.other());
        let result = &episode.result;
        let (winner, numbers) = match self.judged {
            Judged::Stage => (result.winner, result.scores),
            Judged::Points => (Payoffs(result.points).winner(), result.points),
            Judged::Rest => {
                let rest = BySeat::from_fn(|seat| result.scores[seat] - before[seat]);
                (Payoffs(rest).winner(), rest)
            }
            Judged::Match => {
                let payoffs = episode.payoffs?;
                (if episode.game.seats() > 1 { payoffs.winner() } else { result.winner }, result.scores)
            }
        };
        let share = match (winner, self.draws) {
            (Some(winner), _) => f64::from(u8::from(winner == seat)),
            (None, Draws::Second) => f64::from(u8::from(seat != episode.first)),
            (None, Draws::Half) => 0.5,
            (None, Draws::Skip) => return None,
        };
        let (own, others) = (numbers[seat], numbers[other]);
        let by_score = match self.evaluation {
            Evaluation::Constant { win, loss } => {
                return Some(self.compensated(share * win + (1.0 - share) * loss, matches));
            }
            Evaluation::Polynomial => (own * own - others * others) / (100.0 * self.gamma),
            Evaluation::Linear => (own - others) / self.gamma,
        };
        let evaluation = match self.update {
            Update::Multiplicative => self.translate + self.scale * by_score,
            Update::Additive | Update::Mean { .. } => by_score,
        };
        Some(self.compensated(evaluation, matches))
    }

    fn compensated(&self, evaluation: f64, matches: u64) -> i64 {
        let round = matches / self.round + 1;
        let slope = round as f64 / self.rounds as f64;
        let strength = match self.compensation {
            Compensation::Simple => 1.0,
            Compensation::Ramp => slope.min(1.0),
            Compensation::Growing => slope,
        };
        match self.update {
            Update::Multiplicative => {
                let [low, high] = FACTORS;
                weight_of(libm::log((1.0 + (evaluation - 1.0) * strength).clamp(low, high)))
            }
            Update::Additive | Update::Mean { .. } => weight_of(evaluation * strength),
        }
    }

    /// Changes a transition whose use is already counted.
    #[inline]
    pub fn apply<K>(&self, transition: &mut Transition<K>, change: i64) {
        let weight = transition.weight;
        transition.weight = match self.update {
            Update::Multiplicative | Update::Additive => weight.saturating_add(change),
            Update::Mean { prior } => {
                weight + change.saturating_sub(weight) / (i64::from(transition.uses) + i64::from(prior))
            }
        };
    }
}
