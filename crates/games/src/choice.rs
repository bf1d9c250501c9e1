//! Choice of the best action by a key, with a rule for ties: what rule-based players have in common.

use std::cmp::Ordering;

use parlor_core::{Decision, Game, Key, Kind, Rng, Settings};

/// Choice among equally good actions. The sources do not specify it.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Ties {
    /// The first in the game's order.
    #[default]
    First,
    /// Any of them, each equally likely.
    Random,
}

impl Ties {
    /// The key of the rule.
    pub const KEY: Key = Key {
        name: "tie_break",
        kind: Kind::Choice(&["first", "random"]),
        default: "first",
        help: "choice among equally good moves: the first in the game's order, or a random one",
    };

    /// Reads the key.
    #[must_use]
    pub fn read(settings: &Settings) -> Ties {
        if settings.text(Ties::KEY.name) == "random" { Ties::Random } else { Ties::First }
    }
}

/// The best actions: their key, and their number.
struct Best<K> {
    key: K,
    count: u32,
}

fn best<G: Game, K: PartialOrd>(
    decision: &Decision<'_, G>,
    like: impl Fn(G::Action) -> Option<K>,
) -> Best<Option<K>> {
    let mut best = Best { key: None, count: 0 };
    for &action in decision.actions {
        let key = like(action);
        match key.partial_cmp(&best.key) {
            Some(Ordering::Greater) => best = Best { key, count: 1 },
            Some(Ordering::Equal) => best.count += 1,
            _ => {}
        }
    }
    best
}

/// Returns the action with the largest key; an action without a key is the last choice. Draws from `rng` only for random ties.
pub(crate) fn act<G: Game, K: PartialOrd>(
    decision: &Decision<'_, G>,
    ties: Ties,
    rng: &mut Rng,
    like: impl Fn(G::Action) -> Option<K>,
) -> G::Action {
    let best = best(decision, &like);
    let skip = if ties == Ties::Random && best.count > 1 { rng.below(best.count) } else { 0 };
    let mut level = decision.actions.iter().filter(|&&action| like(action) == best.key);
    *level.nth(skip as usize).expect("a decision offers at least one action")
}

/// Writes the probability with which [`act`] takes each action.
pub(crate) fn weigh<G: Game, K: PartialOrd>(
    decision: &Decision<'_, G>,
    ties: Ties,
    weights: &mut Vec<f64>,
    like: impl Fn(G::Action) -> Option<K>,
) {
    let best = best(decision, &like);
    let mut left = if ties == Ties::Random { best.count } else { 1 };
    let share = 1.0 / f64::from(left);
    weights.clear();
    weights.extend(decision.actions.iter().map(|&action| {
        let takes = left > 0 && like(action) == best.key;
        left -= u32::from(takes);
        if takes { share } else { 0.0 }
    }));
}
