//! `parlor odds`.

use crate::place;

use place::Place;

#[test]
fn odds_of_mines_and_of_luck() {
    let place = Place::new();
    let start = place.json(&["odds", "minesweeper", "--json"]);
    assert_eq!(start.as_object().unwrap().keys().collect::<Vec<_>>(), ["mines", "random_win", "version"]);
    assert_eq!(start["mines"].as_object().unwrap().len(), 9);
    assert!((start["mines"]["a1"].as_f64().unwrap() - 2.0 / 9.0).abs() < 1e-12);
    assert!((start["random_win"].as_f64().unwrap() - 83.0 / 648.0).abs() < 1e-12);

    let words = ["odds", "minesweeper", "--position", "###/#21/###", "--json"];
    let later = place.json(&words);
    let cells: Vec<&String> = later["mines"].as_object().unwrap().keys().collect();
    assert_eq!(cells, ["a1", "b1", "c1", "a2", "a3", "b3", "c3"]);
    assert!((later["mines"]["b3"].as_f64().unwrap() - 0.25).abs() < 1e-12);
    let text = place.stdout(&words[..4]);
    assert_eq!(text.lines().count(), 6, "{text}");
    assert!(text.contains("33.3 %       2       1"), "{text}");
    assert!(text.contains("Possible: 12 layouts of the mines."), "{text}");
}

#[test]
fn what_is_out_of_reach_is_not_guessed() {
    let place = Place::new();
    let expert = "minesweeper(rows=16, columns=30, mines=99, first=safe)";
    let odds = place.json(&["odds", expert, "--json"]);
    assert!(odds["random_win"].is_null());
    assert_eq!(odds["mines"].as_object().unwrap().len(), 480);
    assert!((odds["mines"]["ad16"].as_f64().unwrap() - 99.0 / 480.0).abs() < 1e-12);
    assert!(place.stdout(&["odds", expert]).contains("out of reach"));
}

#[test]
fn odds_are_for_mines() {
    let place = Place::new();
    assert!(
        place
            .sentence(&["odds", "tictactoe"])
            .contains("tictactoe has no mine odds; available for minesweeper")
    );
    let wrong = place.sentence(&["odds", "minesweeper", "--position", "0##/###/###"]);
    assert!(wrong.contains("a 0 opens all its neighbours"), "{wrong}");
}
