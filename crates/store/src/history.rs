//! The history: every game that was recorded, move by move.

use std::fmt;

use parlor_core::files::saved::SavedGame;

use crate::error::StoreError;
use crate::steps::Steps;

/// The number of a game in a history. A game that was recorded later has a greater number, and is seen later by every reader.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct GameId(pub i64);

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The number of a game type in a history.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TypeId(pub i64);

/// The number of a run in a history.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RunId(pub i64);

/// A game with its options, and what its cells mean.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameType {
    /// The game's full form.
    pub game: String,
    /// The layout of its cells as JSON; empty if its states are recorded as text.
    pub layout: String,
}

/// Where a recorded game comes from: the same game of the same run is recorded once.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The run.
    pub run: RunId,
    /// The game's number in the run, from 0.
    pub number: u64,
}

/// A finished game, to be recorded.
#[derive(Clone, PartialEq, Debug)]
pub struct GameRecord {
    /// What was played: what [`History::game_type`] returned for `saved.game`.
    pub game_type: TypeId,
    /// The game as its line has it.
    pub saved: SavedGame,
    /// Every decision.
    pub steps: Steps,
    /// When it ended, in seconds since 1970 (UTC).
    pub ended: u64,
    /// The run that it belongs to; games without one are always new.
    pub origin: Option<Origin>,
}

/// A game of the history, without its decisions.
#[derive(Clone, PartialEq, Debug)]
pub struct StoredGame {
    /// Its number.
    pub id: GameId,
    /// What was played.
    pub game_type: TypeId,
    /// The game as its line has it.
    pub saved: SavedGame,
    /// How many decisions it has.
    pub steps: u32,
    /// When it ended, in seconds since 1970 (UTC).
    pub ended: u64,
}

/// Which games are asked for. The default is every game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GameQuery {
    /// Only games with a greater number.
    pub after: Option<GameId>,
    /// Only this game.
    pub id: Option<GameId>,
    /// Only games whose full form contains this text.
    pub game: Option<String>,
    /// Only games in which a seat's name contains this text.
    pub agent: Option<String>,
    /// Only games that ended at this second of UTC or later.
    pub since: Option<u64>,
    /// Only games that ended before this second of UTC.
    pub until: Option<u64>,
    /// At most this many games: the first ones.
    pub limit: Option<usize>,
    /// Take the last games where `limit` is not enough for all; the order stays first to last.
    pub newest: bool,
}

/// What an append did.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Appended {
    /// The number of the first new game; the others follow without a gap. `None` if all were there.
    pub first: Option<GameId>,
    /// How many games are new.
    pub games: u64,
    /// How many games were there already, by their [`Origin`].
    pub known: u64,
}

/// How large a history is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HistorySizes {
    /// Number of games.
    pub games: u64,
    /// Number of decisions: rows of `game_history`.
    pub steps: u64,
    /// Bytes on the disk.
    pub bytes: u64,
    /// For each game's full form its games and decisions, in the order of their first game.
    pub types: Vec<(String, u64, u64)>,
}

/// Every game that was recorded, move by move.
pub trait History: Send {
    /// Returns the number of a game type, which is added if it is new.
    ///
    /// # Errors
    /// If the store cannot be written, or has another layout for this game.
    fn game_type(&mut self, game_type: &GameType) -> Result<TypeId, StoreError>;

    /// Returns every game type, in the order of their numbers.
    ///
    /// # Errors
    /// If the store cannot be read.
    fn game_types(&mut self) -> Result<Vec<(TypeId, GameType)>, StoreError>;

    /// Returns the number of the run with this name, which is added if it is new, and how many games of it are recorded.
    ///
    /// # Errors
    /// If the store cannot be written.
    fn run(&mut self, name: &str) -> Result<(RunId, u64), StoreError>;

    /// Records games in one transaction: all or none. A game whose [`Origin`] is there already is not recorded again.
    ///
    /// # Errors
    /// If the store cannot be written; then nothing has changed.
    fn append(&mut self, records: &[GameRecord]) -> Result<Appended, StoreError>;

    /// Returns games in the order of their numbers, without their decisions.
    ///
    /// # Errors
    /// If the store cannot be read.
    fn games(&mut self, query: &GameQuery) -> Result<Vec<StoredGame>, StoreError>;

    /// Returns the decisions of games, in the order in which the games are named; a game that is not there has none.
    ///
    /// # Errors
    /// If the store cannot be read.
    fn steps(&mut self, games: &[GameId]) -> Result<Vec<Steps>, StoreError>;

    /// Returns the number of the last game; `GameId(0)` if there is none.
    ///
    /// # Errors
    /// If the store cannot be read.
    fn last(&mut self) -> Result<GameId, StoreError>;

    /// Returns how large the history is.
    ///
    /// # Errors
    /// If the store cannot be read.
    fn sizes(&mut self) -> Result<HistorySizes, StoreError>;
}
