//! A game as a row of the table `game`, the same in all databases.

use parlor_core::files::saved::{Recognised, SavedEnding, SavedGame, VERSION};
use serde_json::{Map, Value};

use crate::error::StoreError;
use crate::history::{GameId, GameRecord, StoredGame, TypeId};

/// The columns of a game, with those of the tables that it refers to.
#[derive(Clone, Debug, Default)]
pub(crate) struct GameRow {
    pub(crate) id: i64,
    pub(crate) game_type: i64,
    pub(crate) game: String,
    pub(crate) rng: String,
    pub(crate) seats: String,
    pub(crate) seed: i64,
    pub(crate) payoffs: Option<String>,
    pub(crate) ending: Option<String>,
    pub(crate) moves: String,
    pub(crate) more: Option<String>,
    pub(crate) steps: i64,
    pub(crate) ended: i64,
}

impl GameRow {
    /// Returns the columns of a record that are not there in the record itself; the others are empty.
    pub(crate) fn of(record: &GameRecord) -> GameRow {
        let SavedGame { payoffs, ending, start, recognised, seed, .. } = &record.saved;
        let mut more = Map::new();
        if let Some(start) = start {
            more.insert("start".to_owned(), Value::from(start.as_str()));
        }
        if !recognised.is_empty() {
            let counts = serde_json::to_value(recognised).expect("plain data always becomes JSON");
            more.insert("recognised".to_owned(), counts);
        }
        GameRow {
            seed: *seed as i64,
            payoffs: payoffs
                .as_ref()
                .map(|payoffs| serde_json::to_string(payoffs).expect("plain data always becomes JSON")),
            ending: (*ending != SavedEnding::Finished).then(|| ending.to_string()),
            more: (!more.is_empty()).then(|| Value::Object(more).to_string()),
            steps: record.steps.len() as i64,
            ended: i64::try_from(record.ended).unwrap_or(i64::MAX),
            ..GameRow::default()
        }
    }

    /// Returns the game of a row.
    pub(crate) fn stored(self, at: &str) -> Result<StoredGame, StoreError> {
        let id = GameId(self.id);
        let damaged = |what: &str| StoreError::Damaged {
            at: at.to_owned(),
            wrong: format!("the {what} of game {id} cannot be read"),
        };
        let mut more: Map<String, Value> = match &self.more {
            Some(text) => serde_json::from_str(text).map_err(|_| damaged("column `more`"))?,
            None => Map::new(),
        };
        let recognised: Vec<Recognised> = match more.remove("recognised") {
            Some(counts) => serde_json::from_value(counts).map_err(|_| damaged("column `more`"))?,
            None => Vec::new(),
        };
        let payoffs = self.payoffs.as_deref().map(serde_json::from_str).transpose();
        let ending = match self.ending {
            Some(text) => SavedEnding::try_from(text).map_err(|_| damaged("ending"))?,
            None => SavedEnding::Finished,
        };
        Ok(StoredGame {
            id,
            game_type: TypeId(self.game_type),
            saved: SavedGame {
                parlor: VERSION,
                game: self.game,
                seats: serde_json::from_str(&self.seats).map_err(|_| damaged("names"))?,
                seed: self.seed as u64,
                rng: self.rng,
                start: more.remove("start").and_then(|start| start.as_str().map(str::to_owned)),
                moves: self.moves,
                ending,
                payoffs: payoffs.map_err(|_| damaged("payoffs"))?,
                recognised,
                table: None,
            },
            steps: u32::try_from(self.steps).map_err(|_| damaged("number of steps"))?,
            ended: u64::try_from(self.ended).map_err(|_| damaged("time"))?,
        })
    }
}

/// Returns the names of players as they are stored.
pub(crate) fn names_text(seats: &[String]) -> String {
    serde_json::to_string(seats).expect("plain data always becomes JSON")
}

/// Returns a text as it stands inside a text of JSON.
pub(crate) fn inside_json(text: &str) -> String {
    let quoted = Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

/// Returns the error of a game whose cells mean something else in the store.
pub(crate) fn other_layout(at: String, game: &str) -> StoreError {
    let wrong = format!(
        "`{game}` was recorded with another layout of its cells, by another version of the program; use a new store"
    );
    StoreError::Damaged { at, wrong }
}

/// Returns the error of a state that cannot be unpacked.
pub(crate) fn damaged_state(at: String, game: GameId) -> StoreError {
    StoreError::Damaged { at, wrong: format!("a state of game {game} cannot be read") }
}
