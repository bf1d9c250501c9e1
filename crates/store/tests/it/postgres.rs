//! The same laws in PostgreSQL, on a private server.

use parlor_store::{GameQuery, Store, StoreError};
use parlor_testkit::postgres::PostgresServer;

use crate::histories::{
    a_game_has_one_layout, a_history_gives_back_what_it_got, a_run_is_recorded_once,
    two_connections_write_to_one_history,
};
use crate::mailboxes::{questions_are_answered, waiting_ends_with_a_message};
use crate::models::a_model_counts;
use crate::samples::records;

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
    roles_need_few_rights(&server);
}

/// The rights that the guide grants are enough.
fn roles_need_few_rights(server: &PostgresServer) {
    let owner = Store::create(&server.url("rights")).unwrap();
    drop(owner.history().unwrap());
    client(server)
        .batch_execute(
            "CREATE ROLE reader LOGIN; CREATE ROLE recorder LOGIN; \
             GRANT USAGE ON SCHEMA rights TO reader, recorder; \
             GRANT SELECT ON ALL TABLES IN SCHEMA rights TO reader, recorder; \
             GRANT INSERT ON ALL TABLES IN SCHEMA rights TO recorder;",
        )
        .unwrap();
    let url = |role: &str| server.url("rights").replace("parlor@", &format!("{role}@"));
    let mut recorder = Store::create(&url("recorder")).unwrap().history().unwrap();
    let written = records(&mut *recorder, 0, 5);
    recorder.append(&written).unwrap();
    let (run, _) = recorder.run("one").unwrap();
    assert_eq!(recorder.run("one").unwrap(), (run, 0));
    let mut reader = Store::open(&url("reader")).unwrap().history().unwrap();
    assert_eq!(reader.games(&GameQuery::default()).unwrap().len(), 5);
    let error = Store::create(&url("reader")).unwrap().history().unwrap().append(&written).unwrap_err();
    let StoreError::Database { cause, .. } = &error else { panic!("{error:?}") };
    assert!(cause.to_string().contains("permission denied"), "{cause}");
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

/// The certificates were made for these tests and are trusted by nobody; the key is no secret.
#[test]
fn connections_are_encrypted_and_servers_verified() {
    let server =
        PostgresServer::start_encrypted(include_str!("tls/server.pem"), include_str!("tls/server.key"));
    let place = tempfile::tempdir().unwrap();
    let authority = place.path().join("authority.pem");
    std::fs::write(&authority, include_str!("tls/authority.pem")).unwrap();
    let open = |rest: &str| Store::create(&format!("{}&{rest}", server.url("tls"))).unwrap().history();
    let verified = format!("sslmode=verify-full&sslrootcert={}", authority.display());
    for mode in ["sslmode=require", &verified] {
        assert_eq!(open(mode).unwrap().last().unwrap().0, 0, "{mode}");
    }
    // Nobody else vouches for the server, and it is not the server of another name.
    let why = |error: Option<StoreError>| match error {
        Some(StoreError::Connect { cause, .. }) => cause.to_string(),
        other => panic!("{other:?}"),
    };
    assert!(why(open("sslmode=verify-full").err()).contains("invalid peer certificate"));
    let other = format!("{}&{verified}", server.url("tls")).replace("127.0.0.1", "localhost");
    let error = why(Store::create(&other).unwrap().history().err());
    assert!(error.contains("not valid for name"), "{error}");
    // What the server says: connections are encrypted where it is asked for.
    let mut client = client(&server);
    let _kept = open("sslmode=require").unwrap();
    let encrypted = "SELECT count(*) FROM pg_stat_ssl s JOIN pg_stat_activity a ON a.pid = s.pid \
                     WHERE s.ssl AND a.application_name = 'parlor'";
    assert!(client.query_one(encrypted, &[]).unwrap().get::<_, i64>(0) > 0);
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
