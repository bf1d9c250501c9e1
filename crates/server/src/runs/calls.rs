//! The calls about runs. All of them are the owner's.

use std::path::Path;
use std::sync::{Arc, Mutex};

use hyper::StatusCode;
use parlor_core::Cancel;
use parlor_core::files::reading::read_regular;
use parlor_lab::experiment::PUBLISHED;
use parlor_lab::log;
use serde::Deserialize;
use serde_json::{Value, json};

use super::work::{prepare, work};
use super::{Kind, MOST_RUNS, Phase, Run, Runs, lock};
use crate::App;
use crate::http::problem::{Answer, Problem, sentence};
use crate::http::reply::{Reply, bytes, json, nothing, sandboxed};
use crate::ids::Token;

/// The largest file of a report.
const LARGEST: u64 = 32 << 20;

/// The files of a run that are shown, with their media types. Pages come from runs that may have any name, so they are sandboxed.
const SHOWN: &[(&str, &str)] = &[
    ("html", "text/html; charset=utf-8"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("csv", "text/plain; charset=utf-8"),
    ("json", "application/json"),
    ("jsonl", "text/plain; charset=utf-8"),
    ("md", "text/plain; charset=utf-8"),
    ("toml", "text/plain; charset=utf-8"),
];

/// A run as it is asked for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunRequest {
    kind: Kind,
    toml: String,
}

/// `GET /api/runs`.
pub fn list(runs: &Runs) -> Reply {
    let mut all: Vec<Arc<Run>> = lock(&runs.runs).values().cloned().collect();
    all.sort_by_key(|run| std::cmp::Reverse(lock(&run.facts).started));
    json(StatusCode::OK, &json!({"runs": all.iter().map(|run| run.row()).collect::<Vec<_>>()}))
}

/// `GET /api/runs/R`.
///
/// # Errors
/// If there is no such run.
pub fn show(runs: &Runs, id: &str) -> Answer<Reply> {
    Ok(json(StatusCode::OK, &runs.find(id)?.whole()))
}

/// `POST /api/runs`.
///
/// # Errors
/// If the text does not fit, or too many runs are at work.
pub async fn start(app: &Arc<App>, request: RunRequest) -> Answer<Reply> {
    let folder = app.runs.folder.clone();
    let folder = folder
        .ok_or_else(|| Problem::full("there is no place to keep runs: start the server with --folder"))?;
    if lock(&app.runs.runs).len() >= MOST_RUNS {
        return Err(Problem::full("there are too many runs: delete some"));
    }
    let id = Token::new();
    let run = begin(app, id, folder.join(id.to_string()), request.kind, request.toml, None).await?;
    Ok(json(StatusCode::CREATED, &json!({"run": run.id.to_string(), "row": run.row()})))
}

/// Prepares a run, which may take a while, and lets it work on a thread of its own.
async fn begin(
    app: &Arc<App>,
    id: Token,
    folder: std::path::PathBuf,
    kind: Kind,
    toml: String,
    old: Option<Arc<Run>>,
) -> Answer<Arc<Run>> {
    let turn = app.runs.turn()?;
    let (threads, places) = (app.runs.threads, app.runs.places.clone());
    let sharing = Arc::clone(app);
    let begun = tokio::task::spawn_blocking(move || {
        parlor_core::files::reading::make_folder(&folder)
            .map_err(|error| Problem::full(format!("the run cannot be kept: {error}")))?;
        let prepared = prepare(kind, &toml, &folder, (threads, places), old.is_some());
        let (mut facts, prepared, curves) = match prepared {
            Ok(prepared) => prepared,
            Err(problem) => {
                if old.is_none() {
                    let _ = std::fs::remove_dir_all(&folder);
                }
                return Err(problem);
            }
        };
        if let Some(old) = &old {
            facts.started = lock(&old.facts).started;
        }
        let run = Arc::new(Run {
            id,
            folder,
            facts: Mutex::new(facts),
            points: Mutex::new(old.map(|old| old.points_from(0)).unwrap_or_default()),
            cancel: Mutex::new(Cancel::new()),
            app: Arc::downgrade(&sharing),
        });
        let _ = run.keep();
        lock(&sharing.runs.runs).insert(id, Arc::clone(&run));
        run.tell();
        let working = Arc::clone(&run);
        std::thread::Builder::new()
            .name("run".to_owned())
            .spawn(move || work(&working, prepared, curves, threads, turn))
            .map_err(|_| Problem::full("the system has no threads left"))?;
        Ok(run)
    });
    begun.await.map_err(|_| Problem::bad("the run cannot be prepared"))?
}

/// `POST /api/runs/R/stop`.
///
/// # Errors
/// If there is no such run, or it is not at work.
pub fn stop(runs: &Runs, id: &str) -> Answer<Reply> {
    let run = runs.find(id)?;
    if lock(&run.facts).phase != Phase::Running {
        return Err(Problem::conflict("the run is not at work"));
    }
    lock(&run.cancel).cancel();
    Ok(json(StatusCode::OK, &run.row()))
}

/// `POST /api/runs/R/resume`.
///
/// # Errors
/// If there is no such run, or it is at work or done.
pub async fn resume(app: &Arc<App>, id: &str) -> Answer<Reply> {
    let run = app.runs.find(id)?;
    let (kind, toml, phase) = {
        let facts = lock(&run.facts);
        (facts.kind, facts.toml.clone(), facts.phase)
    };
    if matches!(phase, Phase::Running | Phase::Done) {
        return Err(Problem::conflict("only a run that was stopped can be resumed"));
    }
    let run = begin(app, run.id, run.folder.clone(), kind, toml, Some(Arc::clone(&run))).await?;
    Ok(json(StatusCode::OK, &run.row()))
}

/// `DELETE /api/runs/R`.
///
/// # Errors
/// If there is no such run, or it is at work.
pub fn delete(runs: &Runs, id: &str) -> Answer<Reply> {
    let run = runs.find(id)?;
    if lock(&run.facts).phase == Phase::Running {
        return Err(Problem::conflict("the run is at work: stop it first"));
    }
    lock(&runs.runs).remove(&run.id);
    let _ = std::fs::remove_dir_all(&run.folder);
    run.tell();
    Ok(nothing(StatusCode::NO_CONTENT))
}

/// `GET /api/runs/templates`: texts to begin with.
pub fn templates() -> Reply {
    let experiments: Vec<Value> =
        PUBLISHED.iter().map(|(name, toml)| json!({"name": name, "toml": toml})).collect();
    json(
        StatusCode::OK,
        &json!({
            "match": "game = \"connect(width=7, height=6)\"\nagents = [\"mcts(sims=200)\", \"alphabeta(depth=4)\"]\npairs = 200\nseed = 1\n# sprt = [0, 50]\n# time = \"10s\"\n# opening = 2\n",
            "tournament": "game = \"dominoes\"\nagents = [\"expert\", \"scoring\", \"defense\", \"random\"]\nkind = \"round-robin\"\npairs = 100\nseed = 1\n",
            "training": "game = \"tictactoe\"\nlearner = \"collective(weigh=respondent, evaluate=linear, gamma=1, update=mean, prior=2, ties=half, epsilon=0.1)\"\nagainst = [\"self\"]\ntesters = [\"random\"]\nrounds = 40\nround = 500\ntest_matches = 200\npairs = 200\ndeals = 0\nseed = 1\n",
            "experiments": experiments,
        }),
    )
}

/// `GET /reports/R/FILE`.
///
/// # Errors
/// If there is no such file.
pub fn report(runs: &Runs, id: &str, path: &[&str]) -> Answer<Reply> {
    let unknown = || Problem::missing("there is no such file");
    let run = runs.find(id)?;
    let name = path.join("/");
    let ending = Path::new(&name).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let (_, kind) = SHOWN.iter().find(|(known, _)| *known == ending).ok_or_else(unknown)?;
    // No part begins with a dot, so nothing above the folder can be named; a link in it might lead elsewhere.
    let folder = run.folder.canonicalize().map_err(|_| unknown())?;
    let file = folder.join(&name).canonicalize().map_err(|_| unknown())?;
    if !file.starts_with(&folder) {
        return Err(unknown());
    }
    let content = read_regular(&file, LARGEST).map_err(|_| unknown())?;
    Ok(sandboxed(bytes(StatusCode::OK, kind, content)))
}

/// `GET /api/history`: the log of matches and tournaments.
///
/// # Errors
/// If it cannot be read.
pub fn history(runs: &Runs) -> Answer<Reply> {
    let Some(home) = &runs.places.home else {
        return Ok(json(StatusCode::OK, &json!({"entries": [], "skipped": 0})));
    };
    let read = log::read(home);
    let (mut entries, skipped) = read.map_err(|error| Problem::full(sentence(&error)))?;
    entries.reverse();
    entries.truncate(500);
    let entries: Vec<Value> = entries.iter().map(log::Entry::with_rating).collect();
    Ok(json(StatusCode::OK, &json!({"entries": entries, "skipped": skipped})))
}
