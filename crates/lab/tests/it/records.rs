//! Recording runs in a store: every game once, whatever happens.

use std::fs;
use std::path::Path;

use parlor_core::files::saved::SavedGame;
use parlor_core::{Cancel, Phase};
use parlor_lab::record::export::export;
use parlor_lab::record::{StoredLayout, record_game, steps_of};
use parlor_lab::run::{MatchRun, RunError, RunOptions, StopReason, TournamentRequest, TournamentRun};
use parlor_store::{GameQuery, Location, Steps, Store, StoredGame, read_place};

use crate::runs::{options, played, request};

fn at(folder: &Path, name: &str) -> Location {
    Location::Folder(folder.join(name))
}

fn recording(folder: &Path, threads: usize) -> RunOptions {
    RunOptions { record: Some(at(folder, "store")), ..options(folder, threads) }
}

/// Everything in a history but the time.
fn contents(location: &Location) -> Vec<(StoredGame, Steps)> {
    let Location::Folder(folder) = location else { unreachable!("tests record in folders") };
    let mut history = Store::open(folder.to_str().unwrap()).unwrap().history().unwrap();
    let games = history.games(&GameQuery::default()).unwrap();
    let ids: Vec<_> = games.iter().map(|game| game.id).collect();
    let steps = history.steps(&ids).unwrap();
    games.into_iter().map(|game| StoredGame { ended: 0, ..game }).zip(steps).collect()
}

fn lines(folder: &Path) -> Vec<SavedGame> {
    let text = fs::read_to_string(folder.join("run/games.jsonl")).unwrap();
    text.lines().map(|line| SavedGame::parse(line).unwrap()).collect()
}

#[test]
fn a_match_has_the_same_history_for_any_number_of_threads() {
    let one = tempfile::tempdir().unwrap();
    let report = played(MatchRun::new(&request(40), &crate::open, recording(one.path(), 1)).unwrap());
    let recorded = report.recorded.unwrap();
    assert_eq!((recorded.games, recorded.store), (80, one.path().join("store").display().to_string()));
    let games = contents(&at(one.path(), "store"));
    assert!(games.iter().map(|(game, _)| &game.saved).eq(&lines(one.path())));

    let three = tempfile::tempdir().unwrap();
    played(MatchRun::new(&request(40), &crate::open, recording(three.path(), 3)).unwrap());
    assert_eq!(contents(&at(three.path(), "store")), games);
}

/// What a store has of a decision is what the seat saw at the table.
#[test]
fn states_and_places_are_those_of_the_table() {
    for spec in [
        "minesweeper(rows=3, columns=3)",
        "dominoes(rules=myers)",
        "checkers(rows=6, columns=6)",
        "darkchess",
    ] {
        let game = crate::open(spec).unwrap();
        let seating: Vec<usize> = (0..usize::from(game.seats())).collect();
        let mut team = game.team(&vec!["random"; seating.len()]).unwrap();
        let saved = team.play(&parlor_core::api::MatchSetup::new(&seating, 3, 4)).unwrap();
        let steps = steps_of(&*game, &saved).unwrap();
        assert!(!steps.is_empty());
        let layout = StoredLayout::from(game.cells().unwrap().layout());
        let mut table = game.table(saved.seed, None).unwrap();
        let mut left = steps.iter();
        for text in saved.moves.split_whitespace() {
            if let Phase::Decide(seat) = table.phase() {
                let step = left.next().unwrap();
                assert_eq!((step.seat, step.input), (seat, text), "{spec}");
                assert_eq!(step.state.len(), usize::from(layout.width * layout.height) + layout.beside.len());
                assert!(step.state.iter().all(|&cell| usize::from(cell) < layout.symbols.len()));
                let places = {
                    let mut places = Vec::new();
                    table.cells().unwrap().places(&mut places);
                    places
                };
                let chosen = table.actions().iter().position(|action| action == text).unwrap();
                assert_eq!(read_place(step.place), Some(places[chosen].clone()), "{spec}: {text}");
            }
            table.replay(text).unwrap();
        }
        assert!(left.next().is_none());
    }
}

#[test]
fn a_run_that_resumes_records_every_game_once() {
    let whole = tempfile::tempdir().unwrap();
    played(MatchRun::new(&request(30), &crate::open, recording(whole.path(), 2)).unwrap());
    let expected = contents(&at(whole.path(), "store"));

    let folder = tempfile::tempdir().unwrap();
    let cancel = Cancel::new();
    let run = MatchRun::new(&request(30), &crate::open, recording(folder.path(), 2)).unwrap();
    let mut pairs = 0;
    let report = run.run(&cancel, &mut |event| {
        if let parlor_lab::run::Event::MatchPair { .. } = event {
            pairs += 1;
            if pairs == 11 {
                cancel.cancel();
            }
        }
    });
    assert_eq!(report.unwrap().stop, StopReason::Cancelled);
    let first = contents(&at(folder.path(), "store"));
    assert!(first.len() >= 22 && first.len() < 60);
    // The store lost its last games, and the folder has the end of a line: both as after a kill.
    let lines = folder.path().join("run/games.jsonl");
    let mut text = fs::read_to_string(&lines).unwrap();
    text.push_str("{\"parlor\":1,");
    fs::write(&lines, text).unwrap();
    // It goes on in the store in which it began, without being told.
    let resumed = || RunOptions { record: None, ..recording(folder.path(), 3) };
    let report = played(MatchRun::resume(&folder.path().join("run"), &crate::open, resumed()).unwrap());
    assert_eq!(report.recorded.unwrap().games, 60 - first.len() as u64);
    assert_eq!(contents(&at(folder.path(), "store")), expected);
    // Once more adds nothing.
    let report = played(MatchRun::resume(&folder.path().join("run"), &crate::open, resumed()).unwrap());
    assert_eq!(report.recorded.unwrap().games, 0);
    assert_eq!(contents(&at(folder.path(), "store")), expected);
}

/// Games that were played and kept before, but recorded nowhere or elsewhere, are recorded when the run resumes.
#[test]
fn a_run_can_be_recorded_later() {
    let folder = tempfile::tempdir().unwrap();
    played(MatchRun::new(&request(5), &crate::open, options(folder.path(), 2)).unwrap());
    let later = recording(folder.path(), 1);
    let report = played(MatchRun::resume(&folder.path().join("run"), &crate::open, later.clone()).unwrap());
    assert_eq!(report.recorded.unwrap().games, 10);
    let other = RunOptions { record: Some(at(folder.path(), "other")), ..later };
    let report = played(MatchRun::resume(&folder.path().join("run"), &crate::open, other).unwrap());
    assert_eq!(report.recorded.unwrap().games, 10);
    assert_eq!(contents(&at(folder.path(), "other")), contents(&at(folder.path(), "store")));
}

#[test]
fn a_tournament_and_a_table_are_recorded_in_one_store() {
    let folder = tempfile::tempdir().unwrap();
    let request = TournamentRequest {
        game: "minesweeper(rows=3, columns=3)".to_owned(),
        agents: ["random", "deduce"].map(str::to_owned).to_vec(),
        pairs: 4,
        ..TournamentRequest::default()
    };
    let run = TournamentRun::new(&request, &crate::open, recording(folder.path(), 2)).unwrap();
    let report = run.run(&Cancel::new(), &mut |_| ()).unwrap();
    assert_eq!(report.recorded.unwrap().games, 8);
    let saved = lines(folder.path()).remove(0);
    let game = crate::open(&saved.game).unwrap();
    let by_hand = SavedGame { seats: vec!["you".to_owned()], ..saved };
    let store = at(folder.path(), "store");
    assert_eq!(record_game(&store, &*game, &by_hand).unwrap().0, 9);
    let all = contents(&store);
    assert_eq!((all.len(), &all[8].0.saved), (9, &by_hand));
}

#[test]
fn a_store_that_cannot_be_used_is_reported_before_anything_is_played() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("store"), "a text").unwrap();
    let error = MatchRun::new(&request(5), &crate::open, recording(folder.path(), 1)).err().unwrap();
    assert!(matches!(error, RunError::Record(_)), "{error}");
    assert!(!folder.path().join("run").exists());
}

#[test]
fn exports_have_every_game() {
    let folder = tempfile::tempdir().unwrap();
    played(MatchRun::new(&request(3), &crate::open, recording(folder.path(), 1)).unwrap());
    let store = Store::open(folder.path().join("store").to_str().unwrap()).unwrap();
    let mut history = store.history().unwrap();
    let out = |name: &str| folder.path().join(name);
    let all = GameQuery::default();
    assert_eq!(export(&mut *history, &all, &out("all.jsonl"), |_| ()).unwrap(), 6);
    assert_eq!(fs::read(out("all.jsonl")).unwrap(), fs::read(folder.path().join("run/games.jsonl")).unwrap());
    let two = GameQuery { limit: Some(2), newest: true, ..all.clone() };
    assert_eq!(export(&mut *history, &two, &out("two.jsonl"), |_| ()).unwrap(), 2);
    assert_eq!(fs::read_to_string(out("two.jsonl")).unwrap().lines().count(), 2);

    export(&mut *history, &all, &out("all.csv"), |_| ()).unwrap();
    let text = fs::read_to_string(out("all.csv")).unwrap();
    let mut rows = text.lines();
    assert_eq!(rows.next(), Some("id,game,ended,step,seat,agent,state,action,kind,cells,payoff,ending"));
    let steps = history.sizes().unwrap().steps as usize;
    assert_eq!(rows.clone().count(), steps);
    let first = rows.next().unwrap();
    assert!(first.starts_with("1,\"tictactoe("), "{first}");
    export(&mut *history, &all, &out("all.parquet"), |_| ()).unwrap();
    assert!(fs::read(out("all.parquet")).unwrap().starts_with(b"PAR1"));
    assert!(export(&mut *history, &all, &out("all.txt"), |_| ()).is_err());
}
