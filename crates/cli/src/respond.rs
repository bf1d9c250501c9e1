//! `parlor respond`: how to win from an agent at a limited risk.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, bail};
use parlor_catalog::equilibria::respond::{RespondParams, Response};
use parlor_core::Spec;
use parlor_core::files::check_writable;
use parlor_lab::format::{grouped, loss};
use serde::Serialize;

use crate::args::is_nowhere;
use crate::exploit::QueryArgs;
use crate::run_support::{silence_agents, stop_on_ctrl_c};
use crate::solve::Waiting;
use crate::solve::hidden::precision;
use crate::terminal::{say, say_json};

#[derive(clap::Args, Debug)]
pub struct RespondArgs {
    /// The game, e.g. 'dominoes(rules=myers)'
    pub game: String,
    /// The agent to win from
    pub agent: String,
    /// The probability that the opponent is this agent, from 0 (trust nothing) to 1 (a best response)
    #[arg(short = 'p', long, value_name = "P", value_parser = probability)]
    pub weight: f64,
    /// Keep the strategy in this file, or nowhere if it is `none`: nash(file=FILE) plays it
    #[arg(short, long, value_name = "FILE")]
    pub out: PathBuf,
    /// Overwrite the file if it is there
    #[arg(long)]
    pub force: bool,
    /// Stop when no strategy can be better by more than twice this, in points a game
    #[arg(long, value_name = "E", default_value = "1e-4", value_parser = precision)]
    pub precision: f64,
    #[command(flatten)]
    pub queries: QueryArgs,
    /// Print {"gain": .., "exploitability": .., ..}
    #[arg(long)]
    pub json: bool,
}

/// The maximum number of rounds of the solver.
const MOST_ROUNDS: u64 = 1_000_000;

/// Reads a probability.
fn probability(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "a number from 0 to 1, such as 0.5".to_owned())
}

/// The answer as scripts read it.
#[derive(Serialize)]
struct Answer<'a> {
    gain: f64,
    exploitability: f64,
    weight: f64,
    ceiling: f64,
    low: f64,
    high: f64,
    information_sets: usize,
    rounds: u64,
    seconds: f64,
    samples: u32,
    exact: bool,
    stopped: bool,
    game: String,
    agent: &'a str,
    file: Option<&'a Path>,
}

pub fn run(args: &RespondArgs) -> anyhow::Result<()> {
    let game = parlor_catalog::open(&args.game)?;
    let equilibrium = game.equilibrium()?;
    let out = Some(args.out.as_path()).filter(|path| !is_nowhere(path));
    if let Some(path) = out {
        if path.exists() && !args.force {
            bail!("{} is there already; --force overwrites it", path.display());
        }
        check_writable(path).with_context(|| format!("{} cannot be written", path.display()))?;
    }
    let params = RespondParams {
        weight: args.weight,
        precision: args.precision,
        rounds: MOST_ROUNDS,
        queries: args.queries.params(),
    };
    let stop = stop_on_ctrl_c()?;
    silence_agents();
    let mut waiting = Waiting::new();
    let started = Instant::now();
    let (agent, found) = equilibrium.respond(&args.agent, &params, &mut waiting.progress(&stop))?;
    let seconds = started.elapsed().as_secs_f64();
    waiting.end();
    let found = found?;
    if let Some(path) = out {
        found.strategy.write(path).with_context(|| format!("{} cannot be written", path.display()))?;
    }
    if !args.json {
        return tell(&found, args, seconds, out);
    }
    say_json(&Answer {
        gain: found.gain,
        exploitability: found.exploitability,
        weight: args.weight,
        ceiling: found.ceiling,
        low: found.low,
        high: found.high,
        information_sets: found.information_sets,
        rounds: found.rounds,
        seconds,
        samples: found.samples,
        exact: found.exact,
        stopped: found.stopped,
        game: game.spec(),
        agent: &agent,
        file: out,
    })
}

fn tell(found: &Response, args: &RespondArgs, seconds: f64, out: Option<&Path>) -> anyhow::Result<()> {
    let name = Spec::bare_name(&args.agent);
    let Response { gain, exploitability, ceiling, .. } = *found;
    // Of next to nothing there are no shares.
    let share = if ceiling > 1e-6 { format!(", {:.1} %", 100.0 * gain / ceiling) } else { String::new() };
    say(format!(
        "wins {} points a game from {name}; a best response wins {}{share}",
        loss(gain),
        loss(ceiling)
    ))?;
    say(format!("loses {} points a game to its own best response", loss(exploitability)))?;
    if args.weight > 0.0 && args.weight < 1.0 {
        say(format!(
            "if the opponent is {name} with probability {}: at least {:.6} points a game; no strategy guarantees more than {:.6}",
            args.weight, found.low, found.high
        ))?;
    }
    let sets = grouped(found.information_sets as u64);
    say(format!("{sets} information sets, {} rounds in {seconds:.2} s", grouped(found.rounds)))?;
    if !found.exact {
        say(format!(
            "the odds of {name} are estimates, from {} answers in each information set: it wins less in play",
            found.samples
        ))?;
    }
    if found.stopped {
        say("stopped early; what is said of the strategy holds all the same")?;
    }
    if let Some(path) = out {
        let place = path.display().to_string();
        say(format!("kept in {place}; {} plays it", Spec::with("nash", "file", &place)))?;
    }
    Ok(())
}
