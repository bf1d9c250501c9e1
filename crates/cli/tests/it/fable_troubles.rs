//! FABLE on stores that others write, or that cannot be written: every trouble gets a sentence, and nothing is lost.

use std::fs;
use std::path::Path;

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
