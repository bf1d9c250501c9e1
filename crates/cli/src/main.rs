//! The program `parlor`: play games, watch agents, count, measure.
//!
//! Exit codes: 0 good, 1 the question's answer is no, 2 bad input or a fault.

mod analyse;
mod args;
mod bench;
mod book;
mod deals;
mod endgame;
mod engine;
mod experiment;
mod exploit;
mod history;
mod learning;
mod lists;
mod matches;
mod odds;
mod old_keys;
mod perft;
mod play;
mod protocol;
mod regret;
mod run_support;
mod solve;
mod stats;
mod terminal;
mod tournament;

use std::io;
use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command};

fn main() -> ExitCode {
    let args = Args::parse();
    old_keys::warn(&args.command);
    let done = match args.command {
        Command::Games(args) => lists::games(&args),
        Command::Agents(args) => lists::agents(&args),
        Command::Moves(args) => lists::moves(&args),
        Command::Perft(args) => perft::run(&args),
        Command::Odds(args) => odds::run(&args),
        Command::Analyse(args) => analyse::run(&args),
        Command::Solve(args) => solve::run(&args),
        Command::Regret(args) => regret::run(&args),
        Command::Play(args) => play::run(&args),
        Command::Match(args) => matches::run(&args),
        Command::Tournament(args) => tournament::run(&args),
        Command::Learn(args) => learning::learn::run(&args),
        Command::Train(args) => learning::train::run(&args),
        Command::Inspect(args) => learning::inspect::run(&args),
        Command::Experiment(command) => experiment::run(&command),
        Command::Log(args) => history::run(&args),
        Command::Engine(args) => engine::run(&args),
        Command::Protocol(command) => protocol::run(&command),
        Command::Stats(command) => stats::run(&command),
        Command::Book(command) => book::run(&command),
        Command::Exploit(args) => exploit::run(&args),
        Command::Deals(args) => deals::run(&args),
        Command::Endgame(command) => endgame::run(&command),
        Command::Bench(args) => bench::run(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.is::<terminal::No>() => ExitCode::from(1),
        // Whoever read our output has seen enough.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            anstream::eprintln!("\x1b[1;31merror:\x1b[0m {}", terminal::sentence(&error));
            ExitCode::from(2)
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}
