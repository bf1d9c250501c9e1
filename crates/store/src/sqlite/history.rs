//! The history in SQLite.

use std::collections::HashMap;
use std::path::Path;

use parlor_core::Seat;
use rusqlite::{OptionalExtension, Row, Transaction, params};

use super::{Fault, Part, Sqlite};
use crate::error::StoreError;
use crate::game_row::{GameRow, damaged_state, inside_json, names_text, other_layout};
use crate::history::{
    Appended, GameId, GameQuery, GameRecord, GameType, History, HistorySizes, RunId, StoredGame, TypeId,
};
use crate::packed::pack;
use crate::steps::Steps;
use crate::store::Access;

/// Names of players are stored once, because every game of a run repeats them.
const PART: Part = Part {
    name: "history",
    migrations: &["
CREATE TABLE game_type_history (
  id INTEGER PRIMARY KEY,
  game TEXT NOT NULL,           -- the full form
  rng TEXT NOT NULL,            -- the generator of its deals
  layout TEXT NOT NULL,         -- the cells of a state as JSON; empty: states are texts
  UNIQUE (game, rng)
) STRICT;
CREATE TABLE players (
  id INTEGER PRIMARY KEY,
  seats TEXT NOT NULL UNIQUE    -- who sat in each seat, as JSON
) STRICT;
CREATE TABLE run (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE game (
  id INTEGER PRIMARY KEY,
  game_type INTEGER NOT NULL REFERENCES game_type_history,
  players INTEGER NOT NULL REFERENCES players,
  seed INTEGER NOT NULL,        -- 64 bits, as a signed number
  payoffs TEXT,                 -- as JSON
  ending TEXT,                  -- NULL: finished by the rules
  moves TEXT NOT NULL,          -- every action, those of chance included
  more TEXT,                    -- what few games have, as JSON
  steps INTEGER NOT NULL,       -- rows in game_history
  ended INTEGER NOT NULL,       -- seconds since 1970
  run INTEGER REFERENCES run,
  number INTEGER                -- of the game in its run
) STRICT;
CREATE UNIQUE INDEX game_of_run ON game (run, number) WHERE run IS NOT NULL;
CREATE TABLE game_history (
  game INTEGER NOT NULL REFERENCES game,
  step INTEGER NOT NULL,
  seat INTEGER NOT NULL,
  cur_state BLOB NOT NULL,      -- its cells, packed
  input TEXT NOT NULL,          -- the action
  place BLOB NOT NULL,          -- where the action lies on the cells
  PRIMARY KEY (game, step)
) STRICT, WITHOUT ROWID;
"],
};

const COLUMNS: &str = "g.id, g.game_type, t.game, t.rng, p.seats, g.seed, g.payoffs, g.ending, g.moves, g.more, g.steps, g.ended
FROM game g JOIN game_type_history t ON t.id = g.game_type JOIN players p ON p.id = g.players";

/// The history in a file.
pub(crate) struct SqliteHistory {
    sqlite: Sqlite,
}

impl SqliteHistory {
    /// Opens the file, and makes it if it is to be written.
    pub(crate) fn open(path: &Path, access: Access) -> Result<SqliteHistory, StoreError> {
        Ok(SqliteHistory { sqlite: Sqlite::open(path, &PART, access)? })
    }

    fn query<T>(
        &self,
        run: impl FnOnce(&rusqlite::Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        run(&self.sqlite.connection).map_err(|error| self.sqlite.fault(error))
    }
}

impl History for SqliteHistory {
    fn game_type(&mut self, game_type: &GameType) -> Result<TypeId, StoreError> {
        let at = self.sqlite.at();
        self.sqlite.transaction(|transaction| {
            let rng = parlor_core::rng::GENERATOR;
            let known: Option<(i64, String)> = transaction
                .query_row(
                    "SELECT id, layout FROM game_type_history WHERE game = ?1 AND rng = ?2",
                    [&game_type.game, rng],
                    |row| Ok((row.get(0)?, row.get(1)?)),
                )
                .optional()?;
            match known {
                Some((id, layout)) if layout == game_type.layout => Ok(TypeId(id)),
                Some(_) => Err(other_layout(at, &game_type.game).into()),
                None => {
                    transaction.execute(
                        "INSERT INTO game_type_history (game, rng, layout) VALUES (?1, ?2, ?3)",
                        [&game_type.game, rng, &game_type.layout],
                    )?;
                    Ok(TypeId(transaction.last_insert_rowid()))
                }
            }
        })
    }

    fn game_types(&mut self) -> Result<Vec<(TypeId, GameType)>, StoreError> {
        self.query(|connection| {
            let mut list =
                connection.prepare("SELECT id, game, layout FROM game_type_history ORDER BY id")?;
            let types = list.query_map([], |row| {
                Ok((TypeId(row.get(0)?), GameType { game: row.get(1)?, layout: row.get(2)? }))
            })?;
            types.collect()
        })
    }

    fn run(&mut self, name: &str) -> Result<(RunId, u64), StoreError> {
        self.sqlite.transaction(|transaction| {
            transaction.execute("INSERT OR IGNORE INTO run (name) VALUES (?1)", [name])?;
            let id = transaction.query_row("SELECT id FROM run WHERE name = ?1", [name], |row| row.get(0))?;
            let games: i64 =
                transaction.query_row("SELECT count(*) FROM game WHERE run = ?1", [id], |row| row.get(0))?;
            Ok((RunId(id), games as u64))
        })
    }

    fn append(&mut self, records: &[GameRecord]) -> Result<Appended, StoreError> {
        self.sqlite.transaction(|transaction| append(transaction, records))
    }

    fn games(&mut self, query: &GameQuery) -> Result<Vec<StoredGame>, StoreError> {
        let at = self.sqlite.at();
        let order = if query.newest { "DESC" } else { "ASC" };
        let sql = format!(
            "SELECT {COLUMNS} WHERE g.id > ?1 AND (?2 IS NULL OR g.id = ?2) AND (?3 IS NULL OR instr(t.game, ?3) > 0) \
             AND (?4 IS NULL OR instr(p.seats, ?4) > 0) AND (?5 IS NULL OR g.ended >= ?5) \
             AND (?6 IS NULL OR g.ended < ?6) ORDER BY g.id {order} LIMIT ?7"
        );
        let rows: Vec<GameRow> = self.query(|connection| {
            let limit = query.limit.map_or(-1, |limit| limit as i64);
            let seconds = |time: Option<u64>| time.map(|time| i64::try_from(time).unwrap_or(i64::MAX));
            let values = params![
                query.after.unwrap_or_default().0,
                query.id.map(|id| id.0),
                query.game,
                // Names are stored as JSON, where quotes and backslashes are escaped.
                query.agent.as_deref().map(inside_json),
                seconds(query.since),
                seconds(query.until),
                limit
            ];
            connection.prepare_cached(&sql)?.query_map(values, game_row)?.collect()
        })?;
        let mut games =
            rows.into_iter().map(|row| row.stored(&at)).collect::<Result<Vec<StoredGame>, StoreError>>()?;
        if query.newest {
            games.reverse();
        }
        Ok(games)
    }

    fn steps(&mut self, games: &[GameId]) -> Result<Vec<Steps>, StoreError> {
        let mut damaged = None;
        let all = self.query(|connection| {
            let mut select = connection.prepare_cached(
                "SELECT seat, cur_state, input, place FROM game_history WHERE game = ?1 ORDER BY step",
            )?;
            let mut all = Vec::with_capacity(games.len());
            for game in games {
                let mut steps = Steps::default();
                let mut rows = select.query([game.0])?;
                while let Some(row) = rows.next()? {
                    let (seat, state) = (Seat(row.get(0)?), row.get_ref(1)?.as_blob()?);
                    let (input, place) = (row.get_ref(2)?.as_str()?, row.get_ref(3)?.as_blob()?);
                    if steps.push_packed(seat, state, input, place).is_none() {
                        damaged = Some(*game);
                    }
                }
                all.push(steps);
            }
            Ok(all)
        })?;
        match damaged {
            Some(game) => Err(damaged_state(self.sqlite.at(), game)),
            None => Ok(all),
        }
    }

    fn last(&mut self) -> Result<GameId, StoreError> {
        self.query(|connection| {
            connection.query_row("SELECT coalesce(max(id), 0) FROM game", [], |row| Ok(GameId(row.get(0)?)))
        })
    }

    fn sizes(&mut self) -> Result<HistorySizes, StoreError> {
        let types: Vec<(String, u64, u64)> = self.query(|connection| {
            let mut list = connection.prepare(
                "SELECT t.game, count(*), sum(g.steps) FROM game g JOIN game_type_history t ON t.id = g.game_type \
                 GROUP BY t.id ORDER BY min(g.id)",
            )?;
            let types = list.query_map([], |row| {
                Ok((row.get(0)?, row.get::<_, i64>(1)? as u64, row.get::<_, i64>(2)? as u64))
            })?;
            types.collect()
        })?;
        Ok(HistorySizes {
            games: types.iter().map(|(_, games, _)| games).sum(),
            steps: types.iter().map(|(_, _, steps)| steps).sum(),
            bytes: self.sqlite.bytes(),
            types,
        })
    }
}

fn append(transaction: &Transaction<'_>, records: &[GameRecord]) -> Result<Appended, Fault> {
    let mut find = transaction.prepare_cached("SELECT 1 FROM game WHERE run = ?1 AND number = ?2")?;
    let mut add_game = transaction.prepare_cached(
        "INSERT INTO game (game_type, players, seed, payoffs, ending, moves, more, steps, ended, run, number) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
    )?;
    let mut add_step =
        transaction.prepare_cached("INSERT INTO game_history VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?;
    let mut players: HashMap<&[String], i64> = HashMap::new();
    let mut appended = Appended::default();
    let mut state = Vec::new();
    for record in records {
        let origin = record.origin.map(|origin| (origin.run.0, origin.number as i64));
        if let Some((run, number)) = origin
            && find.exists([run, number])?
        {
            appended.known += 1;
            continue;
        }
        let seats = &record.saved.seats[..];
        let lineup = match players.get(seats) {
            Some(&id) => id,
            None => {
                let id = players_of(transaction, seats)?;
                players.insert(seats, id);
                id
            }
        };
        let row = GameRow::of(record);
        add_game.execute(params![
            record.game_type.0,
            lineup,
            row.seed,
            row.payoffs,
            row.ending,
            record.saved.moves,
            row.more,
            row.steps,
            row.ended,
            origin.map(|(run, _)| run),
            origin.map(|(_, number)| number)
        ])?;
        let id = transaction.last_insert_rowid();
        appended.first.get_or_insert(GameId(id));
        appended.games += 1;
        for step in record.steps.iter() {
            state.clear();
            pack(step.state, &mut state);
            add_step.execute(params![id, step.number, step.seat.0, state, step.input, step.place])?;
        }
    }
    Ok(appended)
}

/// Returns the number of the names of players, which are added if they are new.
fn players_of(transaction: &Transaction<'_>, seats: &[String]) -> rusqlite::Result<i64> {
    let text = names_text(seats);
    transaction.execute("INSERT OR IGNORE INTO players (seats) VALUES (?1)", [&text])?;
    transaction.query_row("SELECT id FROM players WHERE seats = ?1", [&text], |row| row.get(0))
}

fn game_row(row: &Row<'_>) -> rusqlite::Result<GameRow> {
    Ok(GameRow {
        id: row.get(0)?,
        game_type: row.get(1)?,
        game: row.get(2)?,
        rng: row.get(3)?,
        seats: row.get(4)?,
        seed: row.get(5)?,
        payoffs: row.get(6)?,
        ending: row.get(7)?,
        moves: row.get(8)?,
        more: row.get(9)?,
        steps: row.get(10)?,
        ended: row.get(11)?,
    })
}
