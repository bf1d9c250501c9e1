//! Iterative deepening at the root; each depth orders the actions for the next.

use parlor_core::small_sort::small_sort;
use parlor_core::{Certainty, Considered, Deadline, Evaluate, Game, Keyed, PerfectInfo, Seat};

use super::order::Scored;
use super::scale::INFINITE;
use super::search::{AlphaBetaSearch, MOST_DEPTH, table_hash};
use crate::endgame::probe::keep_best;
use crate::table::hash_of;

/// An action of the root.
#[derive(Copy, Clone, Debug)]
struct Candidate<A> {
    action: A,
    value: i32,
    /// Whether the value is exact, not a bound.
    exact: bool,
    nodes: u64,
    /// The pass that searched it last; 0 if none.
    pass: u32,
}

/// The state of the search at the root. It reports the last finished depth, or the unfinished next one if that has found
/// a better action.
#[derive(Debug)]
pub(super) struct Root<'a, G: Game> {
    state: &'a G::State,
    seat: Seat,
    /// Best first.
    candidates: Vec<Candidate<G::Action>>,
    /// The principal variation of the last pass.
    line: Vec<G::Action>,
    /// Passes over the actions: one per depth and one per failed aspiration window.
    passes: u32,
    /// The last finished depth; 0 if none.
    pub(super) depth: u32,
    pub(super) value: i32,
    /// Whether the value rests on no evaluation.
    pub(super) proven: bool,
    /// How often the searches of the last depth failed low, and high.
    pub(super) fails: [u32; 2],
}

/// Half the width of the first aspiration window, and the factor by which it grows after each failure.
const WINDOW: i32 = 30;
const GROWTH: i32 = 4;

/// The first depth with a window. At lower depths the values vary too much.
const WINDOWS_FROM: u32 = 4;

impl<'a, G: PerfectInfo + Keyed + Evaluate> Root<'a, G> {
    /// Lists the actions of a position, most promising first.
    pub(super) fn new(search: &mut AlphaBetaSearch<'_, G>, state: &'a G::State, seat: Seat) -> Self {
        search.thread.ensure_ply(0);
        search.thread.plies[0].before = None;
        if search.switches.repeats {
            search.thread.recurs(0, hash_of(&search.game.standing(state).key), 0);
        }
        let known = search.table.and_then(|table| table.get(table_hash(search.game, search.switches, state)));
        let mut scored: Vec<Scored<G::Action>> = Vec::new();
        search.list(state, seat, 0, known.and_then(|found| found.action), &mut scored);
        small_sort(&mut scored, |one, other| one.score > other.score);
        if let Some(database) = search.database.as_deref_mut() {
            database.begin(search.game, state);
            let action_of = |scored: &Scored<G::Action>| scored.action;
            keep_best(database, search.game, state, Deadline::default(), &mut scored, action_of);
        }
        let candidates = scored
            .iter()
            .map(|scored| Candidate { action: scored.action, value: 0, exact: false, nodes: 0, pass: 0 })
            .collect();
        let mut root = Root {
            state,
            seat,
            candidates,
            line: Vec::new(),
            passes: 0,
            depth: 0,
            value: 0,
            proven: false,
            fails: [0, 0],
        };
        // Until something is searched, the static evaluation is the value.
        root.candidates[0].value = search.evaluate(state);
        root.line.push(root.candidates[0].action);
        root.update_thought(search, 0, false);
        root
    }

    /// Returns the best action so far.
    pub(super) fn best(&self) -> G::Action {
        self.candidates[0].action
    }

    /// Searches to `depth`. Returns whether the search finished; if not, it may still have found a better action.
    pub(super) fn deepen(&mut self, search: &mut AlphaBetaSearch<'_, G>, depth: u32) -> bool {
        let evaluations = search.evaluations;
        let (mut alpha, mut beta, mut half) = (-INFINITE, INFINITE, WINDOW);
        if search.switches.aspiration && self.depth + 1 >= WINDOWS_FROM && self.depth > 0 {
            (alpha, beta) = (self.value - half, self.value + half);
        }
        self.fails = [0, 0];
        loop {
            let Some(value) = self.pass(search, depth as i32, alpha, beta) else { return false };
            half *= GROWTH;
            let far = half > 100 * WINDOW;
            if value <= alpha {
                self.fails[0] += 1;
                alpha = if far { -INFINITE } else { value - half };
            } else if value >= beta {
                self.fails[1] += 1;
                beta = if far { INFINITE } else { value + half };
            } else {
                self.value = value;
                break;
            }
        }
        self.depth = depth;
        self.proven = search.is_exact_since(evaluations) || search.scale.end_in(self.value).is_some();
        self.lengthen_line(search);
        self.update_thought(search, depth, self.proven);
        true
    }

    /// Searches every action within a window; `None` if the search was stopped.
    fn pass(
        &mut self,
        search: &mut AlphaBetaSearch<'_, G>,
        depth: i32,
        mut alpha: i32,
        beta: i32,
    ) -> Option<i32> {
        let mut best = -INFINITE;
        self.passes += 1;
        for at in 0..self.candidates.len() {
            let action = self.candidates[at].action;
            let mut next = self.state.clone();
            search.game.apply(&mut next, action);
            let nodes = search.meter.nodes();
            let loud = search.game.is_loud_action(self.state, action);
            search.thread.plies[1].before = Some((action, loud));
            let ceiling = if at > 0 && search.switches.pvs { alpha + 1 } else { beta };
            let mut value = search.child(&next, self.seat, depth - 1, alpha, ceiling, 1);
            if value > alpha && ceiling < beta && !search.stopped {
                search.thread.plies[1].before = Some((action, loud));
                value = search.child(&next, self.seat, depth - 1, alpha, beta, 1);
            }
            if search.stopped {
                return None;
            }
            let exact = value > alpha && value < beta;
            let candidate = &mut self.candidates[at];
            candidate.nodes += search.meter.nodes() - nodes;
            (candidate.value, candidate.exact, candidate.pass) = (value, exact, self.passes);
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    search.extend_line(0, action);
                    self.line.clone_from(&search.thread.plies[0].line);
                    self.candidates[..=at].rotate_right(1);
                    if at > 0 {
                        // A win stays a win, even if the depth is not finished.
                        let won = value > 0 && search.scale.end_in(value).is_some();
                        self.update_thought(search, depth as u32, won);
                    }
                }
            }
            if value >= beta {
                break;
            }
        }
        Some(best)
    }

    /// Extends the principal variation from the table, because values taken from the table carry no line.
    fn lengthen_line(&mut self, search: &AlphaBetaSearch<'_, G>) {
        let Some(table) = search.table else { return };
        let mut state = self.state.clone();
        for &action in &self.line {
            search.game.apply(&mut state, action);
        }
        while self.line.len() < self.depth.min(MOST_DEPTH) as usize {
            let found = table.get(table_hash(search.game, search.switches, &state));
            let Some(index) = found.and_then(|found| found.action) else { break };
            let Some(action) = search.game.actions(&state).nth(usize::from(index)) else { break };
            search.game.apply(&mut state, action);
            self.line.push(action);
        }
    }

    /// Copies the last pass into the thought. Leaves out actions it has not reached, because their values come from a
    /// lower depth.
    fn update_thought(&self, search: &mut AlphaBetaSearch<'_, G>, depth: u32, proven: bool) {
        let (scale, thought) = (search.scale, &mut search.reporter.thought);
        let certainty = if proven { Certainty::Proven } else { Certainty::Guess };
        let considered = |(at, candidate): (usize, &Candidate<G::Action>)| Considered {
            action: candidate.action,
            value: f64::from(candidate.value),
            certainty: match (at, candidate.exact) {
                (0, _) => certainty,
                (_, false) => Certainty::AtMost,
                (_, true) if scale.end_in(candidate.value).is_some() => Certainty::Proven,
                (_, true) => Certainty::Guess,
            },
            visits: candidate.nodes,
        };
        let reached = |(at, candidate): &(usize, &Candidate<G::Action>)| {
            *at == 0 || self.passes > 0 && candidate.pass == self.passes
        };
        thought.moves.clear();
        thought.moves.extend(self.candidates.iter().enumerate().filter(reached).map(considered));
        small_sort(&mut thought.moves[1..], |one, other| one.value.total_cmp(&other.value).is_gt());
        thought.line.clone_from(&self.line);
        thought.depth = depth;
        thought.value = thought.moves[0].value;
        thought.certainty = certainty;
        thought.end_in = scale.end_in(self.candidates[0].value);
    }
}
