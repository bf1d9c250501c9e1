//! `parlor train` and `parlor inspect`.

use crate::place;

use std::path::Path;

use place::Place;
use serde_json::Value;

const SMALL: [&str; 5] = ["train", "tictactoe", "collective", "--plan", "12x30"];

#[test]
fn a_training_ends_with_a_table_and_a_file_that_plays() {
    let place = Place::new();
    let file = place.path("mine.parlor");
    let learner = "collective(update=mean, prior=2, ties=half, evaluate=linear, epsilon=0.1)";
    let text = place.stdout(&[
        "train",
        "tictactoe",
        learner,
        "--against",
        "random",
        "--plan",
        "12x400",
        "--test",
        "random",
        "-o",
        &file,
    ]);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("tictactoe(") && lines[1].starts_with("collective(state=board"), "{text}");
    assert_eq!(lines[2], "trained 12 of 12 rounds of 400 matches against random, seed 1");
    assert!(lines[4].contains("won in training  won against random") && lines[4].contains("95 %"), "{text}");
    let table: Vec<&&str> = lines[5..].iter().take_while(|line| !line.is_empty()).collect();
    assert_eq!(table.len(), 10, "ten of twelve rounds:\n{text}");
    assert!(table[9].trim_start().starts_with("12 ") && table[9].contains(" … "), "{text}");
    assert!(text.contains(" bytes each; at the most ") && text.contains(" matches a second"), "{text}");
    let hint = lines.last().unwrap();
    assert_eq!(*hint, format!("play against it: parlor play tictactoe --agent 'collective(file={file})'"));

    let agent = format!("collective(file={file})");
    let result = place.json(&["match", "tictactoe", &agent, "random", "--pairs", "100", "--json"]);
    assert!(result["score"].as_f64().unwrap() > 0.55, "{result}");
    assert_eq!(result["forfeits"], serde_json::json!([0, 0]));
}

#[test]
fn equal_seeds_give_equal_bytes_and_other_seeds_do_not() {
    let place = Place::new();
    let call = |name: &str, seed: &str| {
        let file = place.path(name);
        let printed = place.stdout(&[&SMALL[..], &["--json", "--seed", seed, "-o", &file]].concat());
        (printed, std::fs::read(file).unwrap())
    };
    let one = call("one", "5");
    assert_eq!(one, call("two", "5"));
    assert!(one.1 != call("three", "6").1);
    let printed: Value = serde_json::from_str(&one.0).unwrap();
    assert_eq!((&printed["finished"], &printed["matches"]), (&Value::from(true), &Value::from(360)));
    assert_eq!(printed["curve"].as_array().unwrap().len(), 12);
}

#[test]
fn a_file_is_overwritten_only_on_purpose() {
    let place = Place::new();
    let file = place.path("mine.parlor");
    let call = [&SMALL[..], &["-o", &file]].concat();
    place.stdout(&call);
    let known = std::fs::read(&file).unwrap();
    let wrong = place.sentence(&[&call[..], &["--seed", "9"]].concat());
    assert!(wrong.contains("exists") && wrong.contains("--resume") && wrong.contains("--force"), "{wrong}");
    assert!(std::fs::read(&file).unwrap() == known);
    place.stdout(&[&call[..], &["--seed", "9", "--force"]].concat());
    assert!(std::fs::read(&file).unwrap() != known);
    let again = place.stdout(&["train", "--resume", &file]);
    assert!(again.contains("trained 12 of 12 rounds"), "nothing is left to do: {again}");
}

#[test]
fn nonsense_gets_a_sentence_before_anything_is_written() {
    let place = Place::new();
    let file = place.path("mine.parlor");
    let says = |words: &[&str]| place.sentence(&[words, &["-o", &file]].concat());
    let wrong = says(&["train", "dominoes", "expert"]);
    assert!(wrong.contains("`expert` does not learn; at dominoes these do: collective"), "{wrong}");
    assert!(says(&["train", "darkchess", "random"]).contains("does not learn"));
    assert!(says(&["train", "domino", "collective"]).contains("did you mean `dominoes`?"));
    assert!(says(&["train", "dominoes", "colective"]).contains("did you mean `collective`?"));
    assert!(says(&["train", "dominoes", "collective(stat=lsp2)"]).contains("did you mean `state`?"));
    assert!(says(&["train", "dominoes", "collective", "--against", "expret"]).contains("`expert`"));
    assert!(says(&["train", "dominoes", "collective", "--test", "radnom"]).contains("`random`"));
    for plan in ["50", "0x5", "5x0", "axb", "x", "5x5x5", "+1x", "99999999999999999999x1"] {
        assert!(says(&["train", "dominoes", "collective", "--plan", plan]).contains("50x200"), "{plan}");
    }
    assert!(!Path::new(&file).exists(), "nothing is written");
    assert!(place.sentence(&["train", "dominoes", "collective"]).contains("--out"));
    let nowhere = place.path("no/such/folder/mine.parlor");
    let wrong = place.sentence(&["train", "tictactoe", "collective", "-o", &nowhere]);
    assert!(wrong.contains("cannot be written"), "{wrong}");
    assert!(place.sentence(&["train", "--resume", &nowhere]).contains("there is no folder"));
}

#[test]
fn what_was_learnt_is_told_in_words_numbers_and_json() {
    let place = Place::new();
    let file = place.path("mine.parlor");
    let game = "dominoes(set=3, hand=3, target=none)";
    place.stdout(&["train", game, "collective", "--against", "random", "--plan", "4x100", "-o", &file]);
    let text = place.stdout(&["inspect", &file, "--rows", "3"]);
    for part in
        ["the checksum is right", "openings it prefers", "strongest", "weakest", "most used", "leads "]
    {
        assert!(text.contains(part), "`{part}` in {text}");
    }
    let printed = place.json(&["inspect", &file, "--rows", "3", "--json"]);
    assert_eq!(printed["about"]["matches"], 400);
    let tables = printed["tables"].as_array().unwrap();
    assert!(tables.len() == 4 && tables.iter().all(|table| table["rows"].as_array().unwrap().len() == 3));

    let everything = place.stdout(&["inspect", &file, "--text"]);
    let codes: Vec<[u128; 2]> = everything
        .lines()
        .skip(1)
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            assert_eq!(cells.len(), 6, "{line}");
            [cells[0].parse().unwrap(), cells[1].parse().unwrap()]
        })
        .collect();
    assert_eq!(codes.len() as u64, printed["entries"].as_u64().unwrap());
    assert!(codes.is_sorted());
}

#[test]
fn a_damaged_file_gets_a_sentence_everywhere() {
    let place = Place::new();
    let file = place.path("mine.parlor");
    place.stdout(&[&SMALL[..], &["-o", &file]].concat());
    let bytes = std::fs::read(&file).unwrap();
    let agent = format!("collective(file={file})");
    let mut flipped = bytes.clone();
    flipped[bytes.len() / 2] ^= 4;
    for (damaged, why) in [
        (&flipped[..], "checksum"),
        (&bytes[..bytes.len() - 9], "checksum"),
        (b"hello", "not a parlor knowledge file"),
    ] {
        std::fs::write(&file, damaged).unwrap();
        for call in [
            &["inspect", &file][..],
            &["train", "--resume", &file],
            &["match", "tictactoe", &agent, "random"],
            &["play", "tictactoe", "--agent", &agent],
        ] {
            let wrong = place.sentence(call);
            assert!(wrong.contains(why) && wrong.contains("mine.parlor"), "{call:?}: {wrong}");
        }
    }
    assert!(place.sentence(&["inspect", &place.path("none")]).contains("none"));
    std::fs::write(&file, &bytes).unwrap();
    let wrong = place.sentence(&["match", "tictactoe(rows=4)", &agent, "random"]);
    assert!(wrong.contains("whose states mean something else"), "another board: {wrong}");
}

#[test]
fn matches_and_tournaments_are_no_place_to_learn() {
    let place = Place::new();
    let out = place.path("out");
    let awake = "collective(learning=on)";
    for call in [
        &["match", "tictactoe", "random", awake, "--out", &out][..],
        &["tournament", "tictactoe", "random", awake, "--out", &out],
    ] {
        let wrong = place.sentence(call);
        assert!(
            wrong.contains("collective: with learning=on") && wrong.contains("`parlor train`"),
            "{wrong}"
        );
        assert!(!Path::new(&out).exists(), "nothing is written");
    }
    place.stdout(&["match", "tictactoe", "random", "collective(learning=off)", "--pairs", "2"]);
}
