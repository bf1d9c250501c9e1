//! Looking deeper and deeper into every world at once, until the end of the stage or of the budget.

use std::cmp::Ordering;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use parlor_core::{Budget, Certainty, Considered, Game, Rng, Seat, Thought};

use super::nest::{Look, Nest};

/// What values count.
const UNIT: &str = "points ahead after the stage";

/// What a player is asked: what to do if one of these worlds is the truth.
pub(super) struct Question<'a, G: Game> {
    pub game: &'a G,
    pub seat: Seat,
    pub actions: &'a [G::Action],
    /// States that look the same to the seat, with their odds.
    pub worlds: &'a [(G::State, f64)],
    pub stop: Option<&'a AtomicBool>,
    /// After so long no deeper search is begun: it would hardly be finished.
    pub enough: Option<Duration>,
}

/// A nest of players, and what it has found.
pub(super) struct Deepening<G: Game> {
    pub nest: Nest<G>,
    /// What each action is worth by the last depth that was finished.
    found: Vec<f64>,
    /// The same by the depth that is being searched.
    values: Vec<f64>,
}

impl<G: Game> Deepening<G> {
    pub fn new(nest: Nest<G>) -> Self {
        Deepening { nest, found: Vec::new(), values: Vec::new() }
    }

    /// Returns the action with the greatest mean value over the worlds; of equal ones the first. If not even the first depth
    /// can be finished, the worlds that were looked at speak for all; without any, the action that scores most at once.
    pub fn answer(
        &mut self,
        question: &Question<'_, G>,
        budget: Budget,
        rng: &mut Rng,
        tell: &mut dyn FnMut(&Thought<G::Action>),
    ) -> G::Action {
        let &Question { game, seat, actions, worlds, .. } = question;
        if let &[only] = actions {
            return only;
        }
        let mut meter = budget.start(question.stop);
        self.found.clear();
        self.found.extend(actions.iter().map(|&action| scored_at_once(question, action)));
        let mut depth = 1;
        while meter.allows_depth(depth) {
            self.values.clear();
            self.values.resize(actions.len(), 0.0);
            let mut cut = false;
            for (at, (world, weight)) in worlds.iter().enumerate() {
                if depth == 1 && at > 0 {
                    self.found.clone_from(&self.values);
                }
                let stages = game.stages(world);
                let mut look = Look { game, seat, meter: &mut meter, rng, stages, cut: false };
                if !self.nest.weigh(&mut look, world, actions, depth, *weight, &mut self.values) {
                    tell(&self.thought(actions, depth - 1, meter.nodes(), meter.elapsed()));
                    return actions[best(&self.found)];
                }
                cut |= look.cut;
            }
            std::mem::swap(&mut self.found, &mut self.values);
            tell(&self.thought(actions, depth, meter.nodes(), meter.elapsed()));
            if !cut || question.enough.is_some_and(|enough| meter.elapsed() >= enough) {
                break;
            }
            depth += 1;
        }
        actions[best(&self.found)]
    }

    fn thought(
        &self,
        actions: &[G::Action],
        depth: u32,
        nodes: u64,
        elapsed: Duration,
    ) -> Thought<G::Action> {
        let mut moves: Vec<Considered<G::Action>> = actions
            .iter()
            .zip(&self.found)
            .map(|(&action, &value)| Considered { action, value, certainty: Certainty::Guess, visits: 0 })
            .collect();
        moves.sort_by(|a, b| b.value.partial_cmp(&a.value).unwrap_or(Ordering::Equal));
        Thought {
            depth,
            nodes,
            counts: "nodes",
            elapsed,
            value: moves[0].value,
            unit: UNIT,
            certainty: Certainty::Guess,
            end_in: None,
            line: vec![moves[0].action],
            moves,
        }
    }
}

/// Returns by how much an action puts the seat ahead before anything else happens.
fn scored_at_once<G: Game>(question: &Question<'_, G>, action: G::Action) -> f64 {
    let &Question { game, seat, worlds, .. } = question;
    let Some((world, _)) = worlds.first() else { return 0.0 };
    let lead = |state: &G::State| {
        let scores = game.scores(state);
        scores[seat] - scores[seat.other()]
    };
    let mut after = world.clone();
    game.apply(&mut after, action);
    lead(&after) - lead(world)
}

/// Returns the place of the greatest value, the first of equal ones.
fn best(values: &[f64]) -> usize {
    (1..values.len()).fold(0, |best, at| if values[at] > values[best] { at } else { best })
}
