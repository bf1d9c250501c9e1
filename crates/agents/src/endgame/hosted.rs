//! Endgame databases behind the door: by the game's name, as text.

use std::path::Path;

use parlor_core::api::{ApiError, Hosted};
use parlor_core::small_sort::small_sort;
use parlor_core::{Entry, GameValue, Notation, PerfectInfo, Phase, Position, Progress, Reversible};
use serde::Serialize;

use super::file::EndgameError;
use super::folder::{self, Folder, Order, Reader, Row};
use super::verify::{self, Checks, Findings};

/// Why a position cannot be looked up.
#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    /// The folder cannot be used.
    #[error(transparent)]
    Endgame(#[from] EndgameError),
    /// The position is not understood, or does not fit.
    #[error(transparent)]
    Api(#[from] ApiError),
    /// No database lists such positions.
    #[error("such positions are in no database")]
    NeverListed,
    /// The folder does not have the position's class.
    #[error("{class} is not in this folder; it has up to {most_pieces} pieces")]
    Absent {
        /// The class, in words.
        class: String,
        /// How many pieces the folder's positions have at the most.
        most_pieces: u32,
    },
}

/// What a move leads to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Outcome {
    /// The move.
    pub action: String,
    /// What it is worth to the side that makes it: 1, 0, −1.
    pub value: i8,
}

/// What is known about a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Probed {
    /// What it is worth to the side to move: 1, 0, −1.
    pub value: i8,
    /// Its class.
    pub class: String,
    /// The most plies until something irreversible happens in any position of the class that is won or lost.
    pub longest: u32,
    /// Each move, the best first.
    pub moves: Vec<Outcome>,
}

/// A game that endgame databases can be built for.
pub trait AnyEndgames: Send + Sync {
    /// Returns what the values depend on, fit for a folder's name.
    fn meaning(&self) -> String;

    /// Returns how many positions with at most so many pieces there are.
    fn positions(&self, pieces: u32) -> u64;

    /// Builds what is missing. `order.game` should be the game's full form.
    ///
    /// # Errors
    /// If a file cannot be read or written, the memory is too small, or it is called off.
    fn build(&self, order: &Order<'_>, progress: &mut Progress<'_>) -> Result<(), EndgameError>;

    /// Returns what is in a folder, by the number of pieces.
    ///
    /// # Errors
    /// If it cannot be read, or is for another game.
    fn rows(&self, folder: &Path) -> Result<Vec<Row>, EndgameError>;

    /// Checks a folder.
    ///
    /// # Errors
    /// If a file cannot be read or is damaged, or it is called off.
    fn verify(
        &self,
        folder: &Path,
        checks: &Checks,
        progress: &mut Progress<'_>,
    ) -> Result<Findings, EndgameError>;

    /// Looks a position up.
    ///
    /// # Errors
    /// If the folder cannot be used, or the position is not in it.
    fn probe(&self, folder: &Path, position: &str) -> Result<Probed, ProbeError>;
}

fn points(known: GameValue) -> i8 {
    known as i8 - GameValue::Drawn as i8
}

impl<G: Entry + Notation + PerfectInfo + Reversible> AnyEndgames for Hosted<G> {
    fn meaning(&self) -> String {
        self.game().meaning()
    }

    fn positions(&self, pieces: u32) -> u64 {
        let classes = super::up_to(self.game(), pieces);
        classes.into_iter().map(|class| self.game().class_size(class)).fold(0, u64::saturating_add)
    }

    fn build(&self, order: &Order<'_>, progress: &mut Progress<'_>) -> Result<(), EndgameError> {
        folder::build(self.game(), order, progress)
    }

    fn rows(&self, folder: &Path) -> Result<Vec<Row>, EndgameError> {
        Ok(Folder::open(self.game(), folder)?.rows(self.game()))
    }

    fn verify(
        &self,
        folder: &Path,
        checks: &Checks,
        progress: &mut Progress<'_>,
    ) -> Result<Findings, EndgameError> {
        let folder = Folder::open(self.game(), folder)?;
        let mut findings = Findings::default();
        verify::consistency(self.game(), &folder, checks, &mut findings, progress)?;
        verify::sample(self.game(), &folder, checks, &mut findings, progress)?;
        Ok(findings)
    }

    fn probe(&self, folder: &Path, position: &str) -> Result<Probed, ProbeError> {
        let game = self.game();
        let folder = Folder::open(game, folder)?;
        let state = match game.read_position(position.trim()).map_err(ApiError::from)? {
            Position::State(state) => state,
            Position::View(view) => game.truth(&view).clone(),
        };
        if !matches!(game.phase(&state), Phase::Decide(_)) {
            return Err(ApiError::NobodyToMove.into());
        }
        let mut reader = Reader::default();
        let mut value_of = |state: &G::State| -> Result<(GameValue, G::Setup), ProbeError> {
            let setup = game.setup(state).ok_or(ProbeError::NeverListed)?;
            let value = reader.value(game, &folder, &setup)?;
            let absent = || ProbeError::Absent {
                class: game.class_name(game.class(&setup)),
                most_pieces: folder.most_pieces(),
            };
            Ok((value.ok_or_else(absent)?, setup))
        };
        let (value, setup) = value_of(&state)?;
        let mut moves = Vec::new();
        for action in game.actions(&state) {
            let mut next = state.clone();
            game.apply(&mut next, action);
            let (value, _) = value_of(&next)?;
            moves.push(Outcome { action: game.write_action(action), value: points(value.turned()) });
        }
        small_sort(&mut moves, |one, other| one.value > other.value);
        let class = game.class(&setup);
        let longest = folder.file(class).map_or(0, |file| file.about.census.longest);
        Ok(Probed { value: points(value), class: game.class_name(class), longest, moves })
    }
}
