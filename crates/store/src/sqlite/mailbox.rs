//! The mailbox in SQLite.

use std::path::Path;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use parlor_core::Seat;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use super::{Fault, Part, Sqlite};
use crate::error::StoreError;
use crate::mailbox::{
    Answer, Delivery, DeliveryCounts, LONGEST_WAIT, Mailbox, Question, Reply, Request, RequestId, SeenWorker,
    WorkerState, actions_text, answers_text, is_answer, read_actions, read_answers,
};
use crate::packed::{pack, unpack};
use crate::store::Access;

const PART: Part = Part {
    name: "mailbox",
    migrations: &["
CREATE TABLE agent_request (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  agent TEXT NOT NULL,
  game TEXT NOT NULL,
  seat INTEGER NOT NULL,
  cur_state BLOB NOT NULL,
  actions TEXT NOT NULL,        -- [[text, kind, cell, …], …]
  goal TEXT NOT NULL,
  deadline_ms INTEGER,          -- on the agent's own clock, from its question on
  asked INTEGER NOT NULL,       -- milliseconds since 1970
  closed INTEGER
) STRICT;
CREATE INDEX agent_request_open ON agent_request (id) WHERE closed IS NULL;
CREATE TABLE agent_response (
  id INTEGER PRIMARY KEY,
  request INTEGER NOT NULL REFERENCES agent_request ON DELETE CASCADE,
  heuristic TEXT NOT NULL,
  worker TEXT NOT NULL,
  body TEXT NOT NULL,           -- [[probability, confidence], …]
  delivery INTEGER NOT NULL,    -- 0 in time, 1 late, 2 again, 3 malformed
  arrived INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX agent_response_once ON agent_response (request, heuristic) WHERE delivery < 2;
CREATE TABLE delivery_count (
  heuristic TEXT NOT NULL,
  delivery INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (heuristic, delivery)
) STRICT, WITHOUT ROWID;
CREATE TABLE worker (
  name TEXT PRIMARY KEY,
  heuristic TEXT NOT NULL,
  host TEXT NOT NULL,
  process INTEGER NOT NULL,
  answered INTEGER NOT NULL,
  last_game INTEGER NOT NULL,
  seen INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
"],
};

/// How often a waiting process looks whether another one has written.
const LOOK: Duration = Duration::from_millis(1);

/// The mailbox in a file.
pub(crate) struct SqliteMailbox {
    sqlite: Sqlite,
    /// What SQLite counts up when another process writes, as it was last seen.
    version: i64,
}

impl SqliteMailbox {
    /// Opens the file, and makes it if it is to be written.
    pub(crate) fn open(path: &Path, access: Access) -> Result<SqliteMailbox, StoreError> {
        Ok(SqliteMailbox { sqlite: Sqlite::open(path, &PART, access)?, version: 0 })
    }

    fn query<T>(&self, run: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        run(&self.sqlite.connection).map_err(|error| self.sqlite.fault(error))
    }

    fn deliver(
        &mut self,
        request: RequestId,
        heuristic: &str,
        worker: &str,
        body: &str,
        good: impl FnOnce(usize) -> bool,
    ) -> Result<Delivery, StoreError> {
        self.sqlite.transaction(|transaction| {
            let found: Option<(String, bool)> = transaction
                .prepare_cached("SELECT actions, closed IS NOT NULL FROM agent_request WHERE id = ?1")?
                .query_row([request.0], |row| Ok((row.get(0)?, row.get(1)?)))
                .optional()?;
            let (actions, closed) = found.ok_or(StoreError::NoRequest(request))?;
            let again = transaction
                .prepare_cached(
                    "SELECT 1 FROM agent_response WHERE request = ?1 AND heuristic = ?2 AND delivery < 2",
                )?
                .exists(params![request.0, heuristic])?;
            let delivery = match read_actions(&actions) {
                Some(actions) if good(actions.len()) => match (again, closed) {
                    (true, _) => Delivery::Again,
                    (false, true) => Delivery::Late,
                    (false, false) => Delivery::InTime,
                },
                _ => Delivery::Malformed,
            };
            add_response(transaction, request, heuristic, worker, body, delivery)?;
            Ok(delivery)
        })
    }
}

fn add_response(
    transaction: &Transaction<'_>,
    request: RequestId,
    heuristic: &str,
    worker: &str,
    body: &str,
    delivery: Delivery,
) -> Result<(), Fault> {
    transaction
        .prepare_cached(
            "INSERT INTO agent_response (request, heuristic, worker, body, delivery, arrived) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![request.0, heuristic, worker, body, delivery.code(), now_ms()])?;
    transaction
        .prepare_cached(
            "INSERT INTO delivery_count VALUES (?1, ?2, 1) ON CONFLICT DO UPDATE SET count = count + 1",
        )?
        .execute(params![heuristic, delivery.code()])?;
    Ok(())
}

impl Mailbox for SqliteMailbox {
    fn ask(&mut self, question: &Question) -> Result<RequestId, StoreError> {
        let mut state = Vec::new();
        pack(&question.cells, &mut state);
        self.sqlite.transaction(|transaction| {
            transaction
                .prepare_cached(
                    "INSERT INTO agent_request (agent, game, seat, cur_state, actions, goal, deadline_ms, asked) \
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                )?
                .execute(params![
                    question.agent,
                    question.game,
                    question.seat.0,
                    state,
                    actions_text(&question.actions),
                    question.goal,
                    question.deadline.map(|deadline| deadline.as_millis() as i64),
                    now_ms()
                ])?;
            Ok(RequestId(transaction.last_insert_rowid()))
        })
    }

    fn pending(&mut self, heuristic: &str, limit: usize) -> Result<Vec<Request>, StoreError> {
        let at = self.sqlite.at();
        let rows = self.query(|connection| {
            let mut select = connection.prepare_cached(
                "SELECT id, agent, game, seat, cur_state, actions, goal, deadline_ms FROM agent_request q \
                 WHERE closed IS NULL AND NOT EXISTS (SELECT 1 FROM agent_response r \
                 WHERE r.request = q.id AND r.heuristic = ?1 AND r.delivery < 2) ORDER BY id LIMIT ?2",
            )?;
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            let rows = select.query_map(params![heuristic, limit], |row| Ok((row.get(0)?, request(row)?)))?;
            rows.collect::<rusqlite::Result<Vec<(i64, Option<Request>)>>>()
        })?;
        let damaged =
            |id| StoreError::Damaged { at: at.clone(), wrong: format!("request {id} cannot be read") };
        rows.into_iter().map(|(id, request)| request.ok_or_else(|| damaged(id))).collect()
    }

    fn answer(
        &mut self,
        request: RequestId,
        heuristic: &str,
        worker: &str,
        answers: &[Answer],
    ) -> Result<Delivery, StoreError> {
        let body = answers_text(answers);
        let good = |actions| answers.len() == actions && answers.iter().all(is_answer);
        self.deliver(request, heuristic, worker, &body, good)
    }

    fn reject(
        &mut self,
        request: RequestId,
        heuristic: &str,
        worker: &str,
        text: &str,
    ) -> Result<(), StoreError> {
        self.deliver(request, heuristic, worker, text, |_| false).map(drop)
    }

    fn replies(&mut self, request: RequestId) -> Result<Vec<Reply>, StoreError> {
        self.query(|connection| {
            let mut select = connection.prepare_cached(
                "SELECT r.heuristic, r.worker, r.body, q.actions FROM agent_response r \
                 JOIN agent_request q ON q.id = r.request WHERE r.request = ?1 AND r.delivery = ?2 ORDER BY r.heuristic",
            )?;
            let mut rows = select.query(params![request.0, Delivery::InTime.code()])?;
            let mut replies = Vec::new();
            while let Some(row) = rows.next()? {
                let actions = read_actions(row.get_ref(3)?.as_str()?).map_or(0, |actions| actions.len());
                // Rows that another program wrote may be anything.
                if let Some(answers) = read_answers(row.get_ref(2)?.as_str()?, actions) {
                    replies.push(Reply { heuristic: row.get(0)?, worker: row.get(1)?, answers });
                }
            }
            Ok(replies)
        })
    }

    fn close(&mut self, request: RequestId) -> Result<(), StoreError> {
        self.sqlite.transaction(|transaction| {
            let close = "UPDATE agent_request SET closed = ?2 WHERE id = ?1 AND closed IS NULL";
            transaction.prepare_cached(close)?.execute([request.0, now_ms()])?;
            Ok(())
        })
    }

    fn wait(&mut self, longest: Duration) -> Result<bool, StoreError> {
        let started = Instant::now();
        let longest = longest.min(LONGEST_WAIT);
        loop {
            let version: i64 = self.query(|connection| {
                connection.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))
            })?;
            if version != self.version {
                self.version = version;
                return Ok(true);
            }
            let elapsed = started.elapsed();
            if elapsed >= longest {
                // The caller looks again every 100 ms in any case.
                return Ok(longest >= LONGEST_WAIT);
            }
            std::thread::sleep(LOOK.min(longest - elapsed));
        }
    }

    fn heartbeat(&mut self, worker: &WorkerState) -> Result<(), StoreError> {
        self.sqlite.transaction(|transaction| {
            transaction
                .prepare_cached("INSERT OR REPLACE INTO worker VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")?
                .execute(params![
                    worker.name,
                    worker.heuristic,
                    worker.host,
                    worker.process,
                    worker.answered as i64,
                    worker.last_game,
                    now_ms()
                ])?;
            Ok(())
        })
    }

    fn workers(&mut self) -> Result<Vec<SeenWorker>, StoreError> {
        let now = now_ms();
        self.query(|connection| {
            let mut select = connection.prepare(
                "SELECT name, heuristic, host, process, answered, last_game, seen FROM worker ORDER BY name",
            )?;
            let workers = select.query_map([], |row| {
                let state = WorkerState {
                    name: row.get(0)?,
                    heuristic: row.get(1)?,
                    host: row.get(2)?,
                    process: row.get(3)?,
                    answered: row.get::<_, i64>(4)? as u64,
                    last_game: row.get(5)?,
                };
                let ago = Duration::from_millis((now - row.get::<_, i64>(6)?).max(0) as u64);
                Ok(SeenWorker { state, ago })
            })?;
            workers.collect()
        })
    }

    fn deliveries(&mut self) -> Result<Vec<DeliveryCounts>, StoreError> {
        let rows: Vec<(String, i16, i64)> = self.query(|connection| {
            let mut select =
                connection.prepare("SELECT heuristic, delivery, count FROM delivery_count ORDER BY 1, 2")?;
            select.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?.collect()
        })?;
        Ok(DeliveryCounts::gathered(rows))
    }

    fn forget(&mut self, age: Duration) -> Result<u64, StoreError> {
        let before = now_ms().saturating_sub(i64::try_from(age.as_millis()).unwrap_or(i64::MAX));
        self.sqlite.transaction(|transaction| {
            let old = "DELETE FROM agent_response WHERE request IN (SELECT id FROM agent_request WHERE asked <= ?1)";
            transaction.execute(old, [before])?;
            transaction.execute("DELETE FROM worker WHERE seen <= ?1", [before])?;
            Ok(transaction.execute("DELETE FROM agent_request WHERE asked <= ?1", [before])? as u64)
        })
    }
}

/// Reads a request; `None` if it is not one that we write.
fn request(row: &Row<'_>) -> rusqlite::Result<Option<Request>> {
    let mut cells = Vec::new();
    let known = unpack(row.get_ref(4)?.as_blob()?, &mut cells);
    let actions = read_actions(row.get_ref(5)?.as_str()?);
    let (Some(()), Some(actions)) = (known, actions) else { return Ok(None) };
    let deadline: Option<i64> = row.get(7)?;
    Ok(Some(Request {
        id: RequestId(row.get(0)?),
        question: Question {
            agent: row.get(1)?,
            game: row.get(2)?,
            seat: Seat(row.get(3)?),
            cells,
            actions,
            goal: row.get(6)?,
            deadline: deadline.map(|ms| Duration::from_millis(ms.max(0) as u64)),
        },
    }))
}

fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
