//! A model in PostgreSQL.

use postgres::Row;
use postgres::binary_copy::BinaryCopyInWriter;
use postgres::fallible_iterator::FallibleIterator;
use postgres::types::{ToSql, Type};

use super::{Database, Lock, lock};
use crate::error::StoreError;
use crate::history::GameId;
use crate::model::{Model, ModelSizes, TransitionCount, count_of, from_signed, to_signed};
use crate::store::Access;

/// A model in a database.
pub(crate) struct PostgresModel {
    database: Database,
    name: String,
    /// The heuristic's number.
    heuristic: i32,
}

const COLUMNS: &str = "state, input, next_state, count, wins, ties, losses";

impl PostgresModel {
    /// Connects, and adds the model if it is to be written.
    pub(crate) fn open(url: &str, name: &str, access: Access) -> Result<PostgresModel, StoreError> {
        let mut database = Database::open(url, access)?;
        let at = database.at();
        let heuristic = database.transaction(|transaction| {
            if access == Access::Write {
                let add = "INSERT INTO heuristic (name) VALUES ($1) ON CONFLICT DO NOTHING";
                transaction.execute(add, &[&name])?;
            }
            let row = transaction.query_opt("SELECT id FROM heuristic WHERE name = $1", &[&name])?;
            let missing = || StoreError::Missing { at, part: format!("model `{name}`") };
            Ok(row.ok_or_else(missing)?.get(0))
        })?;
        Ok(PostgresModel { database, name: name.to_owned(), heuristic })
    }

    /// Returns the names of all models, sorted.
    pub(crate) fn names(url: &str, access: Access) -> Result<Vec<String>, StoreError> {
        let mut database = Database::open(url, access)?;
        let rows = database
            .query(|client| client.query("SELECT name FROM heuristic ORDER BY name COLLATE \"C\"", &[]))?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }
}

impl Model for PostgresModel {
    fn fold(&mut self, rows: &[TransitionCount], games: &[GameId]) -> Result<(), StoreError> {
        debug_assert!(rows.is_sorted_by(|one, two| one.key() < two.key()), "sorted, each key once");
        let processed = |game| StoreError::Processed { game, model: self.name.clone() };
        let mut sorted: Vec<i64> = games.iter().map(|game| game.0).collect();
        sorted.sort_unstable();
        if let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(processed(GameId(twice[0])));
        }
        let (schema, heuristic) = (self.database.schema().to_owned(), self.heuristic);
        self.database.transaction(|transaction| {
            lock(transaction, &schema, Lock::Fold, &self.name)?;
            let known = "SELECT game FROM game_processed WHERE heuristic = $1 AND game = ANY($2) ORDER BY game LIMIT 1";
            if let Some(row) = transaction.query_opt(known, &[&heuristic, &sorted])? {
                return Err(processed(GameId(row.get(0))).into());
            }
            let mark = "INSERT INTO game_processed SELECT $1, unnest($2::bigint[])";
            transaction.execute(mark, &[&heuristic, &sorted])?;
            if rows.is_empty() {
                return Ok(());
            }
            transaction.batch_execute(&format!(
                "CREATE TEMP TABLE folded ON COMMIT DROP AS SELECT {COLUMNS} FROM transition WITH NO DATA"
            ))?;
            let types = vec![Type::INT8; 7];
            let copy = transaction.copy_in("COPY folded FROM STDIN BINARY")?;
            let mut writer = BinaryCopyInWriter::new(copy, &types);
            for row in rows {
                let keys = [row.state, row.input, row.next].map(to_signed);
                let counts = [row.count, row.wins, row.ties, row.losses].map(i64::from);
                let values = keys.iter().chain(&counts).map(|number| number as &(dyn ToSql + Sync));
                writer.write(&values.collect::<Vec<_>>())?;
            }
            writer.finish()?;
            let upsert = format!(
                "INSERT INTO transition AS t (heuristic, {COLUMNS}) SELECT $1, {COLUMNS} FROM folded \
                 ON CONFLICT (heuristic, state, input, next_state) DO UPDATE SET count = t.count + excluded.count, \
                 wins = t.wins + excluded.wins, ties = t.ties + excluded.ties, losses = t.losses + excluded.losses"
            );
            transaction.execute(&upsert, &[&heuristic])?;
            Ok(())
        })
    }

    fn of_state(&mut self, state: u64) -> Result<Vec<TransitionCount>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM transition WHERE heuristic = $1 AND state = $2 ORDER BY input, next_state"
        );
        let heuristic = self.heuristic;
        let rows = self.database.query(|client| client.query(&sql, &[&heuristic, &to_signed(state)]))?;
        Ok(rows.iter().map(transition).collect())
    }

    fn for_each(&mut self, each: &mut dyn FnMut(&TransitionCount)) -> Result<(), StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM transition WHERE heuristic = $1 ORDER BY state, input, next_state"
        );
        let heuristic = self.heuristic;
        self.database.query(|client| {
            let mut rows = client.query_raw(&sql, [heuristic])?;
            while let Some(row) = rows.next()? {
                each(&transition(&row));
            }
            Ok(())
        })
    }

    fn processed(&mut self, after: GameId, limit: usize) -> Result<Vec<GameId>, StoreError> {
        let sql = "SELECT game FROM game_processed WHERE heuristic = $1 AND game > $2 ORDER BY game LIMIT $3";
        let (heuristic, limit) = (self.heuristic, i64::try_from(limit).unwrap_or(i64::MAX));
        let rows = self.database.query(|client| client.query(sql, &[&heuristic, &after.0, &limit]))?;
        Ok(rows.iter().map(|row| GameId(row.get(0))).collect())
    }

    fn last_processed(&mut self) -> Result<GameId, StoreError> {
        let sql = "SELECT coalesce(max(game), 0) FROM game_processed WHERE heuristic = $1";
        let heuristic = self.heuristic;
        self.database.query(|client| Ok(GameId(client.query_one(sql, &[&heuristic])?.get(0))))
    }

    fn clear(&mut self) -> Result<(), StoreError> {
        let (schema, heuristic) = (self.database.schema().to_owned(), self.heuristic);
        self.database.transaction(|transaction| {
            lock(transaction, &schema, Lock::Fold, &self.name)?;
            transaction.execute("DELETE FROM transition WHERE heuristic = $1", &[&heuristic])?;
            transaction.execute("DELETE FROM game_processed WHERE heuristic = $1", &[&heuristic])?;
            Ok(())
        })
    }

    fn sizes(&mut self) -> Result<ModelSizes, StoreError> {
        let heuristic = self.heuristic;
        self.database.query(|client| {
            let row = client.query_one(
                "SELECT (SELECT count(*) FROM transition WHERE heuristic = $1), \
                 (SELECT count(*) FROM game_processed WHERE heuristic = $1), \
                 pg_total_relation_size('transition') + pg_total_relation_size('game_processed')",
                &[&heuristic],
            )?;
            let [transitions, games, bytes] = [0, 1, 2].map(|at| row.get::<_, i64>(at) as u64);
            Ok(ModelSizes { transitions, games, bytes })
        })
    }
}

fn transition(row: &Row) -> TransitionCount {
    let key = |at| from_signed(row.get(at));
    let count = |at| count_of(row.get(at));
    TransitionCount {
        state: key(0),
        input: key(1),
        next: key(2),
        count: count(3),
        wins: count(4),
        ties: count(5),
        losses: count(6),
    }
}
