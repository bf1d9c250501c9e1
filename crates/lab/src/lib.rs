//! Experiments with agents. For now: matches in pairs.
//!
//! The laboratory works through the dynamic side of `parlor-core` and knows no game and no agent by name.

pub mod pairs;

pub use pairs::{GameRow, PairMatch, PairRow, Tally};
