//! Endgame databases behind the dynamic API, with positions and moves as text.

use std::path::Path;

use parlor_core::api::{ApiError, Hosted};
use parlor_core::small_sort::small_sort;
use parlor_core::{Entry, GameValue, Notation, PerfectInfo, Phase, Position, Progress, Reversible};
use serde::Serialize;

use super::file::EndgameError;
use super::folder::{self, BuildRequest, Folder, PiecesSummary, Reader};
use super::verify::{self, Checks, Findings};

/// Errors of a lookup.
#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    /// The folder cannot be used.
    #[error(transparent)]
    Endgame(#[from] EndgameError),
    /// The position cannot be parsed or is not allowed.
    #[error(transparent)]
    Api(#[from] ApiError),
    /// No database lists positions of this kind.
    #[error("positions of this kind are in no database")]
    NeverListed,
    /// The folder does not have the position's class.
    #[error("{class} is not in this folder; it has up to {most_pieces} pieces")]
    Absent {
        /// The class name.
        class: String,
        /// The maximum number of pieces of the folder's positions.
        most_pieces: u32,
    },
}

/// A move and its value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ProbedMove {
    /// The move.
    pub action: String,
    /// Its value to the side that makes it: 1, 0, −1.
    pub value: i8,
}

/// The result of a lookup.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ProbeResult {
    /// The value to the side to move: 1, 0, −1.
    pub value: i8,
    /// The class name.
    pub class: String,
    /// The longest distance to an irreversible move among the won and lost positions of the class, in plies.
    pub longest: u32,
    /// Every move, best first.
    pub moves: Vec<ProbedMove>,
}

/// A game with endgame databases.
pub trait AnyEndgames: Send + Sync {
    /// Returns the rules on which the values depend, in a form fit for a folder name.
    fn meaning(&self) -> String;

    /// Returns the number of positions with at most `pieces` pieces.
    fn positions(&self, pieces: u32) -> u64;

    /// Builds the missing classes. `request.game` should be the game's full form.
    ///
    /// # Errors
    /// If a file cannot be read or written, the memory is too small, or the build is cancelled.
    fn build(&self, request: &BuildRequest<'_>, progress: &mut Progress<'_>) -> Result<(), EndgameError>;

    /// Returns a summary of a folder by number of pieces.
    ///
    /// # Errors
    /// If the folder cannot be read or is for another game.
    fn rows(&self, folder: &Path) -> Result<Vec<PiecesSummary>, EndgameError>;

    /// Verifies a folder.
    ///
    /// # Errors
    /// If a file cannot be read or is damaged, or the check is cancelled.
    fn verify(
        &self,
        folder: &Path,
        checks: &Checks,
        progress: &mut Progress<'_>,
    ) -> Result<Findings, EndgameError>;

    /// Looks a position up.
    ///
    /// # Errors
    /// If the folder cannot be used or does not have the position.
    fn probe(&self, folder: &Path, position: &str) -> Result<ProbeResult, ProbeError>;
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

    fn build(&self, request: &BuildRequest<'_>, progress: &mut Progress<'_>) -> Result<(), EndgameError> {
        folder::build(self.game(), request, progress)
    }

    fn rows(&self, folder: &Path) -> Result<Vec<PiecesSummary>, EndgameError> {
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

    fn probe(&self, folder: &Path, position: &str) -> Result<ProbeResult, ProbeError> {
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
            moves.push(ProbedMove { action: game.write_action(action), value: points(value.turned()) });
        }
        small_sort(&mut moves, |one, other| one.value > other.value);
        let class = game.class(&setup);
        let longest = folder.file(class).map_or(0, |file| file.header.census.longest);
        Ok(ProbeResult { value: points(value), class: game.class_name(class), longest, moves })
    }
}
