//! Combines the trees: chooses the action and reports the thought.

use std::time::Duration;

use parlor_core::small_sort::small_sort;
use parlor_core::{Certainty, Considered, PerfectInfo, Seat, Thought};

use super::tree::{Bounds, ROOT, Turn};
use super::worker::Worker;

/// The statistics of one root action over all trees, as payoffs of the seat to move.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) struct Candidate<A> {
    pub(super) action: A,
    pub(super) visits: u64,
    pub(super) mean: f64,
    /// The proven bounds of the payoff.
    low: f64,
    high: f64,
}

impl<A> Candidate<A> {
    pub(super) fn is_proven(&self) -> bool {
        self.low >= self.high
    }

    /// Returns the certainty of the value. The mean of the simulations may exceed the proven upper bound; then the value
    /// is that bound.
    fn certainty(&self) -> Certainty {
        match self.is_proven() {
            true => Certainty::Proven,
            false if self.mean > self.high => Certainty::AtMost,
            false => Certainty::Guess,
        }
    }

    /// Returns the estimated payoff, limited to the proven bounds.
    pub(super) fn value(&self) -> f64 {
        self.mean.min(self.high).max(self.low)
    }
}

/// Sums the root statistics of `workers`, best action first. All roots are the same decision of `seat`.
///
/// The best action is the most visited one of those that may exceed the highest proven payoff, unless that payoff exceeds
/// its estimate.
pub(super) fn candidates<'w, G: PerfectInfo>(
    game: &G,
    seat: Seat,
    workers: impl Iterator<Item = &'w Worker<G>>,
) -> Vec<Candidate<G::Action>> {
    let range = game.range();
    let sum = range.sum.unwrap_or(0.0);
    let mut candidates: Vec<Candidate<G::Action>> = Vec::new();
    for worker in workers {
        let tree = &worker.tree;
        for child in tree.children(ROOT) {
            let node = &tree.nodes[child];
            let Bounds { low, high } = tree.bounds[child];
            let (low, high) = match seat {
                Seat::FIRST => (f64::from(low), f64::from(high)),
                _ => (sum - f64::from(high), sum - f64::from(low)),
            };
            let total = f64::from(node.mean) * f64::from(node.visits);
            match candidates.iter_mut().find(|candidate| candidate.action == node.action) {
                Some(known) => {
                    let visits = known.visits + u64::from(node.visits);
                    known.mean = (known.mean * known.visits as f64 + total) / visits.max(1) as f64;
                    known.visits = visits;
                    known.low = known.low.max(low);
                    known.high = known.high.min(high);
                }
                None => candidates.push(Candidate {
                    action: node.action,
                    visits: u64::from(node.visits),
                    mean: f64::from(node.mean),
                    low,
                    high,
                }),
            }
        }
    }
    // First those that may exceed the proven payoff, by visits, then the others by value; then the best moves to the front.
    let proven = candidates.iter().fold(f64::NEG_INFINITY, |most, candidate| most.max(candidate.low));
    small_sort(&mut candidates, |one, other| {
        let by_value = other.value().total_cmp(&one.value());
        let order = match (one.high > proven, other.high > proven) {
            (true, true) => other.visits.cmp(&one.visits).then(by_value),
            (false, false) => {
                by_value.then(other.is_proven().cmp(&one.is_proven())).then(other.visits.cmp(&one.visits))
            }
            (one, other) => other.cmp(&one),
        };
        order.is_lt()
    });
    if let Some(proven) = candidates.iter().position(|candidate| candidate.high <= proven) {
        let value = candidates[proven].low;
        if proven > 0 && (value > candidates[0].mean || value >= range.high) {
            candidates[..=proven].rotate_right(1);
        }
    }
    candidates
}

/// Returns the candidates as a thought. `line` is the expected continuation.
pub(super) fn thought<A: Copy>(
    candidates: &[Candidate<A>],
    line: Vec<A>,
    simulations: u64,
    elapsed: Duration,
) -> Thought<A> {
    // The best action is proven, and no unproven one can be better.
    let proven = candidates
        .first()
        .is_some_and(|best| best.is_proven() && candidates.iter().all(|other| other.high <= best.low));
    Thought {
        depth: line.len() as u32,
        nodes: simulations,
        counts: "simulations",
        elapsed,
        value: candidates.first().map_or(0.0, Candidate::value),
        unit: "payoff",
        certainty: if proven { Certainty::Proven } else { Certainty::Guess },
        end_in: None,
        line,
        moves: candidates
            .iter()
            .map(|candidate| Considered {
                action: candidate.action,
                value: candidate.value(),
                certainty: candidate.certainty(),
                visits: candidate.visits,
            })
            .collect(),
    }
}

impl<G: PerfectInfo> Worker<G> {
    /// Returns the expected continuation after `first`: the most visited actions up to the next chance node.
    pub(super) fn line(&self, first: G::Action) -> Vec<G::Action> {
        let mut line = vec![first];
        let mut at = self.tree.child(ROOT, first);
        while let Some(node) = at {
            if self.tree.nodes[node].turn == Turn::Chance {
                break;
            }
            at = self.tree.children(node).max_by_key(|&child| self.tree.nodes[child].visits);
            at = at.filter(|&child| self.tree.nodes[child].visits > 0);
            line.extend(at.map(|child| self.tree.nodes[child].action));
        }
        line
    }
}
