//! Grows a book of exact answers with the game's solver.
//!
//! For each seat there is a tree: where the seat is to move it holds one best action, elsewhere every reply. A position goes
//! into the book if the solver takes long over it, and mirror images count as one position. The book depends neither on what
//! the solver's table holds nor on interruptions: whether a position is easy is tested with an empty table, and which of
//! several best actions is taken is up to the solver, which always chooses the same.

use std::collections::BTreeMap;

use parlor_core::api::ApiError;
use parlor_core::{
    Budget, Cancel, Exact, Game, GameValue, Keyed, PerfectInfo, Phase, Position, Resources, Solver, Unsolved,
};

use super::{Book, Line, Page};
use crate::table::hash_of;

/// The agent that these books are for, as headers name it.
pub const AGENT: &str = crate::exact::NAME;

/// What a player of these books has for the positions that are left out.
pub const PLAYERS_MEANS: Resources = Resources { threads: 1, memory_mb: 64 };

/// Where a position takes less than this part of the nodes that are easy, so do those that follow, and none of them is tested.
const CLEARLY_EASY: u64 = 4;

/// How far the growth has come.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct ExactProgress {
    /// The ply of the positions that are being answered.
    pub ply: u32,
    /// The number of positions of this ply that are done, and that there are.
    pub done: [usize; 2],
}

/// Positions by the smaller hash of the keys of a state and its mirror image.
type Level<G> = BTreeMap<u64, <G as Game>::State>;

/// What grows a book.
pub(super) struct Growth<'a, G: Game> {
    pub game: &'a G,
    /// Answers positions that are not easy; its table serves them all.
    pub deep: Box<dyn Solver<G>>,
    /// Makes a solver with an empty table.
    pub fresh: &'a dyn Fn() -> Result<Box<dyn Solver<G>>, ApiError>,
    pub stop: &'a Cancel,
}

impl<G: PerfectInfo + Keyed> Growth<'_, G> {
    /// Answers the open positions of a book, ply by ply.
    pub fn grow(
        &mut self,
        book: &mut Book,
        on_position: &mut dyn FnMut(&Book, ExactProgress),
    ) -> Result<(), ApiError> {
        let start = self.game.start();
        let (mut now, mut next) = (Level::<G>::new(), Level::<G>::new());
        self.add(&mut now, start.clone());
        self.add_replies(&mut next, &start);
        for ply in 0..=book.about.plies {
            let mut later = Level::<G>::new();
            let count = now.len();
            for (number, (hash, state)) in now.into_iter().enumerate() {
                if self.stop.is_cancelled() {
                    return Err(Unsolved::Cancelled.into());
                }
                if let Some(action) = self.answer(book, hash, &state)? {
                    self.add_replies(&mut later, &self.after(&state, action));
                }
                on_position(book, ExactProgress { ply, done: [number + 1, count] });
            }
            (now, next) = (next, later);
        }
        book.about.exact.as_mut().expect("the header has the plan").done = true;
        Ok(())
    }

    /// Returns the action to play in a position that the book has to follow. Adds its page if it is not easy.
    fn answer(
        &mut self,
        book: &mut Book,
        hash: u64,
        state: &G::State,
    ) -> Result<Option<G::Action>, ApiError> {
        if let Some(page) = book.pages.get(&hash) {
            return Ok(self.game.actions(state).nth(usize::from(page.lines[0].action)));
        }
        let easy = book.about.exact.expect("the header has the plan").easy_nodes;
        let position = Position::State(state.clone());
        let quick = (self.fresh)()?.best_action(self.game, &position, &Budget::nodes(easy), self.stop);
        let answer: Exact<G::Action> = match quick {
            Ok(answer) if answer.nodes.saturating_mul(CLEARLY_EASY) <= easy => return Ok(None),
            Ok(answer) if answer.nodes <= easy => return Ok(answer.best.first().copied()),
            Ok(answer) => answer,
            Err(Unsolved::OutOfReach(_)) => {
                self.deep.best_action(self.game, &position, &Budget::default(), self.stop)?
            }
            Err(error) => return Err(error.into()),
        };
        let action = *answer.best.first().expect("a position that is not over has a best action");
        let place = self.game.actions(state).position(|other| other == action);
        let place = place.expect("a best action is legal") as u16;
        let known = match answer.value {
            value if value > 0.0 => GameValue::Won,
            value if value < 0.0 => GameValue::Lost,
            _ => GameValue::Drawn,
        };
        let line = Line { action: place, visits: 0, halves: 0, known: Some(known) };
        book.pages.insert(hash, Page { lines: vec![line] });
        Ok(Some(action))
    }

    fn after(&self, state: &G::State, action: G::Action) -> G::State {
        let mut after = state.clone();
        self.game.apply(&mut after, action);
        after
    }

    fn add_replies(&self, level: &mut Level<G>, state: &G::State) {
        for action in self.game.actions(state) {
            self.add(level, self.after(state, action));
        }
    }

    fn add(&self, level: &mut Level<G>, state: G::State) {
        if !matches!(self.game.phase(&state), Phase::Decide(_)) {
            return;
        }
        let hash = hash_of(&self.game.key(&state));
        let image = self.game.mirrored(&state).map(|image| (hash_of(&self.game.key(&image)), image));
        let (hash, state) = image.filter(|(other, _)| *other < hash).unwrap_or((hash, state));
        level.insert(hash, state);
    }
}
