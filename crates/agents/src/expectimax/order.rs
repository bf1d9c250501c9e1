//! In which order actions are tried, and the memory that the order rests on.

use parlor_core::{Evaluate, Keyed, PerfectInfo, Seat};

use super::search::{MAX_PLY, Search};
use crate::star::Outcome;
use crate::table::hash_of;

/// An action that is waiting to be tried.
#[derive(Copy, Clone, Debug)]
pub(super) struct Candidate<A> {
    pub(super) action: A,
    /// Its number in the game's order.
    pub(super) index: u8,
    pub(super) is_gamble: bool,
    pub(super) is_loud: bool,
    score: i32,
}

/// What a search keeps between positions, so that none of it is made anew for each.
#[derive(Debug)]
pub(super) struct Memory<A> {
    /// The actions of all positions on the path to the present one.
    pub(super) candidates: Vec<Candidate<A>>,
    /// The outcomes of all chances on that path.
    pub(super) outcomes: Vec<Outcome<A>>,
    /// For each ply, the last two quiet actions that were too good for the other side to allow.
    killers: Vec<[Option<A>; 2]>,
    /// For each seat and each action, by a hash of it, how often it was too good; deeper searches count more.
    history: Vec<i32>,
}

const HISTORY: usize = 4096;
/// History is halved before it reaches this.
const MOST_HISTORY: i32 = 1 << 20;
/// What a point of promise counts against history.
const PROMISE: i32 = 1 << 10;

/// Classes of actions, best first; within a class scores stay below [`CLASS`].
const CLASS: i32 = 1 << 28;
const FROM_TABLE: i32 = 4 * CLASS;
const GOOD_CAPTURE: i32 = 2 * CLASS;
const KILLER: i32 = CLASS;
const BAD_CAPTURE: i32 = -2 * CLASS;

impl<A> Default for Memory<A> {
    fn default() -> Self {
        Memory {
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

impl<A: Copy + PartialEq + std::hash::Hash> Memory<A> {
    /// A new search begins: what is on the way is dropped, what was good fades.
    pub(super) fn refresh(&mut self) {
        self.candidates.clear();
        self.outcomes.clear();
        self.killers.fill([None, None]);
        self.history.iter_mut().for_each(|good| *good /= 8);
    }

    /// A quiet action was too good for the other side to allow.
    pub(super) fn praise(&mut self, seat: Seat, action: A, ply: usize, depth: u32) {
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

impl<G: PerfectInfo + Keyed + Evaluate> Search<'_, G> {
    /// Puts the actions of a position on the pile, with what the order goes by. Returns where they begin.
    pub(super) fn list(&mut self, state: &G::State, seat: Seat, ply: usize, from_table: Option<u8>) -> usize {
        let begin = self.memory.candidates.len();
        let (game, weights) = (self.game, self.weights);
        for (index, action) in game.actions(state).enumerate() {
            let is_gamble = game.is_gamble(state, action);
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
                match self.memory.killers[ply.min(MAX_PLY - 1)].iter().position(|&k| k == Some(action)) {
                    Some(place) => KILLER - place as i32,
                    None => {
                        let promise = game.promise(weights, state, action).clamp(-100_000, 100_000);
                        promise * PROMISE + self.memory.history[slot(seat, action)]
                    }
                }
            };
            self.memory.candidates.push(Candidate { action, index, is_gamble, is_loud, score });
        }
        begin
    }

    /// Puts the loud actions that pay on the pile. Returns where they begin.
    pub(super) fn list_loud(&mut self, state: &G::State) -> usize {
        let begin = self.memory.candidates.len();
        let (game, weights) = (self.game, self.weights);
        for action in game.actions(state).filter(|&action| game.is_loud_action(state, action)) {
            let score = game.exchange(weights, state, action);
            if score > 0 {
                let candidate = Candidate { action, index: 0, is_gamble: false, is_loud: true, score };
                self.memory.candidates.push(candidate);
            }
        }
        begin
    }

    /// Takes the best action that is left from `at` on to `at`, and returns it. Without an order, the first.
    pub(super) fn next(&mut self, at: usize) -> Option<Candidate<G::Action>> {
        let rest = self.memory.candidates.get_mut(at..)?;
        // Of equals the first in the game's order; the rest keep theirs as far as that matters.
        let best =
            (0..rest.len()).reduce(|best, i| if rest[i].score > rest[best].score { i } else { best })?;
        rest.swap(0, best);
        Some(rest[0])
    }
}
