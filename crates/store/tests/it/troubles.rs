//! What can be wrong with a store gets a sentence.

use std::fs;

use parlor_store::{GameQuery, Store, StoreError};
use rusqlite::Connection;

use crate::samples::records;

fn says<T>(result: Result<T, StoreError>) -> String {
    result.err().expect("this is refused").to_string()
}

#[test]
fn a_newer_version_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let store = Store::create(place.path().to_str().unwrap()).unwrap();
    drop(store.history().unwrap());
    let file = place.path().join("history.sqlite");
    Connection::open(&file).unwrap().execute_batch("PRAGMA user_version = 99").unwrap();
    let text = says(store.history());
    assert!(
        text.ends_with("has version 99 of the history, this program reads up to 1; use a newer parlor"),
        "{text}"
    );
    assert!(text.contains("history.sqlite"));
    // It was not changed.
    let version: i64 =
        Connection::open(&file).unwrap().query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap();
    assert_eq!(version, 99);
}

#[test]
fn other_files_are_refused() {
    let place = tempfile::tempdir().unwrap();
    let store = Store::create(place.path().to_str().unwrap()).unwrap();
    let file = place.path().join("history.sqlite");
    fs::write(&file, "this is a text that is longer than the header of a database has to be ".repeat(30))
        .unwrap();
    assert!(says(store.history()).contains("it is not a database of SQLite"));
    fs::remove_file(&file).unwrap();
    Connection::open(&file).unwrap().execute_batch("CREATE TABLE stamps (country TEXT)").unwrap();
    assert!(
        says(store.history()).contains("is not a history of parlor: it is a database of another program")
    );
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    let error = store.history().err().unwrap();
    assert!(matches!(&error, StoreError::Folder { cause, .. } if cause.to_string().contains("is a folder")));
    let text = place.path().join("text");
    fs::write(&text, "").unwrap();
    assert!(matches!(Store::create(text.to_str().unwrap()), Err(StoreError::Folder { .. })));
}

#[test]
fn reading_makes_nothing() {
    let place = tempfile::tempdir().unwrap();
    let missing = place.path().join("nothing");
    let store = Store::open(missing.to_str().unwrap()).unwrap();
    assert!(says(store.history()).starts_with("there is no history in "));
    assert!(!missing.exists());
}

#[test]
fn a_locked_file_gets_a_sentence_in_the_end() {
    let place = tempfile::tempdir().unwrap();
    let store = Store::create(place.path().to_str().unwrap()).unwrap();
    let mut history = store.history().unwrap();
    let written = records(&mut *history, 0, 2);
    let lock = Connection::open(place.path().join("history.sqlite")).unwrap();
    lock.execute_batch("BEGIN IMMEDIATE").unwrap();
    let text = says(history.append(&written));
    assert!(text.ends_with("is locked by another program; it did not become free in 10 seconds"), "{text}");
    // Readers do not wait.
    assert_eq!(store.history().unwrap().games(&GameQuery::default()).unwrap(), []);
    lock.execute_batch("ROLLBACK").unwrap();
    assert_eq!(history.append(&written).unwrap().games, 2);
}

#[test]
fn programs_that_make_a_file_at_once_do_not_get_in_each_others_way() {
    for round in 0..40 {
        let place = tempfile::tempdir().unwrap();
        let store = Store::create(place.path().to_str().unwrap()).unwrap();
        let together = std::sync::Barrier::new(4);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    together.wait();
                    if let Err(error) = store.mailbox() {
                        panic!("round {round}: {error}");
                    }
                });
            }
        });
    }
}
