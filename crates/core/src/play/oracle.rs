//! Whoever is allowed to see everything. Not an [`Agent`]: only the laboratory seats oracles, and results name them.

use std::sync::atomic::AtomicBool;

use crate::play::agent::{Agent, Decision};
use crate::play::game_loop::Fault;
use crate::rng::Rng;
use crate::rules::game::Game;
use crate::rules::seat::Seat;
use crate::time::clock::Clock;

/// What an oracle is asked: the truth, hidden things included.
#[derive(Debug)]
pub struct Sighted<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// The seat that is asked.
    pub seat: Seat,
    /// The truth.
    pub state: &'a G::State,
    /// What it may do; never empty.
    pub actions: &'a [G::Action],
    /// What its clock shows.
    pub clock: Clock,
    /// What the other seat's clock shows, if there is another seat.
    pub opponent_clock: Option<Clock>,
    /// Set when the answer is no longer wanted.
    pub stop: Option<&'a AtomicBool>,
}

impl<'a, G: Game> Sighted<'a, G> {
    /// Returns a question without a clock, to be answered whenever.
    #[must_use]
    pub fn untimed(game: &'a G, seat: Seat, state: &'a G::State, actions: &'a [G::Action]) -> Self {
        Sighted { game, seat, state, actions, clock: Clock::default(), opponent_clock: None, stop: None }
    }
}

/// A player that sees the state: what an experiment compares honest players with.
pub trait Oracle<G: Game>: Send {
    /// A new match begins in which it has `seat`.
    fn begin(&mut self, _game: &G, _seat: Seat) {}

    /// Returns one of `sighted.actions`.
    fn act(&mut self, sighted: &Sighted<'_, G>, rng: &mut Rng) -> G::Action;
}

/// An oracle in a seat. As an agent it is blind: the match loop asks the oracle itself.
pub struct SeatedOracle<G: Game>(pub Box<dyn Oracle<G>>);

impl<G: Game> Agent<G> for SeatedOracle<G> {
    fn begin(&mut self, game: &G, seat: Seat) {
        self.0.begin(game, seat);
    }

    fn act(&mut self, _: &Decision<'_, G>, _: &mut Rng) -> G::Action {
        Fault::ChecksummedFileError("an oracle was asked for an answer to a view".to_owned()).raise()
    }
}
