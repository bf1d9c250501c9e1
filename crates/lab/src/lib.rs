//! Experiments with agents: matches, tournaments, trainings and experiments, from the request to the report. [`run`] is where
//! they are run; the other modules hold what they are made of.
//!
//! The laboratory works through the dynamic side of `parlor-core` and knows no game and no agent by name.

pub mod chart;
pub mod classify;
pub mod experiment;
pub mod forfeits;
pub mod format;
pub mod log;
pub mod manifest;
mod page;
pub mod pairs;
pub mod record;
pub mod regret;
pub mod run;
pub mod samples;
pub mod session;
pub mod sheet;
pub mod stages;
pub mod toml_reader;
pub mod tournament;
pub mod trainee;
pub mod training;
pub mod training_report;
pub mod verdict;

pub use manifest::Manifest;
pub use pairs::{GameRow, PairMatch, PairRow, Tally, Terms, oracles, seated_spec};
pub use tournament::Plan;
pub use tournament::standings::{Standings, Table};
pub use verdict::{Sequential, Verdict};
