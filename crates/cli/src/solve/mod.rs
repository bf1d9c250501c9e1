//! `parlor solve`: what a position is worth, exactly.

pub mod args;
pub mod hidden;
mod waiting;

use std::time::Instant;

use parlor_core::{Resources, Seat};
use parlor_lab::format::{exact, grouped};
use serde::Serialize;

use crate::run_support::{stop_on_ctrl_c, threads};
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
    if args.each {
        return each_deal(args);
    }
    let game = parlor_catalog::open(&args.game)?;
    let means = Resources { threads: threads(args.threads), memory_mb: args.table };
    let mut solver = game.solver(&means)?;
    let stop = stop_on_ctrl_c()?;
    let mut waiting = Waiting::new();
    let position = args.position.as_deref();
    let started = Instant::now();
    let solved = solver.solve(position, &mut waiting.progress(&stop))?;
    let moves = if args.moves { Some(solver.values(position, &mut waiting.progress(&stop))?) } else { None };
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
    say(format!("value: {} {unit}, for the seat to move", exact(solved.value)))?;
    if !solved.best.is_empty() {
        say(format!("best:  {}", solved.best.join(" ")))?;
    }
    if let Some(moves) = moves {
        let rows: Vec<Vec<String>> = std::iter::once(vec!["move".to_owned(), "value".to_owned()])
            .chain(moves.into_iter().map(|(action, value)| vec![action, exact(value)]))
            .collect();
        for line in grid(&rows, &[0]) {
            say(line)?;
        }
    }
    say(format!("{} nodes in {seconds:.2} s", grouped(solved.nodes)))?;
    Ok(())
}

/// A deal as scripts read it.
#[derive(Serialize)]
struct DealLine<'a> {
    deal: &'a str,
    leader: Seat,
    value: f64,
}

/// Prints what every deal is worth to the seat that leads.
fn each_deal(args: &SolveArgs) -> anyhow::Result<()> {
    let game = parlor_catalog::open(&args.game)?;
    let means = Resources { threads: threads(args.threads), memory_mb: args.table };
    let stop = stop_on_ctrl_c()?;
    let mut waiting = Waiting::new();
    let started = Instant::now();
    let deals = game.deals()?.values(&means, &mut waiting.progress(&stop))?;
    let seconds = started.elapsed().as_secs_f64();
    waiting.end();
    let mean = deals.iter().map(|deal| deal.value).sum::<f64>() / deals.len().max(1) as f64;
    if args.json {
        let lines: Vec<DealLine<'_>> = deals
            .iter()
            .map(|deal| DealLine { deal: &deal.deal, leader: deal.leader, value: deal.value })
            .collect();
        return say_json(&serde_json::json!({ "value": mean, "seconds": seconds, "deals": lines }));
    }
    for deal in &deals {
        say(format!("{}  seat {} leads  {}", deal.deal, deal.leader, exact(deal.value)))?;
    }
    say(format!(
        "{} deals in {seconds:.2} s; on average {} points, for the seat that leads",
        grouped(deals.len() as u64),
        exact(mean)
    ))?;
    Ok(())
}
