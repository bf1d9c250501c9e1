//! The registry: the only place that names games and agents together. It lists every game, the types that play it, its roster of
//! agents and what else can be done with it.
//!
//! Nothing here is compiled for a game yet: all of it is generic, constant or `#[inline]`. The `instances-…` crates compile it, each for
//! a family of games, so that a build keeps several cores busy; `parlor-catalog` opens games by name.

mod abilities;
mod column_features;
mod deals;
mod learnt_values;
mod odds;
mod opening;
mod registry;
pub mod roster;
mod search_keys;
mod table_plans;
mod training_plans;

pub use abilities::{Abilities, Ability, MissingAbility, OpenedGame, Registered, ShippedFile, Side};
pub use column_features::AnyColumnFeatures;
pub use deals::{AnyDeals, DealValue, Deals};
pub use odds::{AnyOdds, MineOdds, OddsWorkload};
pub use opening::{GameEntry, Host, Instance, Visitor};
pub use registry::{GAMES, types, visit};
pub use table_plans::{Level, Preset, TablePlan};
pub use training_plans::TrainingPlan;

use parlor_core::SpecError;

/// Finds a game's entry by its bare name, or by another name that people know it by.
///
/// # Errors
/// If no game has this name.
pub fn find(name: &str) -> Result<&'static GameEntry, SpecError> {
    let is_meant = |entry: &&GameEntry| entry.name == name || entry.aliases().contains(&name);
    GAMES.iter().find(is_meant).ok_or_else(|| SpecError::Name {
        kind: "game".to_owned(),
        name: name.to_owned(),
        known: GAMES.iter().map(|entry| entry.name.to_owned()).collect(),
    })
}
