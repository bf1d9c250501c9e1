//! Views as cells and actions as numbers, for callers that do not know the game's types: other languages, learners in other
//! processes, the command line.

use crate::rng::Rng;
use crate::rules::cells::{CellLayout, Cells, Place};
use crate::rules::game::{Game, Phase};
use crate::rules::numbered::Numbered;
use crate::rules::seat::Seat;
use crate::rules::symmetry::Symmetry;
use crate::text::notation::{Notation, Position};
use crate::text::spec::Entry;

use super::batch::{AnyBatch, Batch};
use super::batch_against::{BatchAgainst, BatchOpponent};
use super::hosted::Hosted;
use super::table::Table;
use super::{AnyTable, ApiError};

/// A game whose views are cells and whose actions have numbers.
pub trait AnyCells: Send + Sync {
    /// Returns the shape of the cells.
    fn layout(&self) -> CellLayout;

    /// Returns the symmetries of the grid under which the rules do not change, the identity first.
    fn symmetries(&self) -> &'static [Symmetry];

    /// Returns how many numbers there are.
    fn numbers(&self) -> usize;

    /// Returns the text of the action that has a number; `None` from [`numbers`](AnyCells::numbers) on.
    fn numbered(&self, number: usize) -> Option<String>;

    /// Returns a position as a seat sees it, with the places and numbers of what it may do. Where chance is to act first, it does.
    ///
    /// `position` is in the game's own form, `None` for the start; `seat` is `None` for the seat to move.
    ///
    /// # Errors
    /// If the position is not understood, or there is no such seat.
    fn show(&self, position: Option<&str>, seat: Option<Seat>, seed: u64) -> Result<CellsShown, ApiError>;

    /// Returns matches that are stepped together.
    fn batch(&self, matches: usize, seed: u64) -> Box<dyn AnyBatch>;

    /// Returns matches in which an agent has the other seat. They begin with [`AnyBatch::reset`].
    ///
    /// Playing *n* of match *i* is the match that a table with the seed `fork(fork(seed, i), n)` has. One agent a thread decides in all
    /// matches: before each decision it receives what its seat has seen, as an agent that is seated at a table later. It remembers
    /// nothing from match to match, and learners learn nothing.
    ///
    /// # Errors
    /// If the game has one seat, or the spec does not fit.
    fn batch_against(
        &self,
        matches: usize,
        opponent: &BatchOpponent<'_>,
    ) -> Result<Box<dyn AnyBatch>, ApiError>;

    /// Returns views from random matches, for measuring.
    fn workload(&self, seed: u64, views: usize) -> Box<dyn CellsWorkload>;
}

/// A position as the cells of a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CellsShown {
    /// The seat whose view it is.
    pub seat: Seat,
    /// The symbol of each cell: the grid row by row from the top, then the cells beside it.
    pub cells: Vec<u8>,
    /// What the seat may do, in the game's order; empty unless it is to move.
    pub actions: Vec<PlacedAction>,
}

/// An action with its place and number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlacedAction {
    /// The action's text.
    pub text: String,
    /// Where it lies.
    pub place: Place,
    /// Its number.
    pub number: usize,
}

/// A match at a table as integers. Nothing here allocates but the lists that the caller passes, when they grow.
pub trait TableCells {
    /// Writes the symbol of each cell of what `seat` sees.
    ///
    /// # Panics
    /// If `out` does not have one element for each cell of the layout.
    fn cells(&self, seat: Seat, out: &mut [u8]);

    /// Replaces the contents of `out` by the places of what the seat to move may do, in the order of
    /// [`AnyTable::actions`]; nothing unless a seat is to move.
    fn places(&self, out: &mut Vec<Place>);

    /// Replaces the contents of `out` by the numbers of what the seat to move may do, in the same order.
    fn legal_numbers(&self, out: &mut Vec<usize>);

    /// Writes 1 for every number that the seat to move may choose, and 0 for the others.
    ///
    /// # Panics
    /// If `out` does not have one element for each number of the game.
    fn mask(&self, out: &mut [u8]);

    /// Carries out the action with a number, which `seat` chooses.
    ///
    /// # Errors
    /// If it is not the seat's turn, or the number is not that of a legal action.
    fn act_by_number(&mut self, seat: Seat, number: usize) -> Result<(), ApiError>;
}

/// Views that are turned into cells, for measuring.
pub trait CellsWorkload: Send {
    /// Writes the cells of every view once, and returns the sum of their symbols.
    fn write_all(&mut self) -> u64;
}

/// How a hosted game and its tables are shown as cells.
pub(super) struct CellsAccess<G: Game> {
    pub(super) game: fn(&Hosted<G>) -> &dyn AnyCells,
    pub(super) table: fn(&Table<G>) -> &dyn TableCells,
    pub(super) table_mut: fn(&mut Table<G>) -> &mut dyn TableCells,
    pub(super) place: fn(&G, &G::View, G::Action) -> Place,
    pub(super) layout: fn(&G) -> CellLayout,
    pub(super) write: fn(&G, &G::View, &mut [u8]),
    pub(super) numbers: fn(&G) -> usize,
    pub(super) number: fn(&G, G::Action) -> usize,
    pub(super) numbered: fn(&G, usize) -> Option<G::Action>,
}

impl<G: Game> Copy for CellsAccess<G> {}
impl<G: Game> Clone for CellsAccess<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Entry + Notation + Cells + Numbered> CellsAccess<G> {
    pub(super) fn new() -> Self {
        CellsAccess {
            game: |game| game,
            table: |table| table,
            table_mut: |table| table,
            place: G::place,
            layout: G::layout,
            write: G::cells,
            numbers: G::numbers,
            number: G::number,
            numbered: G::numbered,
        }
    }
}

fn cells_of<G: Cells>(game: &G, view: &G::View) -> Vec<u8> {
    let mut cells = vec![0; game.layout().count()];
    game.cells(view, &mut cells);
    cells
}

fn let_chance_act<G: Game>(game: &G, state: &mut G::State, rng: &mut Rng) {
    while game.phase(state) == Phase::Chance {
        let action = game.sample(state, rng);
        game.apply(state, action);
    }
}

impl<G: Entry + Notation + Cells + Numbered> AnyCells for Hosted<G> {
    fn layout(&self) -> CellLayout {
        self.game().layout()
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        self.game().symmetries()
    }

    fn numbers(&self) -> usize {
        self.game().numbers()
    }

    fn numbered(&self, number: usize) -> Option<String> {
        self.game().numbered(number).map(|action| self.game().write_action(action))
    }

    fn show(&self, position: Option<&str>, seat: Option<Seat>, seed: u64) -> Result<CellsShown, ApiError> {
        let game = self.game();
        if let Some(seat) = seat.filter(|seat| seat.0 >= game.seats()) {
            return Err(ApiError::NoSuchSeat { game: G::NAME, seat });
        }
        let position = position.map(|text| game.read_position(text.trim())).transpose()?;
        let (seat, view, actions) = match position {
            Some(Position::View(view)) => {
                let actions = game.view_actions(&view);
                (seat.unwrap_or(Seat::FIRST), view, actions)
            }
            other => {
                let mut state = match other {
                    Some(Position::State(state)) => state,
                    _ => game.start(),
                };
                let_chance_act(game, &mut state, &mut Rng::forked(seed, 0));
                let mover = match game.phase(&state) {
                    Phase::Decide(seat) => Some(seat),
                    Phase::Chance | Phase::Over => None,
                };
                let seat = seat.or(mover).unwrap_or(Seat::FIRST);
                let actions = if mover == Some(seat) { game.actions(&state).collect() } else { Vec::new() };
                (seat, game.view(&state, seat), actions)
            }
        };
        let placed = |&action: &G::Action| PlacedAction {
            text: game.write_action(action),
            place: game.place(&view, action),
            number: game.number(action),
        };
        Ok(CellsShown { seat, cells: cells_of(game, &view), actions: actions.iter().map(placed).collect() })
    }

    fn batch(&self, matches: usize, seed: u64) -> Box<dyn AnyBatch> {
        Box::new(Batch::new(self.game().clone(), matches, seed))
    }

    fn batch_against(
        &self,
        matches: usize,
        opponent: &BatchOpponent<'_>,
    ) -> Result<Box<dyn AnyBatch>, ApiError> {
        Ok(Box::new(BatchAgainst::new(self, matches, opponent)?))
    }

    fn workload(&self, seed: u64, views: usize) -> Box<dyn CellsWorkload> {
        let game = self.game().clone();
        let mut rng = Rng::new(seed);
        let mut found = Vec::with_capacity(views);
        while found.len() < views {
            let mut state = game.start();
            let_chance_act(&game, &mut state, &mut rng);
            while let Phase::Decide(seat) = game.phase(&state)
                && found.len() < views
            {
                found.push(game.view(&state, seat));
                let action = game.pick(&state, &mut rng);
                game.apply(&mut state, action);
                let_chance_act(&game, &mut state, &mut rng);
            }
        }
        let out = vec![0; game.layout().count()];
        Box::new(Workload { game, views: found, out })
    }
}

struct Workload<G: Game> {
    game: G,
    views: Vec<G::View>,
    out: Vec<u8>,
}

impl<G: Cells> CellsWorkload for Workload<G> {
    fn write_all(&mut self) -> u64 {
        let mut sum = 0;
        for view in &self.views {
            self.game.cells(view, &mut self.out);
            sum += self.out.iter().map(|&symbol| u64::from(symbol)).sum::<u64>();
        }
        sum
    }
}

impl<G: Entry + Notation + Cells + Numbered> TableCells for Table<G> {
    fn cells(&self, seat: Seat, out: &mut [u8]) {
        self.game.cells(&self.game.view(self.state(), seat), out);
    }

    fn places(&self, out: &mut Vec<Place>) {
        out.clear();
        if let Phase::Decide(seat) = self.phase() {
            let view = self.game.view(self.state(), seat);
            out.extend(self.game.actions(self.state()).map(|action| self.game.place(&view, action)));
        }
    }

    fn legal_numbers(&self, out: &mut Vec<usize>) {
        out.clear();
        out.extend(self.game.actions(self.state()).map(|action| self.game.number(action)));
    }

    fn mask(&self, out: &mut [u8]) {
        self.game.write_mask(self.state(), out);
    }

    fn act_by_number(&mut self, seat: Seat, number: usize) -> Result<(), ApiError> {
        self.choose(seat, |game, legal| {
            let wanted = game.numbered(number).filter(|wanted| legal.contains(wanted));
            wanted.ok_or(ApiError::IllegalNumber { number, count: game.numbers() })
        })?;
        Ok(())
    }
}
