//! The calls about tables.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use hyper::StatusCode;
use parlor_core::files::saved::{SavedEnding, SavedGame};
use parlor_core::{Seat, TimeControl};
use parlor_lab::session::{Occupant, Session, SessionSetup, Turn};
use serde::Deserialize;

use super::Tables;
use super::snapshot::shoulder;
use super::state::Pace;
use super::table::{NewTable, Table, Viewer};
use crate::http::problem::{Answer, Problem};
use crate::http::reply::{Reply, json_text, nothing};
use crate::ids::Token;

/// How long an action waits for the reply of the other seat.
const REPLY: Duration = Duration::from_millis(150);

/// How long the pause between the decisions of two agents may be, in milliseconds.
const LONGEST_PACE: u64 = 60_000;

/// The usual pause between the decisions of two agents, in milliseconds.
const PACE: u64 = 600;

/// The longest name of a person.
const LONGEST_NAME: usize = 40;

/// The word for a seat that a person plays.
const HUMAN: &str = "human";

/// A table as it is asked for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableRequest {
    game: String,
    seats: Vec<String>,
    position: Option<String>,
    seed: Option<u64>,
    time: Option<String>,
    pace_ms: Option<u64>,
    #[serde(default)]
    paused: bool,
}

/// An action as it is asked for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ActRequest {
    action: String,
    ply: Option<usize>,
}

/// A request without fields.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Empty {}

/// A change of the pace of two agents.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PaceRequest {
    pace_ms: Option<u64>,
    paused: Option<bool>,
    #[serde(default)]
    step: bool,
}

fn person(text: &str) -> Answer<Option<String>> {
    let Some(rest) = text.strip_prefix(HUMAN) else { return Ok(None) };
    let name = match rest.strip_prefix(':') {
        None if rest.is_empty() => "you",
        None => return Ok(None),
        Some(name) => name.trim(),
    };
    let fits =
        !name.is_empty() && name.chars().count() <= LONGEST_NAME && !name.chars().any(char::is_control);
    if fits {
        Ok(Some(name.to_owned()))
    } else {
        Err(Problem::bad(format!("a person's name has 1 to {LONGEST_NAME} characters")))
    }
}

fn paced(pace_ms: u64) -> Answer<u64> {
    if pace_ms <= LONGEST_PACE {
        Ok(pace_ms)
    } else {
        Err(Problem::field("pace_ms", format!("the pause is at most {LONGEST_PACE} milliseconds")))
    }
}

/// Lays a table and seats everyone. May take a moment: some agents read a lot.
fn lay(tables: &Arc<Tables>, request: &TableRequest) -> Answer<Arc<Table>> {
    let game = tables.game(&request.game)?;
    if request.seats.len() != usize::from(game.seats()) {
        let (name, seats, players) = (game.name(), game.seats(), request.seats.len());
        return Err(Problem::field("seats", format!("{name} has {seats} seats, not {players}")));
    }
    let time = match &request.time {
        None => TimeControl::default(),
        Some(text) => {
            text.parse().map_err(|error| Problem::field("time", crate::http::problem::sentence(&error)))?
        }
    };
    let mut seats = Vec::new();
    let (mut memory, mut searches) = (0, false);
    for (number, text) in request.seats.iter().enumerate() {
        let place = format!("seats[{number}]");
        seats.push(match person(text).map_err(|problem| problem.at(&place))? {
            Some(name) => Occupant::Person(name),
            None => {
                let agent = tables.offered.seatable(&*game, text).map_err(|problem| problem.at(&place))?;
                memory += agent.memory;
                searches |= agent.searches;
                Occupant::Agent(agent.spec)
            }
        });
    }
    let keys: Vec<Option<Token>> =
        seats.iter().map(|seat| matches!(seat, Occupant::Person(_)).then(Token::new)).collect();
    let is_watch = keys.iter().all(Option::is_none);
    let pace = is_watch.then(|| paced(request.pace_ms.unwrap_or(PACE))).transpose()?.map(|pace_ms| Pace {
        pace_ms,
        paused: request.paused,
        step: false,
    });
    let reserved = tables.reserve(memory)?;
    let setup = SessionSetup {
        seed: request.seed.unwrap_or_else(|| Token::new().seed()),
        position: request.position.clone(),
        seats,
        time,
        ponder: false,
        autosave: None,
    };
    let laid = Session::new(&*game, &setup).map_err(Problem::from).and_then(|session| {
        Table::new(NewTable {
            id: Token::new(),
            game,
            session,
            keys,
            watch_key: is_watch.then(Token::new),
            memory: reserved,
            searches,
            pace,
            version: 0,
        })
    });
    let table = laid.inspect_err(|_| tables.release(reserved))?;
    tables.add(&table);
    tables.keep(&table);
    Ok(table)
}

/// `POST /api/tables`.
///
/// # Errors
/// If the table cannot be laid.
pub async fn create(tables: &Arc<Tables>, request: TableRequest) -> Answer<Reply> {
    let laying = Arc::clone(tables);
    let laid = tokio::task::spawn_blocking(move || lay(&laying, &request)).await;
    let table = laid.map_err(|_| Problem::bad("the agent cannot be seated"))??;
    let first = table.keys.iter().position(Option::is_some);
    let viewer = match first {
        Some(seat) => Viewer::Seat(Seat(seat as u8)),
        None => Viewer::Watcher,
    };
    table.settled(if first.is_some() { REPLY } else { Duration::ZERO }).await;
    let keys: Vec<Option<String>> = table.keys.iter().map(|key| key.map(|key| key.to_string())).collect();
    let mut text = format!("{{\"table\":\"{}\",\"keys\":{}", table.name, serde_json::json!(keys));
    if let Some(key) = table.watch_key {
        text.push_str(&format!(",\"key\":\"{key}\""));
    }
    text.push_str(",\"snapshot\":");
    let mut bytes = text.into_bytes();
    bytes.extend_from_slice(&table.snapshot(viewer));
    bytes.push(b'}');
    Ok(json_text(StatusCode::CREATED, bytes))
}

/// `GET /api/tables/T`.
///
/// # Errors
/// If the key opens nothing.
pub fn show(tables: &Tables, table: &Arc<Table>, key: Option<&str>) -> Answer<Reply> {
    let viewer = table.viewer(key)?;
    tables.enqueue(table);
    Ok(json_text(StatusCode::OK, table.snapshot(viewer)))
}

/// Returns a refusal that shows how things stand.
fn stale(error: &str, snapshot: &Bytes) -> Problem {
    Problem { snapshot: Some(snapshot.clone()), ..Problem::conflict(error) }
}

/// `POST /api/tables/T/act`.
///
/// # Errors
/// If it is not the seat's turn, or the action is not legal.
pub async fn act(
    tables: &Arc<Tables>,
    table: &Arc<Table>,
    key: Option<&str>,
    request: &ActRequest,
) -> Answer<Reply> {
    let seat = table.seat(key)?;
    let viewer = Viewer::Seat(seat);
    {
        let mut state = table.lock();
        let ply = state.ply(seat);
        if request.ply.is_some_and(|at| at != ply) {
            let error = format!("the match has gone on: this seat has seen {ply} plies");
            return Err(stale(&error, &table.snapshot_of(&mut state, viewer)));
        }
        if state.turn != Turn::Person(seat) {
            let error = match state.turn {
                Turn::Over(_) => "the match is over",
                Turn::Person(_) | Turn::Agent(_) => "it is the other seat's turn",
            };
            return Err(stale(error, &table.snapshot_of(&mut state, viewer)));
        }
        let acted = state.session.act(seat, &request.action);
        // Also after a refusal: a flag may have fallen.
        if acted.is_ok() {
            table.moved(&mut state)?;
        }
        acted?;
    }
    tables.keep(table);
    tables.continue_after(table, Duration::ZERO);
    let is_settled = table.settled(REPLY).await;
    let status = if is_settled { StatusCode::OK } else { StatusCode::ACCEPTED };
    Ok(json_text(status, table.snapshot(viewer)))
}

/// `POST /api/tables/T/undo`.
///
/// # Errors
/// If there is nothing to take back, or something is hidden.
pub async fn undo(tables: &Arc<Tables>, table: &Arc<Table>, key: Option<&str>) -> Answer<Reply> {
    let seat = table.seat(key)?;
    {
        let mut state = table.lock_undisturbed().await;
        state.session.undo(seat)?;
        state.rewrite();
        table.moved(&mut state)?;
    }
    tables.keep(table);
    tables.continue_after(table, Duration::ZERO);
    Ok(json_text(StatusCode::OK, table.snapshot(Viewer::Seat(seat))))
}

/// `POST /api/tables/T/resign`.
///
/// # Errors
/// If the match is over.
pub async fn resign(tables: &Arc<Tables>, table: &Arc<Table>, key: Option<&str>) -> Answer<Reply> {
    let seat = table.seat(key)?;
    {
        let mut state = table.lock_undisturbed().await;
        state.session.resign(seat)?;
        table.moved(&mut state)?;
    }
    tables.keep(table);
    Ok(json_text(StatusCode::OK, table.snapshot(Viewer::Seat(seat))))
}

/// `POST /api/tables/T/move-now`.
///
/// # Errors
/// If no agent is to move.
pub async fn move_now(tables: &Tables, table: &Arc<Table>, key: Option<&str>) -> Answer<Reply> {
    let viewer = player(table, key)?;
    {
        let mut state = table.lock();
        if !matches!(state.turn, Turn::Agent(_)) {
            return Err(stale("no agent is to move", &table.snapshot_of(&mut state, viewer)));
        }
        state.hurry();
    }
    tables.enqueue(table);
    table.settled(REPLY).await;
    Ok(json_text(StatusCode::OK, table.snapshot(viewer)))
}

/// Returns who plays or watches here.
fn player(table: &Table, key: Option<&str>) -> Answer<Viewer> {
    match table.viewer(key)? {
        Viewer::Public => Err(Problem::forbidden("this needs a key of the table in X-Parlor-Seat")),
        viewer => Ok(viewer),
    }
}

/// `DELETE /api/tables/T`.
///
/// # Errors
/// If the key opens nothing.
pub fn delete(tables: &Tables, table: &Table, key: Option<&str>) -> Answer<Reply> {
    player(table, key)?;
    tables.remove(table);
    Ok(nothing(StatusCode::NO_CONTENT))
}

/// `POST /api/tables/T/pace`.
///
/// # Errors
/// If it is not a table of two agents.
pub fn pace(
    tables: &Arc<Tables>,
    table: &Arc<Table>,
    key: Option<&str>,
    request: &PaceRequest,
) -> Answer<Reply> {
    if table.viewer(key)? != Viewer::Watcher {
        return Err(Problem::forbidden("only who watches two agents sets their pace"));
    }
    {
        let mut state = table.lock();
        let Some(pace) = &mut state.pace else { return Err(Problem::conflict("people play here")) };
        if let Some(pace_ms) = request.pace_ms {
            pace.pace_ms = paced(pace_ms)?;
        }
        pace.paused = request.paused.unwrap_or(pace.paused);
        pace.step = request.step;
        table.announce(&mut state);
    }
    tables.enqueue(table);
    Ok(json_text(StatusCode::OK, table.snapshot(Viewer::Watcher)))
}

/// `GET /api/tables/T/saved`.
///
/// # Errors
/// If it is not over and something is hidden.
pub fn saved(table: &Table, key: Option<&str>) -> Answer<Reply> {
    let viewer = table.viewer(key)?;
    let state = table.lock();
    let is_over = matches!(state.turn, Turn::Over(_));
    let hides = !table.game.is_open() || shoulder(&*table.game, viewer, is_over).is_none();
    if hides && !is_over {
        return Err(Problem::conflict("something is hidden: the match can be saved when it is over"));
    }
    let saved = state.session.saved();
    // Seed and streams tell what chance and agents will do next.
    let saved = if saved.ending == SavedEnding::Unfinished {
        SavedGame { seed: 0, table: None, ..saved }
    } else {
        saved
    };
    Ok(json_text(StatusCode::OK, saved.line() + "\n"))
}
