//! `POST /api/hint`: what the moves are worth, as lines of JSON. A client that goes away ends the search.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use parlor_catalog::OpenedGame;
use parlor_core::files::saved::SavedGame;
use parlor_core::{Beliefs, Cancel, Certainty, Phase, Seat};
use parlor_lab::session::{Ask, Found, Hint, HintQuestion, Worth, hint};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::sync::{OwnedSemaphorePermit, mpsc};

use crate::App;
use crate::http::problem::{Answer, Problem};
use crate::http::reply::{Reply, pieces};
use crate::tables::table::{Viewer, thought_json};

/// How long an agent may think about a hint, in milliseconds.
const MOST_MS: u64 = 10_000;

/// How long an agent thinks about a hint if nothing is said, in milliseconds.
const USUAL_MS: u64 = 2_000;

/// How often thoughts are sent.
const THOUGHTS: Duration = Duration::from_millis(80);

/// How much memory the exact solver may use, in mebibytes.
const SOLVER_MEMORY_MB: usize = 64;

/// The most text of moves.
const LONGEST_MOVES: usize = 12 << 10;

/// A hint as it is asked for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HintRequest {
    table: Option<String>,
    game: Option<String>,
    position: Option<String>,
    #[serde(default)]
    moves: String,
    seat: Option<u8>,
    agent: Option<String>,
    exact: Option<bool>,
    ms: Option<u64>,
}

/// Ends a search when its reader has gone away.
pub struct Guard(pub Cancel);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// What is asked, with everything that the search needs.
struct Work {
    game: Arc<dyn OpenedGame>,
    position: Option<String>,
    moves: String,
    seat: Option<Seat>,
    agent: String,
    ask: Ask,
    ms: u64,
}

/// Returns what a hint at a table rests on.
fn at_table(
    saved: SavedGame,
    viewer: Viewer,
    to_move: Option<Seat>,
) -> Answer<(Option<String>, String, Seat)> {
    let to_move = to_move.ok_or_else(|| Problem::conflict("nobody is to move"))?;
    match viewer {
        Viewer::Seat(seat) if seat == to_move => {}
        Viewer::Watcher => {}
        Viewer::Seat(_) => return Err(Problem::conflict("it is the other seat's turn")),
        Viewer::Public => {
            return Err(Problem::forbidden(
                "a hint is for the player of a seat: send its key in X-Parlor-Seat",
            ));
        }
    }
    Ok((saved.start, saved.moves, to_move))
}

async fn work(app: &App, request: HintRequest, key: Option<&str>) -> Answer<Work> {
    let (game, position, moves, seat) = match (&request.table, &request.game) {
        (Some(id), None) => {
            let table = app.tables.find(id).await?;
            let viewer = table.viewer(key)?;
            let (saved, phase) = {
                let state = table.lock();
                (state.session.saved(), state.session.table().phase())
            };
            let to_move = match phase {
                Phase::Decide(seat) => Some(seat),
                Phase::Chance | Phase::Over => None,
            };
            let (position, moves, seat) = at_table(saved, viewer, to_move)?;
            (Arc::clone(&table.game), position, moves, Some(seat))
        }
        (None, Some(game)) => {
            if request.moves.len() > LONGEST_MOVES {
                return Err(Problem::field("moves", "there are too many moves"));
            }
            (app.tables.game(game)?, request.position, request.moves, request.seat.map(Seat))
        }
        _ => return Err(Problem::bad("a hint is asked about a \"table\" or a \"game\"")),
    };
    let usual = || game.table_plan().map_or("random", |plan| plan.hints).to_owned();
    let agent = request.agent.unwrap_or_else(usual);
    let agent = app.tables.offered.seatable(&*game, &agent).map_err(|problem| problem.at("agent"))?.spec;
    let ask = match request.exact {
        None => Ask::Both,
        Some(true) => Ask::Solver,
        Some(false) => Ask::Agent,
    };
    let ms = request.ms.unwrap_or(USUAL_MS).clamp(1, MOST_MS);
    Ok(Work { game, position, moves, seat, agent, ask, ms })
}

/// `POST /api/hint`.
///
/// # Errors
/// If the request is not understood, or too many hints are being thought about.
pub async fn start(app: &Arc<App>, request: HintRequest, key: Option<&str>) -> Answer<Reply> {
    let permit = app.hint_permit()?;
    let work = work(app, request, key).await?;
    let (out, lines) = mpsc::channel(16);
    let cancel = Cancel::new();
    let guard = Box::new(Guard(cancel.clone()));
    tokio::task::spawn_blocking(move || think(&work, &cancel, &out, permit));
    Ok(pieces("application/x-ndjson", lines, Some(guard)))
}

fn send(out: &mpsc::Sender<Bytes>, value: &Value) {
    let mut text = value.to_string();
    text.push('\n');
    // A reader that has gone away has ended the search already.
    let _ = out.blocking_send(text.into());
}

fn think(work: &Work, cancel: &Cancel, out: &mpsc::Sender<Bytes>, permit: OwnedSemaphorePermit) {
    let question = HintQuestion {
        seat: work.seat,
        ask: work.ask,
        agent_time: Duration::from_millis(work.ms),
        solver_time: match work.ask {
            Ask::Solver => Duration::from_millis(work.ms),
            Ask::Both | Ask::Agent => Duration::from_millis(work.ms.min(700)),
        },
        solver_memory_mb: SOLVER_MEMORY_MB,
        ..HintQuestion::new(work.position.as_deref(), &work.moves, &work.agent, cancel)
    };
    let mut last: Option<Instant> = None;
    let found = hint(&*work.game, &question, &mut |found| match found {
        Found::Exact(values) => send(out, &exact_json(&values.values, values.unit)),
        Found::Thought(thought) if last.is_none_or(|last| last.elapsed() >= THOUGHTS) => {
            last = Some(Instant::now());
            let mut line = thought_json(thought);
            line["kind"] = "thought".into();
            line["agent"] = work.agent.clone().into();
            send(out, &line);
        }
        Found::Thought(_) => {}
    });
    match found {
        Ok(hint) => send(out, &final_line(work, &hint)),
        Err(error) => {
            let problem = Problem::from(error);
            let mut line: Value = serde_json::from_str(&problem.json()).unwrap_or_default();
            line["final"] = true.into();
            send(out, &line);
        }
    }
    drop(permit);
}

fn moves_json(values: &[(String, f64)]) -> Value {
    let row = |(action, value): &(String, f64)| json!({"action": action, "value": value, "certainty": Certainty::Proven});
    values.iter().map(row).collect()
}

fn exact_json(values: &[(String, f64)], unit: &str) -> Value {
    json!({"kind": "exact", "unit": unit, "moves": moves_json(values)})
}

/// Returns the last line: everything that was found.
fn final_line(work: &Work, hint: &Hint) -> Value {
    let mut fields = Map::new();
    let mut put = |name: &str, value: Value| fields.insert(name.to_owned(), value);
    put("final", true.into());
    match &hint.worth {
        Worth::Exact(exact) => {
            put("source", "exact".into());
            put("best", exact.values.first().map(|(action, _)| action.clone()).into());
            put("unit", exact.unit.into());
            put("value", exact.values.first().map(|(_, value)| *value).into());
            put("certainty", json!(Certainty::Proven));
            put("moves", moves_json(&exact.values));
            put("line", json!([]));
        }
        Worth::Thought { agent, best, thought } => {
            put("source", agent.clone().into());
            put("best", best.clone().into());
            if let Some(thought) = thought {
                let Value::Object(thought) = thought_json(thought) else { unreachable!("it is an object") };
                for (name, value) in thought {
                    put(&name, value);
                }
            } else {
                put("moves", json!([]));
                put("line", json!([best]));
            }
        }
    }
    if let Some(odds) = mine_odds(work) {
        put("odds", odds);
    }
    if let Some(beliefs) = &hint.beliefs {
        put("beliefs", json!(beliefs));
        let certain = certain(beliefs);
        let sentence = |(thing, place): &(String, String)| format!("{thing} is certainly in the {place}");
        put("facts", certain.iter().map(sentence).collect());
        put("certain", json!(certain));
    }
    Value::Object(fields)
}

/// Returns the exact odds of mines in what the seat sees, in games that have them.
fn mine_odds(work: &Work) -> Option<Value> {
    let counter = work.game.odds().ok()?;
    let position = if work.moves.trim().is_empty() && work.position.is_some() {
        work.position.clone()
    } else {
        let mut table = work.game.table(0, work.position.as_deref()).ok()?;
        work.moves.split_whitespace().try_for_each(|text| table.replay(text)).ok()?;
        table.position(work.seat.unwrap_or(Seat::FIRST))
    };
    let odds = counter.odds(position.as_deref()).ok()?;
    Some(json!({"mines": odds.mines, "random_win": odds.random_win, "layouts": odds.layouts}))
}

/// Returns what is known for certain of hidden things. Sampled worlds prove nothing, so only complete lists of worlds count.
fn certain(beliefs: &Beliefs) -> Vec<(String, String)> {
    if beliefs.sample_size.is_some() {
        return Vec::new();
    }
    let mut facts = Vec::new();
    for (thing, odds) in &beliefs.odds {
        // With one place, the probability 0 is certain as well: there it is not.
        for (place, &odds) in beliefs.places.iter().zip(odds) {
            if odds == 1.0 {
                facts.push((thing.clone(), place.clone()));
            } else if odds == 0.0 && beliefs.places.len() == 1 {
                facts.push((thing.clone(), format!("not {place}")));
            }
        }
    }
    facts
}
