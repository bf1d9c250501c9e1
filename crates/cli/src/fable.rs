//! `parlor fable`: heuristics as processes of their own, and what a store holds.

use std::io;
use std::time::Duration;

use anyhow::Context;
use parlor_catalog::fable::board::Model;
use parlor_catalog::fable::counting::{self, Recount};
use parlor_catalog::fable::worker::{Served, Worker};
use parlor_lab::format::{bytes, counted, grouped};
use parlor_store::{DeliveryCounts, HistorySizes, ModelSizes, SeenWorker, Store};
use serde_json::{Value, json};

use crate::run_support::stop_on_ctrl_c;
use crate::terminal::{No, grid, progress, say, say_aside, say_json};

#[derive(clap::Subcommand, Debug)]
pub enum FableCommand {
    /// Run a heuristic as a process: it counts new games of the store and answers questions, until Ctrl-C
    #[command(after_help = "Examples:\n  \
        parlor fable worker observed --store games\n  \
        parlor fable worker locality --store postgres://worker@db.example/fable\n  \
        parlor match minesweeper 'fable(store=games, carrier=mailbox, deadline_ms=500)' random --pairs 50")]
    Worker(WorkerArgs),
    /// Show what a store holds: games, models, workers and their answers
    #[command(after_help = "Example: parlor fable status --store games --json")]
    Status(StatusArgs),
    /// Count every model again from the history; exit code 1 if anything differs
    #[command(after_help = "Example: parlor fable check --store games")]
    Check(CheckArgs),
}

#[derive(clap::Args, Debug)]
pub struct WorkerArgs {
    /// The heuristic: observed, neighbour, locality, rotation or reflection
    pub heuristic: String,
    /// The store: a folder, or postgres://USER@HOST/DATABASE
    #[arg(long, value_name = "STORE")]
    pub store: String,
    /// Answer lines on standard input instead of the store's mailbox; for agents with carrier=processes
    #[arg(long, hide = true)]
    pub pipe: bool,
}

#[derive(clap::Args, Debug)]
pub struct StatusArgs {
    /// The store: a folder, or postgres://USER@HOST/DATABASE
    #[arg(long, value_name = "STORE")]
    pub store: String,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args, Debug)]
pub struct CheckArgs {
    /// The store: a folder, or postgres://USER@HOST/DATABASE
    #[arg(long, value_name = "STORE")]
    pub store: String,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

pub fn run(command: &FableCommand) -> anyhow::Result<()> {
    match command {
        FableCommand::Worker(args) => worker(args),
        FableCommand::Status(args) => status(args),
        FableCommand::Check(args) => check(args),
    }
}

fn worker(args: &WorkerArgs) -> anyhow::Result<()> {
    let mut worker = Worker::new(&args.heuristic, &args.store)?;
    if args.pipe {
        return Ok(worker.serve_pipe(io::stdin().lock(), io::stdout().lock())?);
    }
    let cancel = stop_on_ctrl_c()?;
    say_aside(format!(
        "{} counts the games of {} and answers questions; Ctrl-C ends it",
        worker.family(),
        args.store
    ));
    let last = worker.count()?;
    say_aside(format!("everything up to game {last} is counted"));
    let bar = progress(0, "answers");
    let mut is_lost = false;
    let ended = worker.serve_mailbox(&cancel, |served| match served {
        Served::Connected => is_lost = false,
        Served::Answered(answered) => bar.set_position(answered),
        // Once for each time that it is lost.
        Served::Lost(error) => {
            if !std::mem::replace(&mut is_lost, true) {
                bar.suspend(|| say_aside(format!("{error}; the worker tries again")));
            }
        }
    });
    bar.finish_and_clear();
    Ok(ended?)
}

/// A worker that was not seen for longer is taken for dead.
const ALIVE: Duration = Duration::from_secs(10);

/// What a store holds.
struct Held {
    history: HistorySizes,
    last: i64,
    models: Vec<(Model, ModelSizes)>,
    workers: Vec<SeenWorker>,
    answers: Vec<DeliveryCounts>,
}

fn held(at: &str) -> anyhow::Result<Held> {
    let store = Store::open(at)?;
    let mut history = store.history()?;
    let mut models = Vec::new();
    for model in counting::models_of(&store)? {
        models.push((model, store.model(model.name())?.sizes()?));
    }
    // A store in which nobody has ever asked has no mailbox.
    let (workers, answers) = match store.mailbox() {
        Ok(mut mailbox) => (mailbox.workers()?, mailbox.deliveries()?),
        Err(_) => (Vec::new(), Vec::new()),
    };
    Ok(Held { history: history.sizes()?, last: history.last()?.0, models, workers, answers })
}

fn status(args: &StatusArgs) -> anyhow::Result<()> {
    let held = held(&args.store).with_context(|| args.store.clone())?;
    if args.json {
        return say_json(&as_json(&held));
    }
    let HistorySizes { games, steps, bytes: size, types } = &held.history;
    say(format!("{} of {} in {}", counted(*games, "game"), counted(*steps, "decision"), bytes(*size)))?;
    for (game, games, steps) in types {
        say(format!("  {game}: {}, {}", counted(*games, "game"), counted(*steps, "decision")))?;
    }
    say("")?;
    let head = ["model", "transitions", "games", "not counted yet", "size"].map(str::to_owned).to_vec();
    let mut rows = vec![head];
    for (model, sizes) in &held.models {
        let lag = games.saturating_sub(sizes.games);
        let numbers = [sizes.transitions, sizes.games, lag].map(grouped);
        rows.push([&[model.name().to_owned()], &numbers[..], &[bytes(sizes.bytes)]].concat());
    }
    print(&rows)?;
    if held.workers.is_empty() {
        say("no worker was ever seen")?;
    } else {
        let head = ["worker", "heuristic", "seen", "alive", "answered", "last game", "behind"];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        for worker in &held.workers {
            let state = &worker.state;
            rows.push(vec![
                state.name.clone(),
                state.heuristic.clone(),
                format!("{} s ago", worker.ago.as_secs()),
                if worker.ago < ALIVE { "yes" } else { "no" }.to_owned(),
                grouped(state.answered),
                state.last_game.to_string(),
                (held.last - state.last_game).max(0).to_string(),
            ]);
        }
        print(&rows)?;
    }
    if !held.answers.is_empty() {
        let head = ["answers of", "in time", "late", "again", "malformed"].map(str::to_owned).to_vec();
        let mut rows = vec![head];
        for counts in &held.answers {
            let numbers = [counts.in_time, counts.late, counts.again, counts.malformed].map(grouped);
            rows.push([std::slice::from_ref(&counts.heuristic), &numbers[..]].concat());
        }
        print(&rows)?;
    }
    Ok(())
}

fn print(rows: &[Vec<String>]) -> anyhow::Result<()> {
    for line in grid(rows, &[0]) {
        say(line)?;
    }
    Ok(say("")?)
}

fn as_json(held: &Held) -> Value {
    let types: Value = held
        .history
        .types
        .iter()
        .map(|(game, games, steps)| json!({"game": game, "games": games, "decisions": steps}))
        .collect();
    let models: Value = held
        .models
        .iter()
        .map(|(model, sizes)| {
            json!({
                "model": model.name(),
                "transitions": sizes.transitions,
                "games": sizes.games,
                "not_counted": held.history.games.saturating_sub(sizes.games),
                "bytes": sizes.bytes,
            })
        })
        .collect();
    let workers: Value = held
        .workers
        .iter()
        .map(|worker| {
            let state = &worker.state;
            json!({
                "name": state.name,
                "heuristic": state.heuristic,
                "host": state.host,
                "process": state.process,
                "seconds_ago": worker.ago.as_secs_f64(),
                "alive": worker.ago < ALIVE,
                "answered": state.answered,
                "last_game": state.last_game,
                "games_behind": (held.last - state.last_game).max(0),
            })
        })
        .collect();
    let answers: Value = held
        .answers
        .iter()
        .map(|counts| {
            json!({
                "heuristic": counts.heuristic,
                "in_time": counts.in_time,
                "late": counts.late,
                "again": counts.again,
                "malformed": counts.malformed,
            })
        })
        .collect();
    json!({
        "games": held.history.games,
        "decisions": held.history.steps,
        "bytes": held.history.bytes,
        "types": types,
        "models": models,
        "workers": workers,
        "answers": answers,
    })
}

fn check(args: &CheckArgs) -> anyhow::Result<()> {
    let store = Store::open(&args.store)?;
    let models = counting::models_of(&store).with_context(|| args.store.clone())?;
    let mut recounts: Vec<Recount> = Vec::new();
    let bar = progress(models.len() as u64, "models");
    for model in models {
        bar.set_message(model.name());
        recounts.push(counting::recount(&store, model)?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    let is_right = recounts.iter().all(Recount::is_right);
    if args.json {
        let models: Value = recounts
            .iter()
            .map(|recount| {
                json!({
                    "model": recount.model,
                    "games": recount.games,
                    "transitions": recount.transitions,
                    "differences": recount.differences,
                    "unknown_games": recount.unknown_games,
                    "example": recount.example,
                })
            })
            .collect();
        say_json(&json!({"right": is_right, "models": models}))?;
    } else {
        for recount in &recounts {
            let verdict = if recount.is_right() { "as the history gives" } else { "DIFFERENT" };
            say(format!(
                "{}: {} of {}, {verdict}",
                recount.model,
                counted(recount.transitions, "transition"),
                counted(recount.games, "game")
            ))?;
            if recount.differences > 0 {
                say(format!("  {}", counted(recount.differences, "difference")))?;
            }
            if recount.unknown_games > 0 {
                say(format!("  {} that the history does not have", counted(recount.unknown_games, "game")))?;
            }
            if let Some(example) = &recount.example {
                say(format!("  first: {example}"))?;
            }
        }
        if recounts.is_empty() {
            say("nothing was counted yet")?;
        }
    }
    if is_right { Ok(()) } else { Err(No.into()) }
}
