//! `parlor solve`: what a position is worth, exactly.

pub mod args;
mod hidden;
mod waiting;

use std::time::Instant;

use parlor_core::Means;
use parlor_lab::words::{figure, grouped};
use serde::Serialize;

use crate::running::{stop_on_ctrl_c, threads};
use crate::terminal::{grid, say, say_json};

use args::SolveArgs;
pub use waiting::Waiting;

/// The answer as scripts read it.
#[derive(Serialize)]
struct Answer<'a> {
    value: f64,
    best: &'a [String],
    nodes: u64,
    seconds: f64,
    unit: &'a str,
    game: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<MoveValue>>,
}

/// A move and what it is worth.
#[derive(Serialize)]
struct MoveValue {
    action: String,
    value: f64,
}

pub fn run(args: &SolveArgs) -> anyhow::Result<()> {
    if args.hidden.hidden {
        return hidden::run(args);
    }
    let game = parlor_catalog::open(&args.game)?;
    let means = Means { threads: threads(args.threads), table_mb: args.table };
    let mut solver = game.solver(&means)?;
    let stop = stop_on_ctrl_c()?;
    let mut waiting = Waiting::new();
    let position = args.position.as_deref();
    let started = Instant::now();
    let solved = solver.solve(position, &mut waiting.patience(&stop))?;
    let moves = if args.moves { Some(solver.values(position, &mut waiting.patience(&stop))?) } else { None };
    let seconds = started.elapsed().as_secs_f64();
    waiting.end();
    let unit = solver.unit();
    if args.json {
        let moves =
            moves.map(|all| all.into_iter().map(|(action, value)| MoveValue { action, value }).collect());
        return say_json(&Answer {
            value: solved.value,
            best: &solved.best,
            nodes: solved.nodes,
            seconds,
            unit,
            game: game.spec(),
            moves,
        });
    }
    say(format!("value: {} {unit}, for the seat to move", figure(solved.value)))?;
    if !solved.best.is_empty() {
        say(format!("best:  {}", solved.best.join(" ")))?;
    }
    if let Some(moves) = moves {
        let rows: Vec<Vec<String>> = std::iter::once(vec!["move".to_owned(), "value".to_owned()])
            .chain(moves.into_iter().map(|(action, value)| vec![action, figure(value)]))
            .collect();
        for line in grid(&rows, &[0]) {
            say(line)?;
        }
    }
    say(format!("{} nodes in {seconds:.2} s", grouped(solved.nodes)))?;
    Ok(())
}
