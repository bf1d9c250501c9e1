//! Copies of a table, and tables in worlds that a seat can imagine: for searches that know no type of a game.

use crate::play::matches::Match;
use crate::play::training::EpisodeRecorder;
use crate::rng::Rng;
use crate::rules::game::{Game, Phase};
use crate::rules::seat::{BySeat, Seat};
use crate::text::notation::Notation;
use crate::text::spec::Entry;

use super::hosted::hides_nothing;
use super::table::{Place, Table};
use super::{AnyTable, ApiError};

/// Draws a state that a view allows.
pub(super) type ImagineState<G> = fn(&G, &<G as Game>::View, &mut Rng) -> <G as Game>::State;

/// Further tables of a match.
pub trait TableWorlds {
    /// Returns a table with the same match so far and empty seats. It has the same future of chance: what it shows of that is
    /// what will happen here, so a search on copies peeks. [`imagine`](TableWorlds::imagine) does not.
    fn copy(&self) -> Box<dyn AnyTable>;

    /// Returns a [sandbox](TableWorlds::is_sandbox) that begins in a state that `seat` cannot tell from this one, with a future of its
    /// own: equal seeds give equal ones. What has happened here has not happened there.
    ///
    /// # Errors
    /// If the game has no such seat, or cannot imagine states.
    fn imagine(&self, seat: Seat, seed: u64) -> Result<Box<dyn AnyTable>, ApiError>;

    /// Returns what chance may do next and how likely each is; nothing unless chance is to act.
    ///
    /// # Errors
    /// If the table hides it: it is no sandbox, and the game hides things.
    fn chances(&self) -> Result<Vec<(String, f64)>, ApiError>;

    /// Returns whether nobody's secrets are here: then chance can be listed.
    fn is_sandbox(&self) -> bool;

    /// Makes the table a sandbox.
    fn make_sandbox(&mut self);
}

impl<G: Entry + Notation> TableWorlds for Table<G> {
    fn copy(&self) -> Box<dyn AnyTable> {
        Box::new(Table {
            game: self.game.clone(),
            roster: self.roster.clone(),
            solver: self.solver,
            cells: self.cells,
            imagine: self.imagine,
            is_sandbox: self.is_sandbox,
            seed: self.seed,
            start: self.start.clone(),
            states: self.states.clone(),
            actions: self.actions.clone(),
            chances: self.chances.clone(),
            places: BySeat::from_fn(|_| Place::Outside),
            recorder: EpisodeRecorder::default(),
            streams: self.streams.clone(),
            forfeit: self.forfeit.clone(),
        })
    }

    fn imagine(&self, seat: Seat, seed: u64) -> Result<Box<dyn AnyTable>, ApiError> {
        if seat.0 >= self.game.seats() {
            return Err(ApiError::NoSuchSeat { game: G::NAME, seat });
        }
        let imagine = self.imagine.ok_or(ApiError::NoWorlds { game: G::NAME })?;
        let view = self.game.view(self.state(), seat);
        let streams = Match::seeded(seed);
        // The stream of openings is not used at tables.
        let state = imagine(&self.game, &view, &mut streams.openings.clone());
        Ok(Box::new(Table {
            game: self.game.clone(),
            roster: self.roster.clone(),
            solver: self.solver,
            cells: self.cells,
            imagine: self.imagine,
            is_sandbox: true,
            seed,
            start: None,
            states: vec![state],
            actions: Vec::new(),
            chances: Vec::new(),
            places: BySeat::from_fn(|_| Place::Outside),
            recorder: EpisodeRecorder::default(),
            streams,
            forfeit: None,
        }))
    }

    fn chances(&self) -> Result<Vec<(String, f64)>, ApiError> {
        if !self.is_sandbox && !hides_nothing::<G>() {
            return Err(ApiError::HiddenChances { game: G::NAME });
        }
        if self.phase() != Phase::Chance {
            return Ok(Vec::new());
        }
        let chances = self.game.chances(self.state());
        Ok(chances.map(|(action, odds)| (self.game.write_action(action), odds)).collect())
    }

    fn is_sandbox(&self) -> bool {
        self.is_sandbox
    }

    fn make_sandbox(&mut self) {
        self.is_sandbox = true;
    }
}
