//! FABLE over a store: training, workers, carriers, and workers that misbehave.

use std::fs;
use std::path::Path;
use std::time::Duration;

use parlor_testkit::postgres::PostgresServer;
use serde_json::Value;

use crate::fable_killed::{HEURISTICS, start};
use crate::place::Place;

/// Trains FABLE into a store.
fn train(place: &Place, store: &str, plan: &str, seed: &str) -> String {
    let learner = format!("fable(store={store})");
    place.stdout(&["train", "minesweeper", &learner, "--plan", plan, "--test-matches", "0", "--seed", seed])
}

/// Returns the moves of all games of a match.
fn games(place: &Place, agent: &str, pairs: &str, folder: &str) -> Vec<Value> {
    let folder = place.path(folder);
    place.stdout(&[
        "match",
        "minesweeper",
        agent,
        "random",
        "--pairs",
        pairs,
        "--seed",
        "4",
        "--threads",
        "1",
        "--out",
        &folder,
    ]);
    let lines = fs::read_to_string(Path::new(&folder).join("games.jsonl")).unwrap();
    lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["moves"].clone()).collect()
}

#[test]
fn a_store_is_trained_inspected_and_checked() {
    let place = Place::new();
    let store = place.path("games");
    let text = train(&place, &store, "3x100", "1");
    assert!(
        text.contains("kept in its store; look into it with: parlor inspect minesweeper 'fable(store="),
        "{text}"
    );
    // The name alone is a larger board at the table.
    assert!(text.contains("watch it: parlor play 'minesweeper(rows=3)' --watch 'fable(store="), "{text}");
    let wrong = place.sentence(&["history", "replay", "--store", &store, "5"]);
    assert!(wrong.contains("game 5 of") && wrong.contains("was recorded by a training"), "{wrong}");
    let status = place.json(&["fable", "status", "--store", &store, "--json"]);
    assert_eq!((&status["games"], &status["models"][0]["games"]), (&Value::from(300), &Value::from(300)));
    assert_eq!(status["models"].as_array().unwrap().len(), 5);
    assert_eq!(status["models"][2]["not_counted"], 0);
    assert!(place.stdout(&["fable", "check", "--store", &store]).contains("observed: "));
    // A second training goes on where the first one was, and a file can name the store.
    let file = place.path("mine.parlor");
    let learner = format!("fable(store={store})");
    place.stdout(&["train", "minesweeper", &learner, "--plan", "1x50", "--test-matches", "0", "-o", &file]);
    let status = place.json(&["fable", "status", "--store", &store, "--json"]);
    assert_eq!(status["games"], 350);
    assert!(fs::metadata(&file).unwrap().len() < 2000, "the file only names the store");
    let [by_file, by_store] = [["inspect", &file, "", ""], ["inspect", "minesweeper", &learner, ""]]
        .map(|words| place.stdout(&words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>()));
    for text in [&by_file, &by_store] {
        assert!(
            text.contains("Models of 350 games") && text.contains("Strongest evidence of locality3"),
            "{text}"
        );
    }
    let drawing = place.path("mines.svg");
    place.stdout(&["inspect", "minesweeper", &learner, "--graph", &drawing, "--states", "12"]);
    assert!(fs::read_to_string(&drawing).unwrap().contains("###"));
    let wrong =
        place.sentence(&["inspect", "minesweeper", &learner, "--graph", &drawing, "--model", "locality9"]);
    assert!(wrong.contains("it has observed, locality1, locality2"), "{wrong}");
    let wrong = place.sentence(&["inspect", "minesweeper", &learner, "--graph", "mines.png"]);
    assert!(wrong.contains(".svg or .dot"), "{wrong}");
}

#[test]
fn stores_that_cannot_be_used_get_a_sentence() {
    let place = Place::new();
    let nowhere = place.path("nowhere");
    let wrong = place.sentence(&["match", "minesweeper", &format!("fable(store={nowhere})"), "random"]);
    assert!(wrong.contains("nowhere"), "{wrong}");
    assert!(!Path::new(&nowhere).exists(), "playing makes no store");
    assert!(place.sentence(&["fable", "check", "--store", &nowhere]).contains("nowhere"));
    assert!(place.sentence(&["fable", "status", "--store", "mysql://x"]).contains("not a store"));
    let wrong = place.sentence(&["fable", "worker", "nearest", "--store", &nowhere]);
    assert!(wrong.contains("there are observed, neighbour, locality"), "{wrong}");
    let wrong = place.sentence(&["match", "minesweeper", "fable(carrier=processes)", "random"]);
    assert!(wrong.contains("needs a store"), "{wrong}");
    let wrong = place.sentence(&["match", "minesweeper", "fable(heuristics=observed+nieghbour)", "random"]);
    assert!(wrong.contains("`nieghbour` is not known"), "{wrong}");
    let file = place.path("file");
    fs::write(&file, "x").unwrap();
    assert!(
        place
            .sentence(&["train", "minesweeper", &format!("fable(store={file})"), "--plan", "1x5"])
            .contains("file")
    );
}

/// Trains into a store, and compares the games of agents that ask their heuristics in every way; workers are child processes.
fn carriers_agree(place: &Place, store: &str) {
    train(place, store, "2x150", "1");
    let agent = |carrier: &str| format!("fable(store={store}, carrier={carrier})");
    let direct = games(place, &agent("direct"), "6", "direct");
    assert!(
        direct.len() == 12 && direct.iter().any(|moves| moves.as_str().unwrap().len() > 12),
        "{direct:?}"
    );
    assert_eq!(games(place, &agent("threads"), "6", "threads"), direct);
    assert_eq!(games(place, &agent("processes"), "6", "processes"), direct);
    let _workers = HEURISTICS.map(|heuristic| start(&["fable", "worker", heuristic, "--store", store]));
    // Workers say that they are alive before they are waited for.
    let all_alive = |status: &Value| status["workers"].as_array().is_some_and(|workers| workers.len() == 4);
    let alive = (0..200).any(|_| {
        std::thread::sleep(Duration::from_millis(100));
        all_alive(&place.json(&["fable", "status", "--store", store, "--json"]))
    });
    assert!(alive, "four workers are seen");
    assert_eq!(games(place, &agent("mailbox"), "6", "mailbox"), direct);
    let status = place.json(&["fable", "status", "--store", store, "--json"]);
    assert!(
        status["answers"].as_array().unwrap().iter().all(|one| one["in_time"].as_u64() > Some(10)),
        "{status}"
    );
    assert!(status["workers"][0]["alive"].as_bool().unwrap(), "{status}");
}

#[test]
fn all_carriers_choose_the_same_actions() {
    let place = Place::new();
    carriers_agree(&place, &place.path("games"));
}

#[test]
fn all_carriers_choose_the_same_actions_over_postgres() {
    let server = PostgresServer::start();
    carriers_agree(&Place::new(), &server.url("games"));
}

/// A program that stands in for `parlor fable worker` and misbehaves.
fn misbehaving(place: &Place, name: &str, on_line: &str) -> String {
    use std::os::unix::fs::PermissionsExt;
    let file = place.path(name);
    fs::write(&file, format!("#!/bin/sh\nwhile read -r line; do {on_line}; done\n")).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    file
}

#[test]
fn workers_that_misbehave_are_ignored() {
    let place = Place::new();
    let store = place.path("games");
    train(&place, &store, "1x50", "1");
    for (name, on_line) in [
        ("hangs", "sleep 60"),
        ("dies", "exit 3"),
        ("garbage", "echo '}{'"),
        ("half", "printf '{\"id\": 1, \"answ'; exit"),
        ("another", "echo '{\"id\": 999, \"answers\": [[1, 1]]}'"),
        ("short", "echo '{\"id\": 1, \"answers\": []}'"),
        (
            "lies",
            "echo '{\"id\": 1, \"answers\": [[7, 7], [7, 7], [7, 7], [7, 7], [7, 7], [7, 7], [7, 7], [7, 7], [7, 7]]}'",
        ),
    ] {
        let program = misbehaving(&place, name, on_line);
        let agent = format!("fable(store={store}, carrier=processes, deadline_ms=50)");
        let mut call = place.parlor(&[
            "match",
            "minesweeper",
            &agent,
            "random",
            "--pairs",
            "1",
            "--out",
            "none",
            "--json",
        ]);
        let output = call.env("PARLOR_FABLE_PROGRAM", &program).assert().success();
        let result: Value = serde_json::from_slice(&output.get_output().stdout).unwrap();
        assert_eq!(result["forfeits"], serde_json::json!([0, 0]), "{name}: the match goes on");
    }
}
