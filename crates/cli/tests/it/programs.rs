//! Programs as agents: their standard error, why they forfeit, and the folder they are in.

use std::fs;
use std::path::Path;

use crate::place::Place;
use assert_cmd::Command;
use serde_json::Value;

/// A program that plays the first legal move, or does something else instead.
fn engine(folder: &Path, on_go: &str) {
    use std::os::unix::fs::PermissionsExt;
    let script = format!(
        r#"#!/bin/sh
set -f
while read -r word rest; do
  case $word in
    parlor) echo ready ;;
    game) echo ok ;;
    legal) set -- $rest; first=$1 ;;
    go) {on_go} ;;
    quit) exit ;;
  esac
done
"#
    );
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join("engine.sh"), script).unwrap();
    fs::set_permissions(folder.join("engine.sh"), fs::Permissions::from_mode(0o755)).unwrap();
}

fn in_folder(place: &Place, folder: &str, words: &[&str]) -> Command {
    let mut command = place.parlor(words);
    command.current_dir(place.path(folder));
    command
}

fn stdout(mut command: Command) -> String {
    String::from_utf8(command.assert().success().get_output().stdout.clone()).unwrap()
}

#[test]
fn a_match_says_why_games_were_forfeited() {
    let place = Place::new();
    engine(Path::new(&place.path("a")), "echo 'no such book' >&2; exit 1");
    let log = place.path("log");
    let words = ["match", "tictactoe", "cmd:./engine.sh", "random", "--pairs", "2", "--log", &log];
    let text = stdout(in_folder(&place, "a", &words));
    assert!(text.contains("forfeited 4 games\n"), "{text}");
    let reason = "4 games: the program ended or closed its output (stderr: no such book)";
    assert!(text.contains(reason), "{text}");
    let logged = fs::read_to_string(&log).unwrap();
    assert_eq!(logged.lines().filter(|line| line.ends_with(": no such book")).count(), 4, "{logged}");
    assert!(logged.lines().next().unwrap().starts_with("engine 1: started: "), "{logged}");

    let words = ["match", "tictactoe", "cmd:./engine.sh", "random", "--pairs", "1", "--json"];
    let found: Value = serde_json::from_str(&stdout(in_folder(&place, "a", &words))).unwrap();
    assert_eq!(found["forfeit_reasons"][0][0]["games"], 2);
    assert_eq!(found["forfeit_reasons"][0][0]["reason"], "the program ended or closed its output");
    assert_eq!(found["forfeit_reasons"][1], Value::Array(Vec::new()));
    assert_eq!(found["stopped"], Value::Null);

    let folder = place.path("t");
    let words = ["tournament", "tictactoe", "cmd:./engine.sh", "random", "--pairs", "1", "--out", &folder];
    let text = stdout(in_folder(&place, "a", &words));
    assert!(text.contains("cmd:engine.sh forfeited 2 of 2 games. 2 games: the program ended"), "{text}");
    let page = fs::read_to_string(Path::new(&folder).join("report.html")).unwrap();
    assert!(page.contains("(stderr: no such book)"), "the report has the reason");
    let numbers: Value =
        serde_json::from_str(&fs::read_to_string(Path::new(&folder).join("result.json")).unwrap()).unwrap();
    assert_eq!(numbers["agents"][1]["forfeit_reasons"][0]["games"], 2);

    let unwritable = place.sentence(&["match", "tictactoe", "random", "random", "--log", "/no/such/place"]);
    assert!(unwritable.contains("/no/such/place cannot be written"), "{unwritable}");
}

#[test]
fn a_check_shows_stderr() {
    let place = Place::new();
    engine(Path::new(&place.path("a")), "echo out of cheese >&2; exit 1");
    let words = ["engine", "check", "./engine.sh", "--game", "tictactoe", "--matches", "1"];
    let output = in_folder(&place, "a", &words).assert().code(1).get_output().stdout.clone();
    let text = String::from_utf8(output).unwrap();
    assert!(text.contains("    stderr: out of cheese\n"), "{text}");
    let words = [&words[..], &["--json"]].concat();
    let output = in_folder(&place, "a", &words).assert().code(1).get_output().stdout.clone();
    let found: Value = serde_json::from_slice(&output).unwrap();
    let checks = found["checks"].as_array().unwrap();
    let plays = checks.iter().find(|check| check["check"] == "plays").unwrap();
    assert_eq!(plays["stderr"][0], "out of cheese");
    assert!(
        checks
            .iter()
            .filter(|check| check["passed"] == true)
            .all(|check| check["stderr"].as_array().unwrap().is_empty())
    );
}

/// Resumes a match of four pairs, of which two were kept, and compares it with the whole.
fn resumes(place: &Place, run: &str, from: &str, whole: &str) {
    let lines: Vec<&str> = whole.lines().collect();
    let rows = Path::new(&place.path(run)).join("games.jsonl");
    fs::write(&rows, lines[..4].join("\n") + "\n").unwrap();
    stdout(in_folder(place, from, &["match", "--resume", &place.path(run)]));
    assert_eq!(fs::read_to_string(&rows).unwrap(), whole);
}

#[test]
fn a_run_with_relative_paths_resumes_from_any_folder() {
    let place = Place::new();
    engine(Path::new(&place.path("a")), "echo move $first");
    fs::create_dir(place.path("b")).unwrap();
    // The script is an argument here: the folder matters, not only the program's path.
    for (run, agent) in [("one", "cmd:./engine.sh"), ("two", "cmd:sh engine.sh")] {
        let folder = place.path(run);
        let words = ["match", "tictactoe", agent, "random", "--pairs", "4", "--out", &folder];
        stdout(in_folder(&place, "a", &words));
        let whole = fs::read_to_string(Path::new(&folder).join("games.jsonl")).unwrap();
        resumes(&place, run, "b", &whole);
    }
    // A file of knowledge.
    let words = ["train", "tictactoe", "collective", "--plan", "1x4", "--out", "k.parlor", "--seed", "1"];
    stdout(in_folder(&place, "a", &words));
    let folder = place.path("three");
    let words =
        ["match", "tictactoe", "collective(file=k.parlor)", "random", "--pairs", "4", "--out", &folder];
    stdout(in_folder(&place, "a", &words));
    let whole = fs::read_to_string(Path::new(&folder).join("games.jsonl")).unwrap();
    resumes(&place, "three", "b", &whole);
}

#[test]
fn a_run_of_an_older_program_resumes_in_its_folder() {
    let place = Place::new();
    engine(Path::new(&place.path("a")), "echo move $first");
    let folder = place.path("run");
    let words = ["match", "tictactoe", "cmd:./engine.sh", "random", "--pairs", "4", "--out", &folder];
    stdout(in_folder(&place, "a", &words));
    let here = fs::canonicalize(place.path("a")).unwrap();
    // Before, full forms had relative paths and no folder.
    let old = |text: String| {
        let text = text.replace(&format!("{}/engine.sh", here.display()), "./engine.sh");
        text.replace(&format!(", folder={}", here.display()), "")
    };
    for name in ["match.json", "games.jsonl"] {
        let path = Path::new(&folder).join(name);
        let text = fs::read_to_string(&path).unwrap();
        let before = old(text.clone());
        assert!(before.contains("cmd(command=./engine.sh, timeout_s=60)"), "{before}");
        fs::write(&path, before).unwrap();
    }
    let whole = fs::read_to_string(Path::new(&folder).join("games.jsonl")).unwrap();
    resumes(&place, "run", "a", &whole);
}
