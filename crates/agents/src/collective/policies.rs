//! The policies of the collective learner: how a stage is evaluated, how the evaluation is compensated, and how the
//! result changes a weight.
//!
//! After "Dominating Dominoes", Design and Synthesis. Its formulas are lost from our copy; those of the polynomial
//! evaluation, the additive update and the time-based compensation are reconstructed from the ranges it states.

use parlor_core::{BySeat, Episode, Game, Payoffs};

use super::matrix::{Transition, weight_of};

/// How a legal action is chosen.
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

/// What a result is worth.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Evaluation {
    /// A number for a win and one for a loss.
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

/// How strongly an evaluation counts in the course of learning.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Compensation {
    /// At face value, always.
    Simple,
    /// From nothing to face value over the rounds of training.
    Ramp,
    /// As the ramp, but on beyond face value.
    Growing,
}

/// What an evaluation does to a weight.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Update {
    /// The weight is multiplied by it. Kept as a logarithm, so it can neither overflow nor vanish.
    Multiplicative,
    /// It is added to the weight.
    Additive,
    /// The weight is the mean of all evaluations.
    Mean {
        /// How many evaluations the initial weight counts as.
        prior: u32,
    },
}

/// What a draw counts as.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Draws {
    /// A win of whoever did not begin the match, as in the source.
    Second,
    /// Half a win, half a loss.
    Half,
    /// Nothing is learnt from it.
    Skip,
}

/// What a weight belongs to.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Weighed {
    /// A transition, as in the source.
    Transition,
    /// A respondent, wherever it is reached from: learns faster, tells less apart.
    Respondent,
}

/// All of them.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Policies {
    /// What weights belong to.
    pub weighed: Weighed,
    /// How an action is chosen.
    pub selection: Selection,
    /// What counts as the result.
    pub judged: Judged,
    /// What it is worth.
    pub evaluation: Evaluation,
    /// γ of the evaluations by scores.
    pub gamma: f64,
    /// What is added to scaled scores to make a factor of them.
    pub translate: f64,
    /// What scores are scaled by to make a factor of them.
    pub scale: f64,
    /// How strongly it counts.
    pub compensation: Compensation,
    /// How many matches make a round.
    pub round: u64,
    /// Over how many rounds the ramp goes.
    pub rounds: u64,
    /// What it does to a weight.
    pub update: Update,
    /// What a draw is.
    pub draws: Draws,
    /// How often a learner that is not frozen tries something at random.
    pub explore: f64,
}

/// Factors are kept away from 0, whose logarithm is no number.
const FACTORS: [f64; 2] = [1e-3, 1e3];

impl Policies {
    /// Returns what a transition is changed by, as a weight: the logarithm of a factor, or what is added. `None` if nothing
    /// is to be learnt now. `before` are the scores when it was decided on; `matches` have been learnt from before.
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

    /// Changes a transition whose use has just been counted.
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
