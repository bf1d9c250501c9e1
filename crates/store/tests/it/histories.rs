//! Histories: what is recorded comes back.

use parlor_store::{GameId, GameQuery, GameRecord, GameType, Origin, Store, StoreError, StoredGame};

use crate::samples::{game_type, record, records};

fn store() -> (tempfile::TempDir, Store) {
    let place = tempfile::tempdir().unwrap();
    let store = Store::create(place.path().join("store").to_str().unwrap()).unwrap();
    (place, store)
}

/// What a reader gets of a record.
fn as_stored(id: i64, record: &GameRecord) -> StoredGame {
    StoredGame {
        id: GameId(id),
        game_type: record.game_type,
        saved: record.saved.clone(),
        steps: record.steps.len() as u32,
        ended: record.ended,
    }
}

/// Every part of the trait, on a store that is empty.
pub fn a_history_gives_back_what_it_got(store: &Store) {
    let mut history = store.history().unwrap();
    assert_eq!(history.last().unwrap(), GameId(0));
    assert_eq!(history.games(&GameQuery::default()).unwrap(), []);
    let written = records(&mut *history, 0, 50);
    let appended = history.append(&written[..20]).unwrap();
    assert_eq!((appended.first, appended.games, appended.known), (Some(GameId(1)), 20, 0));
    let appended = history.append(&written[20..]).unwrap();
    assert_eq!((appended.first, appended.games), (Some(GameId(21)), 30));
    assert_eq!(history.append(&[]).unwrap().first, None);
    assert_eq!(history.last().unwrap(), GameId(50));
    drop(history);

    let mut history = store.history().unwrap();
    let all = history.games(&GameQuery::default()).unwrap();
    let expected: Vec<StoredGame> =
        written.iter().zip(1..).map(|(record, id)| as_stored(id, record)).collect();
    assert_eq!(all, expected);
    let ids: Vec<GameId> = all.iter().map(|game| game.id).collect();
    let steps = history.steps(&ids).unwrap();
    assert!(steps.iter().eq(written.iter().map(|record| &record.steps)));
    // In the order in which they are named; what is not there has no steps.
    let some = history.steps(&[GameId(9), GameId(1000), GameId(3)]).unwrap();
    assert_eq!(some, [steps[8].clone(), Default::default(), steps[2].clone()]);

    let ids = |query: GameQuery| -> Vec<i64> {
        store.history().unwrap().games(&query).unwrap().iter().map(|game| game.id.0).collect()
    };
    let page = GameQuery { after: Some(GameId(47)), ..GameQuery::default() };
    assert_eq!(ids(page.clone()), [48, 49, 50]);
    assert_eq!(ids(GameQuery { limit: Some(2), ..page.clone() }), [48, 49]);
    assert_eq!(ids(GameQuery { limit: Some(2), newest: true, ..page }), [49, 50]);
    assert_eq!(ids(GameQuery { id: Some(GameId(7)), ..GameQuery::default() }), [7]);
    let agent = |text: &str| GameQuery { agent: Some(text.to_owned()), ..GameQuery::default() };
    assert_eq!(ids(agent("sims=2)")).len(), 16);
    assert_eq!(ids(agent("nobody")), [0_i64; 0]);
    assert_eq!(ids(agent("random")).len(), 50);
    let game = |text: &str| GameQuery { game: Some(text.to_owned()), ..GameQuery::default() };
    assert_eq!((ids(game("tictactoe")).len(), ids(game("chess")).len()), (50, 0));
    let ended = GameQuery { since: Some(1_700_000_010), until: Some(1_700_000_012), ..GameQuery::default() };
    assert_eq!(ids(ended), [11, 12]);

    let sizes = history.sizes().unwrap();
    let steps: u64 = written.iter().map(|record| record.steps.len() as u64).sum();
    assert_eq!((sizes.games, sizes.steps), (50, steps));
    assert_eq!(sizes.types, [(game_type().game, 50, steps)]);
    assert!(sizes.bytes > 1000);
}

/// The same game of the same run is recorded once.
pub fn a_run_is_recorded_once(store: &Store) {
    let mut history = store.history().unwrap();
    let before = history.last().unwrap().0 as u64;
    let game_type = history.game_type(&game_type()).unwrap();
    let (run, known) = history.run("a run").unwrap();
    assert_eq!(known, 0);
    let of = |number| record(game_type, number, Some(Origin { run, number }));
    let first: Vec<GameRecord> = (0..10).map(of).collect();
    assert_eq!(history.append(&first).unwrap().games, 10);
    // The run was killed after its first games were recorded, and plays some of them again.
    let again: Vec<GameRecord> = (6..14).map(of).collect();
    let appended = history.append(&again).unwrap();
    assert_eq!((appended.games, appended.known), (4, 4));
    assert_eq!(appended.first, Some(GameId(before as i64 + 11)));
    assert_eq!(history.run("a run").unwrap(), (run, 14));
    let (other, known) = history.run("another run").unwrap();
    assert!(other != run && known == 0);
}

#[test]
fn sqlite_gives_back_what_it_got() {
    let (_place, store) = store();
    a_history_gives_back_what_it_got(&store);
    a_run_is_recorded_once(&store);
}

#[test]
fn sqlite_keeps_layouts_apart() {
    let (_place, store) = store();
    a_game_has_one_layout(&store);
}

#[test]
fn sqlite_has_two_writers() {
    let (_place, store) = store();
    two_connections_write_to_one_history(&store);
}

/// A store does not mix states of different layouts.
pub fn a_game_has_one_layout(store: &Store) {
    let mut history = store.history().unwrap();
    let first = history.game_type(&game_type()).unwrap();
    assert_eq!(history.game_type(&game_type()).unwrap(), first);
    let other = GameType { layout: "{}".to_owned(), ..game_type() };
    let error = history.game_type(&other).unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }) && error.to_string().contains("another layout"));
    assert_eq!(history.game_types().unwrap(), [(first, game_type())]);
}

/// Two programs record at the same time, and readers see games in the order of their numbers.
pub fn two_connections_write_to_one_history(store: &Store) {
    // Both make the file at the same time.
    let writers: Vec<_> = (0..2)
        .map(|_| {
            let store = store.clone();
            std::thread::spawn(move || {
                let mut history = store.history().unwrap();
                let written = records(&mut *history, 0, 200);
                written.chunks(10).for_each(|part| {
                    history.append(part).unwrap();
                });
            })
        })
        .collect();
    // A reader that goes on behind the last game it has seen misses none.
    let mut seen: Vec<i64> = Vec::new();
    while seen.len() < 400 {
        let after = seen.last().map(|&id| GameId(id));
        let query = GameQuery { after, ..GameQuery::default() };
        seen.extend(store.history().unwrap().games(&query).unwrap().iter().map(|game| game.id.0));
    }
    assert!(seen.iter().copied().eq(1..=400));
    writers.into_iter().for_each(|writer| writer.join().unwrap());
    let mut history = store.history().unwrap();
    let ids: Vec<i64> = history.games(&GameQuery::default()).unwrap().iter().map(|game| game.id.0).collect();
    assert_eq!(ids, (1..=400).collect::<Vec<i64>>());
}
