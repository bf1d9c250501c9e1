//! The only place that names games and agents together: the list of games, each game's roster of agents, and opening
//! both from `name(key=value, …)`.

mod entries;
pub mod roster;

use parlor_core::dynamic::AnyGame;
use parlor_core::saved::SavedGame;
use parlor_core::{Key, Settings, Spec, SpecError};

pub use entries::{GAMES, GameEntry};
pub use parlor_agents::outside::check as engine_check;

/// Opens a game from its spec.
///
/// # Errors
/// If there is no such game, or its settings do not fit; the sentence says what would.
///
/// ```
/// let game = parlor_catalog::open("tictactoe(rows=4)").unwrap();
/// assert_eq!(game.spec(), "tictactoe(rows=4, columns=3, lines=windows)");
/// assert!(parlor_catalog::open("tictacto").unwrap_err().to_string().contains("did you mean `tictactoe`?"));
/// ```
pub fn open(spec: &str) -> Result<Box<dyn AnyGame>, SpecError> {
    let spec = Spec::parse(spec)?;
    let entry = find(&spec.name)?;
    entry.open(&Settings::read(&spec, entry.keys)?)
}

/// Finds a game's entry by its bare name.
///
/// # Errors
/// If there is none.
pub fn find(name: &str) -> Result<&'static GameEntry, SpecError> {
    GAMES.iter().find(|entry| entry.name == name).ok_or_else(|| SpecError::Name {
        kind: "game".to_owned(),
        name: name.to_owned(),
        known: GAMES.iter().map(|entry| entry.name.to_owned()).collect(),
    })
}

/// Opens the game of a saved line.
///
/// # Errors
/// As [`open`].
pub fn open_saved(saved: &SavedGame) -> Result<Box<dyn AnyGame>, SpecError> {
    open(&saved.game)
}

/// Returns a key as help shows it: name, default, values, meaning.
#[must_use]
pub fn key_columns(key: &Key) -> [String; 4] {
    [key.name.to_owned(), key.default.to_owned(), key.kind.describe(), key.help.to_owned()]
}
