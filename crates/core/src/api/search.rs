//! How much a search gets done: a match whose agents are listened to while they think.

use std::time::Instant;

use crate::play::agent::{Agent, Decision, Sight};
use crate::play::game_loop::Seats;
use crate::play::oracle::Oracle;
use crate::play::training::Player;
use crate::rng::Rng;
use crate::rules::game::Game;
use crate::rules::payoffs::Payoffs;
use crate::rules::seat::Seat;

use super::Searched;

/// Minds at a table, one a seat, and what was heard of their searches.
pub(super) struct Overheard<'a, G: Game>(pub(super) Vec<Listener<'a, G>>);

/// A player whose every decision is a thought aloud.
pub(super) struct Listener<'a, G: Game> {
    pub(super) player: &'a mut Player<G>,
    pub(super) heard: Searched,
}

impl<G: Game> Seats<G> for Overheard<'_, G> {
    fn agent(&mut self, seat: Seat) -> &mut dyn Agent<G> {
        &mut self.0[seat.index()]
    }

    fn oracle(&mut self, seat: Seat) -> Option<&mut dyn Oracle<G>> {
        self.0[seat.index()].player.oracle()
    }
}

impl<G: Game> Agent<G> for Listener<'_, G> {
    fn begin(&mut self, game: &G, seat: Seat) {
        self.player.agent().begin(game, seat);
    }

    fn watch(&mut self, game: &G, sight: Sight<G::Action>) {
        self.player.agent().watch(game, sight);
    }

    fn act(&mut self, decision: &Decision<'_, G>, rng: &mut Rng) -> G::Action {
        let mut nodes = None;
        let started = Instant::now();
        let action =
            self.player.agent().think(decision, rng, &mut |thought| nodes = nodes.max(Some(thought.nodes)));
        if let Some(nodes) = nodes {
            self.heard += Searched { decisions: 1, nodes, time: started.elapsed() };
        }
        action
    }

    fn end(&mut self, game: &G, payoffs: &Payoffs) {
        self.player.agent().end(game, payoffs);
    }
}
