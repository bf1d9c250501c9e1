//! Experiments with agents. For now: matches in pairs, what they say, and where they are kept.
//!
//! The laboratory works through the dynamic side of `parlor-core` and knows no game and no agent by name.

pub mod log;
pub mod manifest;
mod order;
pub mod pairs;
pub mod record;
pub mod verdict;

pub use manifest::Manifest;
pub use pairs::{GameRow, PairMatch, PairRow, Tally};
pub use record::Record;
pub use verdict::{Sequential, Verdict};
