//! The deals of a game: every state that chance can lead to before the first decision.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::rules::game::{Game, Phase};

/// A state before the first decision.
#[derive(Clone, PartialEq, Debug)]
pub struct Deal<G: Game> {
    /// The state.
    pub state: G::State,
    /// Its probability.
    pub odds: f64,
    /// One path of chance that leads to it.
    pub path: Vec<G::Action>,
}

/// Errors of [`deals`]: `E` is the reason to stop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoDeals<E> {
    /// There are more than the limit.
    TooMany,
    /// The caller stopped it.
    Stopped(E),
}

/// Returns all states before the first decision; paths to the same state are merged. The order depends on the rules alone.
///
/// `check` is called often; its error ends the work.
///
/// # Errors
/// If there are more than `most`, or `check` fails.
pub fn deals<G: Game, E>(
    game: &G,
    most: usize,
    mut check: impl FnMut() -> Result<(), E>,
) -> Result<Vec<Deal<G>>, NoDeals<E>> {
    let mut now: Vec<Deal<G>> = vec![Deal { state: game.start(), odds: 1.0, path: Vec::new() }];
    while now.iter().any(|deal| game.phase(&deal.state) == Phase::Chance) {
        let mut places: HashMap<G::State, usize> = HashMap::new();
        let mut next: Vec<Deal<G>> = Vec::new();
        for deal in now {
            check().map_err(NoDeals::Stopped)?;
            if game.phase(&deal.state) != Phase::Chance {
                next.push(deal);
                continue;
            }
            for (outcome, weight) in game.chances(&deal.state) {
                let mut after = deal.state.clone();
                game.apply(&mut after, outcome);
                match places.entry(after) {
                    Entry::Occupied(known) => next[*known.get()].odds += deal.odds * weight,
                    Entry::Vacant(new) => {
                        let mut path = deal.path.clone();
                        path.push(outcome);
                        next.push(Deal { state: new.key().clone(), odds: deal.odds * weight, path });
                        new.insert(next.len() - 1);
                    }
                }
            }
            if next.len() > most {
                return Err(NoDeals::TooMany);
            }
        }
        now = next;
    }
    Ok(now)
}
