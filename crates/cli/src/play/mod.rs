//! `parlor play`: a person at the table, two agents to watch, an interrupted match, or a saved game again.

mod choose;
mod commands;
mod editor;
mod events;
mod hint;
mod input;
mod keep;
mod person;
mod replay;
mod resume;
mod screen;
mod turns;
mod waiting;
mod watch;

use std::fs::File;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail};
use parlor_core::Seat;
use parlor_core::api::AnyTable;
use parlor_lab::session::{Occupant, SessionSetup};

use crate::args::PlayArgs;

pub use choose::form_to_play;
pub use replay::{Again, again, read_saved};
use screen::Screen;

pub fn run(args: &PlayArgs) -> anyhow::Result<()> {
    if args.number.is_some() && args.replay.is_none() && args.resume.is_none() {
        bail!("--number chooses a line of a file: it goes with --replay or --resume");
    }
    let screen = Screen::new(args.ascii);
    if let Some(path) = &args.replay {
        return replay::run(path, args);
    }
    if let Some(path) = &args.resume {
        return resume::run(screen, path.as_deref(), args);
    }
    let Some(text) = &args.game else { return choose::list(screen) };
    let game = choose::game(args, text)?;
    if args.rules {
        screen.say(game.rules())?;
        return Ok(screen.say(format!("\n{}", game.spec()))?);
    }
    if args.seat >= game.seats() {
        bail!("{} has one seat, number 0", game.name());
    }
    if let Some(path) = &args.save {
        // Reported now rather than when the game has been played.
        open_file(path)?;
    }
    let seed = args.seed.unwrap_or_else(seed_from_time);
    match &args.watch {
        Some(agents) => {
            let agents: Vec<String> = agents.iter().map(|agent| choose::agent(&*game, agent)).collect();
            watch::run(screen, &*game, seed, &agents, args)
        }
        None => person::run(screen, &*game, seed, args),
    }
}

fn setup(seed: u64, seats: Vec<Occupant>, args: &PlayArgs) -> SessionSetup {
    let position = args.position.clone();
    SessionSetup { seed, position, seats, time: args.time, ponder: args.ponder, autosave: None }
}

fn seed_from_time() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    parlor_core::rng::fork(now.as_secs(), u64::from(now.subsec_nanos()))
}

fn pause(delay: Option<u64>) {
    let default = if io::stdout().is_terminal() { 400 } else { 0 };
    thread::sleep(Duration::from_millis(delay.unwrap_or(default)));
}

/// Prints the table as `seat` sees it, with what it has marked.
fn show(screen: Screen, table: &dyn AnyTable, seat: Seat, marked: &[String]) -> anyhow::Result<()> {
    screen.draw(&table.draw_for(seat, screen.ink, marked))?;
    let status = table.status_for(seat);
    if !status.is_empty() {
        screen.say(status)?;
    }
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
