//! `parlor solve` and `parlor regret`: what scripts rely on.

use std::time::{Duration, Instant};

use crate::place;

use place::Place;

#[test]
fn a_position_is_solved() {
    let place = Place::new();
    let connect = "connect(width=7, height=6)";
    let words = ["solve", connect, "--position", "436622165622", "--json"];
    let solved = place.json(&words);
    assert_eq!((&solved["value"], &solved["best"]), (&15.0.into(), &serde_json::json!(["7"])));
    assert!(solved["nodes"].as_u64().unwrap() > 0 && solved["seconds"].as_f64().unwrap() > 0.0);
    assert!(solved.get("moves").is_none());

    let all = place.json(&[&words[..], &["--moves"]].concat());
    let values: Vec<f64> =
        all["moves"].as_array().unwrap().iter().map(|row| row["value"].as_f64().unwrap()).collect();
    assert_eq!(values, [15.0, -2.0, -15.0, -15.0, -15.0, -15.0, -15.0]);
    let text = place.stdout(&[&words[..4], &["--moves"]].concat());
    assert!(text.starts_with("value: 15 ") && text.contains("best:  7\n"), "{text}");
}

#[test]
fn every_game_that_can_be_solved_is() {
    let place = Place::new();
    let value = |game: &str, position: &str| {
        let mut words = vec!["solve", game, "--json"];
        if !position.is_empty() {
            words.extend(["--position", position]);
        }
        place.json(&words)["value"].as_f64().unwrap()
    };
    assert_eq!(value("tictactoe", ".X./O.X/.XO"), 0.0);
    assert_eq!(value("tictactoe", "..X/.../.O."), 1.0);
    assert!((value("minesweeper", "###/#21/###") - 8.0 / 12.0).abs() < 1e-12);
    assert_eq!(value("checkers(rows=4, columns=4)", "-.-./.-.-/-w-./r-.- r"), 1.0);
    let deal = "00 01 02 | 03 11 12 | 13 22 23 33";
    assert!((value("dominoes(rules=myers)", deal) - 8.0).abs() < 1e-9);
}

#[test]
fn all_deals_are_solved_in_one_call() {
    let place = Place::new();
    let solved = place.json(&["solve", "dominoes(rules=myers)", "--each", "--json"]);
    let deals = solved["deals"].as_array().unwrap();
    assert_eq!(deals.len(), 4200);
    let mean = deals.iter().map(|deal| deal["value"].as_f64().unwrap()).sum::<f64>() / 4200.0;
    let start = place.json(&["solve", "dominoes(rules=myers)", "--json"]);
    assert!((mean - start["value"].as_f64().unwrap()).abs() < 1e-9);
    assert_eq!(start["best"], serde_json::json!([]));
}

#[test]
fn what_cannot_be_solved_gets_a_sentence() {
    let place = Place::new();
    assert!(place.sentence(&["solve", "darkchess"]).contains("some lie face down"));
    assert!(place.sentence(&["solve", "dominoes"]).contains("target=none"));
    assert!(place.sentence(&["solve", "tictactoe", "--position", "XXX"]).contains("position"));
    let started = Instant::now();
    assert!(place.sentence(&["solve", "checkers", "--threads", "1"]).contains("out of reach"));
    assert!(started.elapsed() < Duration::from_secs(20), "{:?} to say that it cannot", started.elapsed());
}

/// A finished match is worth its result to the seat whose turn would come next.
#[test]
fn finished_positions_are_worth_their_result() {
    let place = Place::new();
    for (game, position, value) in [
        // The fourth disc of the first player wins on 7×6: 22 − 4. The loser is to move.
        ("connect(width=7, height=6)", "1212121", -18.0),
        // The fourth disc of the second player: again 22 − 4.
        ("connect(width=7, height=6)", "21213141", -18.0),
        ("connect(width=3, height=2, row=3)", "121323", 0.0),
        // X has a row; O, who would be next, has nothing.
        ("tictactoe", "XXX/XOO/OOX", -1.0),
        // More cells than can be solved before the end. A mirror turns one side into the other.
        ("tictactoe(rows=6, columns=6)", "XOXOXO/OXOXOX/XOXOXO/OXOXOX/XOXOXO/OXOXOX", 0.0),
        ("checkers(rows=4, columns=4)", "-.-./.-.-/-.-./r-.- w", -1.0),
        ("minesweeper(rows=1, columns=3, mines=1)", "#10", 1.0),
        ("minesweeper(rows=1, columns=3, mines=1)", "*1#", 0.0),
        ("darkchess", "K---/----/----/----/----/----/----/---- b", -1.0),
    ] {
        let words = ["solve", game, "--position", position, "--moves", "--json"];
        let solved = place.json(&words);
        assert_eq!(solved["value"].as_f64(), Some(value), "{game} {position}: {solved}");
        assert_eq!((&solved["best"], &solved["moves"]), (&serde_json::json!([]), &serde_json::json!([])));
        assert_eq!(solved["nodes"], 0, "{solved}");
        let text = place.stdout(&words[..4]);
        assert!(text.starts_with("value: ") && !text.contains("best:"), "{text}");
    }
}

/// Only a position that is typed can have it: the side to move faces nobody.
#[test]
fn the_last_side_standing_wins() {
    let place = Place::new();
    for (game, position, moves) in [
        ("checkers(rows=4, columns=4)", "-.-./.-.-/-.-./r-.- r", 1),
        ("darkchess", "K---/----/----/----/----/----/----/---- r", 2),
    ] {
        let solved = place.json(&["solve", game, "--position", position, "--json"]);
        assert_eq!(solved["value"].as_f64(), Some(1.0), "{solved}");
        assert_eq!(solved["best"].as_array().unwrap().len(), moves, "{solved}");
    }
}

#[test]
fn regret_is_what_decisions_lose() {
    let place = Place::new();
    let perfect = place.json(&["regret", "tictactoe", "alphabeta", "--deals", "20", "--json"]);
    assert_eq!((perfect["mistakes"].as_u64(), perfect["lost_per_match"].as_f64()), (Some(0), Some(0.0)));
    assert!(perfect["judged"].as_u64().unwrap() > 50 && perfect["matches"] == 40);
    // Twenty deals without a mistake do not prove that there are none.
    assert!(perfect["mistake_high"].as_f64().unwrap() > 0.1 && perfect["lost_high"].is_null());

    let words = ["regret", "tictactoe", "random", "--deals", "60", "--json", "--seed", "7"];
    let random = place.json(&[&words[..], &["--threads", "1"]].concat());
    assert!(random["mistakes"].as_u64().unwrap() > 20, "{random}");
    let number = |field: &str| random[field].as_f64().unwrap();
    assert!(number("lost_low") < number("lost_per_match") && number("lost_per_match") < number("lost_high"));
    assert!(random["worst"]["lost"].as_f64().unwrap() > 0.0);
    assert_eq!(random, place.json(&[&words[..], &["--threads", "3"]].concat()), "threads change nothing");

    let text = place.stdout(&words[..5]);
    assert!(text.starts_with("random loses ") && text.contains("intervals hold 95 %"), "{text}");
}

#[test]
fn regret_names_oracles() {
    let place = Place::new();
    let words = ["regret", "dominoes(rules=myers, set=2, hand=2)", "expectimax-oracle", "--deals", "2"];
    let said = place.stdout(&words);
    assert!(said.contains("is an oracle: it saw what is hidden from its seat"), "{said}");
    let answer = place.json(&[&words[..], &["--json"]].concat());
    assert!(answer["oracles"][0].as_str().unwrap().starts_with("expectimax-oracle("), "{answer}");
    let honest = place.json(&["regret", "tictactoe", "random", "--deals", "2", "--json"]);
    assert!(honest["oracles"].is_null(), "{honest}");
}

#[test]
fn regret_in_every_position() {
    let place = Place::new();
    let all = place.json(&["regret", "tictactoe", "alphabeta(depth=1)", "--all", "--json"]);
    // A board with n cells filled has ⌈n/2⌉ X and ⌊n/2⌋ O, and play goes on until all nine are: 6,046 − 126 boards.
    assert_eq!(all["decisions"], 5_920, "{all}");
    assert!(all["mistakes"].as_u64().unwrap() > 0 && all["lost_low"].is_null() && all["matches"] == 0);
    let deep = place.json(&["regret", "tictactoe", "alphabeta(depth=9)", "--all", "--json"]);
    assert_eq!(deep["mistakes"], 0, "{deep}");
    let mines = place.json(&["regret", "minesweeper", "random", "--all", "--json"]);
    assert!(mines["mistakes"].as_u64().unwrap() > 0, "{mines}");
    let wrong = place.sentence(&["regret", "dominoes(rules=myers)", "random", "--all"]);
    assert!(wrong.contains("play matches instead"), "{wrong}");
}

#[test]
fn deduce_plays_small_boards_perfectly() {
    let place = Place::new();
    let deduce = place.json(&["regret", "minesweeper", "deduce", "--all", "--json"]);
    assert!(deduce["judged"].as_u64().unwrap() > 100, "{deduce}");
    assert_eq!(deduce["mistakes"], 0, "{deduce}");
}
