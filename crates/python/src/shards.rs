//! Runs in parts, for schedulers: a plan is a text, a shard is a file's bytes.

use std::path::PathBuf;

use parlor_lab::run::experiments::Changes;
use parlor_lab::run::shards::{Merged, merge as merge_shards, write};
use parlor_lab::run::{Keep, MatchRun, RunOptions, RunPlan, Shard, ShardRun, TournamentRun};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::json;

use crate::errors::{self, ParlorError};
use crate::guests::open_with;
use crate::long::{self, Listening};
use crate::runs::{PairsAsked, experiment_text};

fn nowhere() -> RunOptions {
    RunOptions { threads: 1, ..RunOptions::default() }
}

fn text_of(run: &ShardRun) -> PyResult<String> {
    serde_json::to_string(run.plan()).map_err(|error| errors::other(&error))
}

/// Returns the plan of a match.
#[pyfunction]
pub fn plan_match(asked: PairsAsked) -> PyResult<String> {
    let run = MatchRun::new(&asked.of_match()?, &open_with(&[]), nowhere()).map_err(errors::run)?;
    text_of(&ShardRun::of_match(run).map_err(errors::run)?)
}

/// Returns the plan of a tournament.
#[pyfunction]
pub fn plan_tournament(asked: PairsAsked) -> PyResult<String> {
    let run = TournamentRun::new(&asked.of_tournament()?, &open_with(&[]), nowhere()).map_err(errors::run)?;
    text_of(&ShardRun::of_tournament(run).map_err(errors::run)?)
}

/// Returns the plan of an experiment.
#[pyfunction]
pub fn plan_experiment(
    experiment: &str,
    quick: bool,
    trainings: Option<u32>,
    seed: Option<u64>,
) -> PyResult<String> {
    let changes = Changes { quick, trainings, seed };
    let run = ShardRun::of_experiment(&experiment_text(experiment)?, changes, 1, &open_with(&[]));
    text_of(&run.map_err(errors::run)?)
}

fn shard(number: u64, of: u64) -> PyResult<Shard> {
    let none = || ParlorError::new_err(format!("there is no shard {number} of {of}"));
    Shard::new(number, of).ok_or_else(none)
}

fn run_of(plan: &str, threads: usize) -> PyResult<ShardRun> {
    let plan: RunPlan = serde_json::from_str(plan).map_err(|error| errors::other(&error))?;
    ShardRun::of_plan(plan, threads, &open_with(&[])).map_err(errors::run)
}

/// Returns how many units a plan has.
#[pyfunction]
pub fn plan_units(py: Python<'_>, plan: &str) -> PyResult<u64> {
    py.detach(|| Ok(run_of(plan, 1)?.units()))
}

/// Plays a shard and returns the bytes of its file.
#[pyfunction]
#[pyo3(signature = (plan, number, of, *, threads, progress))]
pub fn play_shard<'py>(
    py: Python<'py>,
    plan: &str,
    number: u64,
    of: u64,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let shard = shard(number, of)?;
    let bytes = long::run(py, progress.as_ref(), |cancel, tell| {
        let mut listening = Listening::new(tell);
        run_of(plan, threads)?.play(shard, cancel, &mut |event| listening.hear(event)).map_err(errors::run)
    })?;
    Ok(PyBytes::new(py, &bytes))
}

/// Returns whether a folder holds a shard of a plan already.
#[pyfunction]
pub fn has_shard(py: Python<'_>, plan: &str, folder: PathBuf, number: u64, of: u64) -> PyResult<bool> {
    let shard = shard(number, of)?;
    py.detach(|| run_of(plan, 1)?.is_in(&folder, shard).map_err(errors::run))
}

/// Writes the bytes of a shard to its file in a folder.
#[pyfunction]
pub fn write_shard(folder: PathBuf, number: u64, of: u64, bytes: &[u8]) -> PyResult<PathBuf> {
    write(&folder, shard(number, of)?, bytes).map_err(errors::run)
}

/// Merges the shards of a folder into a run folder. Returns what the run came to.
#[pyfunction]
#[pyo3(signature = (folder, out, *, threads, progress))]
pub fn merge(
    py: Python<'_>,
    folder: PathBuf,
    out: PathBuf,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    long::run(py, progress.as_ref(), |cancel, tell| {
        let options = RunOptions { keep: Keep::In(out), threads, ..RunOptions::default() };
        let mut listening = Listening::new(tell);
        let merged =
            merge_shards(&folder, options, &open_with(&[]), cancel, &mut |event| listening.hear(event));
        Ok(match merged.map_err(errors::run)? {
            Merged::Match(report) => json!({
                "kind": "match",
                "manifest": report.manifest,
                "verdict": report.verdict,
                "stopped": report.stop.early_word(),
                "folder": report.folder,
                "games": [],
            }),
            Merged::Tournament(report) => json!({
                "kind": "tournament",
                "plan": report.plan,
                "names": report.names,
                "standings": report.standings,
                "stopped": report.stop.early_word(),
                "folder": report.folder,
                "games": [],
            }),
            Merged::Experiment(report) => json!({
                "kind": "experiment",
                "folder": report.folder,
                "stopped": report.stop.early_word(),
            }),
        }
        .to_string())
    })
}
