//! Files that are anything: devices, pipes, folders, files without end; names that speak to the terminal.

use std::fs;
use std::path::Path;

use crate::place::Place;

/// Every call that reads a file, with `FILE` for it.
const READERS: &[&str] = &[
    "play --replay FILE",
    "analyse --replay FILE --ply 1",
    "inspect FILE",
    "train --resume FILE",
    "book show FILE",
    "book build --resume FILE",
    "play tictactoe --agent collective(file=FILE)",
    "match tictactoe alphabeta(weights=FILE) random --pairs 1",
    "match tictactoe alphabeta(book=FILE) random --pairs 1",
    "match dominoes(rules=myers) nash(file=FILE) random --pairs 1",
    "tournament FILE.toml",
    "experiment run FILE.toml",
    "experiment show FILE.toml",
];

/// Every call that reads a folder, with `FOLDER` for it.
const FOLDER_READERS: &[&str] = &[
    "match --resume FOLDER",
    "tournament --resume FOLDER",
    "experiment report FOLDER",
    "endgame verify FOLDER",
    "match checkers alphabeta(endgames=FOLDER) random --pairs 1",
];

fn sentence(place: &Place, call: &str, word: &str, path: &str) -> String {
    let words: Vec<String> = call.split(' ').map(|part| part.replace(word, path)).collect();
    place.sentence(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

#[cfg(unix)]
#[test]
fn devices_and_pipes_are_refused() {
    let place = Place::new();
    for (name, target) in [("zero", "/dev/zero"), ("zero.toml", "/dev/zero")] {
        std::os::unix::fs::symlink(target, place.path(name)).unwrap();
    }
    for call in READERS {
        let said = sentence(&place, call, "FILE", &place.path("zero"));
        assert!(said.contains("it is a device or a pipe, a file is needed"), "{call}: {said}");
    }
    assert!(std::process::Command::new("mkfifo").arg(place.path("pipe")).status().unwrap().success());
    let said = sentence(&place, "play --replay FILE", "FILE", &place.path("pipe"));
    assert!(said.contains("it is a device or a pipe, a file is needed"), "{said}");
    // The rows of a run, and what is written: nothing waits for the other end of a pipe, nothing replaces a device.
    let run = place.path("run");
    place.stdout(&["match", "tictactoe", "random", "random", "--pairs", "1", "--out", &run]);
    let rows = format!("{run}/games.jsonl");
    fs::remove_file(&rows).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&rows).status().unwrap().success());
    let said = sentence(&place, "match --resume FOLDER", "FOLDER", &run);
    assert!(said.contains("it is a device or a pipe"), "{said}");
    let said =
        place.sentence(&["train", "tictactoe", "collective", "--plan", "1x1", "--force", "-o", "/dev/null"]);
    assert!(said.contains("it is a device or a pipe"), "{said}");
    assert!(!fs::metadata("/dev/null").unwrap().is_file(), "the device is still one");
}

#[test]
fn folders_are_not_files() {
    let place = Place::new();
    for name in ["folder", "folder.toml"] {
        fs::create_dir(place.path(name)).unwrap();
    }
    for call in READERS {
        let said = sentence(&place, call, "FILE", &place.path("folder"));
        assert!(said.contains("it is a folder, a file is needed"), "{call}: {said}");
    }
}

#[test]
fn files_are_not_folders_and_what_is_missing_is_named() {
    let place = Place::new();
    fs::write(place.path("file"), "text").unwrap();
    for call in FOLDER_READERS {
        let said = sentence(&place, call, "FOLDER", &place.path("file"));
        assert!(said.contains("is a file, a folder is needed"), "{call}: {said}");
    }
    let said = place.sentence(&["play", "--replay", &place.path("gone.jsonl")]);
    assert!(said.contains("gone.jsonl cannot be read: there is no such file"), "{said}");
    let said = place.sentence(&["tournament", &place.path("no/where.toml")]);
    assert!(said.contains("there is no folder `") && said.contains("/no`"), "{said}");
    let out = place.path("file/inside");
    let said = place.sentence(&["train", "tictactoe", "collective", "--plan", "1x1", "-o", &out]);
    assert!(said.contains("/file` is a file, a folder is needed"), "{said}");
}

#[test]
fn files_without_measure_are_refused() {
    let place = Place::new();
    for name in ["large", "large.toml"] {
        // A hole: it takes no room on the disk.
        fs::File::create(place.path(name)).unwrap().set_len(5 << 30).unwrap();
    }
    for call in READERS {
        // A file of many saved games may be large; one line of it may not.
        let wanted = if call.contains("--replay") {
            "a line is longer than"
        } else {
            "it is larger than the limit of"
        };
        let said = sentence(&place, call, "FILE", &place.path("large"));
        assert!(said.contains(wanted), "{call}: {said}");
    }
}

/// Returns whether a text has nothing that a terminal would obey.
fn is_harmless(text: &[u8]) -> bool {
    std::str::from_utf8(text).is_ok_and(|text| text.chars().all(|c| c == '\n' || !c.is_control()))
}

#[test]
fn nothing_from_outside_speaks_to_the_terminal() {
    let place = Place::new();
    let evil = "\u{1b}]0;owned\u{7}\u{9b}2J\r";
    let missing = place.path(&format!("{evil}.toml"));
    let knowledge = place.path("knowledge");
    place.stdout(&["train", "tictactoe", "collective", "--plan", "1x1", "-o", &knowledge]);
    let saved = format!(
        r#"{{"parlor":1,"game":"tictactoe","seats":[{0},{0}],"seed":7,"rng":"xoshiro256++","moves":"a1 b2","ending":"seat 0 forfeits: {1}"}}"#,
        serde_json::to_string(evil).unwrap(),
        serde_json::to_string(evil).unwrap().trim_matches('"'),
    );
    let replay = place.path("saved.jsonl");
    fs::write(&replay, &saved).unwrap();
    let nonsense = place.path("nonsense.jsonl");
    fs::write(&nonsense, saved.replace("a1 b2", &serde_json::to_string(evil).unwrap().replace('"', "")))
        .unwrap();
    let toml = place.path("evil.toml");
    fs::write(&toml, format!("game = \"{evil}\"\nagents = [\"random\"]\n{evil} = 1\n")).unwrap();
    let calls: &[&[&str]] = &[
        &[evil],
        &["games", evil],
        &["play", evil],
        &["match", "tictactoe", evil, "random", "--pairs", "1"],
        &["match", "tictactoe", "random", "random", "--pairs", evil],
        &["moves", "tictactoe", "--position", evil],
        &["tournament", &missing],
        &["tournament", &toml],
        &["experiment", "run", &toml],
        &["experiment", "show", evil],
        &["play", "--replay", &replay],
        &["play", "--replay", &nonsense],
        &["inspect", &missing],
        &["history", "--game", evil],
    ];
    for call in calls {
        let output = place.parlor(call).output().unwrap();
        for text in [&output.stdout, &output.stderr] {
            assert!(is_harmless(text), "{call:?}: {:?}", String::from_utf8_lossy(text));
        }
    }
    assert!(Path::new(&knowledge).exists());
}
