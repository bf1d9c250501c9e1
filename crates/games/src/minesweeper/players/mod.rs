//! The player that knows minesweeper and nothing else.
//!
//! It looks at [`View`](super::View)s only, and answers equally to equal views. [`agents`] lists it for the catalog.

mod deduce;
mod guess;
mod obvious;

use parlor_core::api::{AgentEntry, Make};

use super::Minesweeper;
use crate::board::bits::Word;

pub use deduce::Deduce;

/// Returns the players that belong to minesweeper.
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
