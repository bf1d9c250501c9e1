//! `parlor samples`: labelled rows for classifiers, from games between known styles.

use std::path::PathBuf;

use anyhow::{Context, bail};
use parlor_core::api::AnyGame;
use parlor_core::files::check_writable;
use parlor_lab::format::grouped;
use parlor_lab::samples::{RowFormat, SamplePlan};
use serde::Serialize;

use crate::args::{result_path, whole};
use crate::run_support::{stop_on_ctrl_c, threads};
use crate::terminal::{progress, say, say_json};

#[derive(clap::Args, Debug)]
pub struct SamplesArgs {
    /// The game, e.g. 'dominoes(rules=myers)'
    pub game: String,
    /// The number of rows; the source has 8242, 50291 and 129724
    #[arg(long, value_name = "N", default_value_t = 8242, value_parser = whole::<usize>(1, 10_000_000))]
    pub rows: usize,
    /// Seed; equal seeds give equal rows with any number of threads
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<u64>(0, u64::MAX))]
    pub seed: u64,
    /// The file for the rows: CSV or Parquet, by its ending
    #[arg(long, short, value_name = "FILE", value_parser = result_path())]
    pub out: PathBuf,
    /// Keep the games in this file, too, one line each; the column `game` is the number of the line
    #[arg(long, value_name = "FILE", value_parser = result_path())]
    pub games: Option<PathBuf>,
    /// How many threads play (default: all cores)
    #[arg(long, value_name = "T", value_parser = whole::<u16>(1, 1024))]
    pub threads: Option<u16>,
    /// Print one JSON document about the rows
    #[arg(long)]
    pub json: bool,
}

/// What was written, as scripts read it.
#[derive(Serialize)]
struct Answer<'a> {
    game: String,
    rows: usize,
    games: u64,
    seed: u64,
    features: Vec<&'static str>,
    classes: &'static [&'static str],
    out: &'a PathBuf,
}

pub fn run(args: &SamplesArgs) -> anyhow::Result<()> {
    let game = parlor_catalog::open(&args.game)?;
    let features = game.features()?;
    // Before anything is played.
    RowFormat::of(&args.out)?;
    for path in [Some(&args.out), args.games.as_ref()].into_iter().flatten() {
        check_writable(path).with_context(|| format!("cannot write {}", path.display()))?;
    }
    if args.games.as_ref() == Some(&args.out) {
        bail!("--out and --games are the same file");
    }
    let stop = stop_on_ctrl_c()?;
    let plan = SamplePlan {
        game: features,
        rows: args.rows,
        seed: args.seed,
        threads: threads(args.threads),
        keep_games: args.games.is_some(),
    };
    let bar = progress(args.rows as u64, "rows");
    let samples = plan.run(&stop, |rows| bar.set_position(rows as u64))?;
    bar.finish_and_clear();
    let rows = samples.sheet.rows();
    if rows == 0 {
        bail!("interrupted before the first game had ended; nothing was written");
    }
    samples.write(&args.out)?;
    if let Some(path) = &args.games {
        samples.write_games(path)?;
    }
    let numbers = samples.sheet.wholes("game").and_then(|games| games.last().copied().flatten());
    let games = numbers.unwrap_or(0);
    if args.json {
        return say_json(&Answer {
            game: AnyGame::spec(&*game),
            rows,
            games,
            seed: args.seed,
            features: features.features().iter().map(|feature| feature.name).collect(),
            classes: features.styles(),
            out: &args.out,
        });
    }
    if rows < args.rows {
        say(format!("interrupted after {} of {} rows", grouped(rows as u64), grouped(args.rows as u64)))?;
    }
    say(format!(
        "{} rows of {} games between {} in {}",
        grouped(rows as u64),
        grouped(games),
        features.styles().join(", "),
        args.out.display()
    ))?;
    Ok(())
}
