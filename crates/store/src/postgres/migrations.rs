//! The tables in PostgreSQL and their versions.

use super::{Database, Lock, lock};
use crate::error::StoreError;
use crate::store::Access;

/// What the tables are called in errors.
const PART: &str = "store";

/// The statements that bring the tables from version *i* to *i* + 1. The columns mean what they mean in SQLite.
const MIGRATIONS: &[&str] = &["
CREATE TABLE game_type_history (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  game TEXT NOT NULL,
  rng TEXT NOT NULL,
  layout TEXT NOT NULL,
  UNIQUE (game, rng)
);
CREATE TABLE players (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  seats TEXT NOT NULL UNIQUE
);
CREATE TABLE run (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
);
CREATE TABLE game (
  id BIGINT PRIMARY KEY,
  game_type BIGINT NOT NULL REFERENCES game_type_history,
  players BIGINT NOT NULL REFERENCES players,
  seed BIGINT NOT NULL,
  payoffs TEXT,
  ending TEXT,
  moves TEXT NOT NULL,
  more TEXT,
  steps BIGINT NOT NULL,
  ended BIGINT NOT NULL,
  run BIGINT REFERENCES run,
  number BIGINT
);
CREATE UNIQUE INDEX game_of_run ON game (run, number) WHERE run IS NOT NULL;
CREATE TABLE game_history (
  game BIGINT NOT NULL,
  step INTEGER NOT NULL,
  seat SMALLINT NOT NULL,
  cur_state BYTEA NOT NULL,
  input TEXT NOT NULL,
  place BYTEA NOT NULL,
  PRIMARY KEY (game, step)
);
CREATE TABLE heuristic (
  id INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
);
CREATE TABLE transition (
  heuristic INTEGER NOT NULL REFERENCES heuristic,
  state BIGINT NOT NULL,
  input BIGINT NOT NULL,
  next_state BIGINT NOT NULL,
  count BIGINT NOT NULL,
  wins BIGINT NOT NULL,
  ties BIGINT NOT NULL,
  losses BIGINT NOT NULL,
  PRIMARY KEY (heuristic, state, input, next_state)
);
CREATE TABLE game_processed (
  heuristic INTEGER NOT NULL REFERENCES heuristic,
  game BIGINT NOT NULL,
  PRIMARY KEY (heuristic, game)
);
CREATE TABLE agent_request (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  agent TEXT NOT NULL,
  game TEXT NOT NULL,
  seat SMALLINT NOT NULL,
  cur_state BYTEA NOT NULL,
  actions TEXT NOT NULL,
  goal TEXT NOT NULL,
  deadline_ms BIGINT,
  asked TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
  closed TIMESTAMPTZ
);
CREATE INDEX agent_request_open ON agent_request (id) WHERE closed IS NULL;
CREATE TABLE agent_response (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  request BIGINT NOT NULL REFERENCES agent_request ON DELETE CASCADE,
  heuristic TEXT NOT NULL,
  worker TEXT NOT NULL,
  body TEXT NOT NULL,
  delivery SMALLINT NOT NULL,
  arrived TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX agent_response_request ON agent_response (request);
CREATE UNIQUE INDEX agent_response_once ON agent_response (request, heuristic) WHERE delivery < 2;
CREATE TABLE delivery_count (
  heuristic TEXT NOT NULL,
  delivery SMALLINT NOT NULL,
  count BIGINT NOT NULL,
  PRIMARY KEY (heuristic, delivery)
);
CREATE TABLE worker (
  name TEXT PRIMARY KEY,
  heuristic TEXT NOT NULL,
  host TEXT NOT NULL,
  process BIGINT NOT NULL,
  answered BIGINT NOT NULL,
  last_game BIGINT NOT NULL,
  seen TIMESTAMPTZ NOT NULL
);
"];

/// Brings the tables to the newest version; checks the version if they may only be read.
pub(super) fn migrate(database: &mut Database) -> Result<(), StoreError> {
    let known = MIGRATIONS.len() as u64;
    let found = version(database)?;
    let (at, part) = (database.at(), PART.to_owned());
    match found {
        _ if found > known => return Err(StoreError::Newer { at, part, found, known }),
        _ if found == known => return Ok(()),
        0 if database.access == Access::Read => return Err(StoreError::Missing { at, part }),
        _ if database.access == Access::Read => return Err(StoreError::Older { at, part, found, known }),
        _ => {}
    }
    let schema = database.schema().to_owned();
    database.transaction(|transaction| {
        lock(transaction, &schema, Lock::Migrate, "")?;
        // Only a role that may create schemas can ask for one, even if it exists.
        let exists = "SELECT 1 FROM pg_namespace WHERE nspname = $1";
        if transaction.query_opt(exists, &[&schema])?.is_none() {
            transaction.batch_execute(&format!("CREATE SCHEMA {schema}"))?;
        }
        transaction.batch_execute(
            "CREATE TABLE IF NOT EXISTS store_version (part TEXT PRIMARY KEY, version BIGINT NOT NULL)",
        )?;
        // Another program may have done it meanwhile.
        let row = transaction.query_opt("SELECT version FROM store_version WHERE part = $1", &[&PART])?;
        let found = row.map_or(0, |row| row.get::<_, i64>(0));
        for migration in &MIGRATIONS[(found.max(0) as usize).min(MIGRATIONS.len())..] {
            transaction.batch_execute(migration)?;
        }
        if found < known as i64 {
            let set = "INSERT INTO store_version VALUES ($1, $2) ON CONFLICT (part) DO UPDATE SET version = excluded.version";
            transaction.execute(set, &[&PART, &(known as i64)])?;
        }
        Ok(())
    })
}

/// Returns the version of the tables; 0 if there are none.
fn version(database: &mut Database) -> Result<u64, StoreError> {
    let table = format!("{}.store_version", database.schema());
    database.query(|client| {
        let there: bool = client.query_one("SELECT to_regclass($1) IS NOT NULL", &[&table])?.get(0);
        if !there {
            return Ok(0);
        }
        let row = client.query_opt("SELECT version FROM store_version WHERE part = $1", &[&PART])?;
        Ok(row.map_or(0, |row| row.get::<_, i64>(0).max(0) as u64))
    })
}
