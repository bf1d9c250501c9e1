//! The same laws in PostgreSQL, on a private server.

use parlor_store::{GameQuery, Store, StoreError};
use parlor_testkit::postgres::PostgresServer;

use crate::histories::{
    a_game_has_one_layout, a_history_gives_back_what_it_got, a_run_is_recorded_once,
    two_connections_write_to_one_history,
};
use crate::mailboxes::{questions_are_answered, waiting_ends_with_a_message};
use crate::models::a_model_counts;

#[test]
fn postgres_obeys_the_same_laws() {
    let server = PostgresServer::start();
    let store = |schema: &str| Store::create(&server.url(schema)).unwrap();
    let first = store("first");
    assert!(matches!(Store::open(&server.url("first")).unwrap().history(), Err(StoreError::Missing { .. })));
    a_history_gives_back_what_it_got(&first);
    a_run_is_recorded_once(&first);
    a_game_has_one_layout(&store("second"));
    two_connections_write_to_one_history(&store("third"));
    a_model_counts(&first);
    questions_are_answered(&first);
    waiting_ends_with_a_message(&first);

    // Schemas are apart, and a store that is opened for reading is not written.
    let reading = Store::open(&server.url("first")).unwrap();
    assert_eq!(reading.history().unwrap().games(&GameQuery::default()).unwrap().len(), 64);
    assert_eq!(store("second").history().unwrap().games(&GameQuery::default()).unwrap().len(), 0);
    let error = reading.history().unwrap().run("x").unwrap_err();
    assert!(matches!(error, StoreError::ReadOnly { .. }), "{error}");
    assert!(matches!(reading.model("unknown"), Err(StoreError::Missing { .. })));

    newer_versions_are_refused(&server);
    locked_tables_get_a_sentence(&server);
    encryption_is_refused_in_words(&server);
}

fn newer_versions_are_refused(server: &PostgresServer) {
    let store = Store::create(&server.url("newer")).unwrap();
    drop(store.history().unwrap());
    let mut client = client(server);
    client.execute("UPDATE newer.store_version SET version = 99", &[]).unwrap();
    let text = store.history().err().unwrap().to_string();
    assert!(
        text.ends_with("has version 99 of the store, this program reads up to 1; use a newer parlor"),
        "{text}"
    );
}

fn locked_tables_get_a_sentence(server: &PostgresServer) {
    let store = Store::create(&server.url("locked")).unwrap();
    let mut history = store.history().unwrap();
    let mut client = client(server);
    let mut lock = client.transaction().unwrap();
    lock.batch_execute("LOCK TABLE locked.run IN EXCLUSIVE MODE").unwrap();
    let error = history.run("x").unwrap_err();
    assert!(matches!(error, StoreError::Busy { .. }), "{error}");
    lock.rollback().unwrap();
    assert_eq!(history.run("x").unwrap().1, 0);
}

/// The private server has no certificate.
fn encryption_is_refused_in_words(server: &PostgresServer) {
    for mode in ["require", "verify-full"] {
        let url = format!("{}&sslmode={mode}", server.url("first")).replace("parlor@", "parlor:topsecret@");
        let error = Store::create(&url).unwrap().history().err().unwrap();
        let StoreError::Connect { at, cause } = &error else { panic!("{error}") };
        assert!(at.contains("parlor:***@") && cause.to_string().contains("TLS"), "{error}: {cause}");
        assert!(!format!("{error:?} {cause}").contains("topsecret"));
    }
}

#[test]
fn a_database_that_does_not_answer_gets_a_sentence() {
    // Port 1 of this machine: nobody listens there.
    let store = Store::create("postgres://ann:topsecret@127.0.0.1:1/games").unwrap();
    let error = store.history().err().unwrap();
    assert_eq!(error.to_string(), "postgres://ann:***@127.0.0.1:1/games cannot be reached");
    assert!(error.is_passing());
    assert!(!format!("{error:?}").contains("topsecret"));
}

fn client(server: &PostgresServer) -> postgres::Client {
    let url = server.url("x").split('?').next().unwrap().to_owned();
    postgres::Client::connect(&url, postgres::NoTls).unwrap()
}
