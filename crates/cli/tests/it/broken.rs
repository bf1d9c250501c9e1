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

/// A program that thinks for an hour about the third decision of a match, unless a file says that it is in a hurry.
const SLOW: &str = r#"
hurry=$1
while read -r word rest; do
  case $word in
    parlor) echo ready ;;
    game) echo ok ;;
    new) turns=0 ;;
    legal) first=${rest%% *} ;;
    go)
      turns=$((turns + 1))
      if [ $turns = 3 ] && [ ! -e "$hurry" ]; then sleep 3600; fi
      echo "move $first" ;;
    quit) exit ;;
  esac
done
"#;

/// Ctrl-C while agents think: the match ends at once, whole pairs are kept, and going on gives what an unbroken run gives.
#[cfg(unix)]
#[test]
fn ctrl_c_breaks_off_a_long_search() {
    let place = tempfile::tempdir().unwrap();
    let [script, hurry, whole, broken] =
        ["slow.sh", "hurry", "whole", "broken"].map(|name| place.path().join(name));
    std::fs::write(&script, SLOW).unwrap();
    std::fs::write(&hurry, "").unwrap();
    let slow = format!("cmd:sh {} {}", script.display(), hurry.display());
    let words = |out: &Path| -> Vec<String> {
        let out = out.to_str().unwrap();
        let words = ["match", "tictactoe", "random", &slow, "--pairs", "4", "--threads", "1", "--out", out];
        words.map(str::to_owned).to_vec()
    };
    let call = |words: &[String]| parlor(&words.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(call(&words(&whole)).output().unwrap().status.success());

    std::fs::remove_file(&hurry).unwrap();
    let child = call(&words(&broken)).spawn().unwrap();
    let games = broken.join("games.jsonl");
    let patience = Instant::now() + Duration::from_secs(60);
    while !games.exists() {
        assert!(Instant::now() < patience, "nothing is begun");
        sleep(Duration::from_millis(1));
    }
    // Long enough for the first pair to come to its third decision; if not, the signal comes between two.
    sleep(Duration::from_millis(300));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("stopped early; go on with: parlor match --resume"), "{text}");
    assert_eq!(std::fs::read_to_string(&games).unwrap().lines().count() % 2, 0, "whole pairs");
    assert!(!broken.join("result.json").exists());

    std::fs::write(&hurry, "").unwrap();
    stdout(&["match", "--resume", broken.to_str().unwrap()]);
    for file in ["match.json", "games.jsonl", "result.json"] {
        let [one, two] = [&whole, &broken].map(|folder| std::fs::read_to_string(folder.join(file)).unwrap());
        assert!(one == two, "{file} differs");
    }
}

/// Waits until a run has written some games.
fn wait_for_games(folder: &Path) {
    let games = folder.join("games.jsonl");
    let patience = Instant::now() + Duration::from_secs(60);
    while std::fs::metadata(&games).map_or(0, |file| file.len()) < 5_000 {
        assert!(Instant::now() < patience, "nothing is written");
        sleep(Duration::from_millis(1));
    }
}

/// Starts a run and kills it, without any warning, as soon as it has written something.
fn kill_in_the_middle(words: &[&str], folder: &Path, lines: usize) {
    let mut child = parlor(words).spawn().unwrap();
    wait_for_games(folder);
    // The process of this one handle, by its id: SIGKILL on Unix.
    child.kill().unwrap();
    child.wait().unwrap();
    let known = std::fs::read_to_string(folder.join("games.jsonl")).unwrap().lines().count();
    assert!(0 < known && known < lines, "killed in the middle: {known} of {lines} lines");
    assert!(!folder.join("result.json").exists());
}

/// Plays a run twice: whole on one thread, and on two, killed and resumed. Everything must come out equal.
fn killed_equals_whole(words: &str, lines: usize, files: &[&str]) {
    let place = tempfile::tempdir().unwrap();
    let [whole, killed] = ["whole", "killed"].map(|name| place.path().join(name));
    let words: Vec<&str> = words.split(' ').collect();
    let [one, two] = [&whole, &killed].map(|path| path.to_str().unwrap());
    let unbroken = stdout(&[&words[..], &["--json", "--threads", "1", "--out", one]].concat());
    let killed_words = [&words[..], &["--json", "--threads", "2", "--out", two]].concat();
    kill_in_the_middle(&killed_words, &killed, lines);
    assert_eq!(stdout(&[words[0], "--resume", two, "--json"]), unbroken);
    for file in files {
        let [one, two] = [&whole, &killed].map(|folder| std::fs::read(folder.join(file)).unwrap());
        assert!(one == two, "{file} differs");
    }
}

/// Ctrl-C, sent twice at once as wrappers do: the run ends in good order, and goes on.
#[cfg(unix)]
#[test]
fn ctrl_c_stops_in_good_order() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("run");
    let out = folder.to_str().unwrap();
    let words = "tournament dominoes expert random scoring --pairs 100000 --threads 2 --out";
    let words: Vec<&str> = words.split(' ').chain([out]).collect();
    let child = parlor(&words).spawn().unwrap();
    wait_for_games(&folder);
    let id = child.id().to_string();
    for _ in 0..2 {
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    }
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("stopped early; go on with: parlor tournament --resume"), "{text}");
    assert!(folder.join("report.html").exists());
    let lines = std::fs::read_to_string(folder.join("games.jsonl")).unwrap().lines().count();
    assert!(lines.is_multiple_of(2) && lines < 600_000, "whole pairs");
}

#[test]
fn a_killed_match_goes_on_as_if_nothing_had_happened() {
    let words = "match dominoes expert random --pairs 2000 --seed 8";
    killed_equals_whole(words, 4_000, &["match.json", "games.jsonl", "result.json"]);
}

#[test]
fn a_killed_tournament_goes_on_as_if_nothing_had_happened() {
    let words = "tournament dominoes expert random scoring --pairs 700 --seed 8";
    let files = ["tournament.json", "games.jsonl", "result.json", "report.html"];
    killed_equals_whole(words, 4_200, &files);
}

const TRAINING: &str = "train dominoes collective(epsilon=0.1,memory_mb=1) --against expert self --plan 60x100 --test-matches 20 --seed 4 -o";

/// Waits until a training has kept some rounds.
fn wait_for_rounds(file: &Path) {
    let patience = Instant::now() + Duration::from_secs(60);
    while std::fs::metadata(file).map_or(0, |file| file.len()) < 20_000 {
        assert!(Instant::now() < patience, "nothing is written");
        sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_killed_training_goes_on_as_if_nothing_had_happened() {
    let place = tempfile::tempdir().unwrap();
    let [whole, killed] = ["whole", "killed"].map(|name| place.path().join(name));
    let [one, two] = [&whole, &killed].map(|path| path.to_str().unwrap());
    let words: Vec<&str> = TRAINING.split(' ').collect();
    let unbroken = stdout(&[&words[..], &[one, "--json"]].concat());
    let mut child = parlor(&[&words[..], &[two]].concat()).spawn().unwrap();
    wait_for_rounds(&killed);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(stdout(&["inspect", two, "--rows", "1"]).contains(", not finished"), "killed in the middle");
    assert_eq!(stdout(&["train", "--resume", two, "--json"]), unbroken);
    assert!(std::fs::read(whole).unwrap() == std::fs::read(killed).unwrap());
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_the_last_whole_round() {
    let place = tempfile::tempdir().unwrap();
    let [whole, stopped] = ["whole", "stopped"].map(|name| place.path().join(name));
    let [one, two] = [&whole, &stopped].map(|path| path.to_str().unwrap());
    let words: Vec<&str> = TRAINING.split(' ').collect();
    let child = parlor(&[&words[..], &[two]].concat()).spawn().unwrap();
    wait_for_rounds(&stopped);
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains(&format!("go on with: parlor train --resume {two}")), "{text}");
    stdout(&[&words[..], &[one]].concat());
    stdout(&["train", "--resume", two]);
    assert!(std::fs::read(whole).unwrap() == std::fs::read(stopped).unwrap());
}

/// Ctrl-C in `parlor learn`: the last whole round is kept, and the same call goes on from there.
#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_was_learnt() {
    let home = tempfile::tempdir().unwrap();
    let words = ["learn", "tictactoe", "--learner", "collective", "--seconds", "2", "--threads", "1"];
    let call = || {
        let mut command = parlor(&words);
        command.env("PARLOR_HOME", home.path());
        command
    };
    let child = call().spawn().unwrap();
    let file = home.path().join("learnt/tictactoe-collective-2s.parlor");
    let patience = Instant::now() + Duration::from_secs(60);
    // Empty knowledge is written at once; the first whole round is larger.
    while std::fs::metadata(&file).map_or(0, |file| file.len()) < 10_000 {
        assert!(Instant::now() < patience, "nothing is written");
        sleep(Duration::from_millis(1));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("stopped early, ") && text.contains("go on with: parlor learn tictactoe"),
        "{text}"
    );
    let output = call().output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(!text.contains("\nround 1/"), "it goes on after the rounds that are kept:\n{text}");
}

/// An engine that is deaf to everything: it takes the game, then hangs in a program of its own.
#[cfg(target_os = "linux")]
const DEAF: &str = r#"
trap '' HUP INT PIPE TERM
while read -r word rest; do
  case $word in
    parlor) echo ready ;;
    game) echo ok ;;
    go)
      sleep 3600 &
      echo "$$ $!" > "$1.draft"
      mv "$1.draft" "$1"
      while :; do wait; done ;;
  esac
done
"#;

/// Returns whether a process is there and not merely waiting to be forgotten.
#[cfg(target_os = "linux")]
fn is_running(process: &str) -> bool {
    let about = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    about.rsplit_once(") ").is_some_and(|(_, state)| !state.starts_with('Z'))
}

/// A killed program cannot end its engines; they end all the same, with everything that they have started.
#[cfg(target_os = "linux")]
#[test]
fn engines_do_not_outlive_a_killed_run() {
    let place = tempfile::tempdir().unwrap();
    let [script, started] = ["deaf.sh", "started"].map(|name| place.path().join(name));
    std::fs::write(&script, DEAF).unwrap();
    let deaf = format!("cmd:sh {} {}", script.display(), started.display());
    let words = ["match", "tictactoe", "random", &deaf, "--pairs", "1", "--threads", "1", "--no-games"];
    let mut child = parlor(&words).spawn().unwrap();
    let patience = Instant::now() + Duration::from_secs(60);
    while !started.exists() {
        assert!(Instant::now() < patience, "the engine is not asked");
        sleep(Duration::from_millis(1));
    }
    let engines = std::fs::read_to_string(&started).unwrap();
    let engines: Vec<&str> = engines.split_whitespace().collect();
    assert!(engines.len() == 2 && engines.iter().all(|engine| is_running(engine)), "{engines:?}");
    // The process of this one handle, by its id: SIGKILL.
    child.kill().unwrap();
    child.wait().unwrap();
    let patience = Instant::now() + Duration::from_secs(10);
    while engines.iter().any(|engine| is_running(engine)) {
        assert!(Instant::now() < patience, "{engines:?} are still there");
        sleep(Duration::from_millis(5));
    }
}
