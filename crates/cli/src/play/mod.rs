//! `parlor play`: a person at the table, two agents to watch, or a saved game again.

mod input;
mod person;
mod replay;
mod turns;
mod watch;

use std::fs::File;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail};
use parlor_core::api::{AnyGame, AnyTable};
use parlor_core::{Actor, Ink, Seat};
use parlor_lab::session::{Occupant, Session, SessionSetup};

use crate::args::PlayArgs;
use crate::terminal::{has_colour, say};

pub use replay::read_saved;

pub fn run(args: &PlayArgs) -> anyhow::Result<()> {
    if let Some(path) = &args.replay {
        return replay::run(path, args);
    }
    let spec = args.game.as_deref().expect("clap asks for a game unless --replay is given");
    let game = parlor_catalog::open(spec)?;
    if args.seat >= game.seats() {
        bail!("{} has one seat, number 0", game.name());
    }
    if let Some(path) = &args.save {
        // Told now rather than when the game has been played.
        open_file(path)?;
    }
    let seed = args.seed.unwrap_or_else(seed_from_time);
    match &args.watch {
        Some(agents) => watch::run(&*game, seed, agents, args),
        None => person::run(&*game, seed, args),
    }
}

fn setup(seed: u64, seats: Vec<Occupant>, args: &PlayArgs) -> SessionSetup {
    SessionSetup { seed, position: args.position.clone(), seats, time: args.time, autosave: None }
}

/// How boards are drawn here.
fn ink(args: &PlayArgs) -> Ink {
    Ink { ascii: args.ascii, colour: has_colour() }
}

fn seed_from_time() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    parlor_core::rng::fork(now.as_secs(), u64::from(now.subsec_nanos()))
}

fn pause(args: &PlayArgs) {
    let default = if io::stdout().is_terminal() { 400 } else { 0 };
    thread::sleep(Duration::from_millis(args.delay.unwrap_or(default)));
}

fn show(table: &dyn AnyTable, seat: Seat, ink: Ink) -> anyhow::Result<()> {
    say("")?;
    say(table.draw(seat, ink).trim_end_matches('\n'))?;
    let status = table.status(seat);
    if !status.is_empty() {
        say(status)?;
    }
    Ok(())
}

/// Prints what `seat` has seen since `from`, and returns how much it has seen by now. What chance does in a row is one
/// line.
fn tell_sights(table: &dyn AnyTable, seat: Seat, names: &[String], from: usize) -> anyhow::Result<usize> {
    let sights = table.sights(seat);
    let mut rest = sights.get(from..).unwrap_or_default();
    while let Some((actor, text)) = rest.first() {
        match actor {
            Actor::Seat(who) => {
                say(format!("  {}: {text}", names[who.index()]))?;
                rest = &rest[1..];
            }
            Actor::Chance => {
                let run = rest.iter().take_while(|(actor, _)| *actor == Actor::Chance).count();
                say(format!("  chance: {}", counted(&rest[..run])))?;
                rest = &rest[run..];
            }
        }
    }
    Ok(sights.len())
}

/// Joins texts; one that is repeated is written once, with its number.
fn counted(sights: &[(Actor, String)]) -> String {
    let mut words: Vec<String> = Vec::new();
    for run in sights.chunk_by(|(_, a), (_, b)| a == b) {
        let text = &run[0].1;
        words.push(if run.len() == 1 { text.clone() } else { format!("{text} ({} times)", run.len()) });
    }
    words.join(" ")
}

/// Prints how the match came out, in words.
fn tell_result(game: &dyn AnyGame, payoffs: &[f64], names: &[String]) -> anyhow::Result<()> {
    let list: Vec<String> =
        names.iter().zip(payoffs).map(|(name, payoff)| format!("{name} {payoff}")).collect();
    let verdict = if game.seats() == 1 {
        format!("{} {}", names[0], if payoffs[0] > 0.0 { "won" } else { "lost" })
    } else if payoffs[0] == payoffs[1] {
        "a draw".to_owned()
    } else {
        format!("{} won", names[usize::from(payoffs[1] > payoffs[0])])
    };
    say("")?;
    say(format!("Over: {verdict} ({})", list.join(", ")))?;
    Ok(())
}

/// Opens a file to which games are appended.
fn open_file(path: &Path) -> anyhow::Result<File> {
    File::options()
        .create(true)
        .append(true)
        .open(path)
        .with_context(|| format!("{} cannot be written", path.display()))
}

/// Appends the match so far to a file, and says so.
fn save(session: &Session, path: &Path) -> anyhow::Result<()> {
    session.save(path)?;
    say(format!("Saved to {}.", path.display()))?;
    Ok(())
}
