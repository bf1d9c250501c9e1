//! `parlor stats`: numbers for people who have counts from elsewhere.

mod args;
mod counts;
mod pairs;
mod plan;

pub use args::StatsCommand;

pub fn run(command: &StatsCommand) -> anyhow::Result<()> {
    match command {
        StatsCommand::Pairs(args) => pairs::run(args),
        StatsCommand::Elo(args) => counts::games(args),
        StatsCommand::Penta(args) => counts::pairs(args),
        StatsCommand::Plan(args) => plan::run(args),
    }
}

/// A probability with as many digits as say something.
fn chance(p: f64) -> String {
    if p == 0.0 || p >= 0.0001 { format!("{p:.4}") } else { format!("{p:.2e}") }
}
