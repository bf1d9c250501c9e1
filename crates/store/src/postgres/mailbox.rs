//! The mailbox in PostgreSQL: rows carry the messages, and `NOTIFY` wakes who waits for them.

use std::time::Duration;

use parlor_core::Seat;
use postgres::Row;
use postgres::fallible_iterator::FallibleIterator;

use super::Database;
use crate::error::StoreError;
use crate::mailbox::{
    Answer, Delivery, DeliveryCounts, LONGEST_WAIT, Mailbox, Question, Reply, Request, RequestId, SeenWorker,
    WorkerState, actions_text, answers_text, is_answer, read_actions, read_answers,
};
use crate::packed::{pack, unpack};
use crate::store::Access;

/// The mailbox in a database.
pub(crate) struct PostgresMailbox {
    database: Database,
    /// The name under which messages are announced.
    channel: String,
}

impl PostgresMailbox {
    /// Connects and listens.
    pub(crate) fn open(url: &str, access: Access) -> Result<PostgresMailbox, StoreError> {
        let mut database = Database::open(url, access)?;
        let channel = format!("parlor_{}", database.schema());
        database.greet(format!("LISTEN {channel}"))?;
        Ok(PostgresMailbox { database, channel })
    }

    fn deliver(
        &mut self,
        request: RequestId,
        heuristic: &str,
        worker: &str,
        body: &str,
        good: impl FnOnce(usize) -> bool,
    ) -> Result<Delivery, StoreError> {
        let channel = self.channel.clone();
        self.database.transaction(|transaction| {
            // The lock makes a second answer and the agent's decision wait for each other.
            let find = "SELECT actions, closed IS NOT NULL FROM agent_request WHERE id = $1 FOR UPDATE";
            let found = transaction.query_opt(find, &[&request.0])?.ok_or(StoreError::NoRequest(request))?;
            let again =
                "SELECT 1 FROM agent_response WHERE request = $1 AND heuristic = $2 AND delivery < 2 LIMIT 1";
            let again = transaction.query_opt(again, &[&request.0, &heuristic])?.is_some();
            let delivery = match read_actions(found.get(0)) {
                Some(actions) if good(actions.len()) => match (again, found.get(1)) {
                    (true, _) => Delivery::Again,
                    (false, true) => Delivery::Late,
                    (false, false) => Delivery::InTime,
                },
                _ => Delivery::Malformed,
            };
            transaction.execute(
                "INSERT INTO agent_response (request, heuristic, worker, body, delivery) VALUES ($1, $2, $3, $4, $5)",
                &[&request.0, &heuristic, &worker, &body, &delivery.code()],
            )?;
            transaction.execute(
                "INSERT INTO delivery_count AS c VALUES ($1, $2, 1) \
                 ON CONFLICT (heuristic, delivery) DO UPDATE SET count = c.count + 1",
                &[&heuristic, &delivery.code()],
            )?;
            transaction.execute("SELECT pg_notify($1, $2)", &[&channel, &format!("answer {request}")])?;
            Ok(delivery)
        })
    }
}

impl Mailbox for PostgresMailbox {
    fn ask(&mut self, question: &Question) -> Result<RequestId, StoreError> {
        let mut state = Vec::new();
        pack(&question.cells, &mut state);
        let channel = self.channel.clone();
        self.database.transaction(|transaction| {
            let id: i64 = transaction
                .query_one(
                    "INSERT INTO agent_request (agent, game, seat, cur_state, actions, goal, deadline_ms) \
                     VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id",
                    &[
                        &question.agent,
                        &question.game,
                        &i16::from(question.seat.0),
                        &state,
                        &actions_text(&question.actions),
                        &question.goal,
                        &question.deadline.map(|deadline| deadline.as_millis() as i64),
                    ],
                )?
                .get(0);
            transaction.execute("SELECT pg_notify($1, $2)", &[&channel, &format!("request {id}")])?;
            Ok(RequestId(id))
        })
    }

    fn pending(&mut self, heuristic: &str, limit: usize) -> Result<Vec<Request>, StoreError> {
        let at = self.database.at();
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let rows = self.database.query(|client| {
            client.query(
                "SELECT id, agent, game, seat, cur_state, actions, goal, deadline_ms FROM agent_request q \
                 WHERE closed IS NULL AND NOT EXISTS (SELECT 1 FROM agent_response r \
                 WHERE r.request = q.id AND r.heuristic = $1 AND r.delivery < 2) ORDER BY id LIMIT $2",
                &[&heuristic, &limit],
            )
        })?;
        let damaged = |row: &Row| StoreError::Damaged {
            at: at.clone(),
            wrong: format!("request {} cannot be read", row.get::<_, i64>(0)),
        };
        rows.iter().map(|row| request(row).ok_or_else(|| damaged(row))).collect()
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
        // A text of PostgreSQL has no NUL.
        self.deliver(request, heuristic, worker, &text.replace('\0', "\u{fffd}"), |_| false).map(drop)
    }

    fn replies(&mut self, request: RequestId) -> Result<Vec<Reply>, StoreError> {
        let rows = self.database.query(|client| {
            client.query(
                "SELECT r.heuristic, r.worker, r.body, q.actions FROM agent_response r \
                 JOIN agent_request q ON q.id = r.request WHERE r.request = $1 AND r.delivery = $2 \
                 ORDER BY r.heuristic COLLATE \"C\"",
                &[&request.0, &Delivery::InTime.code()],
            )
        })?;
        // Rows that another program wrote may be anything.
        let reply = |row: &Row| {
            let actions = read_actions(row.get(3))?.len();
            let answers = read_answers(row.get(2), actions)?;
            Some(Reply { heuristic: row.get(0), worker: row.get(1), answers })
        };
        Ok(rows.iter().filter_map(reply).collect())
    }

    fn close(&mut self, request: RequestId) -> Result<(), StoreError> {
        let close = "UPDATE agent_request SET closed = clock_timestamp() WHERE id = $1 AND closed IS NULL";
        self.database.query(|client| client.execute(close, &[&request.0]).map(drop))
    }

    fn wait(&mut self, longest: Duration) -> Result<bool, StoreError> {
        let longest = longest.min(LONGEST_WAIT);
        self.database.query(|client| {
            let mut notifications = client.notifications();
            let heard = notifications.timeout_iter(longest).next()?.is_some();
            // All that has come by now is one reason to look.
            let mut more = notifications.iter();
            while more.next()?.is_some() {}
            Ok(heard || longest >= LONGEST_WAIT)
        })
    }

    fn heartbeat(&mut self, worker: &WorkerState) -> Result<(), StoreError> {
        self.database.query(|client| {
            client.execute(
                "INSERT INTO worker VALUES ($1, $2, $3, $4, $5, $6, clock_timestamp()) ON CONFLICT (name) DO UPDATE \
                 SET heuristic = excluded.heuristic, host = excluded.host, process = excluded.process, \
                 answered = excluded.answered, last_game = excluded.last_game, seen = excluded.seen",
                &[
                    &worker.name,
                    &worker.heuristic,
                    &worker.host,
                    &i64::from(worker.process),
                    &(worker.answered as i64),
                    &worker.last_game,
                ],
            )?;
            Ok(())
        })
    }

    fn workers(&mut self) -> Result<Vec<SeenWorker>, StoreError> {
        let rows = self.database.query(|client| {
            client.query(
                "SELECT name, heuristic, host, process, answered, last_game, \
                 (extract(epoch FROM clock_timestamp() - seen) * 1000)::bigint FROM worker ORDER BY name COLLATE \"C\"",
                &[],
            )
        })?;
        let read = |row: &Row| SeenWorker {
            state: WorkerState {
                name: row.get(0),
                heuristic: row.get(1),
                host: row.get(2),
                process: row.get::<_, i64>(3) as u32,
                answered: row.get::<_, i64>(4) as u64,
                last_game: row.get(5),
            },
            ago: Duration::from_millis(row.get::<_, i64>(6).max(0) as u64),
        };
        Ok(rows.iter().map(read).collect())
    }

    fn deliveries(&mut self) -> Result<Vec<DeliveryCounts>, StoreError> {
        let sql = "SELECT heuristic, delivery, count FROM delivery_count ORDER BY heuristic COLLATE \"C\", delivery";
        let rows = self.database.query(|client| client.query(sql, &[]))?;
        Ok(DeliveryCounts::gathered(rows.iter().map(|row| (row.get(0), row.get(1), row.get(2))).collect()))
    }

    fn forget(&mut self, age: Duration) -> Result<u64, StoreError> {
        let seconds = age.as_secs_f64();
        self.database.transaction(|transaction| {
            let before = "clock_timestamp() - make_interval(secs => $1)";
            transaction.execute(&format!("DELETE FROM worker WHERE seen <= {before}"), &[&seconds])?;
            let old = format!("DELETE FROM agent_request WHERE asked <= {before}");
            Ok(transaction.execute(&old, &[&seconds])?)
        })
    }
}

/// Reads a request; `None` if it is not one that we write.
fn request(row: &Row) -> Option<Request> {
    let mut cells = Vec::new();
    unpack(row.get(4), &mut cells)?;
    let deadline: Option<i64> = row.get(7);
    Some(Request {
        id: RequestId(row.get(0)),
        question: Question {
            agent: row.get(1),
            game: row.get(2),
            seat: Seat(u8::try_from(row.get::<_, i16>(3)).ok()?),
            cells,
            actions: read_actions(row.get(5))?,
            goal: row.get(6),
            deadline: deadline.map(|ms| Duration::from_millis(ms.max(0) as u64)),
        },
    })
}
