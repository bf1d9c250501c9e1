//! The learner's values for searches.

use std::sync::Arc;

use parlor_core::files::recall::recall;
use parlor_core::{Afterstates, Key, Positions, Settings, Spec, SpecError};
use parlor_ml::Entries;

use super::{NAME, keys::read, keys_with_plies, saved};
use crate::evaluation::{CHECKSUM, KEY, LearntValue};

/// A table that values positions.
pub(super) struct Table<G: Positions> {
    pub layout: G::Layout,
    pub table: Arc<Entries>,
}

impl<G: Positions> LearntValue<G> for Table<G> {
    /// A position is as good for the seat to move as it is bad for the one that has just moved.
    fn value(&self, game: &G, state: &G::State) -> f32 {
        -libm::tanhf(game.position_sum(&self.layout, self.table.weights(), state))
    }
}

/// Returns the values of the table that the settings of a search select; `None` if they select none. `shipped` is the knowledge
/// embedded in the program for this game.
///
/// # Errors
/// If the file cannot be used here.
pub fn learnt_value<G: Positions>(
    game: &G,
    settings: &Settings,
    shipped: Option<&[u8]>,
) -> Result<Option<Arc<dyn LearntValue<G>>>, SpecError> {
    let found = table_of(game, settings, keys_with_plies::<G>(), shipped)?;
    Ok(found.map(|(layout, table)| Arc::new(Table { layout, table: Arc::new(table) }) as _))
}

/// Returns the table that the settings of a search select and its layout; `None` if they select none. `keys` are all the learner has in this
/// game.
pub(super) fn table_of<G: Afterstates>(
    game: &G,
    settings: &Settings,
    keys: &'static [Key],
    shipped: Option<&[u8]>,
) -> Result<Option<(G::Layout, Entries)>, SpecError> {
    let pair = |key: &str, of: &str| (key.to_owned(), settings.text(of).to_owned());
    let pairs = vec![pair("file", KEY.name), pair("checksum", CHECKSUM.name)];
    let own = Settings::read(&Spec { name: NAME.to_owned(), pairs }, keys)?;
    let recalled = recall(&own, NAME, keys, shipped)?;
    let Some(payload) = recalled.payload else { return Ok(None) };
    let parts = read(game, &recalled.settings)?;
    let (_, table) = saved::read(&parts.meaning, game.entries(&parts.layout), &mut &payload[..])
        .map_err(|error| settings.unusable(KEY.name, error))?;
    Ok(Some((parts.layout, table)))
}
