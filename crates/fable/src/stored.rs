//! Knowledge that lives in a store: the history is the truth, models are counted from it.

use std::io;
use std::time::{SystemTime, UNIX_EPOCH};

use parlor_core::files::saved::{SavedEnding, SavedGame, VERSION};
use parlor_core::rng::GENERATOR;
use parlor_core::{Payoffs, Seat};
use parlor_store::{
    GameId, GameRecord, GameType, Origin, Steps, Store, StoreError, StoredLayout, write_place,
};

use crate::board::Board;
use crate::counting::{self, Reader};
use crate::engine::Engine;
use crate::history::{GameLog, RecordedGame};

/// A game that has been learnt from but not recorded yet.
struct Unrecorded {
    steps: Steps,
    payoffs: Vec<f64>,
    seats: Vec<String>,
}

/// The store of a learner.
pub(crate) struct StoredKnowledge {
    /// Where it is, as the spec has it.
    at: String,
    /// Up to this game, all models of the engine are counted.
    counted: GameId,
    /// The name of the training in the store; no other training has it.
    run: String,
    /// How many games of the training have been recorded.
    recorded: u64,
    /// Games since the last save.
    unrecorded: Vec<Unrecorded>,
}

/// Returns an error of the store as one of reading and writing.
pub(crate) fn io_error(error: StoreError) -> io::Error {
    io::Error::other(error)
}

impl StoredKnowledge {
    /// Opens a store and loads what it knows into an engine.
    pub(crate) fn open(at: &str, engine: &mut Engine) -> Result<StoredKnowledge, StoreError> {
        counting::load(&Store::open(at)?, engine)?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
        let run = format!("fable training {now}-{}", std::process::id());
        let counted = GameId(0);
        Ok(StoredKnowledge { at: at.to_owned(), counted, run, recorded: 0, unrecorded: Vec::new() })
    }

    /// Keeps a game until the next save.
    pub(crate) fn push(
        &mut self,
        game: &RecordedGame,
        inputs: &[String],
        payoffs: &Payoffs,
        seats: Vec<String>,
    ) {
        let mut steps = Steps::default();
        let mut place = Vec::new();
        for ((step, cells), input) in game.steps().zip(inputs) {
            place.clear();
            write_place(&step.place, &mut place);
            steps.push(Seat(step.seat), cells, input, &place);
        }
        let payoffs = (0..seats.len()).map(|seat| payoffs.of(Seat(seat as u8))).collect();
        self.unrecorded.push(Unrecorded { steps, payoffs, seats });
    }

    /// Records all games since the last save in one transaction, and counts them in the models of the engine, one transaction each.
    ///
    /// If some were there already, from before this training was killed, the engine is loaded anew: it has learnt them twice.
    pub(crate) fn record(&mut self, engine: &mut Engine) -> Result<(), StoreError> {
        if self.unrecorded.is_empty() {
            return Ok(());
        }
        let store = Store::create(&self.at)?;
        let mut history = store.history()?;
        let game_type = history.game_type(&game_type(&engine.board))?;
        let (run, _) = history.run(&self.run)?;
        let ended = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let records: Vec<GameRecord> = self
            .unrecorded
            .iter()
            .enumerate()
            .map(|(at, game)| GameRecord {
                game_type,
                saved: SavedGame {
                    parlor: VERSION,
                    game: engine.board.game.clone(),
                    seats: game.seats.clone(),
                    seed: 0,
                    rng: GENERATOR.to_owned(),
                    start: None,
                    // What others did, and what chance did, is not known to the learner.
                    moves: String::new(),
                    ending: SavedEnding::Finished,
                    payoffs: Some(game.payoffs.clone()),
                    recognised: Vec::new(),
                    table: None,
                },
                steps: game.steps.clone(),
                ended,
                // A training that is killed after this and resumes plays the same games again; they are recorded once.
                origin: Some(Origin { run, number: self.recorded + at as u64 }),
            })
            .collect();
        let appended = history.append(&records)?;
        let last = history.last()?;
        self.recorded += records.len() as u64;
        self.unrecorded.clear();
        for &model in engine.models() {
            counting::count_new(&store, model, self.counted)?;
        }
        self.counted = last;
        if appended.known > 0 {
            counting::load(&store, engine)?;
        }
        Ok(())
    }

    /// Forgets games that were not recorded, and loads the store anew.
    pub(crate) fn reload(&mut self, engine: &mut Engine) -> Result<(), StoreError> {
        self.unrecorded.clear();
        counting::load(&Store::open(&self.at)?, engine)?;
        Ok(())
    }

    /// Returns the reference that a knowledge file holds instead of the knowledge.
    pub(crate) fn reference(&self) -> String {
        format!("store\nrun {}\ngames {}\n", self.run, self.recorded)
    }

    /// Takes over where the training of a knowledge file was.
    pub(crate) fn follow(&mut self, reference: &str) -> io::Result<()> {
        let read = || {
            let mut lines = reference.lines();
            lines.next().filter(|line| *line == "store")?;
            let run = lines.next()?.strip_prefix("run ")?;
            let games: u64 = lines.next()?.strip_prefix("games ")?.parse().ok()?;
            Some((run.to_owned(), games))
        };
        let wrong = || io::Error::new(io::ErrorKind::InvalidData, "the file does not refer to a store");
        (self.run, self.recorded) = read().ok_or_else(wrong)?;
        Ok(())
    }

    /// Returns the games of a board as a log, for words and drawings.
    pub(crate) fn log(&self, board: &Board) -> Result<GameLog, StoreError> {
        let mut reader = Reader::open(&Store::open(&self.at)?)?;
        let (mut log, mut after) = (GameLog::default(), GameId(0));
        loop {
            let games = reader.games(after)?;
            let Some(until) = games.last().map(|game| game.id) else { return Ok(log) };
            reader.each(&games, |other, _, game| {
                if other.game == board.game {
                    log.push(game);
                }
            })?;
            after = until;
        }
    }
}

/// Returns the type of a board's games as a history names it.
pub(crate) fn game_type(board: &Board) -> GameType {
    let layout = serde_json::to_string(&StoredLayout::from(board.layout.clone()))
        .expect("plain data always becomes JSON");
    GameType { game: board.game.clone(), layout }
}
