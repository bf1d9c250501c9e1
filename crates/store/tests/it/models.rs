//! Models: counts are added, and no game is counted twice.

use std::collections::BTreeMap;

use parlor_store::{GameId, Model, Observations, Store, StoreError, TransitionCount};

use crate::samples::counts;

fn all(model: &mut dyn Model) -> Vec<TransitionCount> {
    let mut rows = Vec::new();
    model.for_each(&mut |row| rows.push(*row)).unwrap();
    rows
}

/// Every part of the trait, on a store without models.
pub fn a_model_counts(store: &Store) {
    let mut model = store.model("observed").unwrap();
    let mut expected: BTreeMap<(u64, u64, u64), TransitionCount> = BTreeMap::new();
    for batch in 0..10_u64 {
        let mut observations = Observations::default();
        let games: Vec<GameId> = (1..=7).map(|game| GameId((batch * 7 + game) as i64)).collect();
        for game in &games {
            for row in counts(game.0 as u64) {
                observations.add(row);
                let empty = TransitionCount { count: 0, wins: 0, ties: 0, losses: 0, ..row };
                expected.entry(row.key()).or_insert(empty).add(&row);
            }
        }
        model.fold(observations.sorted(), &games).unwrap();
    }
    let expected: Vec<TransitionCount> = expected.into_values().collect();
    assert_eq!(all(&mut *model), expected);
    let sizes = model.sizes().unwrap();
    assert_eq!((sizes.transitions, sizes.games), (expected.len() as u64, 70));
    let state = expected[3].state;
    let of_state: Vec<TransitionCount> = expected.iter().filter(|row| row.state == state).copied().collect();
    assert_eq!(model.of_state(state).unwrap(), of_state);
    assert_eq!(model.of_state(12345).unwrap(), []);
    assert_eq!(model.last_processed().unwrap(), GameId(70));
    assert_eq!(model.processed(GameId(67), 2).unwrap(), [GameId(68), GameId(69)]);

    // One of the games was counted before: the whole call changes nothing.
    let error = model.fold(&counts(1), &[GameId(71), GameId(70)]).unwrap_err();
    assert!(matches!(error, StoreError::Processed { game: GameId(70), .. }), "{error}");
    assert!(model.fold(&counts(1), &[GameId(99), GameId(99)]).is_err());
    assert_eq!(all(&mut *model), expected);
    assert_eq!(model.last_processed().unwrap(), GameId(70));
    drop(model);
    assert_eq!(all(&mut *store.model("observed").unwrap()), expected);

    // Another heuristic has its own model.
    let mut other = store.model("rotation").unwrap();
    assert_eq!(other.last_processed().unwrap(), GameId(0));
    other.fold(&counts(1), &[GameId(70)]).unwrap();
    assert_eq!(all(&mut *other), counts(1));
    assert_eq!(store.models().unwrap(), ["observed", "rotation"]);
    other.clear().unwrap();
    assert_eq!(other.sizes().unwrap().transitions, 0);
    other.fold(&counts(2), &[GameId(70)]).unwrap();
    assert_eq!(all(&mut *other), counts(2));
}

#[test]
fn sqlite_counts() {
    let place = tempfile::tempdir().unwrap();
    a_model_counts(&Store::create(place.path().to_str().unwrap()).unwrap());
}

/// The counts need not be a sum: a heuristic may credit wins that are no ends.
#[test]
fn counts_of_any_kind_survive() {
    let place = tempfile::tempdir().unwrap();
    let mut model = Store::create(place.path().to_str().unwrap()).unwrap().model("x").unwrap();
    let row = |state, count, wins| TransitionCount { state, count, wins, ..TransitionCount::default() };
    let rows = [row(0, 5, 9), row(1, 9, 5), row(u64::MAX, u32::MAX, u32::MAX)];
    model.fold(&rows, &[]).unwrap();
    assert_eq!(all(&mut *model), rows);
}

#[test]
fn names_of_models_are_checked() {
    let place = tempfile::tempdir().unwrap();
    let store = Store::create(place.path().to_str().unwrap()).unwrap();
    let error = store.model("../x").err().unwrap().to_string();
    assert!(error.contains("`../x` is not a name of a model"), "{error}");
}
