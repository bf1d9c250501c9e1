//! FABLE's processes and its database, killed while they write: nothing is lost, and no game is counted twice.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use parlor_store::{GameId, GameQuery, History, Store, StoreError};
use parlor_testkit::postgres::PostgresServer;
use serde_json::Value;

use crate::place::Place;

const PROGRAM: &str = env!("CARGO_BIN_EXE_parlor");

/// The heuristics that have workers.
pub const HEURISTICS: [&str; 4] = ["observed", "neighbour", "locality", "rotation"];

/// How long a process may take to write something.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A process that ends with the test.
pub struct Running(pub Child);

impl Drop for Running {
    fn drop(&mut self) {
        // SIGKILL: nothing of it can be handled.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts the program.
pub fn start(words: &[&str]) -> Running {
    let mut command = Command::new(PROGRAM);
    command.args(words).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    Running(command.spawn().unwrap())
}

/// An agent that trains into a store, and a worker for each heuristic.
struct Processes<'a> {
    place: &'a Place,
    at: &'a str,
    agent: Running,
    workers: Vec<Running>,
    /// A reader that looks again and again; making one is work for the database.
    reader: Option<Box<dyn History>>,
}

impl<'a> Processes<'a> {
    fn start(place: &'a Place, at: &'a str) -> Processes<'a> {
        let workers = HEURISTICS.iter().map(|heuristic| worker(heuristic, at)).collect();
        let learner = format!("fable(store={at}, carrier=mailbox, deadline_ms=5)");
        let file = place.path("mine.parlor");
        let agent = start(&[
            "train",
            "minesweeper",
            &learner,
            "--plan",
            "1000000x5",
            "--test-matches",
            "0",
            "-o",
            &file,
        ]);
        Processes { place, at, agent, workers, reader: None }
    }

    /// Starts the agent again: it goes on with its training, if it got as far as keeping it in a file.
    fn restart_agent(&mut self) {
        self.agent = start(&["train", "--resume", &self.place.path("mine.parlor")]);
    }

    /// Returns the last game that a reader sees.
    fn recorded(&mut self) -> Result<GameId, StoreError> {
        let mut reader = match self.reader.take() {
            Some(reader) => reader,
            None => Store::open(self.at)?.history()?,
        };
        let last = reader.last()?;
        self.reader = Some(reader);
        Ok(last)
    }

    /// Waits until more games were recorded, and returns the last game. An agent that has lost its database has ended, and is started
    /// again, as a supervisor would.
    fn write(&mut self, last: GameId) -> GameId {
        let begun = Instant::now();
        loop {
            match self.recorded() {
                Ok(now) if now > last => return now,
                Err(error) if !error.is_passing() => panic!("{error}"),
                _ => {}
            }
            if self.agent.0.try_wait().unwrap().is_some() {
                self.restart_agent();
            }
            assert!(begun.elapsed() < TIMEOUT, "nothing is written");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

fn worker(heuristic: &str, at: &str) -> Running {
    start(&["fable", "worker", heuristic, "--store", at])
}

/// Kills the agent, each worker and the server, if there is one, in turn, in the middle of writing.
fn kill_in_turn(place: &Place, at: &str, mut server: Option<&mut PostgresServer>, kills: u64) {
    // Makes the store, so that readers find one.
    place.stdout(&[
        "train",
        "minesweeper",
        &format!("fable(store={at})"),
        "--plan",
        "1x5",
        "--test-matches",
        "0",
    ]);
    let mut processes = Processes::start(place, at);
    let mut last = processes.recorded().unwrap();
    let victims = 1 + HEURISTICS.len() + usize::from(server.is_some());
    for kill in 0..kills {
        last = processes.write(last);
        // Somewhere in the next transactions.
        std::thread::sleep(Duration::from_millis(kill * 7 % 23));
        match kill as usize % victims {
            0 => processes.restart_agent(),
            victim if victim <= HEURISTICS.len() => {
                processes.workers[victim - 1] = worker(HEURISTICS[victim - 1], at);
            }
            _ => {
                let server = server.as_mut().expect("it is a victim only if there is one");
                server.kill();
                server.restart();
            }
        }
        // A new reader: what it sees is what is left.
        processes.reader = None;
        let now = processes.recorded().unwrap();
        assert!(now >= last, "games up to {last} had been recorded, {now} is left after kill {kill}");
    }
    drop(processes);
    check(place, at);
}

/// Compares everything with the history.
fn check(place: &Place, at: &str) {
    let mut history = Store::open(at).unwrap().history().unwrap();
    let games = history.games(&GameQuery::default()).unwrap();
    assert!(games.iter().map(|game| game.id.0).eq(1..=games.len() as i64), "a game is missing");
    // What was counted is what the history gives, before and after the rest was counted.
    place.stdout(&["fable", "check", "--store", at]);
    place.stdout(&[
        "train",
        "minesweeper",
        &format!("fable(store={at})"),
        "--plan",
        "1x5",
        "--test-matches",
        "0",
    ]);
    place.stdout(&["fable", "check", "--store", at]);
    let status = place.json(&["fable", "status", "--store", at, "--json"]);
    assert_eq!(status["games"], games.len() as u64 + 5);
    assert_eq!(status["models"].as_array().unwrap().len(), 5);
    for model in status["models"].as_array().unwrap() {
        assert_eq!((&model["games"], &model["not_counted"]), (&status["games"], &Value::from(0)), "{status}");
    }
}

/// The number of kills; `cargo xtask chaos` asks for more.
fn kills() -> u64 {
    std::env::var("PARLOR_TEST_KILLS").map_or(50, |text| text.parse().expect("a number of kills"))
}

#[test]
fn killed_processes_and_a_killed_database_lose_nothing() {
    let mut server = PostgresServer::start();
    let at = server.url("killed");
    kill_in_turn(&Place::new(), &at, Some(&mut server), kills());
}

#[test]
fn killed_processes_on_files_lose_nothing() {
    let place = Place::new();
    let at = place.path("games");
    kill_in_turn(&place, &at, None, kills());
}
