//! Chance: averages, and what need not be looked at to know them well enough (Ballard 1983).

use parlor_core::{Evaluate, Keyed, PerfectInfo, Phase, Seat};

use super::search::{JUDGED, LIMIT, Place, Search, Window, answers, played};
use crate::star::{Bounds, Outcome, bounds, matters};
use crate::table::{Bound, hash_of};

/// Star2 tries replies with the window of the average, wider by this on both sides. Outcomes differ from their average by
/// the worth of a piece or two; a wider window costs more than it tells. Chosen, not tuned.
const PROBE_MARGIN: f64 = 400.0;

impl<G: PerfectInfo + Keyed + Evaluate> Search<'_, G> {
    /// Returns what `state` is worth to `seat`, where chance is to act.
    pub(super) fn chance(
        &mut self,
        state: &G::State,
        seat: Seat,
        place: Place,
        window: Window,
    ) -> Option<f64> {
        if !self.tick() {
            return None;
        }
        // A proven win is a win whatever chance does, so an average is none unless all its parts are. Windows beyond what can
        // be judged ask just that, and are opened: only the parts can tell.
        let window = Window {
            alpha: if window.alpha < -JUDGED { -LIMIT } else { window.alpha },
            beta: if window.beta > JUDGED { LIMIT } else { window.beta },
        };
        // The table keeps what positions are worth to the first seat: at chance nobody is to move.
        let hash = self.table.map(|_| hash_of(&self.game.key(state)));
        if let Some((found, value)) = self.recall(hash, place.ply) {
            let (bound, value) =
                if seat == Seat::FIRST { (found.bound, value) } else { turned(found.bound, value) };
            if u32::from(found.depth) >= place.depth && answers(bound, value, window) {
                return Some(value);
            }
        }
        let begin = self.memory.outcomes.len();
        let outcomes = self.game.chances(state).map(|(action, weight)| Outcome {
            action,
            weight,
            low: -LIMIT,
            high: LIMIT,
        });
        self.memory.outcomes.extend(outcomes);
        if self.options.star > 0 {
            // Likely outcomes decide soonest. The sort is stable, and moves few.
            self.memory.outcomes[begin..].sort_by(|one, other| other.weight.total_cmp(&one.weight));
        }
        let (value, bound) = self.average(state, seat, place, window, begin)?;
        self.memory.outcomes.truncate(begin);
        let (kept_bound, kept) = if seat == Seat::FIRST { (bound, value) } else { turned(bound, value) };
        self.remember(hash, place, kept, kept_bound, None);
        Some(value)
    }

    fn average(
        &mut self,
        state: &G::State,
        seat: Seat,
        place: Place,
        window: Window,
        begin: usize,
    ) -> Option<(f64, Bound)> {
        let end = self.memory.outcomes.len();
        // Step 1. Star2: one reply to each outcome says that the outcome is no better than that for whoever does not reply.
        if self.options.star == 2 {
            for i in begin..end {
                self.probe(state, seat, place, window, i)?;
                if let Some(cut) = self.cut(window, begin, end) {
                    return Some(cut);
                }
            }
        }
        // Step 2. The outcomes themselves. Star1: each with the window in which it can still matter.
        for i in begin..end {
            let next = played(self.game, state, self.memory.outcomes[i].action);
            let within = if self.options.star == 0 {
                Window::OPEN
            } else {
                let wanted = Bounds { low: window.alpha, high: window.beta };
                let Bounds { low, high } = matters(&self.memory.outcomes[begin..end], i - begin, wanted);
                Window { alpha: low.max(-LIMIT), beta: high.min(LIMIT) }
            };
            let value = self.value(&next, seat, place, within)?;
            let outcome = &mut self.memory.outcomes[i];
            // A value outside its window is a bound, and then the average is outside its own.
            (outcome.low, outcome.high) = (value, value);
            if value <= within.alpha && within.alpha > -LIMIT {
                return Some((
                    bounds(&self.memory.outcomes[begin..end]).high.min(window.alpha).max(-JUDGED),
                    Bound::AtMost,
                ));
            }
            if value >= within.beta && within.beta < LIMIT {
                return Some((
                    bounds(&self.memory.outcomes[begin..end]).low.max(window.beta).min(JUDGED),
                    Bound::AtLeast,
                ));
            }
        }
        let average = bounds(&self.memory.outcomes[begin..end]).low;
        let outcomes = &self.memory.outcomes[begin..end];
        let judged =
            if outcomes.iter().all(|outcome| outcome.low.abs() > JUDGED && outcome.low * average > 0.0) {
                average
            } else {
                average.clamp(-JUDGED, JUDGED)
            };
        Some((judged, Bound::Exact))
    }

    /// Returns a bound of the average if it lies outside the window already.
    fn cut(&self, window: Window, begin: usize, end: usize) -> Option<(f64, Bound)> {
        let Bounds { low, high } = bounds(&self.memory.outcomes[begin..end]);
        if high <= window.alpha {
            Some((high.max(-JUDGED), Bound::AtMost))
        } else if low >= window.beta {
            Some((low.min(JUDGED), Bound::AtLeast))
        } else {
            None
        }
    }

    /// Tries one reply to an outcome, and narrows what the outcome can be worth.
    fn probe(&mut self, state: &G::State, seat: Seat, place: Place, window: Window, i: usize) -> Option<()> {
        let next = played(self.game, state, self.memory.outcomes[i].action);
        let Phase::Decide(mover) = self.game.phase(&next) else { return Some(()) };
        let within = Window {
            alpha: (window.alpha - PROBE_MARGIN).max(-LIMIT),
            beta: (window.beta + PROBE_MARGIN).min(LIMIT),
        };
        let value = if place.depth > 0 {
            // The first of the order; one that leaves things to chance again would cost more than it tells.
            let hash = self.table.map(|_| hash_of(&self.game.key(&next)));
            let from_table = self.recall(hash, place.ply).and_then(|(found, _)| found.action);
            let begin = self.list(&next, mover, place.ply, from_table);
            let reply = self.next(begin);
            self.memory.candidates.truncate(begin);
            let Some(reply) = reply.filter(|reply| !reply.is_gamble) else { return Some(()) };
            let reached = played(self.game, &next, reply.action);
            self.value(&reached, seat, place.after(), within)?
        } else if self.options.quiescence {
            // Taking nothing is a reply, too.
            let looks = f64::from(self.game.evaluate(self.weights, &next));
            if mover == seat { looks } else { -looks }
        } else {
            return Some(());
        };
        let outcome = &mut self.memory.outcomes[i];
        if mover == seat && value > within.alpha {
            outcome.low = outcome.low.max(value);
        } else if mover != seat && value < within.beta {
            outcome.high = outcome.high.min(value);
        }
        Some(())
    }
}

/// Returns what is known of a value from the other side.
fn turned(bound: Bound, value: f64) -> (Bound, f64) {
    let bound = match bound {
        Bound::Exact => Bound::Exact,
        Bound::AtLeast => Bound::AtMost,
        Bound::AtMost => Bound::AtLeast,
    };
    (bound, -value)
}
