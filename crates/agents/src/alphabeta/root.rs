//! The root of a search: one depth after the other, each with what the one before has shown.

use parlor_core::small_sort::small_sort;
use parlor_core::{Certainty, Considered, Evaluate, Game, GameValue, Keyed, PerfectInfo, Seat};

use super::order::Scored;
use super::scale::INFINITE;
use super::search::{MOST_DEPTH, Search};
use crate::table::hash_of;

/// An action of the root.
#[derive(Copy, Clone, Debug)]
struct Candidate<A> {
    action: A,
    value: i32,
    /// The value was found, and is no mere bound.
    exact: bool,
    nodes: u64,
    /// In which look it was searched last; 0 if never.
    look: u32,
}

/// What is known about the root. What is told about it is the last depth that was finished, or as much as there is of the next
/// one if that has found a better action.
#[derive(Debug)]
pub(super) struct Root<'a, G: Game> {
    state: &'a G::State,
    seat: Seat,
    /// The best first.
    candidates: Vec<Candidate<G::Action>>,
    /// The best line of the last look.
    line: Vec<G::Action>,
    /// How many looks there were at every action: one for each depth, and one for each window that was too narrow.
    looks: u32,
    /// The last depth that was finished; 0 if none was.
    pub(super) depth: u32,
    pub(super) value: i32,
    /// The value does not rest on any judgement.
    pub(super) proven: bool,
    /// How often the searches of the last depth found less, and more, than their window allowed.
    pub(super) fails: [u32; 2],
}

/// Half the first window around the value of the depth before, and by how much it grows each time that it was too narrow.
const WINDOW: i32 = 30;
const GROWTH: i32 = 4;

/// Before this depth, values jump too much for a window to be worth it.
const WINDOWS_FROM: u32 = 4;

/// Where a database knows every action's outcome, only the best are searched.
fn keep_the_best<G: PerfectInfo + Keyed + Evaluate>(
    search: &mut Search<'_, G>,
    state: &G::State,
    scored: &mut Vec<Scored<G::Action>>,
) {
    let game = search.game;
    let Some(judge) = search.judge.as_deref_mut() else { return };
    judge.begin(game, state);
    let mut outcome = |scored: &Scored<G::Action>| {
        let mut next = state.clone();
        game.apply(&mut next, scored.action);
        judge.value(game, &next).map(GameValue::turned)
    };
    let Some(outcomes) = scored.iter().map(&mut outcome).collect::<Option<Vec<GameValue>>>() else { return };
    let best = outcomes.iter().max().copied();
    let mut outcomes = outcomes.into_iter();
    scored.retain(|_| outcomes.next() == best);
    if best != Some(GameValue::Won) {
        return;
    }
    // All of them win. Those that do so soonest stay, or else nobody would ever get on with it.
    let plies = |scored: &Scored<G::Action>| {
        let mut next = state.clone();
        game.apply(&mut next, scored.action);
        judge.plies(game, state, &next)
    };
    let Some(plies) = scored.iter().map(plies).collect::<Option<Vec<u32>>>() else { return };
    let least = plies.iter().min().copied();
    let mut plies = plies.into_iter();
    scored.retain(|_| plies.next() == least);
}

impl<'a, G: PerfectInfo + Keyed + Evaluate> Root<'a, G> {
    /// Lists the actions of a position, those first that look best.
    pub(super) fn new(search: &mut Search<'_, G>, state: &'a G::State, seat: Seat) -> Self {
        search.memory.reach(0);
        let known = search.table.and_then(|table| table.get(hash_of(&search.game.key(state))));
        let mut scored: Vec<Scored<G::Action>> = Vec::new();
        search.list(state, seat, 0, known.and_then(|found| found.action), &mut scored);
        small_sort(&mut scored, |one, other| one.score > other.score);
        keep_the_best(search, state, &mut scored);
        let candidates = scored
            .iter()
            .map(|scored| Candidate { action: scored.action, value: 0, exact: false, nodes: 0, look: 0 })
            .collect();
        let mut root = Root {
            state,
            seat,
            candidates,
            line: Vec::new(),
            looks: 0,
            depth: 0,
            value: 0,
            proven: false,
            fails: [0, 0],
        };
        // Until something was searched, the position is worth what it looks like.
        root.candidates[0].value = search.game.evaluate(search.weights, state);
        root.line.push(root.candidates[0].action);
        root.note(search, 0, false);
        root
    }

    /// Returns the best action so far.
    pub(super) fn best(&self) -> G::Action {
        self.candidates[0].action
    }

    /// Searches to `depth`. Returns whether that was finished; if not, the best action may still be a better one.
    pub(super) fn deepen(&mut self, search: &mut Search<'_, G>, depth: u32) -> bool {
        let judged = search.judged;
        let (mut alpha, mut beta, mut half) = (-INFINITE, INFINITE, WINDOW);
        if search.switches.aspiration && self.depth + 1 >= WINDOWS_FROM && self.depth > 0 {
            (alpha, beta) = (self.value - half, self.value + half);
        }
        self.fails = [0, 0];
        loop {
            let Some(value) = self.look(search, depth as i32, alpha, beta) else { return false };
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
        self.proven = search.complete_since(judged) || search.scale.end_in(self.value).is_some();
        self.lengthen_line(search);
        self.note(search, depth, self.proven);
        true
    }

    /// Searches every action within a window; `None` if the search was stopped.
    fn look(&mut self, search: &mut Search<'_, G>, depth: i32, mut alpha: i32, beta: i32) -> Option<i32> {
        let mut best = -INFINITE;
        self.looks += 1;
        for at in 0..self.candidates.len() {
            let action = self.candidates[at].action;
            let mut next = self.state.clone();
            search.game.apply(&mut next, action);
            let nodes = search.meter.nodes();
            let ceiling = if at > 0 && search.switches.pvs { alpha + 1 } else { beta };
            let mut value = search.child(&next, self.seat, depth - 1, alpha, ceiling, 1);
            if value > alpha && ceiling < beta && !search.stopped {
                value = search.child(&next, self.seat, depth - 1, alpha, beta, 1);
            }
            if search.stopped {
                return None;
            }
            let exact = value > alpha && value < beta;
            let candidate = &mut self.candidates[at];
            candidate.nodes += search.meter.nodes() - nodes;
            (candidate.value, candidate.exact, candidate.look) = (value, exact, self.looks);
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    search.extend_line(0, action);
                    self.line.clone_from(&search.memory.plies[0].line);
                    self.candidates[..=at].rotate_right(1);
                    if at > 0 {
                        // A win that was found is one, whatever else there is.
                        let won = value > 0 && search.scale.end_in(value).is_some();
                        self.note(search, depth as u32, won);
                    }
                }
            }
            if value >= beta {
                break;
            }
        }
        Some(best)
    }

    /// Adds to the best line what the table knows about its end: values from the table come without a line.
    fn lengthen_line(&mut self, search: &Search<'_, G>) {
        let Some(table) = search.table else { return };
        let mut state = self.state.clone();
        for &action in &self.line {
            search.game.apply(&mut state, action);
        }
        while self.line.len() < self.depth.min(MOST_DEPTH) as usize {
            let found = table.get(hash_of(&search.game.key(&state)));
            let Some(index) = found.and_then(|found| found.action) else { break };
            let Some(action) = search.game.actions(&state).nth(usize::from(index)) else { break };
            search.game.apply(&mut state, action);
            self.line.push(action);
        }
    }

    /// Makes the last look what is told. Actions that it has not reached are left out: nothing is known about them that deep.
    fn note(&self, search: &mut Search<'_, G>, depth: u32, proven: bool) {
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
            *at == 0 || self.looks > 0 && candidate.look == self.looks
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
