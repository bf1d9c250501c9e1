//! The program `parlor`: play games, watch agents, count, measure.
//!
//! Exit codes: 0 good, 1 the question's answer is no, 2 bad input or a fault, 130 cut short by Ctrl-C.

mod analyse;
mod args;
mod bench;
mod book;
mod cells;
mod classify;
mod commands;
mod deals;
mod endgame;
mod engine;
mod experiment;
mod exploit;
mod fable;
mod features;
#[cfg(test)]
mod fuzz;
mod generated;
mod history;
mod learning;
mod lists;
mod matches;
mod net;
mod odds;
mod old_keys;
mod perft;
mod play;
mod regret;
mod respond;
mod run_support;
mod samples;
mod serve;
mod shards;
mod solve;
mod stats;
mod terminal;
mod tournament;

#[cfg(unix)]
use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use clap::FromArgMatches;

use commands::{Args, Command};
use run_support::{INTERRUPTED, was_interrupted};

fn main() -> ExitCode {
    let typed = commands::parser().try_get_matches().and_then(|typed| Args::from_arg_matches(&typed));
    let args = match typed {
        Ok(args) => args,
        // Help and the version: our own text.
        Err(error) if !error.use_stderr() => error.exit(),
        Err(error) => {
            terminal::say_aside(terminal::refusal(&error).trim_end());
            return ExitCode::from(2);
        }
    };
    old_keys::warn(&args.command);
    guard_engines();
    let done = match args.command {
        Command::Games(args) => lists::games(&args),
        Command::Agents(args) => lists::agents(&args),
        Command::Moves(args) => lists::moves(&args),
        Command::Cells(args) => cells::run(&args),
        Command::Perft(args) => perft::run(&args),
        Command::Odds(args) => odds::run(&args),
        Command::Features(args) => features::run(&args),
        Command::Analyse(args) => analyse::run(&args),
        Command::Solve(args) => solve::run(&args),
        Command::Regret(args) => regret::run(&args),
        Command::Play(args) => play::run(&args),
        Command::Serve(args) => serve::run(&args),
        Command::Match(args) => matches::run(&args),
        Command::Tournament(args) => tournament::run(&args),
        Command::Merge(args) => shards::merge(&args),
        Command::Learn(args) => learning::learn::run(&args),
        Command::Train(args) => learning::train::run(&args),
        Command::Inspect(args) => learning::inspect::run(&args),
        Command::Experiment(command) => experiment::run(&command),
        Command::Fable(command) => fable::run(&command),
        Command::History(args) => history::run(&args),
        Command::Engine(args) => engine::run(&args),
        Command::Protocol(command) => engine::run_command(&command),
        #[cfg(unix)]
        Command::GuardEngine { words } => return guarded(&words),
        Command::Stats(command) => stats::run(&command),
        Command::Net(command) => net::run(&command),
        Command::Samples(args) => samples::run(&args),
        Command::Classify(command) => classify::run(&command),
        Command::Book(command) => book::run(&command),
        Command::Exploit(args) => exploit::run(&args),
        Command::Respond(args) => respond::run(&args),
        Command::Deals(args) => deals::run(&args),
        Command::Endgame(command) => endgame::run(&command),
        Command::Bench(args) => bench::run(&args),
        Command::Completions { shell } => generated::completions(shell),
        Command::Man => generated::man(),
    };
    match done {
        Ok(()) if was_interrupted() => ExitCode::from(INTERRUPTED),
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.is::<terminal::No>() => ExitCode::from(1),
        // The reader of our output has closed the pipe.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            terminal::say_aside(format!("\x1b[1;31merror:\x1b[0m {}", terminal::sentence(&error)));
            ExitCode::from(if was_interrupted() { INTERRUPTED } else { 2 })
        }
    }
}

/// Lets this program guard the engines that it starts; see [`parlor_catalog::engine_guard`].
fn guard_engines() {
    #[cfg(unix)]
    if let Ok(ourselves) = std::env::current_exe() {
        parlor_catalog::engine_guard::guard_engines_by(vec![ourselves.into(), commands::GUARD_ENGINE.into()]);
    }
}

/// Runs an engine until it ends, or the program that wants it is gone. Errors cannot be shown: standard error is
/// what that program is watched by.
#[cfg(unix)]
fn guarded(words: &[OsString]) -> ExitCode {
    parlor_catalog::engine_guard::guard(words).map_or(ExitCode::from(2), |code| ExitCode::from(code as u8))
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    mod documented_calls;
}
