//! A saved game again, move by move.

use std::io::BufReader;
use std::path::Path;

use anyhow::{Context, bail};
use parlor_core::files::reading::{MAX_STREAM, open_regular, read_line};
use parlor_core::files::saved::{SavedEnding, SavedGame};
use parlor_core::text::notation::quoted;
use parlor_core::{Phase, Seat, Spec};

use super::events::{tell, tell_result};
use super::screen::Screen;
use super::{pause, show};
use crate::args::PlayArgs;

pub fn run(path: &Path, args: &PlayArgs) -> anyhow::Result<()> {
    let number = args.number.unwrap_or(1);
    let saved = read_saved(path, number)?;
    let place = format!("{}, line {number}", path.display());
    again(&Again { saved: &saved, place: &place, seat: args.seat, ascii: args.ascii, delay: args.delay })
}

/// A saved game that is shown again.
pub struct Again<'a> {
    pub saved: &'a SavedGame,
    /// Where it comes from.
    pub place: &'a str,
    /// The seat whose view is shown.
    pub seat: u8,
    pub ascii: bool,
    /// Milliseconds between moves.
    pub delay: Option<u64>,
}

/// Shows a saved game again.
pub fn again(what: &Again<'_>) -> anyhow::Result<()> {
    let Again { saved, seat, delay, .. } = *what;
    let place = || what.place.to_owned();
    let screen = Screen::new(what.ascii);
    let game = parlor_catalog::open(&saved.game).with_context(place)?;
    if saved.seats.len() != usize::from(game.seats()) {
        bail!("{}: {} names for {} seats", place(), saved.seats.len(), game.seats());
    }
    if seat >= game.seats() {
        bail!("{} has one seat, number 0", game.name());
    }
    let mut table = game.table(saved.seed, saved.start.as_deref()).with_context(place)?;
    let seat = Seat(seat);
    // Escaped: a file from elsewhere must not speak to the terminal.
    let full: Vec<String> = saved.seats.iter().map(|name| name.escape_debug().to_string()).collect();
    let names: Vec<String> = full.iter().enumerate().map(|(i, name)| short(name, i, full.len())).collect();
    screen.say(format!("{}: {}", game.spec(), full.join(" against ")))?;
    if !game.is_open() && game.seats() > 1 {
        screen.say(format!("You see what seat {seat} sees."))?;
    }
    let mut seen = 0;
    for (number, text) in saved.moves.split_whitespace().enumerate() {
        if matches!(table.phase(), Phase::Decide(_)) {
            seen = tell(screen, &*table, seat, &names, seen)?.events;
            show(screen, &*table, seat, &[])?;
            pause(delay);
        }
        table.replay(text).with_context(|| format!("{}, move {}", place(), number + 1))?;
    }
    if !tell(screen, &*table, seat, &names, seen)?.revealed {
        show(screen, &*table, seat, &[])?;
    }
    let over = table.payoffs().is_some();
    match &saved.ending {
        SavedEnding::Finished if !over => {
            bail!("{}: it says `finished`, but its moves do not reach an end", place())
        }
        SavedEnding::Unfinished if over => {
            bail!("{}: it says `unfinished`, but its moves reach an end", place())
        }
        SavedEnding::Forfeit { seat, .. } if over || seat.index() >= saved.seats.len() => {
            bail!("{}: {} is not an ending here", place(), quoted(&saved.ending.to_string()))
        }
        _ => {}
    }
    match (table.payoffs(), &saved.payoffs) {
        (Some(payoffs), Some(recorded)) if payoffs != *recorded => {
            bail!("{}: the moves lead to {payoffs:?}, but the line says {recorded:?}", place())
        }
        (Some(payoffs), _) => tell_result(screen, &*table, &payoffs, &names, None),
        (None, _) => Ok(screen.say(format!("\n{}", saved.ending.to_string().escape_debug()))?),
    }
}

/// Returns the name that stands before each move: an agent's without its keys, and the seat where there are two.
fn short(full: &str, seat: usize, seats: usize) -> String {
    let name = Spec::bare_name(full);
    if seats == 1 { name.to_owned() } else { format!("{name} (seat {seat})") }
}

/// Reads line `number` of a file of saved games, from 1.
pub fn read_saved(path: &Path, number: usize) -> anyhow::Result<SavedGame> {
    let unreadable = || format!("{} cannot be read", path.display());
    let mut reader = BufReader::new(open_regular(path, MAX_STREAM).with_context(unreadable)?);
    let mut line = None;
    for _ in 0..number {
        line = read_line(&mut reader).with_context(unreadable)?;
        if line.is_none() {
            break;
        }
    }
    let Some(line) = line else { bail!("{} has no line {number}; lines count from 1", path.display()) };
    SavedGame::parse(String::from_utf8_lossy(&line).trim_end())
        .with_context(|| format!("{}, line {number}", path.display()))
}
