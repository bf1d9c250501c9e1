//! How much a search gets done: a match whose agents are listened to while they think.

use std::time::Instant;

use crate::agent::{Agent, Decision, Sight};
use crate::game::Game;
use crate::lesson::Mind;
use crate::oracle::Oracle;
use crate::payoffs::Payoffs;
use crate::play::Crowd;
use crate::rng::Rng;
use crate::seat::Seat;

use super::Searched;

/// Minds at a table, one a seat, and what was heard of their searches.
pub(super) struct Overheard<'a, G: Game>(pub(super) Vec<Listener<'a, G>>);

/// A mind whose every decision is a thought aloud.
pub(super) struct Listener<'a, G: Game> {
    pub(super) mind: &'a mut Mind<G>,
    pub(super) heard: Searched,
}

impl<G: Game> Crowd<G> for Overheard<'_, G> {
    fn agent(&mut self, seat: Seat) -> &mut dyn Agent<G> {
        &mut self.0[seat.index()]
    }

    fn oracle(&mut self, seat: Seat) -> Option<&mut dyn Oracle<G>> {
        self.0[seat.index()].mind.oracle()
    }
}

impl<G: Game> Agent<G> for Listener<'_, G> {
    fn begin(&mut self, game: &G, seat: Seat) {
        self.mind.agent().begin(game, seat);
    }

    fn watch(&mut self, game: &G, sight: Sight<G::Action>) {
        self.mind.agent().watch(game, sight);
    }

    fn act(&mut self, decision: &Decision<'_, G>, rng: &mut Rng) -> G::Action {
        let mut nodes = None;
        let started = Instant::now();
        let action =
            self.mind.agent().think(decision, rng, &mut |thought| nodes = nodes.max(Some(thought.nodes)));
        if let Some(nodes) = nodes {
            self.heard += Searched { decisions: 1, nodes, time: started.elapsed() };
        }
        action
    }

    fn end(&mut self, game: &G, payoffs: &Payoffs) {
        self.mind.agent().end(game, payoffs);
    }
}
