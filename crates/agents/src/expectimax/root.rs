//! The root: depth after depth, until something says that it is enough.

use parlor_core::planner::{Fails, Iteration, Next, Pace};
use parlor_core::thought::{Certainty, Considered, Thought};
use parlor_core::{Evaluate, Keyed, PerfectInfo, Phase, Seat};

use super::search::{JUDGED, LIMIT, Place, Search, Window, played};
use crate::table::hash_of;

/// No search looks deeper.
const MAX_DEPTH: u32 = 64;

impl<G: PerfectInfo + Keyed + Evaluate> Search<'_, G> {
    /// Returns the best line that the budget allows to find, at least one action long. The seat to move has a choice.
    pub(super) fn deepen(
        &mut self,
        state: &G::State,
        mut pace: Option<Pace<'_, G::Action>>,
        tell: &mut dyn FnMut(&Thought<G::Action>),
    ) -> Vec<G::Action> {
        let Phase::Decide(seat) = self.game.phase(state) else {
            unreachable!("a search begins where a seat decides")
        };
        self.memory.refresh();
        if let Some(table) = self.table {
            table.age();
        }
        let mut moves = self.root_moves(state, seat);
        let mut line = vec![moves[0].action];
        for depth in 1..=MAX_DEPTH {
            if !self.meter.allows_depth(depth) {
                break;
            }
            let finished = self.iterate(state, seat, depth, &mut moves);
            // Also from a depth that was broken off: the best of before is tried first, so whatever has replaced it is better.
            line = self.line(state, moves[0].action, depth);
            let value = moves[0].value;
            let is_proven = value.abs() > JUDGED;
            if !finished {
                break;
            }
            tell(&Thought {
                depth,
                nodes: self.meter.nodes(),
                counts: "nodes",
                elapsed: self.meter.elapsed(),
                value,
                unit: G::UNIT,
                certainty: if is_proven { Certainty::Proven } else { Certainty::Guess },
                end_in: is_proven.then(|| (LIMIT - value.abs()).ceil() as u32),
                line: line.clone(),
                moves: moves.clone(),
            });
            if is_proven {
                break;
            }
            if let Some(pace) = &mut pace {
                let iteration = Iteration { best: line[0], value, won: false, fails: Fails::default() };
                if matches!(pace.finished(iteration, self.meter.elapsed()), Next::Stop(_)) {
                    break;
                }
            }
        }
        line
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
        for (at, considered) in moves.iter_mut().enumerate() {
            let before = self.meter.nodes();
            let next = played(self.game, state, considered.action);
            let window = Window { alpha: low, beta: LIMIT };
            let place = Place { ply: 0, depth }.after();
            let Some(value) = self.scout(&next, seat, place, window, at == 0) else {
                self.memory.candidates.clear();
                self.memory.outcomes.clear();
                finished = false;
                break;
            };
            considered.visits += self.meter.nodes() - before;
            considered.value = value;
            considered.certainty = match value {
                _ if value.abs() > JUDGED => Certainty::Proven,
                _ if value <= low && at > 0 => Certainty::AtMost,
                _ => Certainty::Guess,
            };
            if value > low || at == 0 {
                (low, best) = (value, at);
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
