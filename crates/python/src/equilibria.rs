//! Small games with secrets: equilibria, what agents lose to their best responses, and how to win from them.

use std::path::{Path, PathBuf};

use parlor_catalog::equilibria::exploit::ExploitParams;
use parlor_catalog::equilibria::respond::RespondParams;
use parlor_catalog::equilibria::sequence_form::Detail;
use parlor_catalog::equilibria::solve::SolveParams;
use parlor_core::Resources;
use parlor_core::files::check_writable;
use pyo3::prelude::*;
use serde_json::json;

use crate::errors::{self, ParlorError};
use crate::long::{self, with_progress};

/// The maximum number of rounds of a response.
const MOST_ROUNDS: u64 = 1_000_000;

/// Refuses a file that is there already or cannot be written, before anything is computed.
fn check(out: Option<&Path>, overwrite: bool) -> PyResult<()> {
    let Some(path) = out else { return Ok(()) };
    if path.exists() && !overwrite {
        let text = format!("{} is there already; overwrite=True replaces it", path.display());
        return Err(ParlorError::new_err(text));
    }
    check_writable(path)
        .map_err(|error| ParlorError::new_err(format!("{} cannot be written: {error}", path.display())))
}

fn queries(samples: u32, full: bool, seed: u64, threads: usize, memory_mb: usize) -> ExploitParams {
    let detail = if full { Detail::Everything } else { Detail::Essential };
    ExploitParams { samples, detail, seed, resources: Resources { threads, memory_mb } }
}

/// Finds an equilibrium of a game whose hands stay hidden.
#[pyfunction]
#[pyo3(signature = (game, *, precision, out, overwrite, threads, memory_mb, progress))]
#[expect(clippy::too_many_arguments, reason = "keywords in Python")]
pub fn equilibrium(
    py: Python<'_>,
    game: &str,
    precision: f64,
    out: Option<PathBuf>,
    overwrite: bool,
    threads: usize,
    memory_mb: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let game = parlor_catalog::open(game).map_err(errors::spec)?;
    check(out.as_deref(), overwrite)?;
    long::run(py, progress.as_ref(), |cancel, tell| {
        let equilibrium = game.equilibrium().map_err(|error| errors::other(&error))?;
        let resources = Resources { threads, memory_mb };
        let params = SolveParams { precision, resources, ..SolveParams::default() };
        let found = with_progress(cancel, tell, |progress| equilibrium.solve(&params, progress));
        let found = found.map_err(|error| errors::other(&error))?;
        if let Some(path) = &out {
            found.strategy.write(path).map_err(|error| errors::other(&error))?;
        }
        let about = &found.strategy.about;
        let best = found.best.into_iter().map(|(action, odds)| (action, json!(odds)));
        let best = best.collect::<serde_json::Map<_, _>>();
        Ok(json!({
            "value": about.value,
            "low": about.low,
            "high": about.high,
            "exploitability": about.exploitability,
            "best": best,
            "information_sets": found.information_sets,
            "nodes": found.nodes,
            "rounds": about.rounds,
            "stopped": found.stopped,
            "game": about.game,
            "file": out,
        })
        .to_string())
    })
}

/// Finds how to win from an agent at a limited risk.
#[pyfunction]
#[pyo3(signature = (game, agent, weight, *, precision, out, overwrite, samples, full, seed, threads, memory_mb, progress))]
#[expect(clippy::too_many_arguments, reason = "keywords in Python")]
pub fn respond(
    py: Python<'_>,
    game: &str,
    agent: &str,
    weight: f64,
    precision: f64,
    out: Option<PathBuf>,
    overwrite: bool,
    samples: u32,
    full: bool,
    seed: u64,
    threads: usize,
    memory_mb: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let game = parlor_catalog::open(game).map_err(errors::spec)?;
    check(out.as_deref(), overwrite)?;
    long::run(py, progress.as_ref(), |cancel, tell| {
        let equilibrium = game.equilibrium().map_err(|error| errors::other(&error))?;
        let queries = queries(samples, full, seed, threads, memory_mb);
        let params = RespondParams { weight, precision, rounds: MOST_ROUNDS, queries };
        let found = with_progress(cancel, tell, |progress| equilibrium.respond(agent, &params, progress));
        let (agent, found) = found.map_err(|error| errors::other(&error))?;
        let found = found.map_err(|error| errors::other(&error))?;
        if let Some(path) = &out {
            found.strategy.write(path).map_err(|error| errors::other(&error))?;
        }
        Ok(json!({
            "gain": found.gain,
            "exploitability": found.exploitability,
            "weight": weight,
            "ceiling": found.ceiling,
            "low": found.low,
            "high": found.high,
            "information_sets": found.information_sets,
            "rounds": found.rounds,
            "samples": found.samples,
            "exact": found.exact,
            "stopped": found.stopped,
            "game": game.spec(),
            "agent": agent,
            "file": out,
        })
        .to_string())
    })
}

/// Returns what an agent loses to its best response.
#[pyfunction]
#[pyo3(signature = (game, agent, *, samples, full, seed, threads, memory_mb, progress))]
#[expect(clippy::too_many_arguments, reason = "keywords in Python")]
pub fn exploit(
    py: Python<'_>,
    game: &str,
    agent: &str,
    samples: u32,
    full: bool,
    seed: u64,
    threads: usize,
    memory_mb: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let game = parlor_catalog::open(game).map_err(errors::spec)?;
    long::run(py, progress.as_ref(), |cancel, tell| {
        let equilibrium = game.equilibrium().map_err(|error| errors::other(&error))?;
        let params = queries(samples, full, seed, threads, memory_mb);
        let found = with_progress(cancel, tell, |progress| equilibrium.exploit(agent, &params, progress));
        let (agent, found) = found.map_err(|error| errors::other(&error))?;
        let found = found.map_err(|error| errors::other(&error))?;
        Ok(json!({
            "exploitability": found.exploitability,
            "as_first": found.as_first,
            "as_second": found.as_second,
            "against_itself": found.against_itself,
            "information_sets": found.information_sets,
            "samples": found.samples,
            "exact": found.exact,
            "game": game.spec(),
            "agent": agent,
        })
        .to_string())
    })
}
