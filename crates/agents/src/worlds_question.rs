//! The question that searches over worlds answer, and the thoughts that they report.

use parlor_core::{Certainty, Considered, Decision, Game, Meter, Seat, Thought};

use crate::beliefs::WeightedWorlds;

/// A decision with the worlds that it may be in.
pub(crate) struct Question<'a, G: Game> {
    pub game: &'a G,
    pub seat: Seat,
    pub actions: &'a [G::Action],
    /// States with the same view for the seat, with their probabilities.
    pub worlds: &'a [(G::State, f64)],
    /// Whether these are all worlds of the view.
    pub is_complete: bool,
}

impl<'a, G: Game> Question<'a, G> {
    pub fn of(decision: &Decision<'a, G>, worlds: &'a WeightedWorlds<G::State>) -> Self {
        let &Decision { game, seat, actions, .. } = decision;
        Question { game, seat, actions, worlds: worlds.worlds(), is_complete: worlds.is_complete() }
    }

    /// Makes the question of an oracle: one world, the true state.
    pub fn of_truth(decision: &Decision<'a, G>, truth: &'a [(G::State, f64); 1]) -> Self {
        let &Decision { game, seat, actions, .. } = decision;
        Question { game, seat, actions, worlds: truth, is_complete: true }
    }

    /// Returns the thought in which each action, in the order of the decision, is worth its value plus `offset`.
    pub fn thought(
        &self,
        values: impl IntoIterator<Item = f64>,
        offset: f64,
        certainty: Certainty,
        unit: &'static str,
        depth: u32,
        meter: &Meter<'_>,
    ) -> Thought<G::Action> {
        let mut moves: Vec<Considered<G::Action>> = self
            .actions
            .iter()
            .zip(values)
            .map(|(&action, value)| Considered { action, value, certainty, visits: 0 })
            .collect();
        moves.sort_by(|one, other| other.value.total_cmp(&one.value));
        moves.iter_mut().for_each(|considered| considered.value += offset);
        Thought {
            depth,
            nodes: meter.nodes(),
            counts: "nodes",
            elapsed: meter.elapsed(),
            value: moves[0].value,
            unit,
            certainty,
            end_in: None,
            line: vec![moves[0].action],
            moves,
        }
    }
}
