//! Which games have hands that are dealt and hidden: their deals are counted, their equilibria found.

use parlor_agents::equilibrium::{AnyEquilibrium, HostedEquilibrium};
use parlor_core::api::{ApiError, Hosted};
use parlor_core::{Entry, Progress, Resources, Settings, Spec, SpecError};
use parlor_games::dominoes::{Dominoes, OpenHands};

use crate::{find, roster};

pub use parlor_games::dominoes::DealValue;

/// Reads the spec of a game with hidden hands.
fn dominoes(spec: &str) -> Result<Dominoes, SpecError> {
    let spec = Spec::parse(spec)?;
    let entry = find(&spec.name)?;
    let settings = Settings::read(&spec, entry.keys)?;
    if entry.name != Dominoes::NAME {
        let wrong = format!("no hands are dealt in it; they are in {}", Dominoes::NAME);
        return Err(SpecError::Together { owner: spec.name, wrong });
    }
    Dominoes::open(&settings)
}

/// Opens a game whose equilibrium is wanted.
///
/// # Errors
/// If there is no such game, its settings do not fit, or nothing is hidden in it.
pub fn equilibrium(spec: &str) -> Result<Box<dyn AnyEquilibrium>, SpecError> {
    Ok(Box::new(HostedEquilibrium(Hosted::new(dominoes(spec)?, roster::dominoes()))))
}

/// How a game is dealt.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deals {
    /// The game's full form.
    pub game: String,
    /// How many tiles there are.
    pub tiles: u8,
    /// How many each seat gets.
    pub hand: u8,
    /// How many are left.
    pub boneyard: u8,
    /// How many deals there are, the order of tiles apart.
    pub deals: u128,
}

/// Returns how a game is dealt.
///
/// # Errors
/// If there is no such game, its settings do not fit, or nothing is dealt in it.
///
/// ```
/// assert_eq!(parlor_catalog::deals("dominoes(rules=myers)").unwrap().deals, 4_200);
/// ```
pub fn deals(spec: &str) -> Result<Deals, SpecError> {
    let game = dominoes(spec)?;
    let (tiles, hand) = (game.all().len(), game.rules().hand);
    let full = game.spec().to_string();
    Ok(Deals { game: full, tiles, hand, boneyard: tiles - 2 * hand, deals: game.deals() })
}

/// Returns the value of every deal with open hands.
///
/// # Errors
/// If there is no such game, its settings do not fit, nothing is dealt in it, there are too many deals, or the answer is no longer
/// wanted.
pub fn deal_values(
    spec: &str,
    means: &Resources,
    progress: &mut Progress<'_>,
) -> Result<Vec<DealValue>, ApiError> {
    Ok(OpenHands::new(means).each_deal(&dominoes(spec)?, progress)?)
}
