//! Chance nodes: expected values with the cuts of Ballard 1983.

use parlor_core::{Evaluate, Keyed, PerfectInfo, Phase, Seat};

use super::search::{ExpectimaxSearch, MAX_EVALUATION, Place, WON, Window, after_action, is_sufficient};
use crate::star::{Bounds, Outcome, bounds, matters};
use crate::table::{Bound, hash_of};

/// The margin by which Star2 widens the window of the average for its probes, on both sides. Outcomes differ from their
/// average by the worth of a piece or two; a wider window costs more than it gains. Chosen, not tuned.
const PROBE_MARGIN: f64 = 400.0;

impl<G: PerfectInfo + Keyed + Evaluate> ExpectimaxSearch<'_, G> {
    /// Returns the value to `seat` of a chance node.
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
        // An average is a proven win only if every outcome is. A window beyond the range of evaluations asks for such a
        // proof, so open it: only the outcomes can give one.
        let window = Window {
            alpha: if window.alpha < -MAX_EVALUATION { -WON } else { window.alpha },
            beta: if window.beta > MAX_EVALUATION { WON } else { window.beta },
        };
        // At chance nodes the table holds values for the first seat, because no seat is to move.
        let hash = self.table.map(|_| hash_of(&self.game.key(state)));
        if let Some((found, value)) = self.probe_table(hash, place.ply) {
            let (bound, value) =
                if seat == Seat::FIRST { (found.bound, value) } else { negated(found.bound, value) };
            if u32::from(found.depth) >= place.depth && is_sufficient(bound, value, window) {
                return Some(value);
            }
        }
        let begin = self.buffers.outcomes.len();
        let outcomes =
            self.game.chances(state).map(|(action, weight)| Outcome { action, weight, low: -WON, high: WON });
        self.buffers.outcomes.extend(outcomes);
        if self.options.star > 0 {
            // Likely outcomes cut soonest. The sort is stable.
            self.buffers.outcomes[begin..].sort_by(|one, other| other.weight.total_cmp(&one.weight));
        }
        let (value, bound) = self.average(state, seat, place, window, begin)?;
        self.buffers.outcomes.truncate(begin);
        let (kept_bound, kept) = if seat == Seat::FIRST { (bound, value) } else { negated(bound, value) };
        self.store(hash, place, kept, kept_bound, None);
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
        let end = self.buffers.outcomes.len();
        // Step 1. Star2: one reply to each outcome bounds the outcome's value from the replying seat's side.
        if self.options.star == 2 {
            for i in begin..end {
                self.probe(state, seat, place, window, i)?;
                if let Some(cut) = self.cut(window, begin, end) {
                    return Some(cut);
                }
            }
        }
        // Step 2. ExpectimaxSearch the outcomes. Star1: each within the window in which it can still matter.
        for i in begin..end {
            let next = after_action(self.game, state, self.buffers.outcomes[i].action);
            let within = if self.options.star == 0 {
                Window::OPEN
            } else {
                let wanted = Bounds { low: window.alpha, high: window.beta };
                let Bounds { low, high } = matters(&self.buffers.outcomes[begin..end], i - begin, wanted);
                Window { alpha: low.max(-WON), beta: high.min(WON) }
            };
            let value = self.value(&next, seat, place, within)?;
            let outcome = &mut self.buffers.outcomes[i];
            // A value outside its window is a bound, and then the average is outside its own window.
            (outcome.low, outcome.high) = (value, value);
            if value <= within.alpha && within.alpha > -WON {
                return Some((
                    bounds(&self.buffers.outcomes[begin..end]).high.min(window.alpha).max(-MAX_EVALUATION),
                    Bound::AtMost,
                ));
            }
            if value >= within.beta && within.beta < WON {
                return Some((
                    bounds(&self.buffers.outcomes[begin..end]).low.max(window.beta).min(MAX_EVALUATION),
                    Bound::AtLeast,
                ));
            }
        }
        let average = bounds(&self.buffers.outcomes[begin..end]).low;
        let outcomes = &self.buffers.outcomes[begin..end];
        let judged = if outcomes
            .iter()
            .all(|outcome| outcome.low.abs() > MAX_EVALUATION && outcome.low * average > 0.0)
        {
            average
        } else {
            average.clamp(-MAX_EVALUATION, MAX_EVALUATION)
        };
        Some((judged, Bound::Exact))
    }

    /// Returns a bound of the average if it already lies outside the window.
    fn cut(&self, window: Window, begin: usize, end: usize) -> Option<(f64, Bound)> {
        let Bounds { low, high } = bounds(&self.buffers.outcomes[begin..end]);
        if high <= window.alpha {
            Some((high.max(-MAX_EVALUATION), Bound::AtMost))
        } else if low >= window.beta {
            Some((low.min(MAX_EVALUATION), Bound::AtLeast))
        } else {
            None
        }
    }

    /// Searches one reply to an outcome to narrow the outcome's bounds.
    fn probe(&mut self, state: &G::State, seat: Seat, place: Place, window: Window, i: usize) -> Option<()> {
        let next = after_action(self.game, state, self.buffers.outcomes[i].action);
        let Phase::Decide(mover) = self.game.phase(&next) else { return Some(()) };
        let within = Window {
            alpha: (window.alpha - PROBE_MARGIN).max(-WON),
            beta: (window.beta + PROBE_MARGIN).min(WON),
        };
        let value = if place.depth > 0 {
            // The first action of the order. One that leads to chance again would cost more than it gains.
            let hash = self.table.map(|_| hash_of(&self.game.key(&next)));
            let from_table = self.probe_table(hash, place.ply).and_then(|(found, _)| found.action);
            let begin = self.list(&next, mover, place.ply, from_table);
            let reply = self.next(begin);
            self.buffers.candidates.truncate(begin);
            let Some(reply) = reply.filter(|reply| !reply.leads_to_chance) else { return Some(()) };
            let reached = after_action(self.game, &next, reply.action);
            self.value(&reached, seat, place.after(), within)?
        } else if self.options.quiescence {
            // Not capturing is a reply, too.
            let looks = f64::from(self.game.evaluate(self.weights, &next));
            if mover == seat { looks } else { -looks }
        } else {
            return Some(());
        };
        let outcome = &mut self.buffers.outcomes[i];
        if mover == seat && value > within.alpha {
            outcome.low = outcome.low.max(value);
        } else if mover != seat && value < within.beta {
            outcome.high = outcome.high.min(value);
        }
        Some(())
    }
}

/// Returns a value and its bound from the other seat's point of view.
fn negated(bound: Bound, value: f64) -> (Bound, f64) {
    let bound = match bound {
        Bound::Exact => Bound::Exact,
        Bound::AtLeast => Bound::AtMost,
        Bound::AtMost => Bound::AtLeast,
    };
    (bound, -value)
}
