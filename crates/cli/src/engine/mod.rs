//! `parlor engine`: an agent of ours behind a pipe, and whether other programs behave there.

mod check;
pub mod gtp;
pub mod hub;
pub mod lines;
pub mod native;
pub mod seated;

use std::io;

use anyhow::bail;
use clap::{Subcommand, ValueEnum};

use crate::args::whole;

/// How to speak.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub enum Protocol {
    /// Our own line protocol, for all games
    Parlor,
    /// Go Text Protocol, version 2, for dark chess
    Gtp,
    /// The Hub protocol of draughts programs, for checkers on 8×8
    Hub,
}

#[derive(clap::Args, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct EngineArgs {
    #[command(subcommand)]
    pub command: Option<EngineCommand>,
    #[command(flatten)]
    pub served: Option<ServedArgs>,
}

#[derive(Subcommand, Debug)]
pub enum EngineCommand {
    /// Test a program that speaks the line protocol; exit code 1 if a check fails
    #[command(after_help = "Examples:\n  \
        parlor engine check './engine --fast' --game dominoes --game darkchess\n  \
        parlor engine check 'parlor engine tictactoe random'")]
    Check(check::CheckArgs),
}

#[derive(clap::Args, Debug)]
pub struct ServedArgs {
    /// The game, e.g. dominoes; the referee's own options of it count
    pub game: String,
    /// The agent that answers
    pub agent: String,
    /// How to speak
    #[arg(long, value_enum, default_value_t = Protocol::Parlor)]
    pub protocol: Protocol,
    /// The agent's randomness with gtp and hub (default: from the time of day); with parlor the referee decides
    #[arg(long, value_name = "S", value_parser = whole::<u64>(0, u64::MAX))]
    pub seed: Option<u64>,
}

pub fn run(args: &EngineArgs) -> anyhow::Result<()> {
    match (&args.command, &args.served) {
        (Some(command), _) => run_command(command),
        (None, Some(args)) => serve(args),
        (None, None) => bail!("an engine needs a game and an agent"),
    }
}

pub fn run_command(EngineCommand::Check(args): &EngineCommand) -> anyhow::Result<()> {
    check::run(args)
}

fn serve(args: &ServedArgs) -> anyhow::Result<()> {
    // The protocol reports a failing agent; standard error is for what stops the program.
    std::panic::set_hook(Box::new(|_| {}));
    let mut out = io::stdout().lock();
    let game = parlor_catalog::open(&args.game)?;
    let wanted = match args.protocol {
        Protocol::Parlor => return native::run(game, &args.agent, &mut out),
        Protocol::Gtp => "darkchess",
        Protocol::Hub => "checkers",
    };
    if game.name() != wanted {
        bail!("this protocol is spoken for {wanted} only; leave out --protocol for {}", game.name());
    }
    let seated = seated::Opponent::new(game, &args.agent, args.seed)?;
    let mut lines = lines::Lines::new(io::stdin().lock());
    match args.protocol {
        Protocol::Gtp => gtp::run(seated, &mut lines, &mut out),
        _ => hub::run(seated, &mut lines, &mut out),
    }
}
