//! `parlor solve --hidden`: an equilibrium of a game whose hands stay hidden.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, bail};
use parlor_catalog::equilibria::EquilibriumResult;
use parlor_catalog::equilibria::solve::SolveParams;
use parlor_core::files::check_writable;
use parlor_core::{Resources, Spec};
use parlor_lab::format::grouped;
use serde::Serialize;

use super::Waiting;
use super::args::SolveArgs;
use crate::args::is_nowhere;
use crate::run_support::{stop_on_ctrl_c, threads};
use crate::terminal::{say, say_json};

#[derive(clap::Args, Debug)]
pub struct HiddenArgs {
    /// What is hidden stays hidden: find an equilibrium of a small game, before anything is dealt. Ctrl-C keeps what was found
    #[arg(long, conflicts_with_all = ["position", "moves"])]
    pub hidden: bool,
    /// Stop when its exploitability is at most this, in points a game [default: 1e-4]
    #[arg(long, value_name = "E", requires = "hidden", value_parser = precision)]
    pub precision: Option<f64>,
    /// Keep the strategy in this file, or nowhere if it is `none`: nash(file=FILE) plays it
    #[arg(long, value_name = "FILE", requires = "hidden")]
    pub out: Option<PathBuf>,
    /// Overwrite the file if it is there
    #[arg(long, requires = "out")]
    pub force: bool,
}

/// Reads how close to an equilibrium is close enough.
pub fn precision(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|&number: &f64| number > 0.0 && number.is_finite());
    number.ok_or_else(|| "a number above 0, such as 0.001 or 1e-4".to_owned())
}

/// The answer as scripts read it.
#[derive(Serialize)]
struct Equilibrium<'a> {
    value: f64,
    best: Vec<&'a str>,
    nodes: u64,
    seconds: f64,
    exploitability: f64,
    information_sets: usize,
    low: f64,
    high: f64,
    rounds: u64,
    stopped: bool,
    game: &'a str,
}

/// An action that is chosen less often than this is not worth telling.
const SELDOM: f64 = 0.001;

pub fn run(args: &SolveArgs) -> anyhow::Result<()> {
    let game = parlor_catalog::open(&args.game)?;
    let equilibrium = game.equilibrium()?;
    let out = args.hidden.out.as_deref().filter(|path| !is_nowhere(path));
    if let Some(path) = out.filter(|path| path.exists() && !args.hidden.force) {
        bail!("{} is there already; --force overwrites it", path.display());
    }
    if let Some(path) = out {
        check_writable(path)
            .with_context(|| format!("{} cannot be written, so nothing was computed", path.display()))?;
    }
    let mut params = SolveParams {
        resources: Resources { threads: threads(args.threads), memory_mb: args.table },
        ..SolveParams::default()
    };
    params.precision = args.hidden.precision.unwrap_or(params.precision);
    let stop = stop_on_ctrl_c()?;
    let mut waiting = Waiting::new();
    let started = Instant::now();
    let answer = equilibrium.solve(&params, &mut waiting.progress(&stop))?;
    let seconds = started.elapsed().as_secs_f64();
    waiting.end();
    // The answer is printed in any case: it may have taken long.
    let kept = out.map_or(Ok(()), |path| {
        answer.strategy.write(path).with_context(|| format!("{} cannot be written", path.display()))
    });
    if args.json {
        let about = &answer.strategy.about;
        say_json(&Equilibrium {
            value: about.value,
            best: answer.best.iter().filter(|(_, odds)| *odds >= SELDOM).map(|(text, _)| &**text).collect(),
            nodes: answer.nodes,
            seconds,
            exploitability: about.exploitability,
            information_sets: answer.information_sets,
            low: about.low,
            high: about.high,
            rounds: about.rounds,
            stopped: answer.stopped,
            game: &about.game,
        })?;
    } else {
        tell(&answer, seconds, out.filter(|_| kept.is_ok()))?;
    }
    kept
}

fn tell(answer: &EquilibriumResult, seconds: f64, out: Option<&Path>) -> anyhow::Result<()> {
    let about = &answer.strategy.about;
    // As many places as are certain, and one more.
    let places = (1.5 - libm::log10(about.exploitability.max(1e-9))).clamp(2.0, 9.0) as usize;
    say(format!(
        "value: {:.places$} [{:.places$} … {:.places$}] points, for the seat that decides first",
        about.value, about.low, about.high
    ))?;
    say(format!("exploitability: {:.1e}", about.exploitability))?;
    for (action, odds) in answer.best.iter().filter(|(_, odds)| *odds >= SELDOM) {
        say(format!("  {action}  {:.1} %", 100.0 * odds))?;
    }
    let sets = grouped(answer.information_sets as u64);
    say(format!("{sets} information sets, {} rounds in {seconds:.2} s", grouped(about.rounds)))?;
    if answer.stopped {
        say("stopped early; the bounds hold all the same")?;
    }
    if let Some(path) = out {
        let place = path.display().to_string();
        say(format!("kept in {place}; {} plays it", Spec::with("nash", "file", &place)))?;
    }
    Ok(())
}
