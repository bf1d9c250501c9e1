//! The only place that names games and agents together: the list of games, each game's roster of agents, and opening
//! both from `name(key=value, …)`.

mod entries;
pub mod roster;

use parlor_core::dynamic::AnyGame;
use parlor_core::{Settings, Spec, SpecError};

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
