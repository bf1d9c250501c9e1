//! One of our agents on the far side of a pipe: it gets texts, and answers with texts.

use crate::play::agent::{Agent, Decision, Sight};
use crate::play::context::Context;
use crate::play::outcome::Actor;
use crate::play::stepper::guarded;
use crate::play::thought::Pondering;
use crate::rng::Rng;
use crate::rules::payoffs::Payoffs;
use crate::rules::seat::{BySeat, MAX_SEATS, Seat};
use crate::text::notation::{Notation, ReadError};
use crate::text::protocol::Clocks;
use crate::text::spec::Entry;
use crate::time::deadline::Cancel;

use super::ApiError;

/// One agent in one seat that is spoken to in texts. No text can make it panic.
pub trait AnyEngine: Send {
    /// A new match begins in which it has `seat`.
    ///
    /// # Errors
    /// If the game has no such seat, or the agent fails.
    fn begin(&mut self, seat: Seat) -> Result<(), ApiError>;

    /// Something happened that its seat could see.
    ///
    /// # Errors
    /// If the text is not an action of the game, or the agent fails.
    fn see(&mut self, actor: Actor, action: &str) -> Result<(), ApiError>;

    /// Returns its decision for the view (the JSON of a sheet) by those clocks, with `bits` for randomness, and at once when
    /// `cancel` is set.
    ///
    /// # Errors
    /// If the view is not understood, asks for nothing, or the agent fails.
    fn answer(&mut self, view: &str, clocks: &Clocks, bits: u64, cancel: &Cancel)
    -> Result<String, ApiError>;

    /// Lets it think about the view (the JSON of a sheet) while another seat is to act, until `cancel` is set.
    ///
    /// # Errors
    /// If the view is not understood, or the agent fails.
    fn ponder(&mut self, view: &str, cancel: &Cancel) -> Result<(), ApiError>;

    /// The match is over.
    ///
    /// # Errors
    /// If the agent fails.
    fn over(&mut self, payoffs: &[f64]) -> Result<(), ApiError>;
}

pub(super) struct Engine<G: Entry> {
    pub(super) game: G,
    pub(super) agent: Box<dyn Agent<G>>,
    pub(super) seat: Seat,
}

impl<G: Entry> Engine<G> {
    /// Calls into the agent. What comes through the pipe can be senseless in ways that only the agent stumbles over.
    fn call<T>(&mut self, call: impl FnOnce(&mut dyn Agent<G>, &G) -> T) -> Result<T, ApiError> {
        Ok(guarded(self.seat, || call(&mut *self.agent, &self.game))?)
    }
}

impl<G: Entry + Notation> Engine<G> {
    fn read_view(&self, json: &str) -> Result<G::View, ApiError> {
        let sheet: G::Sheet = serde_json::from_str(json)
            .map_err(|error| ReadError::new("view", error.to_string()).at(error.column()))?;
        Ok(self.game.read_view(&sheet)?)
    }
}

impl<G: Entry + Notation> AnyEngine for Engine<G> {
    fn begin(&mut self, seat: Seat) -> Result<(), ApiError> {
        if seat.0 >= self.game.seats() {
            return Err(ApiError::NoSuchSeat { game: G::NAME, seat });
        }
        self.seat = seat;
        self.call(|agent, game| {
            agent.begin_session();
            agent.begin(game, seat);
        })
    }

    fn see(&mut self, actor: Actor, action: &str) -> Result<(), ApiError> {
        if let Actor::Seat(seat) = actor
            && seat.0 >= self.game.seats()
        {
            return Err(ApiError::NoSuchSeat { game: G::NAME, seat });
        }
        let action = self.game.read_action(action)?;
        self.call(|agent, game| agent.watch(game, Sight { actor, action }))
    }

    fn answer(
        &mut self,
        view: &str,
        clocks: &Clocks,
        bits: u64,
        cancel: &Cancel,
    ) -> Result<String, ApiError> {
        let view = self.read_view(view)?;
        let actions = self.game.view_actions(&view);
        if actions.is_empty() {
            return Err(ApiError::NobodyToMove);
        }
        let seat = self.seat;
        let action = self.call(|agent, game| {
            let mut rng = Rng::new(bits);
            let mut context =
                Context::new(&mut rng).with_clocks(clocks.own, clocks.other).with_cancel(cancel);
            agent.act(&Decision::new(game, seat, &view, &actions), &mut context)
        })?;
        Ok(self.game.write_action(action))
    }

    fn ponder(&mut self, view: &str, cancel: &Cancel) -> Result<(), ApiError> {
        let view = self.read_view(view)?;
        let seat = self.seat;
        self.call(|agent, game| agent.ponder(&Pondering { game, seat, view: &view, cancel }))
    }

    fn over(&mut self, payoffs: &[f64]) -> Result<(), ApiError> {
        let mut by_seat = [0.0; MAX_SEATS];
        for (slot, payoff) in by_seat.iter_mut().zip(payoffs) {
            *slot = *payoff;
        }
        self.call(|agent, game| agent.end(game, &Payoffs(BySeat(by_seat))))
    }
}
