//! The learnt values of positions that searches use: `evaluation=`.

use std::sync::Arc;

use parlor_agents::evaluation::{self, LearntValue, ViewValues};
use parlor_agents::{net, ntuple};
use parlor_core::files::recall::{NO_FILE, SHIPPED};
use parlor_core::{Afterstates, NetInputs, Positions, Settings, SpecError};

use crate::Registered;
use crate::roster::shipped_table;

/// Returns the values of `ntuple` that `evaluation=` selects.
pub fn ntuple_value<G: Registered + Positions>(
    game: &G,
    settings: &Settings,
) -> Result<Option<Arc<dyn LearntValue<G>>>, SpecError> {
    ntuple::learnt_value(game, settings, shipped_table(game))
}

/// Returns the values of `ntuple` that `evaluation=` selects where a seat does not see everything.
pub fn ntuple_views<G: Registered + Afterstates>(
    game: &G,
    settings: &Settings,
) -> Result<Option<Box<dyn ViewValues<G>>>, SpecError> {
    ntuple::view_values(game, settings, shipped_table(game))
}

/// Returns the values that `evaluation=` selects where nets value positions too.
pub fn net_or_ntuple<G: Registered + Positions + NetInputs>(
    game: &G,
    settings: &Settings,
) -> Result<Option<Arc<dyn LearntValue<G>>>, SpecError> {
    let net = match settings.text(evaluation::KEY.name) {
        evaluation::NET => {
            return Ok(G::ABILITIES.shipped_net.and_then(|shipped| net::shipped_value(game, shipped)));
        }
        NO_FILE | SHIPPED => None,
        _ => net::learnt_value(game, settings)?,
    };
    if net.is_some() { Ok(net) } else { ntuple_value(game, settings) }
}
