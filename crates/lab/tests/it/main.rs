//! Tests of runs, files and reports. One binary: linking is what takes the time.

mod chart;
mod classifiers;
mod experiment_files;
mod experiment_findings;
mod experiment_reports;
mod experiment_runs;
mod match_sessions;
#[cfg(unix)]
mod online_experiments;
mod outside;
mod pairs;
mod published_experiments;
mod records;
mod runs;
mod sessions;
mod shards;
mod sheet;
mod studies;
mod tournament;

use parlor_core::SpecError;
use parlor_core::api::AnyGame;

/// Opens a game as the laboratory knows it.
fn open(spec: &str) -> Result<Box<dyn AnyGame>, SpecError> {
    Ok(parlor_catalog::open(spec)?)
}
