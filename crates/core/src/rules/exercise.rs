//! Positions with known right actions, to ask agents about.

use crate::rng::Rng;
use crate::rules::game::Game;

/// A position in which a seat decides, and the actions that are right there.
#[derive(Clone, Debug)]
pub struct Exercise<G: Game> {
    /// The position.
    pub state: G::State,
    /// The right actions, some but not all of the legal ones.
    pub right: Vec<G::Action>,
}

/// Draws an exercise; equal random streams give equal ones.
pub type DrawExercise<G> = fn(&G, &mut Rng) -> Exercise<G>;
