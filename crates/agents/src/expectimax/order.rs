//! Move ordering: the order of the actions and the heuristics behind it.

use parlor_core::{Evaluate, Keyed, PerfectInfo, Seat};

use super::search::{ExpectimaxSearch, MAX_PLY};
use crate::star::Outcome;
use crate::table::hash_of;

/// An action to be searched.
#[derive(Copy, Clone, Debug)]
pub(super) struct Candidate<A> {
    pub(super) action: A,
    /// Its index in the game's order.
    pub(super) index: u8,
    pub(super) leads_to_chance: bool,
    pub(super) is_loud: bool,
    score: i32,
}

/// Buffers and ordering heuristics that live across positions, so that no position allocates.
#[derive(Debug)]
pub(super) struct SearchBuffers<A> {
    /// A stack with the actions of all positions on the current path.
    pub(super) candidates: Vec<Candidate<A>>,
    /// A stack with the outcomes of all chance nodes on that path.
    pub(super) outcomes: Vec<Outcome<A>>,
    /// For each ply, the last two quiet actions that caused a cutoff.
    killers: Vec<[Option<A>; 2]>,
    /// The history heuristic: for each seat and action, by hash, how often it caused a cutoff; deeper searches count
    /// more.
    history: Vec<i32>,
}

const HISTORY: usize = 4096;
/// History is halved before it exceeds this.
const MOST_HISTORY: i32 = 1 << 20;
/// History units per unit of promise.
const PROMISE: i32 = 1 << 10;

/// Classes of actions; scores within a class stay below [`CLASS`].
const CLASS: i32 = 1 << 28;
const FROM_TABLE: i32 = 4 * CLASS;
const GOOD_CAPTURE: i32 = 2 * CLASS;
const KILLER: i32 = CLASS;
const BAD_CAPTURE: i32 = -2 * CLASS;

impl<A> Default for SearchBuffers<A> {
    fn default() -> Self {
        SearchBuffers {
            candidates: Vec::new(),
            outcomes: Vec::new(),
            killers: (0..MAX_PLY).map(|_| [None, None]).collect(),
            history: vec![0; 2 * HISTORY],
        }
    }
}

fn slot<A: std::hash::Hash>(seat: Seat, action: A) -> usize {
    usize::from(seat.0 & 1) * HISTORY + hash_of(&action) as usize % HISTORY
}

impl<A: Copy + PartialEq + std::hash::Hash> SearchBuffers<A> {
    /// Prepares for a new search: clears the stacks and reduces the history.
    pub(super) fn prepare(&mut self) {
        self.candidates.clear();
        self.outcomes.clear();
        self.killers.fill([None, None]);
        self.history.iter_mut().for_each(|good| *good /= 8);
    }

    /// Records that a quiet action caused a cutoff.
    pub(super) fn record_cutoff(&mut self, seat: Seat, action: A, ply: usize, depth: u32) {
        let killers = &mut self.killers[ply.min(MAX_PLY - 1)];
        if killers[0] != Some(action) {
            *killers = [Some(action), killers[0]];
        }
        let good = &mut self.history[slot(seat, action)];
        *good += (depth * depth).min(1024) as i32;
        if *good >= MOST_HISTORY {
            self.history.iter_mut().for_each(|good| *good /= 2);
        }
    }
}

impl<G: PerfectInfo + Keyed + Evaluate> ExpectimaxSearch<'_, G> {
    /// Pushes the actions of a position with their ordering scores. Returns the index of the first.
    pub(super) fn list(&mut self, state: &G::State, seat: Seat, ply: usize, from_table: Option<u8>) -> usize {
        let begin = self.buffers.candidates.len();
        let (game, weights) = (self.game, self.weights);
        for (index, action) in game.actions(state).enumerate() {
            let leads_to_chance = game.is_gamble(state, action);
            let is_loud = game.is_loud_action(state, action);
            let index = index.min(usize::from(u8::MAX)) as u8;
            let score = if !self.options.ordering {
                0
            } else if from_table == Some(index) {
                FROM_TABLE
            } else if is_loud {
                let gain = game.exchange(weights, state, action);
                gain + if gain >= 0 { GOOD_CAPTURE } else { BAD_CAPTURE }
            } else {
                match self.buffers.killers[ply.min(MAX_PLY - 1)].iter().position(|&k| k == Some(action)) {
                    Some(place) => KILLER - place as i32,
                    None => {
                        let promise = game.promise(weights, state, action).clamp(-100_000, 100_000);
                        promise * PROMISE + self.buffers.history[slot(seat, action)]
                    }
                }
            };
            self.buffers.candidates.push(Candidate { action, index, leads_to_chance, is_loud, score });
        }
        begin
    }

    /// Pushes the loud actions that gain something. Returns the index of the first.
    pub(super) fn list_loud(&mut self, state: &G::State) -> usize {
        let begin = self.buffers.candidates.len();
        let (game, weights) = (self.game, self.weights);
        for action in game.actions(state).filter(|&action| game.is_loud_action(state, action)) {
            let score = game.exchange(weights, state, action);
            if score > 0 {
                let candidate = Candidate { action, index: 0, leads_to_chance: false, is_loud: true, score };
                self.buffers.candidates.push(candidate);
            }
        }
        begin
    }

    /// Swaps the best remaining action to `at` and returns it; with ordering off, the first.
    pub(super) fn next(&mut self, at: usize) -> Option<Candidate<G::Action>> {
        let rest = self.buffers.candidates.get_mut(at..)?;
        // Among equals the first in the game's order.
        let best =
            (0..rest.len()).reduce(|best, i| if rest[i].score > rest[best].score { i } else { best })?;
        rest.swap(0, best);
        Some(rest[0])
    }
}
