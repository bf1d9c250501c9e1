//! What is proven: bounds of payoffs, carried from the ends of matches up to the root.
//!
//! M. H. M. Winands, Y. Björnsson, J.-T. Saito, *Monte-Carlo Tree Search Solver*, 2008, for wins and losses; with bounds
//! instead, draws and margins are proven too: T. Cazenave, A. Saffidine, *Score Bounded Monte-Carlo Tree Search*, 2010. A
//! chance node's bounds are the means of its outcomes'.

use super::tree::{Bounds, DISCARDED, ROOT, Tree, Turn};

impl<A: Copy + PartialEq> Tree<A> {
    /// Records the value of a node to the first seat for good.
    pub(super) fn settle(&mut self, at: usize, value: f32) {
        self.bounds[at] = Bounds { low: value, high: value };
        self.nodes[at].turn = Turn::Settled;
    }

    /// The last node of `path` has new bounds: those above it may have too.
    ///
    /// `path` says of each node from the root on who chose it; `sum` is what both seats get together.
    pub(super) fn prove_upwards(&mut self, path: &[(u32, Turn)], sum: f32) {
        for &(at, chooser) in path[..path.len() - 1].iter().rev() {
            let at = at as usize;
            let before = self.bounds[at];
            let after = self.bounds_from_below(at);
            // What was known before stays known.
            let now = Bounds { low: after.low.max(before.low), high: after.high.min(before.high) };
            self.bounds[at] = now;
            self.discard(at);
            if now.are_tight() {
                self.settle(at, now.low);
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
                // Weights may add up to a little more or less than 1: a sure win is to stay one.
                let least = over(f32::INFINITY, f32::min).low;
                let most = over(f32::NEG_INFINITY, f32::max).high;
                Bounds { low: mean.low.clamp(least, most), high: mean.high.clamp(least, most) }
            }
            Turn::Unknown | Turn::Settled => self.bounds[at],
        }
    }

    /// Discards the children of a node that its chooser does not need to look at again: those that cannot be better than what
    /// is sure already. What is sure itself goes on being chosen at its exact value, so that the means above it are right, while
    /// the simulation goes on beside it; at the root, where an action is to be found, it is discarded too.
    pub(super) fn discard(&mut self, at: usize) {
        let turn = self.nodes[at].turn;
        if !matches!(turn, Turn::First | Turn::Second) {
            return;
        }
        let own = |bounds: Bounds| match turn {
            Turn::Second => Bounds { low: -bounds.high, high: -bounds.low },
            _ => bounds,
        };
        let sure = own(self.bounds[at]).low;
        let worst = own(self.open()).low;
        let mut keeper = None;
        for child in self.children(at) {
            let bounds = own(self.bounds[child]);
            if sure > worst && keeper.is_none() && bounds.low >= sure {
                keeper = Some(child);
                if at != ROOT || !bounds.are_tight() {
                    continue;
                }
            }
            if bounds.high <= sure || at == ROOT && bounds.are_tight() {
                self.nodes[child].bonus = DISCARDED;
            }
        }
    }
}
