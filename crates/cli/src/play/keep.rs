//! Keeping a match: when it ends, and when a person leaves it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;
use parlor_core::files::reading::{make_folder, read_folder};
use parlor_core::files::saved::SavedGame;
use parlor_core::files::write_atomically;
use parlor_lab::log;
use parlor_lab::record::record_game;
use parlor_lab::session::Session;
use parlor_store::Location;

use super::screen::Screen;

/// The folder of matches that people have left, in the program's data folder.
const FOLDER: &str = "tables";

/// Where a match is kept.
#[derive(Default)]
pub struct Keep {
    /// The file of `--save`.
    pub file: Option<PathBuf>,
    /// The line of a file from which it was resumed.
    pub place: Option<Place>,
    /// A file that always holds the match so far.
    pub autosave: Option<PathBuf>,
    /// The store of `--record`.
    pub record: Option<Location>,
}

/// A line of a file of saved games.
pub struct Place {
    /// The file.
    pub path: PathBuf,
    /// Which line, from 1.
    pub number: usize,
    /// What it says.
    pub saved: SavedGame,
}

impl Keep {
    /// Keeps a match that is over.
    pub fn ended(&self, screen: Screen, session: &Session) -> anyhow::Result<()> {
        let in_folder = |path: &Path| folder().is_some_and(|folder| path.parent() == Some(&folder));
        if let Some(Place { path, number, saved }) = &self.place {
            if in_folder(path) {
                // There is nothing left to resume.
                let _ = fs::remove_file(path);
            } else {
                // With an autosave the file holds the end already.
                if self.autosave.is_none() {
                    session.save_over(path, *number, saved)?;
                }
                screen.say(format!("Saved to {}.", path.display()))?;
            }
        } else if let Some(path) = &self.autosave {
            let _ = fs::remove_file(path);
        }
        if let Some(path) = &self.file {
            session.save(path)?;
            screen.say(format!("Saved to {}.", path.display()))?;
        }
        if let Some(store) = &self.record {
            let game = parlor_catalog::open(&session.table().game())?;
            let id = record_game(store, &*game, &session.saved()).context("the game cannot be recorded")?;
            screen.say(format!("Recorded as game {id} in {store}."))?;
        }
        Ok(())
    }

    /// Keeps a match that is left in the middle, and says how to resume it. `asked` tells whether a match is kept for which no file was
    /// named; one in which no person has decided anything is not.
    pub fn left(&self, screen: Screen, session: &Session, asked: bool) -> anyhow::Result<()> {
        screen.say("Left unfinished.")?;
        let (path, number) = match (&self.place, &self.file, &self.autosave) {
            (Some(Place { path, number, saved }), ..) => {
                let number =
                    if self.autosave.is_some() { 1 } else { session.save_over(path, *number, saved)? };
                (path.clone(), number)
            }
            (None, Some(file), autosave) => {
                let number = session.save(file)?;
                screen.say(format!("Saved to {}.", file.display()))?;
                autosave.iter().for_each(|path| drop(fs::remove_file(path)));
                (file.clone(), number)
            }
            (None, None, Some(path)) if session.has_decisions_of_people() => (path.clone(), 1),
            (None, None, Some(path)) => {
                let _ = fs::remove_file(path);
                return Ok(());
            }
            (None, None, None) if asked && session.has_decisions_of_people() => {
                let Some(path) = new_file(session) else { return Ok(()) };
                let number = session.save(&path)?;
                (path, number)
            }
            (None, None, None) => return Ok(()),
        };
        let number = if number == 1 { String::new() } else { format!(" --number {number}") };
        screen.say("Resume it with:")?;
        // One line whatever its length: it is to be copied.
        Ok(crate::terminal::say(format!("  parlor play --resume {}{number}", quoted(&path)))?)
    }
}

/// Returns the folder of matches that people have left.
pub fn folder() -> Option<PathBuf> {
    Some(log::home()?.join(FOLDER))
}

/// Returns a new file for a match in the folder; `None` if nothing can be written there.
pub fn new_file(session: &Session) -> Option<PathBuf> {
    let folder = folder()?;
    make_folder(&folder).ok()?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let game = session.table().game();
    let name = parlor_core::Spec::bare_name(&game);
    // Sorted by name, the newest is the last.
    let path = folder.join(format!("{:011}-{:03}-{name}.jsonl", now.as_secs(), now.subsec_millis()));
    write_atomically(&path, b"").ok()?;
    Some(path)
}

/// Returns the newest match that was left.
pub fn newest() -> Option<PathBuf> {
    let files = read_folder(&folder()?).ok()?.into_iter();
    files.filter(|path| path.extension().is_some_and(|end| end == "jsonl")).max()
}

/// Returns a path as a shell reads it.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/._-+:,@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_quoted_for_shells() {
        assert_eq!(quoted(Path::new("/home/me/a-1.jsonl")), "/home/me/a-1.jsonl");
        assert_eq!(quoted(Path::new("my games/it's.jsonl")), r"'my games/it'\''s.jsonl'");
    }
}
