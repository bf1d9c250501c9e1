//! Experiments with agents. For now: matches in pairs and tournaments, what they say, and where they are kept.
//!
//! The laboratory works through the dynamic side of `parlor-core` and knows no game and no agent by name.

pub mod chart;
pub mod experiment;
pub mod format;
pub mod log;
pub mod manifest;
mod page;
pub mod pairs;
pub mod record;
pub mod regret;
pub mod sheet;
pub mod toml_reader;
pub mod tournament;
pub mod trainee;
pub mod training;
pub mod training_report;
pub mod verdict;

pub use manifest::Manifest;
pub use pairs::{GameRow, PairMatch, PairRow, Tally, Terms, oracles, seated_spec};
pub use record::Record;
pub use tournament::Plan;
pub use tournament::standings::{Standings, Table};
pub use verdict::{Sequential, Verdict};
