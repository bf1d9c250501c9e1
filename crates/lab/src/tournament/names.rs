//! Short names for tables: full forms are for files.

use parlor_core::Spec;
use parlor_core::api::AnyGame;

pub use crate::format::cut;

/// Returns an agent's full form without the keys that have their default value.
#[must_use]
pub fn short_agent(game: &dyn AnyGame, full: &str) -> String {
    let Ok(mut spec) = Spec::parse(full) else { return full.to_owned() };
    if let Some(info) = game.agents().into_iter().find(|info| info.name == spec.name) {
        spec.pairs.retain(|(key, value)| !info.keys.iter().any(|k| k.name == key && k.default == value));
    }
    spec.to_string()
}
