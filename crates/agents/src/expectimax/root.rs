//! The root: depth after depth, until something says that it is enough.

use parlor_core::play::thought::{Certainty, Considered};
use parlor_core::small_sort::small_sort;
use parlor_core::time::planner::{Fails, Iteration, Next, Pace};
use parlor_core::{Evaluate, Keyed, PerfectInfo, Phase, Seat};

use super::search::{JUDGED, LIMIT, Place, Search, Window, played};
use crate::table::hash_of;

/// No search looks deeper.
const MAX_DEPTH: u32 = 64;

impl<G: PerfectInfo + Keyed + Evaluate> Search<'_, G> {
    /// Returns the best line that the budget allows to find, at least one action long. The seat to move has a choice.
    ///
    /// What is told is the last depth that was finished, or as much as there is of the next one if that has found a better
    /// action.
    pub(super) fn deepen(
        &mut self,
        state: &G::State,
        mut pace: Option<Pace<'_, G::Action>>,
    ) -> Vec<G::Action> {
        let Phase::Decide(seat) = self.game.phase(state) else {
            unreachable!("a search begins where a seat decides")
        };
        self.memory.refresh();
        if let Some(table) = self.table {
            table.age();
        }
        let mut moves = self.root_moves(state, seat);
        // Until something was searched, the position is worth what it looks like.
        let value = f64::from(self.game.evaluate(self.weights, state));
        self.note(state, 0, &[Considered { value, certainty: Certainty::Guess, ..moves[0].clone() }], 0);
        for depth in 1..=MAX_DEPTH {
            if !self.meter.allows_depth(depth) || !self.iterate(state, seat, depth, &mut moves) {
                break;
            }
            self.note(state, depth, &moves, 0);
            self.reporter.thought.certainty = moves[0].certainty;
            self.reporter.report(&self.meter);
            let Considered { action: best, value, certainty, .. } = moves[0];
            if certainty == Certainty::Proven {
                break;
            }
            if let Some(pace) = &mut pace {
                let iteration = Iteration { best, value, won: false, fails: Fails::default() };
                if matches!(pace.finished(iteration, self.meter.elapsed()), Next::Stop(_)) {
                    break;
                }
            }
        }
        if self.meter.end().is_some() {
            self.reporter.report(&self.meter);
        }
        std::mem::take(&mut self.reporter.thought.line)
    }

    /// Makes what was found out at a depth what is told: the actions that it has reached, and which of them is best.
    fn note(&mut self, state: &G::State, depth: u32, reached: &[Considered<G::Action>], best: usize) {
        let line = self.line(state, reached[best].action, depth);
        let thought = &mut self.reporter.thought;
        thought.moves.clear();
        thought.moves.extend_from_slice(reached);
        thought.moves[..=best].rotate_right(1);
        small_sort(&mut thought.moves[1..], |one, other| one.value.total_cmp(&other.value).is_gt());
        let value = reached[best].value;
        // A win that was found is one, whatever else there is.
        thought.certainty = if value > JUDGED { Certainty::Proven } else { Certainty::Guess };
        thought.end_in = (value.abs() > JUDGED).then(|| (LIMIT - value.abs()).ceil() as u32);
        (thought.depth, thought.value, thought.line) = (depth, value, line);
    }

    /// Returns the actions, most promising first.
    fn root_moves(&mut self, state: &G::State, seat: Seat) -> Vec<Considered<G::Action>> {
        let hash = self.table.map(|_| hash_of(&self.game.key(state)));
        let from_table = self.recall(hash, 0).and_then(|(found, _)| found.action);
        let begin = self.list(state, seat, 0, from_table);
        let mut moves = Vec::new();
        let mut at = begin;
        while let Some(candidate) = self.next(at) {
            at += 1;
            moves.push(Considered {
                action: candidate.action,
                value: -LIMIT,
                certainty: Certainty::AtMost,
                visits: 0,
            });
        }
        self.memory.candidates.truncate(begin);
        moves
    }

    /// Looks `depth` decisions ahead and sorts the actions, the best first. Returns whether the budget was enough; the values
    /// of actions that were not reached are those of the depth before.
    fn iterate(
        &mut self,
        state: &G::State,
        seat: Seat,
        depth: u32,
        moves: &mut [Considered<G::Action>],
    ) -> bool {
        let mut low = -LIMIT;
        let mut best = 0;
        let mut finished = true;
        for at in 0..moves.len() {
            let before = self.meter.nodes();
            let next = played(self.game, state, moves[at].action);
            let window = Window { alpha: low, beta: LIMIT };
            let place = Place { ply: 0, depth }.after();
            let Some(value) = self.scout(&next, seat, place, window, at == 0) else {
                self.memory.candidates.clear();
                self.memory.outcomes.clear();
                finished = false;
                break;
            };
            let considered = &mut moves[at];
            considered.visits += self.meter.nodes() - before;
            considered.value = value;
            considered.certainty = match value {
                _ if value <= low && at > 0 && value >= -JUDGED => Certainty::AtMost,
                _ if value.abs() > JUDGED => Certainty::Proven,
                _ => Certainty::Guess,
            };
            if value > low || at == 0 {
                (low, best) = (value, at);
                if at > 0 {
                    self.note(state, depth, &moves[..=at], at);
                }
            }
        }
        // The best to the front; the others keep their order, which is by promise and by how lately they were best.
        moves[..=best].rotate_right(1);
        finished
    }

    /// Returns what is expected to be played: an action, then what the table has for the positions after it, as far as chance
    /// does not intervene.
    fn line(&self, state: &G::State, first: G::Action, depth: u32) -> Vec<G::Action> {
        let mut line = vec![first];
        let mut state = played(self.game, state, first);
        while line.len() < depth as usize && matches!(self.game.phase(&state), Phase::Decide(_)) {
            let hash = self.table.map(|_| hash_of(&self.game.key(&state)));
            let Some(index) = self.recall(hash, 0).and_then(|(found, _)| found.action) else { break };
            let Some(action) = self.game.actions(&state).nth(usize::from(index)) else { break };
            line.push(action);
            state = played(self.game, &state, action);
        }
        line
    }
}
