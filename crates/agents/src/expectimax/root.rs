//! Iterative deepening at the root.

use parlor_core::play::thought::{Certainty, Considered};
use parlor_core::small_sort::small_sort;
use parlor_core::time::planner::{Fails, Iteration, Next, Pace};
use parlor_core::{Deadline, Evaluate, Keyed, PerfectInfo, Phase, Seat};

use super::search::{ExpectimaxSearch, MAX_EVALUATION, Place, WON, Window, after_action};
use crate::endgame::probe::keep_best;
use crate::table::hash_of;

/// The maximum depth.
const MAX_DEPTH: u32 = 64;

impl<G: PerfectInfo + Keyed + Evaluate> ExpectimaxSearch<'_, G> {
    /// Returns the best principal variation that the budget allows, of at least one action. The seat to move must have a
    /// choice.
    ///
    /// Reports the last finished depth, or the unfinished next one if that has found a better action. Without a deadline,
    /// by which a database must know how far its wins are, it does not choose among the actions.
    pub(super) fn deepen(
        &mut self,
        state: &G::State,
        deadline: Option<Deadline<'_>>,
        mut pace: Option<Pace<'_, G::Action>>,
    ) -> Vec<G::Action> {
        let Phase::Decide(seat) = self.game.phase(state) else {
            unreachable!("a search starts at a decision")
        };
        self.buffers.prepare();
        if let Some(table) = self.table {
            table.age();
        }
        let mut moves = self.root_moves(state, seat);
        if let Some(database) = self.database.as_deref_mut() {
            database.begin(self.game, state);
            if let Some(deadline) = deadline {
                keep_best(database, self.game, state, deadline, &mut moves, |considered| considered.action);
            }
        }
        // Until something is searched, the static evaluation is the value.
        let value = f64::from(self.game.evaluate(self.weights, state));
        self.update_thought(
            state,
            0,
            &[Considered { value, certainty: Certainty::Guess, ..moves[0].clone() }],
            0,
        );
        for depth in 1..=MAX_DEPTH {
            if !self.meter.allows_depth(depth) || !self.iterate(state, seat, depth, &mut moves) {
                break;
            }
            self.update_thought(state, depth, &moves, 0);
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

    /// Copies the results of a depth into the thought: the actions it has reached and the best of them.
    fn update_thought(
        &mut self,
        state: &G::State,
        depth: u32,
        reached: &[Considered<G::Action>],
        best: usize,
    ) {
        let line = self.line(state, reached[best].action, depth);
        let thought = &mut self.reporter.thought;
        thought.moves.clear();
        thought.moves.extend_from_slice(reached);
        thought.moves[..=best].rotate_right(1);
        small_sort(&mut thought.moves[1..], |one, other| one.value.total_cmp(&other.value).is_gt());
        let value = reached[best].value;
        // A win stays a win, even if the depth is not finished.
        thought.certainty = if value > MAX_EVALUATION { Certainty::Proven } else { Certainty::Guess };
        thought.end_in = (value.abs() > MAX_EVALUATION).then(|| (WON - value.abs()).ceil() as u32);
        (thought.depth, thought.value, thought.line) = (depth, value, line);
    }

    /// Returns the actions, most promising first.
    fn root_moves(&mut self, state: &G::State, seat: Seat) -> Vec<Considered<G::Action>> {
        let hash = self.table.map(|_| hash_of(&self.game.key(state)));
        let from_table = self.probe_table(hash, 0).and_then(|(found, _)| found.action);
        let begin = self.list(state, seat, 0, from_table);
        let mut moves = Vec::new();
        let mut at = begin;
        while let Some(candidate) = self.next(at) {
            at += 1;
            moves.push(Considered {
                action: candidate.action,
                value: -WON,
                certainty: Certainty::AtMost,
                visits: 0,
            });
        }
        self.buffers.candidates.truncate(begin);
        moves
    }

    /// Searches `depth` decisions deep and sorts the actions, best first. Returns whether the budget sufficed; actions
    /// that were not reached keep the values of the previous depth.
    fn iterate(
        &mut self,
        state: &G::State,
        seat: Seat,
        depth: u32,
        moves: &mut [Considered<G::Action>],
    ) -> bool {
        let mut low = -WON;
        let mut best = 0;
        let mut finished = true;
        for at in 0..moves.len() {
            let before = self.meter.nodes();
            let next = after_action(self.game, state, moves[at].action);
            let window = Window { alpha: low, beta: WON };
            let place = Place { ply: 0, depth }.after();
            let Some(value) = self.scout(&next, seat, place, window, at == 0) else {
                self.buffers.candidates.clear();
                self.buffers.outcomes.clear();
                finished = false;
                break;
            };
            let considered = &mut moves[at];
            considered.visits += self.meter.nodes() - before;
            considered.value = value;
            considered.certainty = match value {
                _ if value <= low && at > 0 && value >= -MAX_EVALUATION => Certainty::AtMost,
                _ if value.abs() > MAX_EVALUATION => Certainty::Proven,
                _ => Certainty::Guess,
            };
            if value > low || at == 0 {
                (low, best) = (value, at);
                if at > 0 {
                    self.update_thought(state, depth, &moves[..=at], at);
                }
            }
        }
        // Move the best to the front. The others keep their order: by promise, and by how recently they were best.
        moves[..=best].rotate_right(1);
        finished
    }

    /// Returns the principal variation: an action, then the table's actions for the positions after it, up to the next
    /// chance node.
    fn line(&self, state: &G::State, first: G::Action, depth: u32) -> Vec<G::Action> {
        let mut line = vec![first];
        let mut state = after_action(self.game, state, first);
        while line.len() < depth as usize && matches!(self.game.phase(&state), Phase::Decide(_)) {
            let hash = self.table.map(|_| hash_of(&self.game.key(&state)));
            let Some(index) = self.probe_table(hash, 0).and_then(|(found, _)| found.action) else { break };
            let Some(action) = self.game.actions(&state).nth(usize::from(index)) else { break };
            line.push(action);
            state = after_action(self.game, &state, action);
        }
        line
    }
}
