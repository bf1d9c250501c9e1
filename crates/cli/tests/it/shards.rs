//! Runs in parts by real processes: killed at random, in any order, several at once.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use parlor_core::Rng;

const PARLOR: &str = env!("CARGO_BIN_EXE_parlor");

/// How many shards each run is divided into.
const SHARDS: u64 = 4;

fn parlor(words: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(PARLOR);
    command.args(words).current_dir(folder).env("PARLOR_HOME", folder.join("home"));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn output(words: &[&str], folder: &Path) -> Output {
    parlor(words, folder).output().unwrap()
}

fn succeeds(words: &[&str], folder: &Path) -> String {
    let output = output(words, folder);
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn fails(words: &[&str], folder: &Path) -> String {
    let output = output(words, folder);
    assert_eq!(output.status.code(), Some(2), "{words:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// Plays every shard of a call, each killed again and again before it may end; returns the number of kills.
fn play_and_kill(call: &[&str], folder: &Path, random: &mut Rng) -> usize {
    let mut order: Vec<u64> = (0..SHARDS).collect();
    random.shuffle(&mut order);
    let mut kills = 0;
    for (number, shard) in order.into_iter().enumerate() {
        let text = format!("{shard}/{SHARDS}");
        let threads = (1 + number % 2).to_string();
        let words = [call, &["--shard", &text, "--out", "shards", "--threads", &threads]].concat();
        let file = folder.join(format!("shards/{shard}-of-{SHARDS}.shard"));
        for attempt in 0.. {
            // Two at once do not disturb each other.
            let mut children = [(); 2].map(|()| parlor(&words, folder).spawn().unwrap());
            if attempt < 3 {
                sleep(Duration::from_millis(u64::from(random.below(40 << attempt))));
                for child in &mut children {
                    kills += usize::from(child.try_wait().unwrap().is_none());
                    child.kill().unwrap();
                }
            }
            for child in &mut children {
                child.wait().unwrap();
            }
            if file.exists() {
                break;
            }
            assert!(attempt < 3, "{words:?} leaves no shard");
        }
        assert!(succeeds(&words, folder).contains("is there already"));
    }
    kills
}

/// Asserts that two folders have the same files with the same bytes.
fn same_files(one: &Path, other: &Path) {
    let names = |folder: &Path| {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut names: Vec<_> =
            entries.filter(|path| path.is_file()).map(|path| path.file_name().unwrap().to_owned()).collect();
        names.sort();
        names
    };
    assert_eq!(names(one), names(other));
    for name in names(one) {
        assert!(
            fs::read(one.join(&name)).unwrap() == fs::read(other.join(&name)).unwrap(),
            "{name:?} differs"
        );
    }
}

#[test]
fn killed_shards_merge_to_the_bytes_of_one_run() {
    let mine = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/json_page.toml");
    let calls: [&[&str]; 3] = [
        &["match", "connect(width=7, height=6)", "alphabeta(nodes=2000)", "mcts(sims=40)", "--pairs", "12"],
        &["tournament", "tictactoe", "random", "mcts(sims=50)", "alphabeta(depth=2)", "--pairs", "8"],
        &["experiment", "run", mine],
    ];
    for (seed, call) in calls.into_iter().enumerate() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path();
        let whole = succeeds(&[call, &["--out", "whole", "--json"]].concat(), folder);
        let kills = play_and_kill(call, folder, &mut Rng::new(seed as u64));
        assert!(kills > 0, "{call:?}: nothing was killed");
        let merged = succeeds(&["merge", "shards", "--out", "merged", "--json"], folder);
        // An experiment's document has its folder.
        assert_eq!(merged.replace("merged", "whole"), whole);
        same_files(&folder.join("whole"), &folder.join("merged"));
        let shards = fs::read_dir(folder.join("shards")).unwrap();
        let left: Vec<_> = shards.map(|entry| entry.unwrap().path()).collect();
        // A draft stays if its process is killed while another one finishes the file; it is in nobody's way.
        let whole = left.iter().filter(|path| path.extension().is_some_and(|ending| ending == "shard"));
        assert_eq!(whole.count() as u64, SHARDS, "{left:?}");
    }
}

#[test]
fn what_cannot_be_divided_is_refused_with_a_sentence() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    let game = ["match", "tictactoe", "random", "random"];
    let refused = |words: &[&str]| fails(&[&game, words].concat(), folder);
    for (words, sentence) in [
        (&["--shard", "0/2"][..], "--out"),
        (&["--shard", "2/2", "--out", "d"], "2 shards have the numbers 0 to 1"),
        (&["--shard", "0/2", "--out", "none"], "--shard needs a folder"),
        (&["--shard", "0/2", "--out", "d", "--time", "1m"], "no two machines are equally fast"),
        (&["--shard", "0/2", "--out", "d", "--time", "1m", "--ponder"], "--ponder cannot be divided"),
        (&["--shard", "0/2", "--out", "d", "--minutes", "1"], "--minutes"),
        (&["--shard", "0/2", "--out", "d", "--record", "s"], "--record"),
    ] {
        let said = refused(words);
        assert!(said.contains(sentence), "{words:?}: {said}");
    }
    let training = ["train", "tictactoe", "collective", "--shard", "0/2", "-o", "x.parlor"];
    let said = fails(&training, folder);
    assert!(said.contains("a training is one sequence of games and cannot be divided"), "{said}");
    assert!(fails(&["merge", "nowhere"], folder).contains("nowhere"));
    fs::create_dir(folder.join("empty")).unwrap();
    assert!(fails(&["merge", "empty"], folder).contains("empty holds no shards"));
    succeeds(&[&game[..], &["--pairs", "4", "--shard", "1/2", "--out", "half"]].concat(), folder);
    let said = fails(&["merge", "half"], folder);
    assert!(said.contains("pairs 0 to 1 are missing in half; to play: --shard 0/2"), "{said}");
    let other = [&game[..], &["--pairs", "5", "--shard", "0/2", "--out", "half"]].concat();
    assert!(fails(&other, folder).contains("is a shard of another run"));
}

#[test]
fn completions_and_the_manual_page_know_every_command() {
    let place = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish"] {
        let text = succeeds(&["completions", shell], place.path());
        for word in ["tournament", "merge", "--pairs", "--shard"] {
            assert!(text.contains(word.trim_start_matches('-')), "{shell}: {word}");
        }
        assert!(!text.contains("guard-engine"), "hidden commands are not completed");
    }
    let page = succeeds(&["man"], place.path());
    assert!(page.starts_with(".ie") || page.contains(".TH parlor"), "{}", &page[..200]);
    for word in ["parlor match", "parlor stats elo", "\\-\\-shard"] {
        assert!(page.contains(word), "{word}");
    }
}
