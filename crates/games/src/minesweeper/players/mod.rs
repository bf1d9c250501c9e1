//! The player for minesweeper only.
//!
//! It uses [`View`](super::View)s only, and acts equally on equal views. [`agents`] lists it for the catalog.

mod deduce;
mod guess;
mod obvious;

use parlor_core::api::{AgentEntry, Make};

use super::Minesweeper;
use crate::board::bits::Word;

pub use deduce::Deduce;

/// Returns the players for minesweeper.
#[must_use]
pub fn agents<W: Word>() -> Vec<AgentEntry<Minesweeper<W>>> {
    vec![AgentEntry {
        name: "deduce",
        summary: "opens what is certainly safe; else the click after which most is likely to be",
        keys: Deduce::<W>::KEYS,
        make: Make::Agent(|context| Ok(Box::new(Deduce::read(context.settings)))),
        policy: None,
    }]
}

#[cfg(test)]
mod tests;
