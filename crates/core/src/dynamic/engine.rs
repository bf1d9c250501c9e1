//! An agent of ours on the far side of a pipe: it gets texts, and answers with texts.

use std::time::Duration;

use crate::agent::{Agent, Decision, Sight};
use crate::clock::{Clock, TimeControl};
use crate::notation::{Notation, ReadError};
use crate::payoffs::Payoffs;
use crate::play::{Actor, guarded};
use crate::rng::Rng;
use crate::seat::{BySeat, MAX_SEATS, Seat};
use crate::spec::Entry;

use super::{AnyEngine, DoorError};

pub(super) struct Engine<G: Entry> {
    pub(super) game: G,
    pub(super) agent: Box<dyn Agent<G>>,
    pub(super) seat: Seat,
}

impl<G: Entry + Notation> AnyEngine for Engine<G> {
    fn begin(&mut self, seat: Seat) {
        self.seat = seat;
        self.agent.begin(&self.game, seat);
    }

    fn see(&mut self, actor: Actor, action: &str) -> Result<(), DoorError> {
        let action = self.game.read_action(action)?;
        self.agent.watch(&self.game, Sight { actor, action });
        Ok(())
    }

    fn answer(&mut self, view: &str, limit: Option<Duration>, bits: u64) -> Result<String, DoorError> {
        let sheet: G::Sheet = serde_json::from_str(view)
            .map_err(|error| ReadError::new("view", error.to_string()).at(error.column()))?;
        let view = self.game.read_view(&sheet)?;
        let actions = self.game.view_actions(&view);
        if actions.is_empty() {
            return Err(DoorError::Unfit("this view asks for nothing".to_owned()));
        }
        let clock = Clock::new(TimeControl { per_move: limit, ..TimeControl::default() });
        let decision = Decision { clock, ..Decision::untimed(&self.game, self.seat, &view, &actions) };
        let agent = &mut self.agent;
        let action = guarded(self.seat, || agent.act(&decision, &mut Rng::new(bits)))
            .map_err(|(seat, why)| DoorError::Forfeit { seat, why })?;
        Ok(self.game.write_action(action))
    }

    fn over(&mut self, payoffs: &[f64]) {
        let mut by_seat = [0.0; MAX_SEATS];
        for (slot, payoff) in by_seat.iter_mut().zip(payoffs) {
            *slot = *payoff;
        }
        self.agent.end(&self.game, &Payoffs(BySeat(by_seat)));
    }
}
