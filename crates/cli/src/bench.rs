//! `parlor bench`: how fast is random play?

use std::time::{Duration, Instant};

use anyhow::bail;
use parlor_core::dynamic::AnyGame;
use serde::Serialize;

use crate::args::BenchArgs;
use crate::terminal::{progress, say, say_json};

/// What is measured: each game with its defaults, and the settings for which public figures of other programs exist.
const PLAYOUTS: &[&str] = &[
    "dominoes",
    "dominoes(target=none)",
    "dominoes(rules=myers)",
    "connect",
    "connect(width=7, height=6)",
    "tictactoe",
    "tictactoe(rows=5, columns=5)",
    "checkers",
    "checkers(rows=6, columns=6)",
    "minesweeper",
    "minesweeper(rows=9, columns=9, mines=10, first=safe)",
    "minesweeper(rows=16, columns=30, mines=99, first=safe)",
    "darkchess",
    "darkchess(draw=50)",
];

/// Move generators, counted at the last ply.
const PERFTS: &[(&str, usize)] = &[("checkers", 10), ("connect(width=7, height=6)", 8), ("darkchess", 3)];

/// A slice is long enough to time and short enough that some slices are undisturbed by whatever else runs.
const SLICE: Duration = Duration::from_millis(50);

/// How many games of each kind the fingerprint rests on.
const FINGERPRINT_GAMES: u64 = 200;

#[derive(Serialize)]
struct Row {
    name: String,
    unit: &'static str,
    value: f64,
}

enum Job {
    Playouts(Box<dyn AnyGame>),
    Perft(Box<dyn AnyGame>, usize),
}

pub fn run(args: &BenchArgs) -> anyhow::Result<()> {
    if !(args.seconds > 0.0 && args.seconds <= 3600.0) {
        bail!("--seconds takes a number above 0, at most 3600");
    }
    let jobs = jobs(args.filter.as_deref().unwrap_or(""))?;
    if args.fingerprint {
        return fingerprint(&jobs);
    }
    let bar = progress(jobs.len() as u64, "rows");
    let mut rows = Vec::new();
    for (name, job) in jobs {
        bar.set_message(name.clone());
        bar.tick();
        let budget = Duration::from_secs_f64(args.seconds);
        let row = match job {
            Job::Playouts(game) => Row { name, unit: "playouts/s", value: playouts(&*game, budget) },
            Job::Perft(game, depth) => Row { name, unit: "leaves/s", value: leaves(&*game, depth, budget)? },
        };
        if !args.json {
            bar.suspend(|| say(format!("{:<52} {:>14.0} {}", row.name, row.value, row.unit)))?;
        }
        rows.push(row);
        bar.inc(1);
    }
    bar.finish_and_clear();
    if args.json { say_json(&rows) } else { Ok(()) }
}

fn jobs(filter: &str) -> anyhow::Result<Vec<(String, Job)>> {
    let mut jobs = Vec::new();
    for spec in PLAYOUTS {
        jobs.push(((*spec).to_owned(), Job::Playouts(parlor_catalog::open(spec)?)));
    }
    for (spec, depth) in PERFTS {
        jobs.push((format!("{spec} perft {depth}"), Job::Perft(parlor_catalog::open(spec)?, *depth)));
    }
    let known: Vec<String> = jobs.iter().map(|(name, _)| name.clone()).collect();
    jobs.retain(|(name, _)| name.contains(filter));
    if jobs.is_empty() {
        bail!("no row's name contains `{filter}`; rows: {}", known.join(", "));
    }
    Ok(jobs)
}

/// Playouts a second, from the fastest slice: other programs can only make a slice slower.
fn playouts(game: &dyn AnyGame, budget: Duration) -> f64 {
    let mut batch = 1;
    while timed(|| game.playouts(1, batch)) < SLICE {
        batch *= 2;
    }
    let started = Instant::now();
    let mut best = 0.0_f64;
    let mut seed = 1;
    while seed == 1 || started.elapsed() < budget {
        seed += 1;
        let seconds = timed(|| game.playouts(seed, batch)).as_secs_f64();
        best = best.max(batch as f64 / seconds);
    }
    best
}

fn leaves(game: &dyn AnyGame, depth: usize, budget: Duration) -> anyhow::Result<f64> {
    let started = Instant::now();
    let mut best = 0.0_f64;
    while best == 0.0 || started.elapsed() < budget {
        let mut count = Ok(Vec::new());
        let seconds = timed(|| count = game.perft(depth, None)).as_secs_f64();
        let leaves = count?.last().copied().unwrap_or(0);
        best = best.max(leaves as f64 / seconds);
    }
    Ok(best)
}

fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let started = Instant::now();
    std::hint::black_box(work());
    started.elapsed()
}

fn fingerprint(jobs: &[(String, Job)]) -> anyhow::Result<()> {
    let mut plies = 0;
    for (_, job) in jobs {
        if let Job::Playouts(game) = job {
            plies += game.playouts(1, FINGERPRINT_GAMES).plies;
        }
    }
    say(plies.to_string())?;
    Ok(())
}
