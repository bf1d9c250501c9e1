//! Experiments with agents. For now: matches in pairs and tournaments, what they say, and where they are kept.
//!
//! The laboratory works through the dynamic side of `parlor-core` and knows no game and no agent by name.

pub mod chart;
pub mod experiment;
pub mod learnt;
pub mod log;
pub mod manifest;
mod order;
mod page;
pub mod pairs;
pub mod record;
pub mod regret;
pub mod school;
pub mod sheet;
pub mod tournament;
pub mod training;
pub mod verdict;
pub mod words;
pub mod written;

pub use manifest::Manifest;
pub use pairs::{GameRow, PairMatch, PairRow, Tally, Terms, oracles, seated_spec};
pub use record::Record;
pub use tournament::Plan;
pub use tournament::standings::{Standings, Table};
pub use verdict::{Sequential, Verdict};
