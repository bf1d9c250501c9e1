//! Processes and servers that are killed while they write: nothing is lost, and nothing is counted twice.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use parlor_store::{GameId, GameQuery, GameRecord, Observations, Origin, Store, StoreError, TransitionCount};

use crate::samples::{counts, game_type, record};

/// Names the store of the process that writes, and makes this binary that process.
const STORE: &str = "PARLOR_TEST_WRITER";

/// How many games one transaction records.
const BATCH: u64 = 20;

/// Not a test of its own: with a variable set, it writes until it is killed. It records games of one run, counts those that are not
/// counted yet, and says how many games are safe.
#[test]
fn writing_process() {
    let Ok(at) = std::env::var(STORE) else { return };
    loop {
        match write(&at) {
            Err(error) if error.is_passing() => std::thread::sleep(Duration::from_millis(10)),
            Err(error) => panic!("{error}"),
            Ok(()) => unreachable!("it writes until it is killed"),
        }
    }
}

fn write(at: &str) -> Result<(), StoreError> {
    let store = Store::create(at)?;
    let (mut history, mut model) = (store.history()?, store.model("observed")?);
    let game_type = history.game_type(&game_type())?;
    loop {
        let (run, games) = history.run("the run")?;
        let next = |number| record(game_type, number, Some(Origin { run, number }));
        // Some again: a run that resumes plays its last games once more.
        let batch: Vec<GameRecord> = (games.saturating_sub(3)..games + BATCH).map(next).collect();
        history.append(&batch)?;
        let last = model.last_processed()?;
        let query = GameQuery { after: Some(last), limit: Some(2 * BATCH as usize), ..GameQuery::default() };
        let new: Vec<GameId> = history.games(&query)?.iter().map(|game| game.id).collect();
        let mut observations = Observations::default();
        new.iter().flat_map(|game| counts(game.0 as u64)).for_each(|row| observations.add(row));
        match model.fold(observations.sorted(), &new) {
            // The connection was lost after the change was made.
            Ok(()) | Err(StoreError::Processed { .. }) => {}
            Err(error) => return Err(error),
        }
        println!("safe {}", games + BATCH);
        std::io::stdout().flush().expect("the parent reads");
    }
}

/// A process that writes, and what it said.
struct Writer {
    process: Child,
    lines: BufReader<ChildStdout>,
    safe: u64,
}

impl Writer {
    fn start(at: &str) -> Writer {
        let mut process = Command::new(std::env::current_exe().unwrap())
            .args(["killed::writing_process", "--exact", "--nocapture"])
            .env(STORE, at)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap());
        Writer { process, lines, safe: 0 }
    }

    /// Reads until a number of transactions were made from now on.
    fn read(&mut self, transactions: usize) {
        let mut left = transactions;
        while left > 0 {
            let mut line = String::new();
            let read = self.lines.read_line(&mut line).unwrap();
            assert!(read > 0, "the writer ended by itself");
            if self.note(&line) {
                left -= 1;
            }
        }
    }

    fn note(&mut self, line: &str) -> bool {
        let safe = line.trim().strip_prefix("safe ").and_then(|games| games.parse().ok());
        self.safe = safe.unwrap_or(self.safe);
        safe.is_some()
    }

    /// Kills it, and returns how many games it said to be safe.
    fn kill(mut self) -> u64 {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
        let mut line = String::new();
        // The last line may be half a line.
        while self.lines.read_line(&mut line).unwrap() > 0 && line.ends_with('\n') {
            self.note(&line);
            line.clear();
        }
        self.safe
    }
}

/// Recounts everything.
fn check(store: &Store, safe: u64) {
    let (mut history, mut model) = (store.history().unwrap(), store.model("observed").unwrap());
    let games = history.games(&GameQuery::default()).unwrap();
    assert!(games.len() as u64 >= safe, "{} games of {safe} are left", games.len());
    assert!(games.iter().map(|game| game.id.0).eq(1..=games.len() as i64), "no gaps and nothing twice");
    let game_type = history.game_type(&game_type()).unwrap();
    let ids: Vec<GameId> = games.iter().map(|game| game.id).collect();
    let steps = history.steps(&ids).unwrap();
    for (number, (game, steps)) in games.iter().zip(&steps).enumerate() {
        let expected = record(game_type, number as u64, None);
        assert_eq!((&game.saved, steps), (&expected.saved, &expected.steps), "game {number} of the run");
    }
    let counted = model.processed(GameId(0), usize::MAX).unwrap();
    assert!(counted.iter().copied().eq(ids.iter().copied().take(counted.len())));
    let mut recount: BTreeMap<(u64, u64, u64), TransitionCount> = BTreeMap::new();
    for row in counted.iter().flat_map(|game| counts(game.0 as u64)) {
        let empty = TransitionCount { count: 0, wins: 0, ties: 0, losses: 0, ..row };
        recount.entry(row.key()).or_insert(empty).add(&row);
    }
    let mut rows = Vec::new();
    model.for_each(&mut |row| rows.push(*row)).unwrap();
    assert!(rows.iter().eq(recount.values()), "counts equal the recount");
}

#[test]
fn a_killed_process_leaves_whole_transactions() {
    let place = tempfile::tempdir().unwrap();
    let at = place.path().join("store").to_str().unwrap().to_owned();
    let mut safe = 0;
    for kill in 0..50 {
        let mut writer = Writer::start(&at);
        writer.read(1 + kill % 3);
        // Somewhere in the next transactions.
        std::thread::sleep(Duration::from_micros(400 * (kill as u64 % 13)));
        safe = writer.kill().max(safe);
    }
    assert!(safe >= 50 * BATCH);
    check(&Store::create(&at).unwrap(), safe);
}

#[cfg(unix)]
#[test]
fn a_killed_server_loses_nothing() {
    let mut server = parlor_testkit::postgres::PostgresServer::start();
    let at = server.url("killed");
    let (mut safe, mut writer) = (0, Writer::start(&at));
    // The server, the process, the server, …
    for kill in 0..50 {
        writer.read(1 + kill % 3);
        std::thread::sleep(Duration::from_micros(400 * (kill as u64 % 13)));
        if kill % 2 == 0 {
            server.kill();
            server.restart();
        } else {
            safe = writer.kill().max(safe);
            writer = Writer::start(&at);
        }
    }
    safe = writer.kill().max(safe);
    assert!(safe >= 50 * BATCH);
    check(&Store::create(&at).unwrap(), safe);
}
