//! Recording games in the history of a store.
//!
//! A record is made from the saved game: its moves are played again at a table, and before each decision the table shows the cells of
//! the seat that decides. So runs, tables and files of games are recorded in the same way, and nothing is recorded that could not be
//! played again.

pub mod export;
mod note;

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use parlor_core::Phase;
use parlor_core::api::{AnyGame, ApiError};
use parlor_core::files::saved::SavedGame;
use parlor_store::{
    GameId, GameQuery, GameRecord, GameType, History, Origin, RunId, Steps, TypeId, write_place,
};

use crate::run::RunFolderError;

pub use note::RecordNote;
pub use parlor_store::{Location, Store, StoreError, StoredGame, StoredLayout};

/// Errors of recording games.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The game does not show its views as cells.
    #[error(transparent)]
    NoCells(ApiError),
    /// The moves of a game cannot be played again.
    #[error("move {number} of a game cannot be recorded")]
    Move {
        /// Which move, from 1.
        number: usize,
        /// What is wrong with it.
        #[source]
        cause: ApiError,
    },
    /// A run that was recorded in a database resumes without its name. A folder of runs may come from elsewhere: it must not decide whom
    /// this program connects to.
    #[error("the run was recorded in {store}; name the store again with --record")]
    NameStore {
        /// The store.
        store: String,
    },
    /// The file that says where a run is recorded.
    #[error(transparent)]
    Note(#[from] RunFolderError),
}

/// What was recorded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recorded {
    /// The store, passwords masked.
    pub store: String,
    /// How many games are new in it.
    pub games: u64,
}

/// Returns the last games of a store, at most `most`, the newest first.
///
/// # Errors
/// If the store cannot be read.
pub fn newest(store: &Location, most: usize) -> Result<Vec<StoredGame>, StoreError> {
    let query = GameQuery { limit: Some(most), newest: true, ..GameQuery::default() };
    let mut games = Store::create_at(store.clone())?.history()?.games(&query)?;
    games.reverse();
    Ok(games)
}

/// Returns a game of a store by its number; `None` if it has no such game.
///
/// # Errors
/// If the store cannot be read.
pub fn numbered(store: &Location, number: i64) -> Result<Option<StoredGame>, StoreError> {
    let query = GameQuery { id: Some(GameId(number)), ..GameQuery::default() };
    Ok(Store::create_at(store.clone())?.history()?.games(&query)?.into_iter().next())
}

/// Returns what a store knows of a game.
///
/// # Errors
/// If the game has no cells.
pub fn game_type(game: &dyn AnyGame) -> Result<GameType, RecordError> {
    let layout = StoredLayout::from(game.cells().map_err(RecordError::NoCells)?.layout());
    let layout = serde_json::to_string(&layout).expect("plain data always becomes JSON");
    Ok(GameType { game: game.spec(), layout })
}

/// Returns the decisions of a saved game, each with what the seat saw.
///
/// # Errors
/// If the game has no cells, or its moves are not possible.
pub fn steps_of(game: &dyn AnyGame, saved: &SavedGame) -> Result<Steps, RecordError> {
    let layout = game.cells().map_err(RecordError::NoCells)?.layout();
    let at_move = |number| move |cause| RecordError::Move { number, cause };
    let mut table = game.table(saved.seed, saved.start.as_deref()).map_err(at_move(0))?;
    let (mut steps, mut cells, mut places) = (Steps::default(), vec![0; layout.count()], Vec::new());
    let mut place = Vec::new();
    for (text, number) in saved.moves.split_whitespace().zip(1..) {
        if let Phase::Decide(seat) = table.phase() {
            let view = table.cells().map_err(RecordError::NoCells)?;
            view.cells(seat, &mut cells);
            view.places(&mut places);
            place.clear();
            if let Some(at) = table.actions().iter().position(|action| action == text) {
                write_place(&places[at], &mut place);
            }
            steps.push(seat, &cells, text, &place);
        }
        table.replay(text).map_err(at_move(number))?;
    }
    Ok(steps)
}

/// Games wait for each other in memory until there are this many …
const BATCH: usize = 500;

/// … or this much time has passed.
const PAUSE: Duration = Duration::from_millis(500);

/// A store that cannot be reached may come back while this many games wait.
const MOST_WAITING: usize = 100_000;

/// How long the last games wait for a store that cannot be reached.
const LAST_WAIT: Duration = Duration::from_secs(15);

/// Records the games of a run, in their order and each once.
pub struct Recorder {
    history: Box<dyn History>,
    store: String,
    game_type: TypeId,
    run: RunId,
    /// The first games of the run that are recorded already.
    known: u64,
    waiting: Vec<GameRecord>,
    tried: Instant,
    games: u64,
}

impl Recorder {
    /// Opens a store to record a run of a game in it. The name of a run is unique; a run that resumes has the same again.
    ///
    /// # Errors
    /// If the store cannot be opened, or the game has no cells.
    pub fn open(location: &Location, game: &dyn AnyGame, run: &str) -> Result<Recorder, RecordError> {
        let game_type = game_type(game)?;
        let mut history = Store::create_at(location.clone())?.history()?;
        let game_type = history.game_type(&game_type)?;
        let (run, known) = history.run(run)?;
        let store = location.to_string();
        Ok(Recorder {
            history,
            store,
            game_type,
            run,
            known,
            waiting: Vec::new(),
            tried: Instant::now(),
            games: 0,
        })
    }

    /// Records game `number` of the run, unless it is recorded already. Games may wait for others until [`finish`](Recorder::finish).
    ///
    /// # Errors
    /// If the game cannot be played again, or the store cannot be written.
    pub fn add(&mut self, game: &dyn AnyGame, saved: &SavedGame, number: u64) -> Result<(), RecordError> {
        if number < self.known {
            return Ok(());
        }
        self.waiting.push(GameRecord {
            game_type: self.game_type,
            saved: saved.clone(),
            steps: steps_of(game, saved)?,
            ended: now(),
            origin: Some(Origin { run: self.run, number }),
        });
        if self.waiting.len() >= BATCH && self.waiting.len().is_multiple_of(BATCH)
            || self.tried.elapsed() >= PAUSE
        {
            match self.write() {
                Err(RecordError::Store(error)) if error.is_passing() && self.waiting.len() < MOST_WAITING => {
                }
                other => other?,
            }
        }
        Ok(())
    }

    /// Records the games that wait, and returns what the recorder has recorded.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn finish(&mut self) -> Result<Recorded, RecordError> {
        let started = Instant::now();
        loop {
            match self.write() {
                Ok(()) => return Ok(Recorded { store: self.store.clone(), games: self.games }),
                Err(RecordError::Store(error)) if error.is_passing() && started.elapsed() < LAST_WAIT => {
                    std::thread::sleep(Duration::from_millis(200));
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn write(&mut self) -> Result<(), RecordError> {
        self.tried = Instant::now();
        if !self.waiting.is_empty() {
            self.games += self.history.append(&self.waiting)?.games;
            self.waiting.clear();
        }
        Ok(())
    }
}

/// Records one game that belongs to no run, such as one that people played, and returns its number.
///
/// # Errors
/// If the store cannot be written, or the game cannot be played again.
pub fn record_game(
    location: &Location,
    game: &dyn AnyGame,
    saved: &SavedGame,
) -> Result<GameId, RecordError> {
    let mut history = Store::create_at(location.clone())?.history()?;
    let record = record_of(&mut *history, game, saved, None)?;
    let appended = history.append(&[record])?;
    Ok(appended.first.expect("a game without a run is always new"))
}

/// Records one game under a name, unless a game of this name is recorded already.
///
/// # Errors
/// As [`record_game`].
pub fn record_once(
    location: &Location,
    game: &dyn AnyGame,
    saved: &SavedGame,
    name: &str,
) -> Result<(), RecordError> {
    let mut history = Store::create_at(location.clone())?.history()?;
    let (run, known) = history.run(name)?;
    if known == 0 {
        let record = record_of(&mut *history, game, saved, Some(Origin { run, number: 0 }))?;
        history.append(&[record])?;
    }
    Ok(())
}

fn record_of(
    history: &mut dyn History,
    game: &dyn AnyGame,
    saved: &SavedGame,
    origin: Option<Origin>,
) -> Result<GameRecord, RecordError> {
    let game_type = history.game_type(&game_type(game)?)?;
    let steps = steps_of(game, saved)?;
    // What a table needs to resume a match is not a part of the game.
    let saved = SavedGame { table: None, ..saved.clone() };
    Ok(GameRecord { game_type, saved, steps, ended: now(), origin })
}

/// Returns a name that no other run has.
pub(crate) fn new_run_name(kind: &str) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("{kind}-{}-{:09}-{}", now.as_secs(), now.subsec_nanos(), std::process::id())
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}
