//! `--record` and `parlor history games`, `replay`, `export`, `sizes`.

use std::fs;

use crate::place::Place;

/// A place with a store of four games.
fn recorded() -> (Place, String) {
    let place = Place::new();
    let store = place.path("store");
    let words = ["match", "tictactoe", "random", "mcts(sims=20)", "--pairs", "2", "--record", &store];
    let said = place.parlor(&words).assert().success().get_output().stderr.clone();
    assert_eq!(String::from_utf8(said).unwrap(), format!("4 games recorded in {store}\n"));
    (place, store)
}

#[test]
fn recorded_games_are_listed_filtered_and_measured() {
    let (place, store) = recorded();
    let all = place.stdout(&["history", "games", "--store", &store]);
    assert_eq!(all.lines().count(), 5, "{all}");
    assert!(all.contains("random – mcts(sims=20)") && all.contains("mcts(sims=20) – random"), "{all}");
    let ids = |words: &[&str]| -> Vec<i64> {
        let words: Vec<&str> =
            ["history", "games", "--store", &store, "--json"].iter().chain(words).copied().collect();
        place.json(&words)["games"]
            .as_array()
            .unwrap()
            .iter()
            .map(|game| game["id"].as_i64().unwrap())
            .collect()
    };
    assert_eq!(ids(&[]), [1, 2, 3, 4]);
    assert_eq!(ids(&["--last", "1"]), [4]);
    assert_eq!(ids(&["--game", "chess"]), [0; 0]);
    assert_eq!(ids(&["--agent", "sims=20", "--since", "2020-01-01"]).len(), 4);
    assert_eq!(ids(&["--until", "2020-01-01"]), [0; 0]);
    let sizes = place.json(&["history", "sizes", "--store", &store, "--json"]);
    assert_eq!((&sizes["games"], sizes["types"].as_array().unwrap().len()), (&4.into(), 1));
    assert!(place.stdout(&["history", "sizes", "--store", &store]).contains("bytes a decision"));
    // The log is as it was.
    assert!(place.stdout(&["history"]).contains("won, drawn, lost"));
}

#[test]
fn recorded_games_are_replayed_and_exported() {
    let (place, store) = recorded();
    let again = place.stdout(&["history", "replay", "2", "--store", &store, "--ascii"]);
    // The line is as wide as a terminal, wherever that breaks it.
    let head = again.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(head.contains("mcts(") && head.contains(") against random"), "{again}");
    for (name, head) in
        [("games.csv", "id,game,ended,step"), ("games.jsonl", "{\"parlor\":1,"), ("games.parquet", "PAR1")]
    {
        let file = place.path(name);
        assert!(
            place.stdout(&["history", "export", "--store", &store, "-o", &file]).starts_with("4 games in ")
        );
        assert!(fs::read(&file).unwrap().starts_with(head.as_bytes()), "{name}");
    }
    // What was exported can be shown again.
    let file = place.path("games.jsonl");
    assert_eq!(place.stdout(&["play", "--replay", &file, "--number", "2", "--ascii"]), again);
}

#[test]
fn games_of_people_and_watched_games_are_recorded() {
    let place = Place::new();
    let store = place.path("store");
    let watched = place.stdout(&[
        "play",
        "tictactoe",
        "--watch",
        "random",
        "random",
        "--seed",
        "1",
        "--record",
        &store,
    ]);
    assert!(watched.ends_with(&format!("Recorded as game 1 in {store}.\n")), "{watched}");
    let words = ["play", "minesweeper(rows=1,columns=2,mines=1)", "--seed", "1", "--record", &store];
    let output =
        place.parlor(&words).write_stdin("a1\nb1\nquit\n").assert().success().get_output().stdout.clone();
    let said = String::from_utf8(output).unwrap();
    assert!(said.contains("Recorded as game 2 in "), "{said}");
    let games = place.json(&["history", "games", "--store", &store, "--json"]);
    assert_eq!(games["games"][1]["seats"][0], "you");
    // A match that is left is not recorded.
    let words = ["play", "tictactoe", "--seed", "1", "--record", &store];
    place.parlor(&words).write_stdin("a1\nquit\n").assert().success();
    assert_eq!(place.json(&["history", "sizes", "--store", &store, "--json"])["games"], 2);
}

#[test]
fn wrong_stores_get_a_sentence() {
    let place = Place::new();
    let missing = place.path("nothing");
    let says = |words: &[&str]| place.sentence(words);
    assert!(says(&["history", "games", "--store", &missing]).contains("there is no history in"));
    assert!(says(&["history", "sizes", "--store", &missing]).contains("there is no history in"));
    assert!(!std::path::Path::new(&missing).exists());
    let file = place.path("text");
    fs::write(&file, "text").unwrap();
    for words in [
        &["match", "tictactoe", "random", "random", "--record", &file][..],
        &["tournament", "tictactoe", "random", "mcts", "--record", &file],
        &["play", "tictactoe", "--record", &file],
    ] {
        assert!(says(words).contains("it is a file, a folder is needed"), "{words:?}");
    }
    let secret = "postgres://ann:topsecret@127.0.0.1:1/games";
    for words in [
        &["match", "tictactoe", "random", "random", "--record", secret][..],
        &["play", "tictactoe", "--record", secret],
        &["history", "games", "--store", secret],
        &["history", "export", "--store", secret, "-o", &place.path("x.csv")],
    ] {
        let said = says(words);
        assert!(said.contains("postgres://ann:***@127.0.0.1:1/games cannot be reached"), "{said}");
        assert!(!said.contains("topsecret"), "{said}");
    }
    assert!(
        says(&["history", "games", "--store", "mysql://ann:topsecret@h/g"]).contains("mysql://ann:***@h/g")
    );
    let (place, store) = recorded();
    assert!(place.sentence(&["history", "replay", "9", "--store", &store]).contains("its last game is 4"));
    assert!(place.sentence(&["history", "replay", "0", "--store", &store]).contains("a whole number from 1"));
    assert!(
        place.sentence(&["history", "games", "--store", &store, "--since", "monday"]).contains("a date like")
    );
    let out = place.path("games.xls");
    assert!(
        place
            .sentence(&["history", "export", "--store", &store, "-o", &out])
            .contains("ends neither in .jsonl")
    );
    let out = place.path("none.csv");
    let none = ["history", "export", "--store", &store, "--game", "chess", "-o", &out];
    assert!(place.sentence(&none).contains("nothing was written"));
    assert!(!std::path::Path::new(&out).exists());
}

#[cfg(unix)]
mod unix {
    use std::fs;

    use parlor_testkit::postgres::PostgresServer;

    use super::recorded;
    use crate::place::{Place, Reader, with_file_limit};

    /// A file that may not grow any more, as on a full disk: the run says so, and resuming records what is missing.
    #[test]
    fn a_full_disk_gets_a_sentence_and_nothing_is_lost() {
        let place = Place::new();
        let (store, run) = (place.path("store"), place.path("run"));
        let call = format!("match tictactoe random random --pairs 2000 --out {run} --record {store}");
        let output = with_file_limit(&place, 600, &call);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(
            said.contains("limit of its size") || said.contains("larger than the system allows"),
            "{said}"
        );
        let words = ["match", "--resume", &run, "--record", &store];
        place.parlor(&words).assert().success();
        assert_eq!(place.json(&["history", "sizes", "--store", &store, "--json"])["games"], 4000);
        let games = place.json(&["history", "games", "--store", &store, "--json"]);
        let lines = fs::read_to_string(place.path("run/games.jsonl")).unwrap();
        let seeds: Vec<u64> =
            games["games"].as_array().unwrap().iter().map(|game| game["seed"].as_u64().unwrap()).collect();
        let kept = lines
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["seed"].as_u64().unwrap());
        assert!(kept.eq(seeds), "every game once and in order");
    }

    /// A user who may only read: lists work, recording says why it does not.
    #[test]
    fn a_store_that_may_only_be_read_is_read() {
        let (place, store) = recorded();
        let reader = Reader::of(&place, &store);
        let (code, out, err) = reader.run(&["history", "games", "--store", &store]);
        assert!(code == Some(0) && out.lines().count() == 5, "{out}{err}");
        let (code, out, err) =
            reader.run(&["match", "tictactoe", "random", "random", "--record", &store, "--out", "none"]);
        assert!(code == Some(2) && out.is_empty(), "{out}{err}");
        assert!(
            err.contains("read-only for this user") || err.contains("may not write to its folder"),
            "{err}"
        );
    }

    #[test]
    fn games_are_recorded_in_postgres() {
        let server = PostgresServer::start();
        let place = Place::new();
        let store = server.url("games").replace("parlor@", "parlor:topsecret@");
        let run = place.path("run");
        let words =
            ["match", "tictactoe", "random", "random", "--pairs", "3", "--out", &run, "--record", &store];
        let said = place.parlor(&words).assert().success().get_output().stderr.clone();
        let said = String::from_utf8(said).unwrap();
        assert!(said.starts_with("6 games recorded in postgres://parlor:***@127.0.0.1:"), "{said}");
        let games = place.stdout(&["history", "games", "--store", &store, "--json"]);
        assert!(games.contains("\"id\":6") && !games.contains("topsecret"), "{games}");
        assert!(place.stdout(&["history", "sizes", "--store", &store]).contains("6 games"));
        let out = place.path("games.csv");
        place.stdout(&["history", "export", "--store", &store, "-o", &out]);
        // No file of the run has the password. A folder does not decide whom the program connects to.
        for file in fs::read_dir(&run).unwrap() {
            assert!(!fs::read_to_string(file.unwrap().path()).unwrap().contains("topsecret"));
        }
        let said = place.sentence(&["match", "--resume", &run]);
        assert!(said.contains("was recorded in postgres://parlor@127.0.0.1:"), "{said}");
        let words = ["match", "--resume", &run, "--record", &store];
        let said = place.parlor(&words).assert().success().get_output().stderr.clone();
        assert!(String::from_utf8(said).unwrap().starts_with("0 games recorded in postgres://parlor:***@"));
    }
}
