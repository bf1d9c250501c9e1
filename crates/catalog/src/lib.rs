//! The only place that names games and agents together: the list of games, each game's roster of agents, and opening
//! both from `name(key=value, …)`.

mod books;
mod endgames;
mod entries;
mod hidden;
mod odds;
pub mod roster;
pub mod training_plans;

use parlor_core::api::AnyGame;
use parlor_core::{Settings, Spec, SpecError};

pub use books::builder;
pub use endgames::endgames;
pub use entries::{GAMES, GameEntry};
pub use hidden::{DealValue, Deals, deal_values, deals, equilibrium};
pub use odds::{AnyOdds, MineOdds, odds};
pub use parlor_agents::outside::{check as engine_check, guard as engine_guard};
pub use parlor_agents::{book, endgame, equilibrium as equilibria};

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

/// Returns the shortest form that opens the same game: keys that go without saying are left out.
///
/// ```
/// let full = parlor_catalog::open("connect(width=7)").unwrap().spec();
/// assert_eq!(parlor_catalog::short_form(&full), "connect(width=7)");
/// assert_eq!(parlor_catalog::short_form("no such game"), "no such game");
/// ```
#[must_use]
pub fn short_form(full: &str) -> String {
    let (Ok(mut spec), Ok(game)) = (Spec::parse(full), open(full)) else { return full.to_owned() };
    let same = game.spec();
    // From the last to the first: later keys refine what earlier ones choose.
    for at in (0..spec.pairs.len()).rev() {
        let mut shorter = spec.clone();
        shorter.pairs.remove(at);
        if open(&shorter.to_string()).is_ok_and(|game| game.spec() == same) {
            spec = shorter;
        }
    }
    spec.to_string()
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
