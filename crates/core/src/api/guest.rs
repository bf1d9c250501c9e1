//! Agents that know no type of a game: they are asked in texts and numbers. Another language seats its agents with them.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::play::agent::{Agent, Decision, Sight};
use crate::play::context::Context;
use crate::play::outcome::{Actor, Fault};
use crate::rules::game::Game;
use crate::rules::payoffs::Payoffs;
use crate::rules::seat::Seat;
use crate::text::notation::{Ink, Notation, quoted};
use crate::text::spec::Entry;
use crate::time::deadline::Cancel;

use super::VIEW_VERSION;
use super::cells::CellsAccess;

/// Makes a guest, once for each thread that plays.
pub type MakeGuest = dyn Fn() -> Box<dyn Guest> + Send + Sync;

/// A guest that can be seated by name.
#[derive(Clone)]
pub struct GuestEntry {
    /// Its name in specs; it has no keys.
    pub name: String,
    /// Makes one.
    pub make: Arc<MakeGuest>,
}

impl fmt::Debug for GuestEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// An agent that is spoken to in texts and numbers. It is held to the promises of [`Agent`]; a fault forfeits the match.
pub trait Guest: Send {
    /// A new session begins: everything is forgotten that was seen in matches before.
    ///
    /// # Errors
    /// What it did wrong.
    fn begin_session(&mut self) -> Result<(), Fault>;

    /// A new match of a game, given by its full form, begins in which it has `seat`.
    ///
    /// # Errors
    /// What it did wrong.
    fn begin(&mut self, game: &str, seat: Seat) -> Result<(), Fault>;

    /// Something happened that its seat could see, its own actions included.
    ///
    /// # Errors
    /// What it did wrong.
    fn watch(&mut self, actor: Actor, action: &str) -> Result<(), Fault>;

    /// Returns what it chooses.
    ///
    /// # Errors
    /// What it did wrong.
    fn act(&mut self, query: GuestQuery) -> Result<GuestChoice, Fault>;

    /// The match is over; `payoffs` has what each seat got.
    ///
    /// # Errors
    /// What it did wrong, which changes no result any more.
    fn end(&mut self, payoffs: &[f64]) -> Result<(), Fault>;

    /// Returns whether it wants to be told what its seat sees happen; an agent that looks at views only need not be.
    fn watches(&self) -> bool;
}

/// A decision that a guest is asked for.
pub struct GuestQuery {
    /// What its seat knows and may do.
    pub decision: Box<dyn AnyDecision>,
    /// The seed of its randomness: equal matches give equal seeds.
    pub seed: u64,
    /// How long it may take; `None` for as long as it likes.
    pub patience: Option<Duration>,
    /// Set when the answer is no longer wanted.
    pub cancel: Option<Cancel>,
}

/// What a guest chooses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GuestChoice {
    /// The action that a text means.
    Text(String),
    /// The action that has a number.
    Number(usize),
}

/// A decision on its own: what one seat knows and may do, and nothing else.
pub trait AnyDecision: Send + Sync {
    /// Returns the game's full form.
    fn game(&self) -> String;

    /// Returns the seat that decides.
    fn seat(&self) -> Seat;

    /// Returns what it may do, in the game's order; never empty.
    fn actions(&self) -> Vec<String>;

    /// Returns what it sees as JSON, in a versioned envelope.
    fn view_json(&self) -> Value;

    /// Returns a drawing of what it sees.
    fn draw(&self, ink: Ink) -> String;

    /// Returns the position text of what it sees, where the game's position form can express it.
    fn position(&self) -> Option<String>;

    /// Returns the symbol of each cell of what it sees; `None` if the game shows no cells.
    fn cells(&self) -> Option<Vec<u8>>;

    /// Returns the numbers of what it may do, in the same order as the texts; `None` if actions have no numbers.
    fn legal_numbers(&self) -> Option<Vec<usize>>;

    /// Returns 1 for every number that it may choose and 0 for the others; `None` if actions have no numbers.
    fn mask(&self) -> Option<Vec<u8>>;
}

/// Returns a view in its versioned envelope.
pub(super) fn view_json<G: Entry + Notation>(game: &G, seat: Seat, view: &G::View) -> Value {
    json!({
        "parlor_view": VIEW_VERSION,
        "game": game.spec().to_string(),
        "seat": seat,
        "view": serde_json::to_value(game.sheet(view)).expect("a sheet is plain data"),
    })
}

/// A decision with its own copy of everything, so that it can go to another thread and outlive the match.
struct OwnDecision<G: Game> {
    game: G,
    seat: Seat,
    view: G::View,
    actions: Vec<G::Action>,
    cells: Option<CellsAccess<G>>,
}

impl<G: Entry + Notation> AnyDecision for OwnDecision<G> {
    fn game(&self) -> String {
        self.game.spec().to_string()
    }

    fn seat(&self) -> Seat {
        self.seat
    }

    fn actions(&self) -> Vec<String> {
        self.actions.iter().map(|&action| self.game.write_action(action)).collect()
    }

    fn view_json(&self) -> Value {
        view_json(&self.game, self.seat, &self.view)
    }

    fn draw(&self, ink: Ink) -> String {
        self.game.draw(&self.view, ink)
    }

    fn position(&self) -> Option<String> {
        self.game.write_position(&self.view)
    }

    fn cells(&self) -> Option<Vec<u8>> {
        let access = self.cells?;
        let mut cells = vec![0; (access.layout)(&self.game).count()];
        (access.write)(&self.game, &self.view, &mut cells);
        Some(cells)
    }

    fn legal_numbers(&self) -> Option<Vec<usize>> {
        let access = self.cells?;
        Some(self.actions.iter().map(|&action| (access.number)(&self.game, action)).collect())
    }

    fn mask(&self) -> Option<Vec<u8>> {
        let mut mask = vec![0; (self.cells?.numbers)(&self.game)];
        self.legal_numbers()?.into_iter().for_each(|number| mask[number] = 1);
        Some(mask)
    }
}

/// A guest as an agent.
pub(super) struct SeatedGuest<G: Game> {
    guest: Box<dyn Guest>,
    spec: String,
    cells: Option<CellsAccess<G>>,
}

impl<G: Entry> SeatedGuest<G> {
    pub(super) fn new(game: &G, entry: &GuestEntry, cells: Option<CellsAccess<G>>) -> Self {
        SeatedGuest { guest: (entry.make)(), spec: game.spec().to_string(), cells }
    }
}

/// Ends the call into a guest that has misbehaved.
fn or_raise<T>(result: Result<T, Fault>) -> T {
    result.unwrap_or_else(|fault| fault.raise())
}

impl<G: Entry + Notation> Agent<G> for SeatedGuest<G> {
    fn begin_session(&mut self) {
        or_raise(self.guest.begin_session());
    }

    fn begin(&mut self, _: &G, seat: Seat) {
        or_raise(self.guest.begin(&self.spec, seat));
    }

    fn watch(&mut self, game: &G, sight: Sight<G::Action>) {
        if self.guest.watches() {
            or_raise(self.guest.watch(sight.actor, &game.write_action(sight.action)));
        }
    }

    fn act(&mut self, decision: &Decision<'_, G>, context: &mut Context<'_, G>) -> G::Action {
        let Decision { game, seat, view, actions } = *decision;
        let own = OwnDecision {
            game: game.clone(),
            seat,
            view: view.clone(),
            actions: actions.to_vec(),
            cells: self.cells,
        };
        let query = GuestQuery {
            decision: Box::new(own),
            seed: context.rng.bits(),
            patience: context.clock.patience(),
            cancel: context.cancel.cloned(),
        };
        match or_raise(self.guest.act(query)) {
            GuestChoice::Text(text) => game
                .understand(actions, &text)
                .unwrap_or_else(|_| Fault::Illegal(quoted(&text).to_string()).raise()),
            GuestChoice::Number(number) => {
                let access = self.cells.filter(|access| number < (access.numbers)(game));
                let action = access.and_then(|access| (access.numbered)(game, number));
                let action = action.filter(|action| actions.contains(action));
                action.unwrap_or_else(|| Fault::Illegal(format!("number {number}")).raise())
            }
        }
    }

    fn end(&mut self, game: &G, payoffs: &Payoffs) {
        let payoffs: Vec<f64> = Seat::all(game.seats()).map(|seat| payoffs.of(seat)).collect();
        or_raise(self.guest.end(&payoffs));
    }
}
