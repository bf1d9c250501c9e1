//! Move ordering: the sooner the best action is tried, the smaller the tree.

use parlor_core::Seat;
use parlor_ml::net::Accumulators;

use crate::table::hash_of;

/// An action and its ordering score.
#[derive(Copy, Clone, Debug)]
pub(super) struct Scored<A> {
    pub(super) action: A,
    pub(super) score: i32,
    /// Its index in the game's order.
    pub(super) index: u16,
    pub(super) loud: bool,
}

/// The buffers of one ply, so that no node has to allocate.
#[derive(Debug)]
pub(super) struct Ply<A> {
    pub(super) actions: Vec<Scored<A>>,
    /// The principal variation from here.
    pub(super) line: Vec<A>,
    /// The last two actions that record_cutoff a position at this ply.
    pub(super) killers: [Option<A>; 2],
    /// The action that led here, and whether it was loud.
    pub(super) before: Option<(A, bool)>,
}

/// One thread's buffers and ordering heuristics.
#[derive(Debug)]
pub(super) struct ThreadState<A> {
    pub(super) plies: Vec<Ply<A>>,
    /// The history heuristic: how often each action of each seat caused a cutoff. Actions share slots by hash.
    history: Vec<i32>,
    /// The same for each action after each other: how often it refuted that one.
    replies: Vec<i32>,
    /// Hashes of the positions of the match so far, and then of the line that is searched.
    pub(super) path: Vec<u64>,
    /// How many of these are of the match.
    pub(super) played: usize,
    /// What a net keeps between evaluations.
    pub(super) accumulators: Accumulators,
}

/// History slots per seat.
const SLOTS: usize = 4096;

/// Slots of the history of replies.
const REPLIES: usize = 1 << 16;

/// Bound of a history score's magnitude.
const MOST_HISTORY: i32 = 1 << 13;

/// History units per unit of promise. Chosen, not tuned.
const PROMISE: i32 = 64;

/// The score bonus of a killer action.
const KILLER: i32 = 900 * PROMISE;

/// Bound of a promise's magnitude.
const MOST_PROMISE: i32 = 1 << 20;

/// Actions with at least this score are never reduced: they decide something at once.
pub(super) const FORCING: i32 = 900 * PROMISE - MOST_HISTORY;

/// Actions with at most this score give something away.
pub(super) const HOPELESS: i32 = -FORCING;

impl<A> Default for Ply<A> {
    fn default() -> Self {
        Ply { actions: Vec::new(), line: Vec::new(), killers: [None, None], before: None }
    }
}

impl<A: Copy + PartialEq + std::hash::Hash> ThreadState<A> {
    pub(super) fn new() -> Self {
        ThreadState {
            plies: Vec::new(),
            history: vec![0; 2 * SLOTS],
            replies: Vec::new(),
            path: Vec::new(),
            played: 0,
            accumulators: Accumulators::with_values(),
        }
    }

    /// Makes room for ply `ply` and the next.
    #[inline]
    pub(super) fn ensure_ply(&mut self, ply: usize) {
        if self.plies.len() < ply + 2 {
            std::hint::cold_path();
            self.plies.resize_with(ply + 16, Ply::default);
        }
    }

    /// Prepares for a new search: removes the killers and reduces the history to an eighth.
    pub(super) fn age(&mut self) {
        self.plies.iter_mut().for_each(|ply| ply.killers = [None, None]);
        self.history.iter_mut().for_each(|worth| *worth /= 8);
        self.replies.iter_mut().for_each(|worth| *worth /= 8);
    }

    #[inline]
    fn slot(seat: Seat, action: A) -> usize {
        seat.index() * SLOTS + (hash_of(&action) as usize & (SLOTS - 1))
    }

    /// Returns the ordering score of an action with this promise.
    #[inline]
    pub(super) fn score(&self, ply: usize, seat: Seat, action: A, promise: i32, ordering: bool) -> i32 {
        let promise = promise.clamp(-MOST_PROMISE, MOST_PROMISE) * PROMISE;
        if !ordering {
            return promise;
        }
        let killer = if self.plies[ply].killers.contains(&Some(action)) { KILLER } else { 0 };
        let reply = self.reply_slot(ply, action).map_or(0, |slot| self.replies[slot]);
        promise + killer + self.history[Self::slot(seat, action)] + reply
    }

    /// Makes room for the history of replies.
    pub(super) fn keep_replies(&mut self) {
        self.replies.resize(REPLIES, 0);
    }

    /// Returns the slot of an action after the one that led to this ply; `None` if replies are not kept.
    #[inline]
    fn reply_slot(&self, ply: usize, action: A) -> Option<usize> {
        let (before, _) = self.plies[ply].before.filter(|_| !self.replies.is_empty())?;
        Some(hash_of(&(before, action)) as usize & (REPLIES - 1))
    }

    /// Writes down the position at a ply, and returns whether it has occurred within the last `reversible` plies.
    #[inline]
    pub(super) fn recurs(&mut self, ply: usize, hash: u64, reversible: u32) -> bool {
        let now = self.played + ply;
        if self.path.len() <= now {
            self.path.resize(now + 1, 0);
        }
        self.path[now] = hash;
        // Two plies ago the other pieces stood elsewhere.
        (4..=now.min(reversible as usize)).step_by(2).any(|back| self.path[now - back] == hash)
    }

    /// Records that the last of `tried` caused a cutoff and the others did not.
    #[inline]
    pub(super) fn record_cutoff(&mut self, ply: usize, seat: Seat, depth: i32, tried: &[Scored<A>]) {
        let Some((best, others)) = tried.split_last() else { return };
        if best.loud {
            return;
        }
        let killers = &mut self.plies[ply].killers;
        if killers[0] != Some(best.action) {
            *killers = [Some(best.action), killers[0]];
        }
        let change = (depth * depth).min(MOST_HISTORY / 4);
        self.update_history(ply, seat, best.action, change);
        for other in others.iter().filter(|other| !other.loud) {
            self.update_history(ply, seat, other.action, -change);
        }
    }

    /// Moves an action's history scores by `change`, less the closer they are to their bounds.
    #[inline]
    fn update_history(&mut self, ply: usize, seat: Seat, action: A, change: i32) {
        let towards = |worth: &mut i32| *worth += change - *worth * change.abs() / MOST_HISTORY;
        towards(&mut self.history[Self::slot(seat, action)]);
        if let Some(slot) = self.reply_slot(ply, action) {
            towards(&mut self.replies[slot]);
        }
    }
}

/// Swaps the best remaining action to index `at` (selection sort, one step).
#[inline]
pub(super) fn select_next<A>(actions: &mut [Scored<A>], at: usize) {
    let mut best = at;
    for other in at + 1..actions.len() {
        if actions[other].score > actions[best].score {
            best = other;
        }
    }
    actions.swap(at, best);
}
