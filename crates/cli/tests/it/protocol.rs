//! `parlor engine check`: good programs pass, and each fault is found by its check.

use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

const PARLOR: &str = env!("CARGO_BIN_EXE_parlor");

/// A good program for tictactoe and dominoes that plays the first legal move.
const GOOD: &str = r#"set -f
while read -r word rest; do
  case $word in
    parlor) echo "name a script"; echo ready ;;
    game) case $rest in tictactoe*|dominoes*) echo ok ;; *) echo refuse unknown ;; esac ;;
    new) : ;;
    legal) set -- $rest; first=$1 ;;
    go) echo move $first ;;
    over) : ;;
    quit) exit ;;
  esac
done
"#;

/// How long an answer may take, in milliseconds: nobody waits for so long, but a busy machine may need a part of it.
const PATIENCE: &str = "20000";

/// The same for programs that do not answer.
const SHORT: &str = "3000";

fn check(command: &str, words: &[&str], code: i32) -> Value {
    check_within(PATIENCE, command, words, code)
}

fn check_within(time: &str, command: &str, words: &[&str], code: i32) -> Value {
    let mut call = Command::new(PARLOR);
    let call =
        call.args(["engine", "check", command, "--json", "--time", time, "--matches", "2"]).args(words);
    let output = call.assert().code(code).get_output().stdout.clone();
    let answer: Value = serde_json::from_slice(&output).expect("--json prints one JSON document");
    assert_eq!(answer["passed"], code == 0);
    answer
}

/// Checks a script, and returns the names of the checks that failed.
fn failed(folder: &Path, script: &str) -> Vec<String> {
    let file = folder.join("engine.sh");
    std::fs::write(&file, script).unwrap();
    let answer = check_within(
        if script.contains("sleep") { SHORT } else { PATIENCE },
        &format!("sh {}", file.display()),
        &["--game", "tictactoe", "--game", "dominoes(target=none)"],
        1,
    );
    let checks = answer["checks"].as_array().unwrap();
    let mut names: Vec<String> = checks
        .iter()
        .filter(|check| check["passed"] == false)
        .map(|check| check["check"].as_str().unwrap().to_owned())
        .collect();
    names.dedup();
    names
}

#[test]
fn our_own_engines_pass() {
    for (game, agent) in
        [("tictactoe", "random"), ("dominoes", "expert"), ("darkchess", "random"), ("minesweeper", "random")]
    {
        let answer = check(&format!("{PARLOR} engine {game} {agent}"), &["--game", game], 0);
        let plays =
            answer["checks"].as_array().unwrap().iter().find(|check| check["check"] == "plays").unwrap();
        assert!(plays["found"].as_str().unwrap().starts_with("2 matches"), "{plays}");
    }
}

#[test]
fn refusing_is_fine_unless_a_game_was_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("engine.sh");
    std::fs::write(&file, GOOD).unwrap();
    let command = format!("sh {}", file.display());
    check(&command, &[], 0);
    check(&format!("cmd:{command}"), &["--game", "tictactoe(rows=4)"], 0);
    check(&command, &["--game", "connect"], 1);
}

/// What a program does wrong (a part of the good one, and what stands there instead), and which checks find it.
const FAULTS: [(&str, &str, &[&str]); 11] = [
    ("echo ready", "exit", &["greets"]),
    ("    parlor)", "    xyzzy) exit ;;\n    parlor)", &["ignores unknown words"]),
    ("echo refuse unknown", "echo ok", &["refuses what it does not know"]),
    ("tictactoe*|", "", &["takes the game"]),
    ("echo move $first", "echo move z9", &["plays", "begins anew", "plays", "begins anew"]),
    ("echo move $first", "sleep 1000", &["plays", "begins anew", "plays", "begins anew"]),
    ("over) :", "over) exit", &["plays"]),
    ("new) : ;;", "new) [ \"$busy\" ] && exit; busy=1 ;;\n    over) busy= ;;", &["begins anew"]),
    ("quit) exit", "quit) sleep 1000", &["quits"]),
    ("done\n", "done\nsleep 1000\n", &["follows its input"]),
    // A word that no program knows.
    ("new) : ;;", "new) : ;;\n    hint) exit ;;", &["plays", "begins anew", "plays", "begins anew"]),
];

#[test]
fn each_fault_is_found() {
    // They mostly wait, so they may wait together.
    std::thread::scope(|scope| {
        for (from, to, checks) in FAULTS {
            scope.spawn(move || {
                assert!(GOOD.contains(from));
                let folder = tempfile::tempdir().unwrap();
                assert_eq!(failed(folder.path(), &GOOD.replace(from, to)), checks, "{to}");
            });
        }
    });
}

#[test]
fn words_for_people() {
    let command = format!("{PARLOR} engine tictactoe random");
    let mut call = Command::new(PARLOR);
    let output = call.args(["engine", "check", &command]).assert().success().get_output().stdout.clone();
    let text = String::from_utf8(output).unwrap();
    assert!(text.contains("✓ tictactoe: plays") && text.ends_with("checks passed\n"), "{text}");
    let output = Command::new(PARLOR)
        .args(["engine", "check", "/no/such/program"])
        .assert()
        .code(1)
        .get_output()
        .clone();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("✗ greets") && text.contains("cannot be started") && text.contains("expected: `ready`"),
        "{text}"
    );
    assert!(output.stderr.is_empty());
    Command::new(PARLOR).args(["engine", "check", "cat", "--game", "domino"]).assert().code(2);
    Command::new(PARLOR).args(["engine", "check", "it's", "--game", "dominoes"]).assert().code(1);
}
