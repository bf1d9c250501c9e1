//! `parlor samples` and `parlor classify`.

use std::fs;

use crate::place;

use place::Place;

const MYERS: &str = "dominoes(rules=myers)";

#[test]
fn from_games_to_predictions() {
    let place = Place::new();
    let (rows, games, model) = (place.path("rows.csv"), place.path("games.jsonl"), place.path("a.model"));
    let text =
        place.stdout(&["samples", MYERS, "--rows", "1000", "--seed", "3", "--out", &rows, "--games", &games]);
    assert!(text.contains(" rows of ") && text.contains("between random, scoring, defense"), "{text}");
    let table = fs::read_to_string(&rows).unwrap();
    assert_eq!(table.lines().count(), 1001);
    let last: usize = table.lines().last().unwrap().split(',').next().unwrap().parse().unwrap();
    assert_eq!(
        fs::read_to_string(&games).unwrap().lines().count(),
        last,
        "the column is the number of the line"
    );
    let replayed = place.stdout(&["play", "--replay", &games, "--number", &last.to_string()]);
    assert!(!replayed.is_empty());

    for kind in ["mda", "forest"] {
        let words = [
            "classify", "train", &rows, "--kind", kind, "--trees", "10", "--out", &model, "--game", MYERS,
            "--json",
        ];
        let trained = place.json(&words);
        assert_eq!((trained["rows"].as_u64(), trained["kind"].as_str()), (Some(1000), Some(kind)));
        assert_eq!(trained["classes"], serde_json::json!(["random", "scoring", "defense"]));
        assert!(trained["game"].as_str().unwrap().starts_with("dominoes(rules=myers, set=3"));
        let tested = place.json(&["classify", "test", &model, &rows, "--json", "--predictions"]);
        assert_eq!(tested["predictions"].as_array().unwrap().len(), 1000);
        let confusion = tested["confusion"].as_array().unwrap();
        let count = |row: usize, column: usize| confusion[row][column].as_u64().unwrap();
        let right: u64 = (0..3).map(|class| count(class, class)).sum();
        assert_eq!(tested["accuracy"].as_f64(), Some(right as f64 / 1000.0));
        assert!(tested["seconds"].is_f64());
        let plain = place.stdout(&["classify", "test", &model, &rows]);
        assert!(plain.contains("actual \\ predicted") && plain.contains("Brier score"), "{plain}");
        let crossed = place.json(&[
            "classify",
            "cross",
            &rows,
            "--kind",
            kind,
            "--trees",
            "5",
            "--folds",
            "4",
            "--json",
            "--predictions",
        ]);
        assert_eq!(crossed["folds"].as_array().unwrap().len(), 4);
        assert_eq!(crossed["predictions"].as_array().unwrap().len(), 1000);
        let held = place.stdout(&[
            "classify",
            "train",
            &rows,
            "--kind",
            kind,
            "--trees",
            "5",
            "--holdout",
            "0.2",
            "--out",
            &model,
        ]);
        assert!(held.contains(" rows that were held out:"), "{held}");
    }
}

#[test]
fn another_game_has_a_header_of_its_own() {
    let place = Place::new();
    let (rows, columns) = (place.path("rows.csv"), place.path("rows.parquet"));
    place.stdout(&["samples", "tictactoe", "--rows", "90", "--out", &rows]);
    let header = "game,turn,player,points_per_turn,extended_per_turn,denied_per_turn,spoiled_per_turn,windows_opened,target";
    assert_eq!(fs::read_to_string(&rows).unwrap().lines().next(), Some(header));
    let about = place.json(&["samples", "tictactoe", "--rows", "90", "--out", &columns, "--json"]);
    assert_eq!((about["rows"].as_u64(), about["games"].as_u64()), (Some(90), Some(10)));
    assert_eq!(&fs::read(&columns).unwrap()[..4], b"PAR1");
}

#[test]
fn nonsense_gets_a_sentence() {
    let place = Place::new();
    let (rows, model) = (place.path("rows.csv"), place.path("a.model"));
    let sentence = place.sentence(&["samples", "checkers", "--out", &rows]);
    assert!(
        sentence.contains("checkers has no features of play; available for dominoes, tictactoe"),
        "{sentence}"
    );
    assert!(place.sentence(&["samples", MYERS, "--out", &place.path("rows.txt")]).contains(".csv"));
    assert!(place.sentence(&["samples", MYERS, "--out", &rows, "--games", &rows]).contains("same file"));
    assert!(place.sentence(&["samples", MYERS, "--out", &rows, "--rows", "0"]).contains("from 1 to"));
    let nowhere = place.path("missing/rows.csv");
    assert!(
        place.sentence(&["samples", MYERS, "--rows", "10000000", "--out", &nowhere]).contains("cannot write")
    );
    let sentence = place.sentence(&["classify", "train", &rows, "--kind", "svm", "--out", &model]);
    assert!(sentence.contains("kinds: mda, forest"), "{sentence}");
    assert!(
        place
            .sentence(&["classify", "train", &rows, "--kind", "mda", "--out", &model])
            .contains("cannot read")
    );

    fs::write(&rows, "a,target\n1,0\n2,1\n").unwrap();
    let train = |kind| place.sentence(&["classify", "train", &rows, "--kind", kind, "--out", &model]);
    assert!(train("mda").contains("2 rows are too few"));
    let other = ["classify", "train", &rows, "--kind", "mda", "--game", MYERS, "--out", &model];
    assert!(place.sentence(&other).contains("has the features a, but those of dominoes are points_per_turn"));
    fs::write(&rows, "a,target\n1,0\n2,1\nNaN,1\n").unwrap();
    assert!(train("forest").contains("line 4: `a` is not a finite number"));
    assert!(place.sentence(&["classify", "test", &rows, &rows]).contains("not a parlor model file"));
    assert!(!fs::exists(&model).unwrap(), "no model was written");

    fs::write(&rows, "a,target\n1,0\n2,1\n4,1\n").unwrap();
    place.stdout(&["classify", "train", &rows, "--kind", "forest", "--out", &model]);
    fs::write(&rows, "b,target\n1,0\n").unwrap();
    let sentence = place.sentence(&["classify", "test", &model, &rows]);
    assert!(sentence.contains("the model is for the features a, not for b"), "{sentence}");
    let mut bytes = fs::read(&model).unwrap();
    bytes[40] ^= 1;
    fs::write(&model, bytes).unwrap();
    assert!(place.sentence(&["classify", "test", &model, &rows]).contains("checksum does not match"));
}
