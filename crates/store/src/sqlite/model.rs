//! A model in SQLite.

use std::collections::HashMap;
use std::path::Path;

use rusqlite::{Connection, ErrorCode, Transaction, params};

use super::{Fault, Part, Sqlite};
use crate::error::StoreError;
use crate::history::GameId;
use crate::model::{Model, ModelSizes, TransitionCount, count_of, from_signed, to_signed};
use crate::store::Access;

/// A model has few different inputs, so their keys are stored once: a transition takes 5 to 7 bytes less.
/// `other` is what is left of the count, mostly 0, which takes no byte.
const PART: Part = Part {
    name: "model",
    migrations: &["
CREATE TABLE transition_input (
  id INTEGER PRIMARY KEY,
  key INTEGER NOT NULL UNIQUE
) STRICT;
CREATE TABLE transition (
  state INTEGER NOT NULL,       -- a 64-bit key with its highest bit flipped, so that the order is that of the keys
  input INTEGER NOT NULL REFERENCES transition_input,
  next_state INTEGER NOT NULL,
  wins INTEGER NOT NULL,
  ties INTEGER NOT NULL,
  losses INTEGER NOT NULL,
  other INTEGER NOT NULL,
  count INTEGER AS (wins + ties + losses + other) VIRTUAL,
  PRIMARY KEY (state, input, next_state)
) STRICT, WITHOUT ROWID;
CREATE TABLE game_processed (
  game INTEGER PRIMARY KEY
) STRICT;
"],
};

/// A model in a file.
pub(crate) struct SqliteModel {
    sqlite: Sqlite,
    name: String,
    /// The number of each input that was met.
    inputs: HashMap<u64, i64>,
}

impl SqliteModel {
    /// Opens the file, and makes it if it is to be written.
    pub(crate) fn open(path: &Path, name: &str, access: Access) -> Result<SqliteModel, StoreError> {
        let sqlite = Sqlite::open(path, &PART, access)?;
        Ok(SqliteModel { sqlite, name: name.to_owned(), inputs: HashMap::new() })
    }

    fn query<T>(&self, run: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        run(&self.sqlite.connection).map_err(|error| self.sqlite.fault(error))
    }
}

impl Model for SqliteModel {
    fn fold(&mut self, rows: &[TransitionCount], games: &[GameId]) -> Result<(), StoreError> {
        debug_assert!(rows.is_sorted_by(|one, two| one.key() < two.key()), "sorted, each key once");
        let SqliteModel { sqlite, name, inputs } = self;
        let done = sqlite.transaction(|transaction| {
            mark(transaction, name, games)?;
            add(transaction, inputs, rows)
        });
        if done.is_err() {
            // Numbers of inputs that were added in it do not exist.
            inputs.clear();
        }
        done
    }

    fn of_state(&mut self, state: u64) -> Result<Vec<TransitionCount>, StoreError> {
        self.query(|connection| {
            let mut select = connection.prepare_cached(
                "SELECT t.state, i.key, t.next_state, t.wins, t.ties, t.losses, t.other \
                 FROM transition t JOIN transition_input i ON i.id = t.input WHERE t.state = ?1",
            )?;
            let rows = select.query_map([to_signed(state)], transition)?;
            let mut rows = rows.collect::<rusqlite::Result<Vec<TransitionCount>>>()?;
            rows.sort_unstable_by_key(TransitionCount::key);
            Ok(rows)
        })
    }

    fn for_each(&mut self, each: &mut dyn FnMut(&TransitionCount)) -> Result<(), StoreError> {
        self.query(|connection| {
            let mut select = connection.prepare(
                "SELECT t.state, i.key, t.next_state, t.wins, t.ties, t.losses, t.other \
                 FROM transition t CROSS JOIN transition_input i ON i.id = t.input ORDER BY t.state",
            )?;
            let mut rows = select.query([])?;
            // Inputs are stored by their numbers, so the rows of a state are put in order here.
            let mut same_state: Vec<TransitionCount> = Vec::new();
            let mut give = |rows: &mut Vec<TransitionCount>| {
                rows.sort_unstable_by_key(TransitionCount::key);
                rows.drain(..).for_each(|row| each(&row));
            };
            while let Some(row) = rows.next()? {
                let row = transition(row)?;
                if same_state.last().is_some_and(|last| last.state != row.state) {
                    give(&mut same_state);
                }
                same_state.push(row);
            }
            give(&mut same_state);
            Ok(())
        })
    }

    fn processed(&mut self, after: GameId, limit: usize) -> Result<Vec<GameId>, StoreError> {
        self.query(|connection| {
            let mut select = connection
                .prepare_cached("SELECT game FROM game_processed WHERE game > ?1 ORDER BY game LIMIT ?2")?;
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            select.query_map([after.0, limit], |row| Ok(GameId(row.get(0)?)))?.collect()
        })
    }

    fn last_processed(&mut self) -> Result<GameId, StoreError> {
        self.query(|connection| {
            let last = "SELECT coalesce(max(game), 0) FROM game_processed";
            connection.query_row(last, [], |row| Ok(GameId(row.get(0)?)))
        })
    }

    fn clear(&mut self) -> Result<(), StoreError> {
        self.inputs.clear();
        self.sqlite.transaction(|transaction| {
            let all = "DELETE FROM transition; DELETE FROM game_processed; DELETE FROM transition_input;";
            Ok(transaction.execute_batch(all)?)
        })
    }

    fn sizes(&mut self) -> Result<ModelSizes, StoreError> {
        let count = |table: &str| {
            let sql = format!("SELECT count(*) FROM {table}");
            self.query(|connection| connection.query_row(&sql, [], |row| row.get::<_, i64>(0)))
        };
        let (transitions, games) = (count("transition")? as u64, count("game_processed")? as u64);
        Ok(ModelSizes { transitions, games, bytes: self.sqlite.bytes() })
    }
}

/// Marks games as counted.
fn mark(transaction: &Transaction<'_>, model: &str, games: &[GameId]) -> Result<(), Fault> {
    let mut insert = transaction.prepare_cached("INSERT INTO game_processed (game) VALUES (?1)")?;
    for &game in games {
        insert.execute([game.0]).map_err(|error| match error.sqlite_error_code() {
            Some(ErrorCode::ConstraintViolation) => {
                Fault::Store(StoreError::Processed { game, model: model.to_owned() })
            }
            _ => Fault::Sql(error),
        })?;
    }
    Ok(())
}

/// Adds counts.
fn add(
    transaction: &Transaction<'_>,
    inputs: &mut HashMap<u64, i64>,
    rows: &[TransitionCount],
) -> Result<(), Fault> {
    let mut upsert = transaction.prepare_cached(
        "INSERT INTO transition (state, input, next_state, wins, ties, losses, other) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO UPDATE SET wins = wins + excluded.wins, \
         ties = ties + excluded.ties, losses = losses + excluded.losses, other = other + excluded.other",
    )?;
    for row in rows {
        let input = match inputs.get(&row.input) {
            Some(&id) => id,
            None => {
                let id = input_of(transaction, row.input)?;
                inputs.insert(row.input, id);
                id
            }
        };
        let [count, wins, ties, losses] = [row.count, row.wins, row.ties, row.losses].map(i64::from);
        let other = count - wins - ties - losses;
        upsert.execute(params![
            to_signed(row.state),
            input,
            to_signed(row.next),
            wins,
            ties,
            losses,
            other
        ])?;
    }
    Ok(())
}

/// Returns the number of an input, which is added if it is new.
fn input_of(transaction: &Transaction<'_>, key: u64) -> rusqlite::Result<i64> {
    let key = to_signed(key);
    transaction.prepare_cached("INSERT OR IGNORE INTO transition_input (key) VALUES (?1)")?.execute([key])?;
    transaction
        .prepare_cached("SELECT id FROM transition_input WHERE key = ?1")?
        .query_row([key], |row| row.get(0))
}

fn transition(row: &rusqlite::Row<'_>) -> rusqlite::Result<TransitionCount> {
    let [wins, ties, losses, other]: [i64; 4] = [row.get(3)?, row.get(4)?, row.get(5)?, row.get(6)?];
    Ok(TransitionCount {
        state: from_signed(row.get(0)?),
        input: from_signed(row.get(1)?),
        next: from_signed(row.get(2)?),
        count: count_of(wins + ties + losses + other),
        wins: count_of(wins),
        ties: count_of(ties),
        losses: count_of(losses),
    })
}
