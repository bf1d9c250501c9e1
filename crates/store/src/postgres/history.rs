//! The history in PostgreSQL.

use std::collections::{HashMap, HashSet};

use parlor_core::Seat;
use postgres::binary_copy::BinaryCopyInWriter;
use postgres::types::Type;
use postgres::{Row, Transaction};

use super::{Database, Fault, Lock, lock};
use crate::error::StoreError;
use crate::game_row::{GameRow, damaged_state, inside_json, names_text, other_layout};
use crate::history::{
    Appended, GameId, GameQuery, GameRecord, GameType, History, HistorySizes, RunId, StoredGame, TypeId,
};
use crate::packed::pack;
use crate::steps::Steps;
use crate::store::Access;

/// The history in a database.
pub(crate) struct PostgresHistory {
    database: Database,
}

impl PostgresHistory {
    /// Connects.
    pub(crate) fn open(url: &str, access: Access) -> Result<PostgresHistory, StoreError> {
        Ok(PostgresHistory { database: Database::open(url, access)? })
    }
}

impl History for PostgresHistory {
    fn game_type(&mut self, game_type: &GameType) -> Result<TypeId, StoreError> {
        let at = self.database.at();
        self.database.transaction(|transaction| {
            let rng = parlor_core::rng::GENERATOR;
            transaction.execute(
                "INSERT INTO game_type_history (game, rng, layout) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
                &[&game_type.game, &rng, &game_type.layout],
            )?;
            let row = transaction.query_one(
                "SELECT id, layout FROM game_type_history WHERE game = $1 AND rng = $2",
                &[&game_type.game, &rng],
            )?;
            if row.get::<_, &str>(1) == game_type.layout {
                Ok(TypeId(row.get(0)))
            } else {
                Err(other_layout(at, &game_type.game).into())
            }
        })
    }

    fn game_types(&mut self) -> Result<Vec<(TypeId, GameType)>, StoreError> {
        let rows = self.database.query(|client| {
            client.query("SELECT id, game, layout FROM game_type_history ORDER BY id", &[])
        })?;
        let read = |row: &Row| (TypeId(row.get(0)), GameType { game: row.get(1), layout: row.get(2) });
        Ok(rows.iter().map(read).collect())
    }

    fn run(&mut self, name: &str) -> Result<(RunId, u64), StoreError> {
        self.database.transaction(|transaction| {
            transaction.execute("INSERT INTO run (name) VALUES ($1) ON CONFLICT DO NOTHING", &[&name])?;
            let id: i64 = transaction.query_one("SELECT id FROM run WHERE name = $1", &[&name])?.get(0);
            let games: i64 =
                transaction.query_one("SELECT count(*) FROM game WHERE run = $1", &[&id])?.get(0);
            Ok((RunId(id), games as u64))
        })
    }

    fn append(&mut self, records: &[GameRecord]) -> Result<Appended, StoreError> {
        let schema = self.database.schema().to_owned();
        self.database.transaction(|transaction| {
            lock(transaction, &schema, Lock::Append, "")?;
            append(transaction, records)
        })
    }

    fn games(&mut self, query: &GameQuery) -> Result<Vec<StoredGame>, StoreError> {
        let at = self.database.at();
        let order = if query.newest { "DESC" } else { "ASC" };
        let sql = format!(
            "SELECT g.id, g.game_type, t.game, t.rng, p.seats, g.seed, g.payoffs, g.ending, g.moves, g.more, g.steps, g.ended \
             FROM game g JOIN game_type_history t ON t.id = g.game_type JOIN players p ON p.id = g.players \
             WHERE g.id > $1 AND ($2::bigint IS NULL OR g.id = $2) AND ($3::text IS NULL OR strpos(t.game, $3) > 0) \
             AND ($4::text IS NULL OR strpos(p.seats, $4) > 0) AND ($5::bigint IS NULL OR g.ended >= $5) \
             AND ($6::bigint IS NULL OR g.ended < $6) ORDER BY g.id {order} LIMIT $7"
        );
        let seconds = |time: Option<u64>| time.map(|time| i64::try_from(time).unwrap_or(i64::MAX));
        let rows = self.database.query(|client| {
            client.query(
                &sql,
                &[
                    &query.after.unwrap_or_default().0,
                    &query.id.map(|id| id.0),
                    &query.game,
                    &query.agent.as_deref().map(inside_json),
                    &seconds(query.since),
                    &seconds(query.until),
                    &query.limit.map(|limit| i64::try_from(limit).unwrap_or(i64::MAX)),
                ],
            )
        })?;
        let mut games = rows.iter().map(|row| game_row(row).stored(&at)).collect::<Result<Vec<_>, _>>()?;
        if query.newest {
            games.reverse();
        }
        Ok(games)
    }

    fn steps(&mut self, games: &[GameId]) -> Result<Vec<Steps>, StoreError> {
        let ids: Vec<i64> = games.iter().map(|game| game.0).collect();
        let rows = self.database.query(|client| {
            client.query(
                "SELECT game, seat, cur_state, input, place FROM game_history WHERE game = ANY($1) ORDER BY game, step",
                &[&ids],
            )
        })?;
        let mut found: HashMap<i64, Steps> = HashMap::new();
        for row in &rows {
            let game: i64 = row.get(0);
            let steps = found.entry(game).or_default();
            let seat = Seat(row.get::<_, i16>(1) as u8);
            steps
                .push_packed(seat, row.get(2), row.get(3), row.get(4))
                .ok_or_else(|| damaged_state(self.database.at(), GameId(game)))?;
        }
        Ok(ids.iter().map(|id| found.get(id).cloned().unwrap_or_default()).collect())
    }

    fn last(&mut self) -> Result<GameId, StoreError> {
        let last = "SELECT coalesce(max(id), 0) FROM game";
        self.database.query(|client| Ok(GameId(client.query_one(last, &[])?.get(0))))
    }

    fn sizes(&mut self) -> Result<HistorySizes, StoreError> {
        let (types, bytes) = self.database.query(|client| {
            let types = client.query(
                "SELECT t.game, count(*), sum(g.steps)::bigint FROM game g \
                 JOIN game_type_history t ON t.id = g.game_type GROUP BY t.id, t.game ORDER BY min(g.id)",
                &[],
            )?;
            let bytes = "SELECT pg_total_relation_size('game') + pg_total_relation_size('game_history')";
            Ok((types, client.query_one(bytes, &[])?.get::<_, i64>(0)))
        })?;
        let types: Vec<(String, u64, u64)> = types
            .iter()
            .map(|row| (row.get(0), row.get::<_, i64>(1) as u64, row.get::<_, i64>(2) as u64))
            .collect();
        Ok(HistorySizes {
            games: types.iter().map(|(_, games, _)| games).sum(),
            steps: types.iter().map(|(_, _, steps)| steps).sum(),
            bytes: bytes as u64,
            types,
        })
    }
}

/// Adds games, whose numbers no other transaction gives meanwhile.
fn append(transaction: &mut Transaction<'_>, records: &[GameRecord]) -> Result<Appended, Fault> {
    let mut known = known_games(transaction, records)?;
    let mut is_new = |record: &&GameRecord| {
        // Twice in one call is once, too.
        record.origin.is_none_or(|origin| known.insert((origin.run.0, origin.number as i64)))
    };
    let new: Vec<&GameRecord> = records.iter().filter(&mut is_new).collect();
    let skipped = (records.len() - new.len()) as u64;
    let mut appended = Appended { first: None, games: new.len() as u64, known: skipped };
    if new.is_empty() {
        return Ok(appended);
    }
    let last: i64 = transaction.query_one("SELECT coalesce(max(id), 0) FROM game", &[])?.get(0);
    appended.first = Some(GameId(last + 1));
    let mut players: HashMap<&[String], i64> = HashMap::new();
    for record in &new {
        let seats = &record.saved.seats[..];
        if !players.contains_key(seats) {
            players.insert(seats, players_of(transaction, seats)?);
        }
    }
    let copy = "COPY game (id, game_type, players, seed, payoffs, ending, moves, more, steps, ended, run, number) \
                FROM STDIN BINARY";
    let (number, text) = (Type::INT8, Type::TEXT);
    let types =
        [&number, &number, &number, &number, &text, &text, &text, &text, &number, &number, &number, &number];
    let types: Vec<Type> = types.into_iter().cloned().collect();
    let mut writer = BinaryCopyInWriter::new(transaction.copy_in(copy)?, &types);
    for (record, id) in new.iter().zip(last + 1..) {
        let row = GameRow::of(record);
        let origin = record.origin;
        writer.write(&[
            &id,
            &record.game_type.0,
            &players[&record.saved.seats[..]],
            &row.seed,
            &row.payoffs,
            &row.ending,
            &record.saved.moves,
            &row.more,
            &row.steps,
            &row.ended,
            &origin.map(|origin| origin.run.0),
            &origin.map(|origin| origin.number as i64),
        ])?;
    }
    writer.finish()?;
    let copy = "COPY game_history FROM STDIN BINARY";
    let types = [number, Type::INT4, Type::INT2, Type::BYTEA, text, Type::BYTEA];
    let mut writer = BinaryCopyInWriter::new(transaction.copy_in(copy)?, &types);
    let mut state = Vec::new();
    for (record, id) in new.iter().zip(last + 1..) {
        for step in record.steps.iter() {
            state.clear();
            pack(step.state, &mut state);
            let seat = i16::from(step.seat.0);
            writer.write(&[&id, &(step.number as i32), &seat, &state, &step.input, &step.place])?;
        }
    }
    writer.finish()?;
    Ok(appended)
}

/// Returns which games of runs are there already: runs and numbers.
fn known_games(
    transaction: &mut Transaction<'_>,
    records: &[GameRecord],
) -> Result<HashSet<(i64, i64)>, postgres::Error> {
    let origins = records.iter().filter_map(|record| record.origin);
    let (runs, numbers): (Vec<i64>, Vec<i64>) =
        origins.map(|origin| (origin.run.0, origin.number as i64)).unzip();
    if runs.is_empty() {
        return Ok(HashSet::new());
    }
    let sql = "SELECT g.run, g.number FROM unnest($1::bigint[], $2::bigint[]) AS o (run, number) \
               JOIN game g ON g.run = o.run AND g.number = o.number";
    let rows = transaction.query(sql, &[&runs, &numbers])?;
    Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
}

/// Returns the number of the names of players, which are added if they are new.
fn players_of(transaction: &mut Transaction<'_>, seats: &[String]) -> Result<i64, postgres::Error> {
    let text = names_text(seats);
    transaction.execute("INSERT INTO players (seats) VALUES ($1) ON CONFLICT DO NOTHING", &[&text])?;
    Ok(transaction.query_one("SELECT id FROM players WHERE seats = $1", &[&text])?.get(0))
}

fn game_row(row: &Row) -> GameRow {
    GameRow {
        id: row.get(0),
        game_type: row.get(1),
        game: row.get(2),
        rng: row.get(3),
        seats: row.get(4),
        seed: row.get(5),
        payoffs: row.get(6),
        ending: row.get(7),
        moves: row.get(8),
        more: row.get(9),
        steps: row.get(10),
        ended: row.get(11),
    }
}
