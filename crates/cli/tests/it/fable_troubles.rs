//! FABLE on stores that others write, or that cannot be written: every trouble gets a sentence, and nothing is lost.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use parlor_store::{Answer, Store, StoreError, WorkerState};
use parlor_testkit::postgres::PostgresServer;
use rusqlite::Connection;

use crate::fable_killed::{Running, start};
use crate::place::{Place, Reader, with_file_limit};

/// Returns the words of a training into a store.
fn training<'a>(learner: &'a str, plan: &'a str, seed: &'a str) -> [&'a str; 9] {
    ["train", "minesweeper", learner, "--plan", plan, "--test-matches", "0", "--seed", seed]
}

fn learner(store: &str) -> String {
    format!("fable(store={store})")
}

/// Returns how many games a store has, and requires that every model is what they give.
fn games(place: &Place, store: &str) -> u64 {
    place.stdout(&["fable", "check", "--store", store]);
    let status = place.json(&["fable", "status", "--store", store, "--json"]);
    let games = status["games"].as_u64().unwrap();
    for model in status["models"].as_array().unwrap() {
        assert_eq!(
            (model["games"].as_u64(), model["not_counted"].as_u64()),
            (Some(games), Some(0)),
            "{status}"
        );
    }
    games
}

#[test]
fn two_agents_train_on_one_store() {
    let place = Place::new();
    let store = place.path("games");
    let learner = learner(&store);
    // Both make the store, record rounds and count them at the same time.
    let mut agents: [Running; 2] = ["1", "2"].map(|seed| start(&training(&learner, "25x10", seed)));
    for agent in &mut agents {
        assert!(agent.0.wait().unwrap().success());
    }
    assert_eq!(games(&place, &store), 500);
}

#[test]
fn a_full_disk_gets_a_sentence() {
    let place = Place::new();
    let (store, file) = (place.path("games"), place.path("mine.parlor"));
    // The disk is full for a file that reaches its limit of size.
    let call = format!("train minesweeper 'fable(store={store})' --plan 200x100 --test-matches 0 -o {file}");
    let output = with_file_limit(&place, 300, &call);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("limit of its size") || said.contains("larger than the system allows"), "{said}");
    // Rounds that were recorded are there, and the training goes on with the next one.
    let before = place.json(&["fable", "status", "--store", &store, "--json"])["games"].as_u64().unwrap();
    assert!(before > 100 && before.is_multiple_of(100) && before < 20_000, "{before}");
    place.stdout(&["fable", "check", "--store", &store]);
    place.stdout(&training(&learner(&store), "1x50", "2"));
    assert_eq!(games(&place, &store), before + 50);
}

#[test]
fn a_store_that_may_only_be_read_is_played_with() {
    let place = Place::new();
    let store = place.path("games");
    place.stdout(&training(&learner(&store), "1x50", "1"));
    let reader = Reader::of(&place, &store);
    let (code, out, err) = reader.run(&training(&learner(&store), "1x5", "2"));
    assert!(code == Some(2) && out.is_empty(), "{out}{err}");
    assert!(err.contains("read-only for this user") || err.contains("may not write to its folder"), "{err}");
    let (code, out, err) = reader.run(&["fable", "worker", "observed", "--store", &store]);
    assert!(code == Some(2) && out.is_empty(), "{out}{err}");
    let (code, _, err) =
        reader.run(&["match", "minesweeper", &learner(&store), "random", "--pairs", "2", "--out", "none"]);
    assert_eq!(code, Some(0), "{err}");
    let (code, out, err) = reader.run(&["fable", "check", "--store", &store]);
    assert!(code == Some(0) && out.contains("observed: "), "{out}{err}");
}

#[test]
fn a_newer_store_is_refused() {
    let place = Place::new();
    let store = place.path("games");
    place.stdout(&training(&learner(&store), "1x20", "1"));
    for file in fs::read_dir(&store).unwrap() {
        let file = file.unwrap().path();
        let set = |version: u32| {
            let sql = format!("PRAGMA user_version = {version}");
            Connection::open(&file).unwrap().execute_batch(&sql).unwrap();
        };
        set(99);
        let wrong = place.sentence(&training(&learner(&store), "1x5", "2"));
        assert!(wrong.contains("has version 99 of the") && wrong.contains("use a newer parlor"), "{wrong}");
        assert!(wrong.contains(file.file_name().unwrap().to_str().unwrap()), "{wrong}");
        set(1);
    }
    assert_eq!(games(&place, &store), 20);
}

#[test]
fn a_locked_store_gets_a_sentence() {
    let place = Place::new();
    let store = place.path("games");
    place.stdout(&training(&learner(&store), "1x20", "1"));
    let file = Path::new(&store).join("history.sqlite");
    let lock = Connection::open(file).unwrap();
    lock.execute_batch("BEGIN IMMEDIATE").unwrap();
    let wrong = place.sentence(&training(&learner(&store), "1x5", "2"));
    assert!(wrong.contains("is locked by another program; it did not become free in 10 seconds"), "{wrong}");
    // Who only reads does not wait.
    place.stdout(&["match", "minesweeper", &learner(&store), "random", "--pairs", "1", "--out", "none"]);
    lock.execute_batch("ROLLBACK").unwrap();
    place.stdout(&training(&learner(&store), "1x5", "2"));
    assert_eq!(games(&place, &store), 25);
}

/// Answers an agent's questions in every wrong way while it plays; all of that is counted, and the match goes on.
fn impostors_are_ignored(place: &Place, at: &str) {
    place.stdout(&training(&learner(at), "1x20", "1"));
    let agent = format!("fable(store={at}, carrier=mailbox, deadline_ms=100)");
    let mut playing = start(&["match", "minesweeper", &agent, "random", "--pairs", "8", "--out", "none"]);
    let mut mailbox = Store::create(at).unwrap().mailbox().unwrap();
    let (heuristic, name) = ("observed", "impostor");
    let state = WorkerState { name: name.to_owned(), heuristic: heuristic.to_owned(), ..Default::default() };
    let (mut number, mut late, begun) = (0, Vec::new(), Instant::now());
    while playing.0.try_wait().unwrap().is_none() {
        assert!(begun.elapsed() < Duration::from_secs(300), "the match goes on without right answers");
        mailbox.heartbeat(&state).unwrap();
        for request in mailbox.pending(heuristic, 100).unwrap() {
            if late.iter().any(|(id, _)| *id == request.id) {
                continue;
            }
            let certain = vec![Answer { probability: 1.0, confidence: 1.0 }; request.question.actions.len()];
            let mut say = |answers: &[Answer]| mailbox.answer(request.id, heuristic, name, answers).unwrap();
            match number % 5 {
                0 => drop(say(&certain[1..])),
                1 => drop(say(&vec![Answer { probability: f64::NAN, confidence: 1.0 }; certain.len()])),
                2 => {
                    say(&certain);
                    say(&certain);
                }
                3 => mailbox.reject(request.id, heuristic, name, "{\"id\": 1, \"answ").unwrap(),
                _ => late.push((request.id, certain)),
            }
            number += 1;
        }
        // Answers to questions that nobody has asked.
        let unknown = mailbox.answer(parlor_store::RequestId(i64::MAX), heuristic, name, &[]);
        assert!(matches!(unknown, Err(StoreError::NoRequest(_))));
        mailbox.wait(Duration::from_millis(20)).unwrap();
    }
    assert!(playing.0.wait().unwrap().success());
    for (id, answers) in late {
        mailbox.answer(id, heuristic, name, &answers).unwrap();
    }
    let status = place.json(&["fable", "status", "--store", at, "--json"]);
    let counts = &status["answers"][0];
    assert_eq!((counts["heuristic"].as_str(), status["games"].as_u64()), (Some(heuristic), Some(20)));
    for kind in ["in_time", "late", "again", "malformed"] {
        assert!(counts[kind].as_u64() > Some(0), "{kind}: {status}");
    }
    assert!(counts["malformed"].as_u64() > counts["again"].as_u64(), "{status}");
    assert_eq!(games(place, at), 20);
}

#[test]
fn answers_of_impostors_are_counted_and_ignored() {
    let place = Place::new();
    impostors_are_ignored(&place, &place.path("games"));
}

#[test]
fn a_database_in_trouble_gets_a_sentence() {
    let (place, server) = (Place::new(), PostgresServer::start());
    let at = server.url("games");
    impostors_are_ignored(&place, &at);
    // One who may read plays and looks, and trains in vain.
    server.sql(
        "CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA games TO reader; \
         GRANT SELECT ON ALL TABLES IN SCHEMA games TO reader;",
    );
    let reader = at.replace("parlor@", "reader@");
    place.stdout(&["match", "minesweeper", &learner(&reader), "random", "--pairs", "1", "--out", "none"]);
    place.stdout(&["fable", "check", "--store", &reader]);
    let wrong = place.sentence(&training(&learner(&reader), "1x5", "2"));
    assert!(wrong.contains("permission denied"), "{wrong}");
    let wrong = place.sentence(&["fable", "worker", "observed", "--store", &reader]);
    assert!(wrong.contains("permission denied"), "{wrong}");
    assert_eq!(games(&place, &at), 20);
    // With the rights of the guide a worker answers.
    let guide = include_str!("../../../../docs/guide/fable.md");
    let grants = guide.split("```sql\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    server.sql(&format!("CREATE ROLE worker LOGIN; {}", grants.replace("parlor", "games")));
    let answered = |place: &Place| {
        let status = place.json(&["fable", "status", "--store", &at, "--json"]);
        let workers = status["workers"].as_array().unwrap().iter();
        workers
            .filter(|one| one["name"] != "impostor")
            .map(|one| one["answered"].as_u64().unwrap())
            .sum::<u64>()
    };
    let _worker = start(&["fable", "worker", "locality", "--store", &at.replace("parlor@", "worker@")]);
    let agent = format!("fable(store={at}, carrier=mailbox, deadline_ms=500)");
    let begun = Instant::now();
    while answered(&place) == 0 {
        assert!(begun.elapsed() < Duration::from_secs(120), "the worker answers nothing");
        place.stdout(&["match", "minesweeper", &agent, "random", "--pairs", "1", "--out", "none"]);
    }
    server.sql("UPDATE games.store_version SET version = 99");
    for words in [&training(&learner(&at), "1x5", "2")[..], &["fable", "check", "--store", &at]] {
        let wrong = place.sentence(words);
        assert!(wrong.contains("has version 99 of the store"), "{wrong}");
    }
    // Nobody is there any more.
    drop(server);
    let wrong = place.sentence(&["fable", "status", "--store", &at]);
    assert!(wrong.contains("cannot be reached"), "{wrong}");
}
