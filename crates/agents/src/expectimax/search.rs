//! Decisions: alpha-beta, and following captures to their end.

use parlor_core::rules::evaluate::MOST;
use parlor_core::{Evaluate, Game, Keyed, Meter, PerfectInfo, Phase, Seat};

use super::Options;
use super::order::Memory;
use crate::table::{Bound, Found, Table, hash_of};
use crate::thought_reporter::ThoughtReporter;

/// No line is longer.
pub(super) const MAX_PLY: usize = 160;

/// The largest evaluation. Larger values are proven wins.
pub(super) const JUDGED: f64 = MOST as f64;

/// No value is larger: a match that is won already. A win is worth a point less for every ply until then.
pub(super) const LIMIT: f64 = JUDGED + 2.0 * MAX_PLY as f64;

/// Values closer than this are not told apart by a scouting search. Smaller than anything an evaluation tells apart, larger
/// than what rounding in the table can do.
const SCOUT: f64 = 0.01;

/// What the searcher wants to know: whether a value is below, above, or what exactly it is between.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) struct Window {
    pub(super) alpha: f64,
    pub(super) beta: f64,
}

impl Window {
    pub(super) const OPEN: Window = Window { alpha: -LIMIT, beta: LIMIT };

    /// Returns the window from the other side.
    fn turned(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

/// A search in progress.
///
/// Values are for a seat that is named, in points of the evaluation. If the true value is at most alpha, what is returned lies
/// between the two; likewise beta. `None`: the budget ended.
pub(super) struct Search<'a, G: Evaluate> {
    pub(super) game: &'a G,
    /// For whom the search is made.
    pub(super) own: Seat,
    pub(super) weights: &'a G::Weights,
    pub(super) options: Options,
    pub(super) table: Option<&'a Table>,
    pub(super) memory: &'a mut Memory<G::Action>,
    pub(super) meter: Meter<'a>,
    pub(super) reporter: ThoughtReporter<'a, G::Action>,
}

/// Where in the tree a value is asked for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Place {
    /// Decisions from the root to here.
    pub(super) ply: usize,
    /// Decisions to look ahead from here.
    pub(super) depth: u32,
}

impl Place {
    /// Returns the place after a decision.
    pub(super) fn after(self) -> Place {
        Place { ply: self.ply + 1, depth: self.depth.saturating_sub(1) }
    }
}

/// Returns the position after an action.
#[inline]
pub(super) fn played<G: Game>(game: &G, state: &G::State, action: G::Action) -> G::State {
    let mut next = state.clone();
    game.apply(&mut next, action);
    next
}

impl<G: PerfectInfo + Keyed + Evaluate> Search<'_, G> {
    /// Asks for one more node.
    #[inline]
    pub(super) fn tick(&mut self) -> bool {
        self.reporter.pass(&self.meter);
        self.meter.tick(1)
    }

    /// Returns what `state` is worth to `seat`.
    pub(super) fn value(
        &mut self,
        state: &G::State,
        seat: Seat,
        place: Place,
        window: Window,
    ) -> Option<f64> {
        match self.game.phase(state) {
            Phase::Over => self.tick().then(|| self.finished(state, seat, place.ply)),
            Phase::Decide(_) if self.options.repetitions && self.game.recurs(state) => {
                self.tick().then(|| self.drawn(seat))
            }
            Phase::Chance => self.chance(state, seat, place, window),
            Phase::Decide(mover) if mover == seat => self.best(state, seat, place, window),
            Phase::Decide(mover) => self.best(state, mover, place, window.turned()).map(|value| -value),
        }
    }

    /// Returns what a finished match is worth: the middle of the game's payoffs is 0, the best is a win.
    fn finished(&self, state: &G::State, seat: Seat, ply: usize) -> f64 {
        let range = self.game.range();
        let middle = (range.high + range.low) / 2.0;
        let share = (self.game.payoffs(state).of(seat) - middle) / (range.high - middle);
        if share == 0.0 {
            self.drawn(seat)
        } else if share.abs() < 1.0 {
            share * JUDGED
        } else {
            share.signum() * (LIMIT - ply as f64)
        }
    }

    /// Returns what a draw is worth to `seat`.
    fn drawn(&self, seat: Seat) -> f64 {
        let contempt = f64::from(self.options.contempt);
        if seat == self.own { -contempt } else { contempt }
    }

    /// Returns what `state` is worth to `seat`, which is to decide.
    fn best(&mut self, state: &G::State, seat: Seat, place: Place, window: Window) -> Option<f64> {
        if !self.tick() {
            return None;
        }
        if place.depth == 0 || place.ply >= MAX_PLY {
            return self.judge(state, seat, place, window);
        }
        // Step 1. The table may know the answer; if not, it may know what to try first.
        let hash = self.table.map(|_| hash_of(&self.game.key(state)));
        let known = self.recall(hash, place.ply);
        if let Some((found, value)) = known
            && u32::from(found.depth) >= place.depth
            && answers(found.bound, value, window)
        {
            return Some(value);
        }
        // Step 2. Every action until one is too good.
        let begin = self.list(state, seat, place.ply, known.and_then(|(found, _)| found.action));
        let (mut best, mut best_index, mut low) = (f64::NEG_INFINITY, None, window.alpha);
        let (mut at, mut gambles, mut skipped) = (begin, 0, false);
        while let Some(candidate) = self.next(at) {
            at += 1;
            if candidate.is_gamble {
                gambles += 1;
                if self.options.gambles.is_some_and(|most| gambles > most) {
                    skipped = true;
                    continue;
                }
            }
            let next = played(self.game, state, candidate.action);
            let within = Window { alpha: low, beta: window.beta };
            let value = self.scout(&next, seat, place.after(), within, best == f64::NEG_INFINITY)?;
            if value > best {
                best = value;
                best_index = Some(candidate.index);
            }
            low = low.max(best);
            if low >= window.beta {
                if !candidate.is_loud {
                    self.memory.praise(seat, candidate.action, place.ply, place.depth);
                }
                break;
            }
        }
        self.memory.candidates.truncate(begin);
        // Step 3. Nothing is proven lost while there are flips that nobody has looked at.
        if skipped {
            best = best.max(-JUDGED);
        }
        let bound = if best >= window.beta {
            Bound::AtLeast
        } else if best > window.alpha {
            Bound::Exact
        } else {
            Bound::AtMost
        };
        self.remember(hash, place, best, bound, best_index.filter(|_| best > window.alpha));
        Some(best)
    }

    /// Returns what `state` is worth to `seat`. All but the first action of a position are expected to be worse than the best
    /// so far; a narrow window proves it cheaply.
    pub(super) fn scout(
        &mut self,
        state: &G::State,
        seat: Seat,
        place: Place,
        window: Window,
        is_first: bool,
    ) -> Option<f64> {
        let Window { alpha, beta } = window;
        if is_first || beta - alpha <= SCOUT {
            return self.value(state, seat, place, window);
        }
        let value = self.value(state, seat, place, Window { alpha, beta: alpha + SCOUT })?;
        if value <= alpha || value >= beta { Some(value) } else { self.value(state, seat, place, window) }
    }

    /// Returns what a position at the end of a line is worth to `seat`, which is to decide.
    pub(super) fn judge(
        &mut self,
        state: &G::State,
        seat: Seat,
        place: Place,
        window: Window,
    ) -> Option<f64> {
        // No need to take anything: the position is worth at least what it looks like.
        let mut best = f64::from(self.game.evaluate(self.weights, state));
        if !self.options.quiescence || best >= window.beta || place.ply >= MAX_PLY {
            return Some(best);
        }
        let begin = self.list_loud(state);
        let mut at = begin;
        while let Some(candidate) = self.next(at) {
            at += 1;
            let next = played(self.game, state, candidate.action);
            let within = Window { alpha: window.alpha.max(best), beta: window.beta };
            best = best.max(self.value(&next, seat, place.after(), within)?);
            if best >= window.beta {
                break;
            }
        }
        self.memory.candidates.truncate(begin);
        Some(best)
    }

    /// Returns what the table knows, with the value as seen from this ply.
    pub(super) fn recall(&self, hash: Option<u64>, ply: usize) -> Option<(Found, f64)> {
        let found = self.table?.get(hash?)?;
        let value = f64::from(f32::from_bits(found.value as u32));
        Some((found, shifted(value, -(ply as f64))))
    }

    /// Keeps a value; proven wins are counted from the position, not from the root.
    pub(super) fn remember(
        &self,
        hash: Option<u64>,
        place: Place,
        value: f64,
        bound: Bound,
        action: Option<u8>,
    ) {
        if let Some((table, hash)) = self.table.zip(hash) {
            let value = shifted(value, place.ply as f64) as f32;
            let depth = place.depth.min(u32::from(u8::MAX)) as u8;
            table.put(hash, Found { value: value.to_bits() as i32, depth, bound, action });
        }
    }
}

/// Returns whether what is known of a value is all that a window asks.
pub(super) fn answers(bound: Bound, value: f64, window: Window) -> bool {
    match bound {
        Bound::Exact => true,
        Bound::AtLeast => value >= window.beta,
        Bound::AtMost => value <= window.alpha,
    }
}

/// Returns a proven value so many plies further from a draw; others are the same at every ply.
fn shifted(value: f64, plies: f64) -> f64 {
    if value.abs() > JUDGED { value + value.signum() * plies } else { value }
}
