//! An agent away from its table: it decides or ponders on any thread while the table can be looked at.

use std::any::Any;

use crate::play::agent::Decision;
use crate::play::context::Context;
use crate::play::outcome::Forfeit;
use crate::play::stepper::{check_legal, guarded};
use crate::play::thought::{Beliefs, Pondering, Thought};
use crate::play::training::Player;
use crate::rng::Rng;
use crate::rules::seat::Seat;
use crate::text::notation::Notation;
use crate::text::protocol::Clocks;
use crate::text::spec::Entry;
use crate::time::deadline::Cancel;

/// An agent that was taken from a table to think.
pub trait AnyThinker: Send {
    /// Returns the agent's seat.
    fn seat(&self) -> Seat;

    /// Lets the agent decide by those clocks, reporting its thoughts. [`AnyTable::commit`](super::AnyTable::commit) carries the
    /// decision out; one that was cancelled comes to nothing.
    fn decide(&mut self, clocks: &Clocks, cancel: &Cancel, report: &mut dyn FnMut(&Thought<String>));

    /// Accepts what the agent would play after all, if its decision was cancelled: a search that is cut short knows its best move
    /// so far.
    fn settle(&mut self);

    /// Lets the agent think on another seat's time until cancelled. Returns early if it has nothing to think about.
    fn ponder(&mut self, cancel: &Cancel);

    /// Returns what the agent believes about hidden things where it is to decide; `None` if it has no beliefs.
    fn beliefs(&mut self, cancel: &Cancel) -> Option<Beliefs>;

    /// Gives the agent back to its table.
    fn into_any(self: Box<Self>) -> Box<dyn Any>;
}

/// What came of the thinking.
pub(super) enum Thinking<A> {
    /// It has not decided.
    Open,
    /// It was cancelled; this is what it would do.
    Cut(Result<A, Forfeit>),
    /// It has decided, or forfeited.
    Decided(Result<A, Forfeit>),
    /// It failed while it pondered.
    Failed(Forfeit),
}

pub(super) struct Thinker<G: Entry> {
    pub(super) game: G,
    pub(super) seat: Seat,
    pub(super) player: Player<G>,
    /// The seat's random stream, which goes back with the player.
    pub(super) rng: Rng,
    pub(super) state: G::State,
    /// How many actions the table had seen when the agent left it.
    pub(super) plies: usize,
    pub(super) thinking: Thinking<G::Action>,
}

impl<G: Entry + Notation> Thinker<G> {
    fn actions(&self) -> Vec<G::Action> {
        self.game.actions(&self.state).collect()
    }
}

impl<G: Entry + Notation> AnyThinker for Thinker<G> {
    fn seat(&self) -> Seat {
        self.seat
    }

    fn decide(&mut self, clocks: &Clocks, cancel: &Cancel, report: &mut dyn FnMut(&Thought<String>)) {
        let actions = self.actions();
        let Thinker { game, seat, player, rng, state, thinking, .. } = self;
        let view = game.view(state, *seat);
        let decision = Decision::new(game, *seat, &view, &actions);
        let mut report =
            |thought: &Thought<G::Action>| report(&thought.map(|&action| game.write_action(action)));
        let mut context = Context::new(rng)
            .with_clocks(clocks.own, clocks.other)
            .with_cancel(cancel)
            .with_reporter(&mut report);
        // The front end runs the clocks of a table, so it decides when a flag has fallen.
        let answer = guarded(*seat, || player.seated().act(&decision, state, &mut context))
            .and_then(|action| check_legal(&decision, action));
        *thinking = if cancel.is_cancelled() { Thinking::Cut(answer) } else { Thinking::Decided(answer) };
    }

    fn settle(&mut self) {
        self.thinking = match std::mem::replace(&mut self.thinking, Thinking::Open) {
            Thinking::Cut(answer) => Thinking::Decided(answer),
            other => other,
        };
    }

    fn ponder(&mut self, cancel: &Cancel) {
        let view = self.game.view(&self.state, self.seat);
        let pondering = Pondering { game: &self.game, seat: self.seat, view: &view, cancel };
        if let Err(forfeit) = guarded(self.seat, || self.player.seated().ponder(&pondering)) {
            self.thinking = Thinking::Failed(forfeit);
        }
    }

    fn beliefs(&mut self, cancel: &Cancel) -> Option<Beliefs> {
        let actions = self.actions();
        let view = self.game.view(&self.state, self.seat);
        let decision = Decision::new(&self.game, self.seat, &view, &actions);
        // Asking must not change what the agent decides later.
        let mut rng = self.rng.clone();
        let mut context = Context::new(&mut rng).with_cancel(cancel);
        let agent = self.player.agent()?;
        guarded(self.seat, || agent.beliefs(&decision, &mut context)).ok().flatten()
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}
