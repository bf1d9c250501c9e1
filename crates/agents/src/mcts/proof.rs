//! Proofs: bounds on payoffs, backed up from the ends of matches to the root.
//!
//! M. H. M. Winands, Y. Björnsson, J.-T. Saito, *Monte-Carlo Tree Search Solver*, 2008, prove wins and losses. Bounds
//! also prove draws and margins: T. Cazenave, A. Saffidine, *Score Bounded Monte-Carlo Tree Search*, 2010. A chance
//! node's bounds are the weighted means of its outcomes' bounds.

use super::tree::{Bounds, DISCARDED, ROOT, Tree, Turn};

impl<A: Copy + PartialEq> Tree<A> {
    /// Records the proven value of a node to the first seat.
    pub(super) fn mark_solved(&mut self, at: usize, value: f32) {
        self.bounds[at] = Bounds { low: value, high: value };
        self.nodes[at].turn = Turn::Solved;
    }

    /// Backs up new bounds of the last node of `path`.
    ///
    /// `path` holds each node from the root on with the seat that chose it; `sum` is the sum of both seats' payoffs.
    pub(super) fn back_up_bounds(&mut self, path: &[(u32, Turn)], sum: f32) {
        for &(at, chooser) in path[..path.len() - 1].iter().rev() {
            let at = at as usize;
            let before = self.bounds[at];
            let after = self.bounds_from_below(at);
            // Bounds never get wider.
            let now = Bounds { low: after.low.max(before.low), high: after.high.min(before.high) };
            self.bounds[at] = now;
            self.discard(at);
            if now.are_tight() {
                self.mark_solved(at, now.low);
                self.nodes[at].mean = if chooser == Turn::Second { sum - now.low } else { now.low };
            } else if now == before {
                return;
            }
        }
    }

    fn bounds_from_below(&self, at: usize) -> Bounds {
        let children = self.children(at);
        let all = &self.bounds[children.clone()];
        let over = |start: f32, pick: fn(f32, f32) -> f32| Bounds {
            low: all.iter().fold(start, |best, child| pick(best, child.low)),
            high: all.iter().fold(start, |best, child| pick(best, child.high)),
        };
        match self.nodes[at].turn {
            Turn::First => over(f32::NEG_INFINITY, f32::max),
            Turn::Second => over(f32::INFINITY, f32::min),
            Turn::Chance => {
                let mut mean = Bounds { low: 0.0, high: 0.0 };
                for (bounds, node) in all.iter().zip(&self.nodes[children]) {
                    mean.low += node.bonus * bounds.low;
                    mean.high += node.bonus * bounds.high;
                }
                // Rounding can make the weights add up to slightly more or less than 1; a proven win must stay one.
                let least = over(f32::INFINITY, f32::min).low;
                let most = over(f32::NEG_INFINITY, f32::max).high;
                Bounds { low: mean.low.clamp(least, most), high: mean.high.clamp(least, most) }
            }
            Turn::Unknown | Turn::Solved => self.bounds[at],
        }
    }

    /// Discards the children that cannot beat the value their chooser has already proven. A child with that proven value
    /// is still chosen, at its exact value, so that the means above stay right while the simulation continues beside it.
    /// At the root, where the search looks for an action, it is discarded too.
    pub(super) fn discard(&mut self, at: usize) {
        let turn = self.nodes[at].turn;
        if !matches!(turn, Turn::First | Turn::Second) {
            return;
        }
        let own = |bounds: Bounds| match turn {
            Turn::Second => Bounds { low: -bounds.high, high: -bounds.low },
            _ => bounds,
        };
        let proven = own(self.bounds[at]).low;
        let worst = own(self.open()).low;
        let mut keeper = None;
        for child in self.children(at) {
            let bounds = own(self.bounds[child]);
            if proven > worst && keeper.is_none() && bounds.low >= proven {
                keeper = Some(child);
                if at != ROOT || !bounds.are_tight() {
                    continue;
                }
            }
            if bounds.high <= proven || at == ROOT && bounds.are_tight() {
                self.nodes[child].bonus = DISCARDED;
            }
        }
    }
}
