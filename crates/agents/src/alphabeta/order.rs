//! Which action to try first: the sooner the best one comes, the less has to be searched.

use parlor_core::Seat;

use crate::table::hash_of;

/// An action and how soon it is tried.
#[derive(Copy, Clone, Debug)]
pub(super) struct Scored<A> {
    pub(super) action: A,
    pub(super) score: i32,
    /// Its number in the game's order.
    pub(super) index: u16,
    pub(super) loud: bool,
}

/// What one ply of the search owns, so that no node has to allocate.
#[derive(Debug)]
pub(super) struct Ply<A> {
    pub(super) actions: Vec<Scored<A>>,
    /// The best line from here on.
    pub(super) line: Vec<A>,
    /// The last two actions that refuted a position of this ply.
    pub(super) killers: [Option<A>; 2],
}

/// What a search remembers of its own course.
#[derive(Debug)]
pub(super) struct Memory<A> {
    pub(super) plies: Vec<Ply<A>>,
    /// How well each action of each seat has done, wherever it was tried. Actions share slots by their hash.
    history: Vec<i32>,
}

/// Slots of a seat's history.
const SLOTS: usize = 4096;

/// History stays within ± this.
const MOST_HISTORY: i32 = 1 << 13;

/// One unit of promise weighs as much as this much history. Chosen, not tuned.
const PROMISE: i32 = 64;

/// What promises as much as a killer.
const KILLER: i32 = 900 * PROMISE;

/// Promises beyond this weigh no more.
const MOST_PROMISE: i32 = 1 << 20;

/// What scores this much decides something at once, and is never looked at less deep.
pub(super) const FORCING: i32 = 900 * PROMISE - MOST_HISTORY;

/// What scores less than this gives something away.
pub(super) const HOPELESS: i32 = -FORCING;

impl<A> Default for Ply<A> {
    fn default() -> Self {
        Ply { actions: Vec::new(), line: Vec::new(), killers: [None, None] }
    }
}

impl<A: Copy + PartialEq + std::hash::Hash> Memory<A> {
    pub(super) fn new() -> Self {
        Memory { plies: Vec::new(), history: vec![0; 2 * SLOTS] }
    }

    /// Makes room for one ply more than `ply`.
    #[inline]
    pub(super) fn reach(&mut self, ply: usize) {
        if self.plies.len() < ply + 2 {
            std::hint::cold_path();
            self.plies.resize_with(ply + 16, Ply::default);
        }
    }

    /// A new search begins: killers are of no use any more, history fades.
    pub(super) fn fade(&mut self) {
        self.plies.iter_mut().for_each(|ply| ply.killers = [None, None]);
        self.history.iter_mut().for_each(|worth| *worth /= 8);
    }

    #[inline]
    fn slot(seat: Seat, action: A) -> usize {
        seat.index() * SLOTS + (hash_of(&action) as usize & (SLOTS - 1))
    }

    /// Returns how soon an action with this promise is tried.
    #[inline]
    pub(super) fn score(&self, ply: usize, seat: Seat, action: A, promise: i32, ordering: bool) -> i32 {
        let promise = promise.clamp(-MOST_PROMISE, MOST_PROMISE) * PROMISE;
        if !ordering {
            return promise;
        }
        let killer = if self.plies[ply].killers.contains(&Some(action)) { KILLER } else { 0 };
        promise + killer + self.history[Self::slot(seat, action)]
    }

    /// Books that the last of `tried` refuted a position and the others did not.
    #[inline]
    pub(super) fn refuted(&mut self, ply: usize, seat: Seat, depth: i32, tried: &[Scored<A>]) {
        let Some((best, others)) = tried.split_last() else { return };
        if best.loud {
            return;
        }
        let killers = &mut self.plies[ply].killers;
        if killers[0] != Some(best.action) {
            *killers = [Some(best.action), killers[0]];
        }
        let change = (depth * depth).min(MOST_HISTORY / 4);
        self.learn(seat, best.action, change);
        for other in others.iter().filter(|other| !other.loud) {
            self.learn(seat, other.action, -change);
        }
    }

    /// Moves an action's history by `change`, the less the nearer it is to the end of the scale.
    #[inline]
    fn learn(&mut self, seat: Seat, action: A, change: i32) {
        let worth = &mut self.history[Self::slot(seat, action)];
        *worth += change - *worth * change.abs() / MOST_HISTORY;
    }
}

/// Brings the action that is tried next to place `at`.
#[inline]
pub(super) fn bring_next<A>(actions: &mut [Scored<A>], at: usize) {
    let mut best = at;
    for other in at + 1..actions.len() {
        if actions[other].score > actions[best].score {
            best = other;
        }
    }
    actions.swap(at, best);
}
