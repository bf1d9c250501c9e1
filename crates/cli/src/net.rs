//! `parlor net`: nets that value positions for searches, made of matches of an agent against itself.

use std::path::PathBuf;

use anyhow::Context;
use clap::Subcommand;
use parlor_catalog::net::{Positions, SelfPlayPlan, TrainPlan};
use parlor_core::files::check_writable;
use parlor_lab::format::grouped;

use crate::args::{result_path, whole};
use crate::run_support::{stop_on_ctrl_c, threads, was_interrupted};
use crate::terminal::{progress, say};

#[derive(Subcommand, Debug)]
pub enum NetCommand {
    /// Play matches of an agent against itself, and keep what it thought of each quiet position and how the match ended
    #[command(
        after_help = "Example: parlor net play checkers --agent 'alphabeta(nodes=2000)' --matches 20000 -o a.positions"
    )]
    Play(PlayArgs),
    /// Train a net from positions
    #[command(after_help = "Examples:\n  \
        parlor net train checkers a.positions b.positions -o my-net.parlor\n  \
        parlor match checkers 'alphabeta(evaluation=my-net.parlor)' 'alphabeta(evaluation=none)' --opening 6")]
    Train(TrainArgs),
}

#[derive(clap::Args, Debug)]
pub struct PlayArgs {
    /// The game, e.g. checkers
    pub game: String,
    /// The agent, which says what positions are worth
    #[arg(long, value_name = "SPEC", default_value = "alphabeta(nodes=2000)")]
    pub agent: String,
    /// The number of matches
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = whole::<u64>(1, 100_000_000))]
    pub matches: u64,
    /// Seed; equal seeds give equal positions with any number of threads
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<u64>(0, u64::MAX))]
    pub seed: u64,
    /// The least number of random moves at the beginning of a match
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = whole::<u32>(0, 1000))]
    pub least_opening: u32,
    /// The greatest number of them
    #[arg(long, value_name = "N", default_value_t = 14, value_parser = whole::<u32>(0, 1000))]
    pub most_opening: u32,
    /// The file for the positions
    #[arg(long, short, value_name = "FILE", value_parser = result_path())]
    pub out: PathBuf,
    /// How many threads play (default: all cores)
    #[arg(long, value_name = "T", value_parser = whole::<u16>(1, 1024))]
    pub threads: Option<u16>,
}

#[derive(clap::Args, Debug)]
pub struct TrainArgs {
    /// The game, e.g. checkers
    pub game: String,
    /// The files of positions
    #[arg(value_name = "POSITIONS", required = true)]
    pub positions: Vec<PathBuf>,
    /// Passes over the positions
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = whole::<u32>(1, 10_000))]
    pub epochs: u32,
    /// The first step size
    #[arg(long, value_name = "X", default_value_t = 0.002)]
    pub step: f32,
    /// The share of the match's result in the target; the rest is what the agent found
    #[arg(long, value_name = "X", default_value_t = 0.3)]
    pub results: f32,
    /// Seed; equal seeds and positions give equal nets
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<u64>(0, u64::MAX))]
    pub seed: u64,
    /// The file for the net
    #[arg(long, short, value_name = "FILE", value_parser = result_path())]
    pub out: PathBuf,
}

pub fn run(command: &NetCommand) -> anyhow::Result<()> {
    match command {
        NetCommand::Play(args) => play(args),
        NetCommand::Train(args) => train(args),
    }
}

fn play(args: &PlayArgs) -> anyhow::Result<()> {
    let opened = parlor_catalog::open(&args.game)?;
    let nets = opened.nets()?;
    check_writable(&args.out).with_context(|| format!("cannot write {}", args.out.display()))?;
    let plan = SelfPlayPlan {
        agent: &args.agent,
        matches: args.matches,
        seed: args.seed,
        threads: threads(args.threads),
        opening: [args.least_opening, args.most_opening.max(args.least_opening)],
    };
    let stop = stop_on_ctrl_c()?;
    let bar = progress(args.matches, "matches");
    let positions = nets.self_play(&plan, &stop, &mut |matches, _| bar.set_position(matches))?;
    bar.finish_and_clear();
    positions.write(&args.out).with_context(|| format!("cannot write {}", args.out.display()))?;
    say(format!(
        "{} positions of {} matches in {}",
        grouped(positions.list.len() as u64),
        grouped(positions.about.matches),
        args.out.display()
    ))?;
    Ok(())
}

fn train(args: &TrainArgs) -> anyhow::Result<()> {
    let opened = parlor_catalog::open(&args.game)?;
    let nets = opened.nets()?;
    check_writable(&args.out).with_context(|| format!("cannot write {}", args.out.display()))?;
    let open = |path: &PathBuf| Positions::open(path).with_context(|| path.display().to_string());
    let positions = args.positions.iter().map(open).collect::<anyhow::Result<Vec<_>>>()?;
    let plan = TrainPlan { epochs: args.epochs, step: args.step, results: args.results, seed: args.seed };
    let stop = stop_on_ctrl_c()?;
    let mut failed = None;
    let net = nets.train(&positions, &plan, &mut |epoch| {
        let line = format!(
            "epoch {:>3}: mean squared error {:.5}, {:.5} on positions that were held back",
            epoch.number, epoch.error, epoch.held_back
        );
        failed = say(line).err();
        failed.is_none() && !stop.is_cancelled()
    })?;
    if let Some(error) = failed {
        return Err(error.into());
    }
    net.write(&args.out).with_context(|| format!("cannot write {}", args.out.display()))?;
    let interrupted = if was_interrupted() { "interrupted; " } else { "" };
    say(format!("{interrupted}the net is in {}", args.out.display()))?;
    Ok(())
}
