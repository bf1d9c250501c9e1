//! Exact answers about positions, and agents that think about them.

use std::time::Duration;

use parlor_catalog::equilibria::exploit::ExploitParams;
use parlor_catalog::equilibria::sequence_form::Detail;
use parlor_core::api::Question;
use parlor_core::{Clock, Resources, Seat, Thought, TimeControl};
use pyo3::prelude::*;
use serde_json::{Map, Value, json};

use crate::errors;
use crate::guests::{GuestList, entries, open_with};
use crate::long::{self, with_progress};

/// Returns the value of a position, every best action, and perhaps the value of each action.
#[pyfunction]
#[pyo3(signature = (game, position, *, each, threads, memory_mb, progress))]
pub fn solve(
    py: Python<'_>,
    game: &str,
    position: Option<&str>,
    each: bool,
    threads: usize,
    memory_mb: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let game = parlor_catalog::open(game).map_err(errors::spec)?;
    long::run(py, progress.as_ref(), |cancel, tell| {
        let mut solver = game.solver(&Resources { threads, memory_mb }).map_err(errors::api)?;
        let solved = with_progress(cancel, tell, |progress| solver.solve(position, progress));
        let solved = solved.map_err(errors::api)?;
        let mut values = None;
        if each {
            let found = with_progress(cancel, tell, |progress| solver.values(position, progress));
            let pairs = found.map_err(errors::api)?.into_iter();
            values = Some(pairs.map(|(action, value)| (action, json!(value))).collect::<Map<_, _>>());
        }
        Ok(json!({
            "value": solved.value,
            "best": solved.best,
            "nodes": solved.nodes,
            "unit": solver.unit(),
            "game": game.spec(),
            "values": values,
        })
        .to_string())
    })
}

/// Returns the exact odds of mines.
#[pyfunction]
pub fn odds(py: Python<'_>, game: &str, position: Option<&str>) -> PyResult<String> {
    let game = parlor_catalog::open(game).map_err(errors::spec)?;
    long::run(py, None, |_, _| {
        let odds = game.odds().map_err(|error| errors::other(&error))?.odds(position);
        let odds = odds.map_err(|error| errors::other(&error))?;
        let mines: Map<String, Value> =
            odds.mines.into_iter().map(|(cell, odds)| (cell, json!(odds))).collect();
        Ok(json!({ "mines": mines, "random_win": odds.random_win, "layouts": odds.layouts }).to_string())
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
        let params = ExploitParams {
            samples,
            detail: if full { Detail::Everything } else { Detail::Essential },
            seed,
            resources: Resources { threads, memory_mb },
        };
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

fn thought_json(thought: &Thought<String>) -> Value {
    json!({
        "depth": thought.depth,
        "nodes": thought.nodes,
        "counts": thought.counts,
        "seconds": thought.elapsed.as_secs_f64(),
        "value": thought.value,
        "unit": thought.unit,
        "certainty": thought.certainty,
        "end_in": thought.end_in,
        "line": thought.line,
        "moves": thought.moves,
    })
}

/// Returns what an agent thinks about a position.
#[pyfunction]
#[pyo3(signature = (game, agent, position, moves, *, seat, seed, seconds, beliefs, guests))]
#[expect(clippy::too_many_arguments, reason = "keywords in Python")]
pub fn analyse(
    py: Python<'_>,
    game: &str,
    agent: &str,
    position: Option<&str>,
    moves: &str,
    seat: Option<u8>,
    seed: u64,
    seconds: Option<f64>,
    beliefs: bool,
    guests: GuestList,
) -> PyResult<String> {
    let limit = seconds.map(Duration::try_from_secs_f64).transpose();
    let limit = limit.map_err(|error| errors::other(&error))?;
    let clock = limit.map_or_else(Clock::default, |limit| Clock::new(TimeControl::per_move(limit)));
    long::run(py, None, |cancel, _| {
        let game = open_with(&entries(guests, cancel))(game).map_err(errors::spec)?;
        let mut last = None;
        let question = Question {
            agent,
            position,
            moves,
            plies: None,
            seat: seat.map(Seat),
            seed,
            clock,
            beliefs,
            cancel,
        };
        let analysis = game.analyse(&question, &mut |thought| last = Some(thought_json(thought)));
        let analysis = analysis.map_err(errors::api)?;
        Ok(json!({
            "best": analysis.best,
            "seat": analysis.seat,
            "agent": analysis.agent,
            "game": game.spec(),
            "thought": last,
            "beliefs": analysis.beliefs,
        })
        .to_string())
    })
}
