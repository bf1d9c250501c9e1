//! Averages over all outcomes of a draw.

use parlor_core::{Phase, Seat, Staged};

use super::{EDGE, OpenHand, TO_THE_END, Value, Window, usable};
use crate::evaluation::LastChoice;
use crate::star::{Outcome, bounds, matters};
use crate::table::Bound;

impl<G: Staged> OpenHand<'_, '_, G> {
    /// Returns the average over all outcomes: exact inside the window, a bound outside.
    pub(super) fn average(
        &mut self,
        state: &G::State,
        depth: u32,
        lead: f64,
        window: Window,
        last: Option<LastChoice<'_, G>>,
    ) -> Option<Value> {
        if depth == 0 {
            return self.guess(state, 0, last);
        }
        let window = if self.star == 0 { Window::ALL } else { window };
        let hash = self.hash(state);
        if let Some(value) = self.table.get(hash).and_then(|found| usable(found, depth, window)) {
            return Some(value);
        }
        let base = self.outcomes.len();
        let (low, high) = if self.star == 0 { (0.0, 0.0) } else { self.game.reach(self.objective, state) };
        let game = self.game;
        self.outcomes.extend(game.chances(state).map(|(action, weight)| Outcome {
            action,
            weight,
            low,
            high,
        }));
        let (value, bound) = self.weigh((state, lead), depth, window, base, last)?;
        self.outcomes.truncate(base);
        self.put(hash, value.gain, if value.solved { TO_THE_END } else { depth as u8 }, bound, None);
        Some(Value { gain: window.rounded(value.gain, bound), ..value })
    }

    /// Averages the outcomes from `base` on by their weights.
    fn weigh(
        &mut self,
        before: (&G::State, f64),
        depth: u32,
        window: Window,
        base: usize,
        last: Option<LastChoice<'_, G>>,
    ) -> Option<(Value, Bound)> {
        let end = self.outcomes.len();
        // The first bounds of the outcomes are certain: the reach of the game.
        let mut solved = true;
        if self.star == 2 && depth > 1 && window != Window::ALL {
            for at in base..end {
                solved &= self.probe(before, depth, window, base, at)?;
                let known = bounds(&self.outcomes[base..]);
                if known.high <= window.low {
                    return Some((Value { gain: known.high, solved }, Bound::AtMost));
                }
                if known.low >= window.high {
                    return Some((Value { gain: known.low, solved }, Bound::AtLeast));
                }
            }
        }
        for at in base..end {
            let within =
                if self.star == 0 { Window::ALL } else { matters(&self.outcomes[base..], at - base, window) };
            let value = self.step(before, self.outcomes[at].action, depth - 1, 0, within, last)?;
            solved &= value.solved;
            let outcome = &mut self.outcomes[at];
            (outcome.low, outcome.high) = (value.gain, value.gain);
            // Outside its window a value is a bound, and then the average is outside its own.
            if value.gain <= within.low + EDGE {
                let gain = bounds(&self.outcomes[base..]).high.min(window.low);
                return Some((Value { gain, solved }, Bound::AtMost));
            }
            if value.gain >= within.high - EDGE {
                let gain = bounds(&self.outcomes[base..]).low.max(window.high);
                return Some((Value { gain, solved }, Bound::AtLeast));
            }
        }
        Some((Value { gain: bounds(&self.outcomes[base..]).low, solved }, Bound::Exact))
    }

    /// Searches one reply to an outcome and narrows the bounds of the outcome. Returns whether the result is exact.
    fn probe(
        &mut self,
        (state, lead): (&G::State, f64),
        depth: u32,
        window: Window,
        base: usize,
        at: usize,
    ) -> Option<bool> {
        let game = self.game;
        let mut next = state.clone();
        game.apply(&mut next, self.outcomes[at].action);
        let Phase::Decide(seat) = game.phase(&next) else { return Some(true) };
        // This gives a lower bound for the seat only: useless if the other side of the window is open.
        let maximises = seat == Seat::FIRST;
        let useful = if maximises { window.high.is_finite() } else { window.low.is_finite() };
        if self.has_ended(&next) || !useful || game.actions(&next).len() == 1 {
            return Some(true);
        }
        let gain = self.lead(&next) - lead;
        let known = self.table.get(self.hash(&next)).and_then(|found| found.action);
        let first = self.ahead.len();
        self.look_ahead(&next, depth - 1, seat, known);
        let reply = self.ahead[self.ahead.len() - 1].action;
        self.ahead.truncate(first);
        let within = matters(&self.outcomes[base..], at - base, window);
        let value = self.step(
            (&next, lead + gain),
            reply,
            depth - 2,
            0,
            within.after(gain),
            Some((&next, seat, reply)),
        )?;
        let outcome = &mut self.outcomes[at];
        if maximises && value.gain > within.low - gain + EDGE {
            outcome.low = outcome.low.max(gain + value.gain);
        } else if !maximises && value.gain < within.high - gain - EDGE {
            outcome.high = outcome.high.min(gain + value.gain);
        }
        Some(value.solved)
    }
}
