//! Deals of hidden hands: how many there are, and what each is worth.

use parlor_core::api::{ApiError, Hosted};
use parlor_core::{Entry, Progress, Resources};
use parlor_games::dominoes::{Dominoes, OpenHands};

pub use parlor_games::dominoes::DealValue;

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

/// A game in which hands are dealt and hidden.
pub trait AnyDeals {
    /// Returns how the game is dealt.
    fn count(&self) -> Deals;

    /// Returns the value of every deal with open hands.
    ///
    /// # Errors
    /// If there are too many deals, or the answer is no longer wanted.
    fn values(&self, means: &Resources, progress: &mut Progress<'_>) -> Result<Vec<DealValue>, ApiError>;
}

impl AnyDeals for Hosted<Dominoes> {
    fn count(&self) -> Deals {
        let game = self.game();
        let (tiles, hand) = (game.all().len(), game.rules().hand);
        let full = game.spec().to_string();
        Deals { game: full, tiles, hand, boneyard: tiles - 2 * hand, deals: game.deals() }
    }

    fn values(&self, means: &Resources, progress: &mut Progress<'_>) -> Result<Vec<DealValue>, ApiError> {
        Ok(OpenHands::new(means).each_deal(self.game(), progress)?)
    }
}
