//! The one place that steps a match: it asks a seat for its decision and carries actions out.
//!
//! Matches, tables, analysis, referees, opening books, best responses and the tests of agents all use [`ask`],
//! [`advance`] and [`brief`], so legality, what each seat sees, and forfeits are the same everywhere.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use crate::play::agent::{Agent, Decision, Sight};
use crate::play::context::Context;
use crate::play::oracle::Oracle;
use crate::play::outcome::{Actor, Fault, Forfeit};
use crate::play::thought::{Pondering, TypeOdds};
use crate::rules::game::{Game, Phase};
use crate::rules::payoffs::Payoffs;
use crate::rules::seat::{MAX_SEATS, Seat};

/// A player in a seat: an agent, or an oracle that sees the state.
pub enum Seated<'a, G: Game> {
    /// Knows what its seat knows.
    Agent(&'a mut dyn Agent<G>),
    /// Sees everything.
    Oracle(&'a mut dyn Oracle<G>),
}

impl<G: Game> Seated<'_, G> {
    /// A new session begins.
    pub fn begin_session(&mut self) {
        match self {
            Seated::Agent(agent) => agent.begin_session(),
            Seated::Oracle(oracle) => oracle.begin_session(),
        }
    }

    /// A new match begins.
    pub fn begin(&mut self, game: &G, seat: Seat) {
        match self {
            Seated::Agent(agent) => agent.begin(game, seat),
            Seated::Oracle(oracle) => oracle.begin(game, seat),
        }
    }

    /// Something happened that the seat could see.
    pub fn watch(&mut self, game: &G, sight: Sight<G::Action>) {
        match self {
            Seated::Agent(agent) => agent.watch(game, sight),
            Seated::Oracle(oracle) => oracle.watch(game, sight),
        }
    }

    /// Returns its decision. Only an oracle gets the state.
    pub fn act(
        &mut self,
        decision: &Decision<'_, G>,
        state: &G::State,
        context: &mut Context<'_, G>,
    ) -> G::Action {
        match self {
            Seated::Agent(agent) => agent.act(decision, context),
            Seated::Oracle(oracle) => oracle.act(decision, state, context),
        }
    }

    /// Thinks on the other seat's time.
    pub fn ponder(&mut self, pondering: &Pondering<'_, G>) {
        if let Seated::Agent(agent) = self {
            agent.ponder(pondering);
        }
    }

    /// The match is over.
    pub fn end(&mut self, game: &G, payoffs: &Payoffs) {
        match self {
            Seated::Agent(agent) => agent.end(game, payoffs),
            Seated::Oracle(oracle) => oracle.end(game),
        }
    }

    /// Returns how likely it takes the other seat to be of each type; `None` if it does not tell types apart.
    pub fn opponent_types(&mut self, game: &G) -> Option<Vec<TypeOdds>> {
        match self {
            Seated::Agent(agent) => agent.opponent_types(game),
            Seated::Oracle(oracle) => oracle.opponent_types(game),
        }
    }
}

/// Who sits at a table. A slice of agents is one, one agent a seat; [`training`](crate::play::training) seats learners.
pub trait Seats<G: Game> {
    /// Returns the player in `seat`; `None` where the seat is played from outside.
    fn seated(&mut self, seat: Seat) -> Option<Seated<'_, G>>;

    /// Returns the player in `seat` and the one that may think meanwhile, where that is another.
    fn mover_and_ponderer(&mut self, seat: Seat) -> (Option<Seated<'_, G>>, Option<Seated<'_, G>>) {
        (self.seated(seat), None)
    }

    /// A seat has decided; this is what it knew and what it could do.
    fn decided(&mut self, _seat: Seat, _view: &G::View, _legal: &[G::Action], _action: G::Action) {}

    /// An action, of a seat or of chance, has led to `state`.
    fn applied(&mut self, _game: &G, _state: &G::State) {}
}

impl<G: Game> Seats<G> for [&mut dyn Agent<G>] {
    fn seated(&mut self, seat: Seat) -> Option<Seated<'_, G>> {
        Some(Seated::Agent(&mut *self[seat.index()]))
    }

    fn mover_and_ponderer(&mut self, seat: Seat) -> (Option<Seated<'_, G>>, Option<Seated<'_, G>>) {
        let (own, other) = own_and_other(self, seat);
        (Some(Seated::Agent(&mut **own)), other.map(|agent| Seated::Agent(&mut **agent)))
    }
}

/// Returns what belongs to `seat`, and what belongs to the other seat if there is one.
pub(crate) fn own_and_other<T>(by_seat: &mut [T], seat: Seat) -> (&mut T, Option<&mut T>) {
    let (first, rest) = by_seat.split_first_mut().expect("a match has a seat");
    match rest.first_mut() {
        Some(second) if seat != Seat::FIRST => (second, Some(first)),
        second => (first, second),
    }
}

/// Asks a player for its decision. The context's clock runs meanwhile.
///
/// # Errors
/// A forfeit if the player answers with an action that is not offered, panics, or overruns its clock.
pub fn ask<G: Game>(
    decision: &Decision<'_, G>,
    state: &G::State,
    player: &mut Seated<'_, G>,
    context: &mut Context<'_, G>,
) -> Result<G::Action, Forfeit> {
    let seat = decision.seat;
    let started = context.clock.is_limited().then(Instant::now);
    let action = guarded(seat, || player.act(decision, state, context))?;
    if let Some(started) = started {
        context.clock.spend(started.elapsed());
        if context.clock.has_fallen() {
            return Err(Forfeit { seat, why: Fault::Overran });
        }
    }
    check_legal(decision, action)
}

/// Returns the action if the decision offers it.
///
/// # Errors
/// A forfeit if it does not.
pub fn check_legal<G: Game>(decision: &Decision<'_, G>, action: G::Action) -> Result<G::Action, Forfeit> {
    if decision.actions.contains(&action) {
        Ok(action)
    } else {
        Err(Forfeit { seat: decision.seat, why: Fault::Illegal(format!("{action:?}")) })
    }
}

/// Carries out an action: changes the state and shows every seat what it may see of it.
///
/// # Errors
/// The forfeit of a player that panics while it watches. The action is carried out all the same.
pub fn advance<G: Game, S: Seats<G> + ?Sized>(
    game: &G,
    state: &mut G::State,
    actor: Actor,
    action: G::Action,
    seats: &mut S,
) -> Result<(), Forfeit> {
    let sights: [Option<G::Action>; MAX_SEATS] =
        std::array::from_fn(|seat| game.seen(state, action, Seat(seat as u8)));
    game.apply(state, action);
    let mut watched = Ok(());
    for seat in Seat::all(game.seats()) {
        if let (Some(action), Some(mut player)) = (sights[seat.index()], seats.seated(seat)) {
            watched = guarded(seat, || player.watch(game, Sight { actor, action }));
            if watched.is_err() {
                break;
            }
        }
    }
    seats.applied(game, state);
    watched
}

/// Returns who acts in a state; `None` once the match is over.
#[must_use]
pub fn actor<G: Game>(game: &G, state: &G::State) -> Option<Actor> {
    match game.phase(state) {
        Phase::Decide(seat) => Some(Actor::Seat(seat)),
        Phase::Chance => Some(Actor::Chance),
        Phase::Over => None,
    }
}

/// Begins a session and a match for the player in `seat` and shows it what its seat has seen since `start`.
///
/// # Errors
/// Its forfeit, if it panics.
pub fn brief<G: Game>(
    game: &G,
    start: &G::State,
    actions: impl IntoIterator<Item = G::Action>,
    seat: Seat,
    player: &mut Seated<'_, G>,
) -> Result<(), Forfeit> {
    let mut state = start.clone();
    guarded(seat, || {
        player.begin_session();
        player.begin(game, seat);
        for action in actions {
            let actor = actor(game, &state).expect("nothing is recorded after the end of a match");
            let seen = game.seen(&state, action, seat);
            game.apply(&mut state, action);
            if let Some(action) = seen {
                player.watch(game, Sight { actor, action });
            }
        }
    })
}

/// Calls into a player; a panic becomes its seat's forfeit.
///
/// # Errors
/// That forfeit.
pub fn guarded<T>(seat: Seat, call: impl FnOnce() -> T) -> Result<T, Forfeit> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|cause| {
        let why = cause
            .downcast::<Fault>()
            .map_or_else(|other| Fault::Panicked(panic_message(&*other)), |fault| *fault);
        Forfeit { seat, why }
    })
}

fn panic_message(cause: &(dyn Any + Send)) -> String {
    if let Some(message) = cause.downcast_ref::<&str>() {
        (*message).to_owned()
    } else if let Some(message) = cause.downcast_ref::<String>() {
        message.clone()
    } else {
        "without a word".to_owned()
    }
}
