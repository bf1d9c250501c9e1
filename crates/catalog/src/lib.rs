//! The only place that names games and agents together: the registry of games, each game's roster of agents, and opening
//! both from `name(key=value, …)`.

mod abilities;
mod deals;
mod odds;
mod opening;
mod registry;
pub mod roster;
mod training_plans;

use parlor_core::{Spec, SpecError};

pub use abilities::{Abilities, Ability, MissingAbility, OpenedGame, Registered, Side};
pub use deals::{AnyDeals, DealValue, Deals};
pub use odds::{AnyOdds, MineOdds, OddsWorkload};
pub use opening::{GameEntry, Visitor, open};
pub use registry::{GAMES, visit};
pub use training_plans::TrainingPlan;

// What the abilities take and return, for those that may not know `parlor-agents`.
pub use parlor_agents::outside::{check as engine_check, guard as engine_guard};
pub use parlor_agents::{book, endgame, equilibrium as equilibria};

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
/// If no game has this name.
pub fn find(name: &str) -> Result<&'static GameEntry, SpecError> {
    GAMES.iter().find(|entry| entry.name == name).ok_or_else(|| SpecError::Name {
        kind: "game".to_owned(),
        name: name.to_owned(),
        known: GAMES.iter().map(|entry| entry.name.to_owned()).collect(),
    })
}

/// Returns rounds of CFR+ at Leduc poker with its suits told apart, as other programs have it: 936 information sets. It is no
/// game of the registry: it measures solvers.
///
/// # Panics
/// Never: it is small.
#[must_use]
pub fn leduc_rounds() -> equilibria::Rounds {
    let detail = equilibria::sequence_form::Detail::Everything;
    equilibria::Rounds::of(&parlor_games::leduc::Leduc, detail).expect("Leduc poker is small")
}
