//! An interrupted match: everybody sits down again where they sat.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use parlor_core::Seat;
use parlor_core::files::reading::read_text;
use parlor_core::files::saved::{SavedEnding, SavedGame};
use parlor_lab::session::{Occupant, Session};

use crate::args::PlayArgs;
use crate::run_support::store_to_record;

use super::keep::{Keep, Place, newest};
use super::replay::read_saved;
use super::screen::Screen;
use super::{person, watch};

pub fn run(screen: Screen, path: Option<&Path>, args: &PlayArgs) -> anyhow::Result<()> {
    let path: PathBuf = match path {
        Some(path) => path.to_owned(),
        None => newest().context("no match was left unfinished; name a FILE of saved games")?,
    };
    let number = match args.number {
        Some(number) => number,
        None => last_unfinished(&path)?,
    };
    let saved = read_saved(&path, number)?;
    let place = || format!("{}, line {number}", path.display());
    let game = parlor_catalog::open(&saved.game).with_context(place)?;
    // A file with this match alone can hold it after every move.
    let only = number == 1 && read_saved(&path, 2).is_err();
    let autosave = only.then(|| path.clone());
    let session = Session::resume(&*game, &saved, autosave.clone()).with_context(place)?;
    let people = session.seats().iter().zip(Seat::all(u8::MAX));
    let person = people.filter(|(occupant, _)| matches!(occupant, Occupant::Person(_))).map(|(_, seat)| seat);
    let seats: Vec<Seat> = person.collect();
    let place = Some(Place { path: path.clone(), number, saved });
    let keep = Keep { file: None, place, autosave, record: store_to_record(args.record.as_deref())? };
    match seats[..] {
        [] => watch::resume(screen, &*game, session, &keep, args),
        [me] => person::resume(screen, &*game, session, me, keep),
        _ => bail!(
            "{}, line {number}: {} people play it, and here is room for one",
            path.display(),
            seats.len()
        ),
    }
}

/// Returns the number of the last line with an unfinished match.
fn last_unfinished(path: &Path) -> anyhow::Result<usize> {
    let text = read_text(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let is_open =
        |line: &str| SavedGame::parse(line).is_ok_and(|saved| saved.ending == SavedEnding::Unfinished);
    match text.lines().collect::<Vec<_>>().iter().rposition(|line| is_open(line)) {
        Some(at) => Ok(at + 1),
        // One that cannot be read says why.
        None if text.lines().count() == 1 => Ok(1),
        None => bail!("{} has no unfinished match", path.display()),
    }
}
