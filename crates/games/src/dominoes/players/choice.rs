//! Choice of the best play, with a rule for ties.

use std::cmp::Ordering;

use parlor_core::{Decision, Key, Kind, Rng, Settings};

use crate::dominoes::{Action, Board, Dominoes};

/// Choice among equally good plays. The sources do not specify it.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Ties {
    /// The first in the game's order: place by place (left, right, up, down), at each place by the tile's number.
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

/// The best plays: their key, and their number.
struct Best<K> {
    key: K,
    count: u32,
}

/// Returns the key of an action; `None` for a pass, which is never a choice.
fn liking<K>(decision: &Decision<'_, Dominoes>, action: Action, like: impl Fn(&Board) -> K) -> Option<K> {
    let Action::Play(tile, end) = action else { return None };
    Some(like(&decision.game.board_after(&decision.view.board, tile, end)))
}

fn best<K: PartialOrd>(decision: &Decision<'_, Dominoes>, like: impl Fn(&Board) -> K) -> Best<Option<K>> {
    let mut best = Best { key: None, count: 0 };
    for &action in decision.actions {
        let key = liking(decision, action, &like);
        match key.partial_cmp(&best.key) {
            Some(Ordering::Greater) => best = Best { key, count: 1 },
            Some(Ordering::Equal) => best.count += 1,
            _ => {}
        }
    }
    best
}

/// Returns the play that leads to the board with the largest key. Draws from `rng` only for random ties.
pub(super) fn act<K: PartialOrd>(
    decision: &Decision<'_, Dominoes>,
    ties: Ties,
    rng: &mut Rng,
    like: impl Fn(&Board) -> K,
) -> Action {
    let best = best(decision, &like);
    let skip = if ties == Ties::Random && best.count > 1 { rng.below(best.count) } else { 0 };
    let mut level = decision.actions.iter().filter(|&&action| liking(decision, action, &like) == best.key);
    *level.nth(skip as usize).expect("a decision offers at least one action")
}

/// Writes the probability with which [`act`] takes each action.
pub(super) fn weigh<K: PartialOrd>(
    decision: &Decision<'_, Dominoes>,
    ties: Ties,
    weights: &mut Vec<f64>,
    like: impl Fn(&Board) -> K,
) {
    let best = best(decision, &like);
    let mut left = if ties == Ties::Random { best.count } else { 1 };
    let share = 1.0 / f64::from(left);
    weights.clear();
    weights.extend(decision.actions.iter().map(|&action| {
        let takes = left > 0 && liking(decision, action, &like) == best.key;
        left -= u32::from(takes);
        if takes { share } else { 0.0 }
    }));
}
