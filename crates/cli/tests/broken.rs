//! Runs that are killed, and go on.

use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const PARLOR: &str = env!("CARGO_BIN_EXE_parlor");

fn parlor(words: &[&str]) -> Command {
    let mut command = Command::new(PARLOR);
    command.args(words).env("PARLOR_HOME", Path::new(env!("CARGO_TARGET_TMPDIR")).join("home"));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn stdout(words: &[&str]) -> String {
    let output = parlor(words).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Starts a run and kills it, without any warning, as soon as it has written something.
fn kill_in_the_middle(words: &[&str], folder: &Path, lines: usize) {
    let mut child = parlor(words).spawn().unwrap();
    let games = folder.join("games.jsonl");
    let patience = Instant::now() + Duration::from_secs(60);
    while std::fs::metadata(&games).map_or(0, |file| file.len()) < 5_000 {
        assert!(Instant::now() < patience, "nothing is written");
        sleep(Duration::from_millis(1));
    }
    // The process of this one handle, by its id: SIGKILL on Unix.
    child.kill().unwrap();
    child.wait().unwrap();
    let known = std::fs::read_to_string(&games).unwrap().lines().count();
    assert!(0 < known && known < lines, "killed in the middle: {known} of {lines} lines");
    assert!(!folder.join("result.json").exists());
}

#[test]
fn a_killed_match_goes_on_as_if_nothing_had_happened() {
    let place = tempfile::tempdir().unwrap();
    let [whole, killed] = ["whole", "killed"].map(|name| place.path().join(name));
    let call = |out: &Path, threads: &'static str| {
        let words = "match dominoes expert random --pairs 2000 --seed 8 --json --threads";
        let mut words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        words.extend([threads.to_owned(), "--out".to_owned(), out.to_str().unwrap().to_owned()]);
        words
    };
    let words = call(&whole, "1");
    let unbroken = stdout(&words.iter().map(String::as_str).collect::<Vec<_>>());
    let words = call(&killed, "2");
    kill_in_the_middle(&words.iter().map(String::as_str).collect::<Vec<_>>(), &killed, 4_000);
    let resumed = stdout(&["match", "--resume", killed.to_str().unwrap(), "--json"]);
    assert_eq!(resumed, unbroken);
    for file in ["match.json", "games.jsonl", "result.json"] {
        let [one, two] = [&whole, &killed].map(|folder| std::fs::read(folder.join(file)).unwrap());
        assert!(one == two, "{file} differs");
    }
}
