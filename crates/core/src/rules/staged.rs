//! Looking at a match one stage at a time: what a search to the end of the stage asks of a game.

use std::hash::Hash;

use crate::rules::game::Game;
use crate::text::spec::{Key, Settings};

/// What a search of a stage maximises. In a match of one stage both are the same.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Objective {
    /// The expected result of the match, given the scores when the stage has ended.
    Contest,
    /// The points of the stage, and something for winning the match in it.
    #[default]
    Stage,
}

impl Objective {
    /// `objective=`: what a search of a stage maximises.
    pub const KEY: Key = Key::choice(
        "objective",
        &["contest", "stage"],
        "what counts when a stage has ended: contest, the probability of winning the contest from the scores then; stage, the points ahead, and half the target for winning",
    );

    /// Reads [`KEY`](Objective::KEY).
    #[must_use]
    pub fn read(settings: &Settings) -> Objective {
        if settings.text(Objective::KEY.name) == "contest" { Objective::Contest } else { Objective::Stage }
    }
}

/// A game whose stages can be searched to their end.
///
/// What a stage brings is counted by [`lead`](Staged::lead), so that a search adds up what changes along the way. Gains
/// from before are not part of [`rest`](Staged::rest) unless the rules need them: positions that were reached with
/// different gains share what is still to come. The law: the best that can be gained from states with equal rests, until the
/// stage has ended, is equal.
#[diagnostic::on_unimplemented(message = "`{Self}` cannot be searched stage by stage")]
pub trait Staged: Game {
    /// What the rest of a stage depends on. Small, and cheap to hash and compare.
    type Rest: Copy + Eq + Hash + Send + Sync;

    /// Returns everything that the rest of the stage depends on.
    fn rest(&self, state: &Self::State) -> Self::Rest;

    /// Returns what a lead at the end of a stage is called: `points ahead after the stage`.
    fn unit(&self, objective: Objective) -> &'static str;

    /// Computes what the other methods look up, so that the first decision of a match does not wait for it.
    fn prepare(&self, _objective: Objective) {}

    /// Returns how far the first seat is ahead; what it gains the second one loses.
    fn lead(&self, objective: Objective, state: &Self::State) -> f64;

    /// Returns the lead that stands for an expected result as learners are taught it: from −1, the first seat has lost, to 1. `None`
    /// if the objective is not what learners are taught.
    fn lead_of_result(&self, objective: Objective, result: f64) -> Option<f64>;

    /// Returns the least and the most by which the lead can still change until the stage has ended, for any play:
    /// finite, quick to find, and better too wide than too narrow. [`outlook`](Staged::outlook) lies between them.
    fn reach(&self, objective: Objective, state: &Self::State) -> (f64, f64);

    /// Returns how much the lead is likely to change by the end of the stage, at a glance.
    fn outlook(&self, _objective: Objective, _state: &Self::State) -> f64 {
        0.0
    }
}
