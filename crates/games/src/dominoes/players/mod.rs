//! Players for dominoes only: rules of thumb, no search.
//!
//! They use [`View`](super::View)s only, allocate nothing while deciding, and act equally on equal views and equal
//! random streams. [`agents`] lists them for the catalog.

mod defense;
mod expert;
mod scoring;
mod tile_random;

use parlor_core::api::{AgentEntry, Make};
use parlor_core::{Decision, Key};

use super::{Action, Board, Dominoes};

pub use crate::choice::Ties;
pub use defense::{Defense, defensive_score};
pub use expert::{Expert, Weights};
pub use scoring::Scoring;
pub use tile_random::TileRandom;

/// Returns the key of an action by the board that it leads to; `None` for a pass, which is never a choice.
fn liking<K>(decision: &Decision<'_, Dominoes>, action: Action, like: impl Fn(&Board) -> K) -> Option<K> {
    let Action::Play(tile, end) = action else { return None };
    Some(like(&decision.game.board_after(&decision.view.board, tile, end)))
}

/// The keys of the two myopic players.
const MYOPIC_KEYS: &[Key] = &[Ties::KEY];

/// Returns the players for dominoes, the strongest first.
#[must_use]
pub fn agents() -> Vec<AgentEntry<Dominoes>> {
    vec![
        AgentEntry {
            name: "expert",
            summary: "weighs points, risks, blocks, doubles, suits and pips; remembers what the other seat lacked",
            keys: Expert::KEYS,
            make: Make::Agent(|context| Ok(Box::new(Expert::read(context.settings)))),
            policy: Some(|context| Ok(Box::new(Expert::read(context.settings)))),
        },
        AgentEntry {
            name: "scoring",
            summary: "scores as much as it can now, else raises the board count",
            keys: MYOPIC_KEYS,
            make: Make::Agent(|context| Ok(Box::new(Scoring { ties: Ties::read(context.settings) }))),
            policy: Some(|context| Ok(Box::new(Scoring { ties: Ties::read(context.settings) }))),
        },
        AgentEntry {
            name: "defense",
            summary: "leaves as few different values to play on as it can, then a low board count",
            keys: MYOPIC_KEYS,
            make: Make::Agent(|context| Ok(Box::new(Defense { ties: Ties::read(context.settings) }))),
            policy: Some(|context| Ok(Box::new(Defense { ties: Ties::read(context.settings) }))),
        },
        AgentEntry {
            name: "random-tile",
            summary: "chooses uniformly among the tiles that can be played, then among the places",
            keys: &[],
            make: Make::Agent(|_| Ok(Box::new(TileRandom))),
            policy: Some(|_| Ok(Box::new(TileRandom))),
        },
    ]
}

#[cfg(test)]
pub(super) mod tests;
