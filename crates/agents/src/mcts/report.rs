//! What the trees say together: which action to take, and what to tell.

use std::time::Duration;

use parlor_core::small_sort::small_sort;
use parlor_core::{Certainty, Considered, PerfectInfo, Seat, Thought};

use super::tree::{Bounds, ROOT, Turn};
use super::worker::Worker;

/// What all trees know about one action of the root, in payoffs of the seat to move.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) struct Candidate<A> {
    pub(super) action: A,
    pub(super) visits: u64,
    pub(super) mean: f64,
    /// Between what values the payoff is proven to lie.
    low: f64,
    high: f64,
}

impl<A> Candidate<A> {
    pub(super) fn is_proven(&self) -> bool {
        self.low >= self.high
    }

    /// Returns how sure the value is: more than what is proven impossible it cannot give, however it went in the simulations.
    fn certainty(&self) -> Certainty {
        match self.is_proven() {
            true => Certainty::Proven,
            false if self.mean > self.high => Certainty::AtMost,
            false => Certainty::Guess,
        }
    }

    /// Returns what it seems to give, which is nothing that is proven impossible.
    pub(super) fn value(&self) -> f64 {
        self.mean.min(self.high).max(self.low)
    }
}

/// Adds up the roots of `workers`, best action first. Their roots are the same decision of `seat`.
///
/// The best is the action with the most visits of those that may give more than what is sure, unless what is sure is more than
/// that one seems to give.
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
    // First what may give more than what is sure, by visits, then the others by value; then the best of these takes its place.
    let sure = candidates.iter().fold(f64::NEG_INFINITY, |most, candidate| most.max(candidate.low));
    small_sort(&mut candidates, |one, other| {
        let by_value = other.value().total_cmp(&one.value());
        let order = match (one.high > sure, other.high > sure) {
            (true, true) => other.visits.cmp(&one.visits).then(by_value),
            (false, false) => {
                by_value.then(other.is_proven().cmp(&one.is_proven())).then(other.visits.cmp(&one.visits))
            }
            (one, other) => other.cmp(&one),
        };
        order.is_lt()
    });
    if let Some(proven) = candidates.iter().position(|candidate| candidate.high <= sure) {
        let value = candidates[proven].low;
        if proven > 0 && (value > candidates[0].mean || value >= range.high) {
            candidates[..=proven].rotate_right(1);
        }
    }
    candidates
}

/// Puts candidates into words. `line` is how the match would go on.
pub(super) fn thought<A: Copy>(
    candidates: &[Candidate<A>],
    line: Vec<A>,
    simulations: u64,
    elapsed: Duration,
) -> Thought<A> {
    // The best action is proven and nothing open could be better.
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
    /// Returns how the match would go on after `first`: the most visited actions, up to the next chance.
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
