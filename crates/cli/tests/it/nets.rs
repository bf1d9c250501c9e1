//! `parlor net`, and nets in searches.

use std::fs;

use crate::place;

use place::Place;

const SMALL: &str = "checkers(rows=6, columns=6)";

fn play(place: &Place, game: &str, file: &str, threads: &str) {
    let agent = ["--agent", "alphabeta(nodes=40, evaluation=none)"];
    let rest = ["--matches", "6", "--seed", "3", "--threads", threads, "-o", file];
    place.stdout(&[&["net", "play", game][..], &agent, &rest].concat());
}

#[test]
fn a_net_is_trained_from_matches_and_searches_use_it() {
    let place = Place::new();
    let [one, two] = ["one.positions", "two.positions"].map(|name| place.path(name));
    play(&place, SMALL, &one, "1");
    play(&place, SMALL, &two, "2");
    assert_eq!(fs::read(&one).unwrap(), fs::read(&two).unwrap(), "positions do not depend on threads");

    let [net, again] = ["net.parlor", "again.parlor"].map(|name| place.path(name));
    let said = place.stdout(&["net", "train", SMALL, &one, "--epochs", "2", "-o", &net]);
    assert_eq!(said.matches("held back").count(), 2, "{said}");
    place.stdout(&["net", "train", SMALL, &two, "--epochs", "2", "-o", &again]);
    assert_eq!(fs::read(&net).unwrap(), fs::read(&again).unwrap(), "equal positions give equal nets");

    for agent in ["alphabeta(nodes=100, evaluation=", "mcts(sims=20, evaluation="] {
        let agent = format!("{agent}{net})");
        let played = place.json(&["match", SMALL, &agent, "random", "--pairs", "1", "--json"]);
        let games = ["wins", "draws", "losses"].map(|count| played[count].as_u64().unwrap());
        assert_eq!(games.iter().sum::<u64>(), 2, "{played}");
        assert_eq!(played["forfeits"], serde_json::json!([0, 0]), "{played}");
    }
    let sentence = place.sentence(&["match", "checkers", &format!("alphabeta(evaluation={net})"), "random"]);
    assert!(sentence.contains("other boards"), "{sentence}");
    let sentence = place.sentence(&["net", "train", "checkers", &one, "-o", &again]);
    assert!(sentence.contains("not of checkers(rows=8, columns=8"), "{sentence}");
}

#[test]
fn what_cannot_be_trained_gets_a_sentence() {
    let place = Place::new();
    let file = place.path("a.positions");
    let sentence = place.sentence(&["net", "play", "dominoes", "-o", &file]);
    assert!(sentence.contains("available for checkers"), "{sentence}");
    let sentence = place.sentence(&["net", "play", "checkers(rows=12, columns=12)", "-o", &file]);
    assert!(sentence.contains("too large"), "{sentence}");
    fs::write(&file, "nothing").unwrap();
    let sentence = place.sentence(&["net", "train", "checkers", &file, "-o", &place.path("net")]);
    assert!(sentence.contains("a.positions") && sentence.contains("file of positions"), "{sentence}");
}
