//! Exact answers about positions, and agents that think about them.

use std::time::Duration;

use parlor_catalog::DealValue;
use parlor_core::api::Question;
use parlor_core::{Clock, Resources, Seat, Thought, TimeControl};
use parlor_lab::regret::{Plan, Regret};
use parlor_lab::seated_spec;
use pyo3::prelude::*;
use serde_json::{Map, Value, json};

use crate::errors;
use crate::guests::{GuestList, entries, open_with};
use crate::long::{self, Update, with_progress};

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

/// Returns what an agent loses against perfect play.
#[pyfunction]
#[pyo3(signature = (game, agent, *, against, deals, opening, all, seed, threads, memory_mb, guests, progress))]
#[expect(clippy::too_many_arguments, reason = "keywords in Python")]
pub fn regret(
    py: Python<'_>,
    game: &str,
    agent: &str,
    against: &str,
    deals: u64,
    opening: u32,
    all: bool,
    seed: u64,
    threads: usize,
    memory_mb: usize,
    guests: GuestList,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    long::run(py, progress.as_ref(), |cancel, tell| {
        let game = open_with(&entries(guests, cancel))(game).map_err(errors::spec)?;
        let full = |spec| seated_spec(&*game, spec).map_err(errors::spec);
        let meets = !all && game.seats() > 1;
        let names = (full(agent)?, if meets { Some(full(against)?) } else { None });
        let means = Resources { threads: 1, memory_mb };
        let regret = if all {
            let specs = vec![agent; usize::from(game.seats())];
            let mut referee = game.referee(&specs, &means).map_err(errors::api)?;
            let judged = with_progress(cancel, tell, |progress| referee.judge_all(seed, progress));
            Regret::of_all(referee.unit(), judged.map_err(errors::api)?)
        } else {
            let game = &*game;
            let plan = Plan { game, agent, against, deals, seed, opening, threads, means };
            let count = |done| tell(Update::Done { done, total: deals });
            plan.run(cancel, count).map_err(errors::api)?
        };
        let mut answer = json!(regret);
        answer["game"] = json!(game.spec());
        (answer["agent"], answer["against"]) = (json!(names.0), json!(names.1));
        Ok(answer.to_string())
    })
}

/// Returns how the hands of a game are dealt, and perhaps what each deal with open hands is worth to the seat that leads.
#[pyfunction]
#[pyo3(signature = (game, *, values, threads, memory_mb, progress))]
pub fn deals(
    py: Python<'_>,
    game: &str,
    values: bool,
    threads: usize,
    memory_mb: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let game = parlor_catalog::open(game).map_err(errors::spec)?;
    long::run(py, progress.as_ref(), |cancel, tell| {
        let deals = game.deals().map_err(|error| errors::other(&error))?;
        let count = deals.count();
        let mut listed = None;
        if values {
            let means = Resources { threads, memory_mb };
            let found = with_progress(cancel, tell, |progress| deals.values(&means, progress));
            let rows = found.map_err(errors::api)?.into_iter();
            let row = |one: DealValue| json!({ "deal": one.deal, "leader": one.leader, "value": one.value });
            listed = Some(rows.map(row).collect::<Vec<_>>());
        }
        Ok(json!({
            // Larger than the whole numbers of JSON.
            "deals": count.deals.to_string(),
            "tiles": count.tiles,
            "hand": count.hand,
            "boneyard": count.boneyard,
            "game": count.game,
            "values": listed,
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
