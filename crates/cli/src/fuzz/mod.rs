//! The fuzz suite: everything that reads text or bytes from outside, for every game of the registry.
//!
//! `cargo xtask fuzz` runs it for long, `cargo xtask test` for some seconds a target. The suite is in this crate because only
//! this crate sees all readers: those of the laboratory, of the protocols and of the command line.

mod classifiers;
mod files;
mod games;
mod protocols;
mod resumed;
mod runs;

use std::fmt::Display;
use std::path::{Path, PathBuf};

use parlor_core::text::shown::is_unsafe;
use parlor_testkit::allocator::Counting;
use parlor_testkit::fuzz::{self, Inputs, Target, number};
use tempfile::TempDir;

#[global_allocator]
static COUNTING: Counting = Counting;

/// Every target and the number of its inputs in the tests: about a second each. Longer runs have the same shares.
const TARGETS: &[(&str, u64)] = &[
    ("agents", 8_000),
    ("arguments", 1_500),
    ("book", 8_000),
    ("clocks", 20_000),
    ("csv", 12_000),
    ("endgame", 1_500),
    ("engine_answers", 20_000),
    ("experiment", 4_000),
    ("experiment_rows", 8_000),
    ("gtp_engine", 5_000),
    ("history", 6_000),
    ("hub_engine", 5_000),
    ("knowledge", 4_000),
    ("labelled_rows", 8_000),
    ("lines", 4_000),
    ("model", 8_000),
    ("moves", 4_000),
    ("native_engine", 2_500),
    ("native_host", 500),
    ("net_positions", 20_000),
    ("positions", 12_000),
    ("resumed_match", 4_000),
    ("saved_games", 6_000),
    ("specs", 12_000),
    ("strategy", 20_000),
    ("study_folder", 1_500),
    ("study_rows", 8_000),
    ("tournament", 12_000),
    ("views", 12_000),
    ("weights", 3_000),
    ("match_folder", 2_500),
    ("tournament_folder", 2_500),
];

/// Returns how many inputs a target gets: its part of `PARLOR_FUZZ_INPUTS`, all of them if it runs alone.
fn share(name: &str) -> Inputs {
    let own = TARGETS.iter().find(|(target, _)| *target == name).expect("every target is in the list").1;
    let all: u64 = TARGETS.iter().map(|(_, inputs)| inputs).sum();
    match number("PARLOR_FUZZ_INPUTS") {
        None if number("PARLOR_FUZZ_SECONDS").is_some() => Inputs::Any,
        None => Inputs::AtLeast(own),
        Some(inputs) if number("PARLOR_FUZZ_ALONE").is_some() => Inputs::Exactly(inputs),
        Some(inputs) => Inputs::Exactly((inputs as u128 * u128::from(own)).div_ceil(u128::from(all)) as u64),
    }
}

/// What a reader made of an input: whether it was accepted, or which promise was broken.
type Read = Result<bool, String>;

/// How the names of folders for files of targets begin; the number of the process and a random part follow.
const SCRAP: &str = "parlor-fuzz-";

/// Makes a folder for files of a target. It is removed with the value.
fn scrap(name: &str) -> TempDir {
    // In memory where there is such a place: files that are written anew for each input are slow on a disk.
    let memory = PathBuf::from("/dev/shm");
    let place = if memory.is_dir() { memory } else { std::env::temp_dir() };
    remove_left_over(&place);
    let prefix = format!("{SCRAP}{}-{name}-", std::process::id());
    tempfile::Builder::new().prefix(&prefix).tempdir_in(place).expect("a folder for scrap can be made")
}

/// Removes folders of processes that were killed. (Where processes cannot be listed, nothing is.)
fn remove_left_over(place: &Path) {
    let is_gone = |name: &str| {
        let process = name.strip_prefix(SCRAP)?.split('-').next()?.parse::<u32>().ok()?;
        Some(Path::new("/proc/self").exists() && !Path::new("/proc").join(process.to_string()).exists())
    };
    for entry in std::fs::read_dir(place).into_iter().flatten().flatten() {
        if entry.file_name().to_str().and_then(is_gone) == Some(true) {
            // Another target may be removing it, too.
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

#[test]
fn folders_of_targets_are_removed() {
    let place = tempfile::tempdir().unwrap();
    // No process has a number this large.
    let [gone, ours] =
        [u32::MAX, std::process::id()].map(|process| place.path().join(format!("{SCRAP}{process}-x-y")));
    for folder in [&gone, &ours] {
        std::fs::create_dir_all(folder.join("inside")).unwrap();
    }
    remove_left_over(place.path());
    assert!(ours.exists());
    assert_eq!(gone.exists(), !Path::new("/proc/self").exists());
    let kept = scrap("removed").path().to_owned();
    assert!(!kept.exists());
}

/// A reader under test: see [`Target`].
struct Reader {
    name: &'static str,
    corpus: Vec<Vec<u8>>,
    words: Vec<String>,
    repair: Option<fn(&mut Vec<u8>)>,
}

/// Runs a target.
fn run(reader: Reader, check: &mut dyn FnMut(&[u8]) -> Read) {
    let Reader { name, corpus, words, repair } = reader;
    let place = Path::new(env!("CARGO_MANIFEST_DIR"));
    let target = Target { name, corpus, words, repair, inputs: share(name), check };
    fuzz::run(target, &place.join("fuzz-seeds"), &place.join("../../target/fuzz"));
}

/// Returns the value; or `None` for an error that is a sentence. An error without words, or with words about a panic, is a
/// broken promise.
fn explained<T, E: Display>(result: Result<T, E>) -> Result<Option<T>, String> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) => {
            let words = error.to_string();
            if words.len() <= 10 || words.contains("panicked") {
                return Err(format!("the error is `{words}`"));
            }
            Ok(None)
        }
    }
}

/// Returns an error unless two values are equal.
fn equal<T: PartialEq + ?Sized>(one: &T, two: &T, what: &str) -> Result<(), String> {
    if one == two { Ok(()) } else { Err(format!("{what} differs after reading and writing")) }
}

/// Returns an error if a text could speak to a terminal.
fn harmless(text: &str) -> Result<(), String> {
    match text.chars().find(|&c| is_unsafe(c) && !matches!(c, '\n' | '\t')) {
        Some(c) => Err(format!("the output has the control character {}", c.escape_unicode())),
        None => Ok(()),
    }
}

/// Returns the first line and the rest, as text.
fn head_and_rest(input: &[u8]) -> (String, String) {
    let text = String::from_utf8_lossy(input);
    let (head, rest) = text.split_once('\n').unwrap_or((&text, ""));
    (head.to_owned(), rest.to_owned())
}

/// Every kind of checksummed file has a target: `what` of its form, and the target.
const FORMS: &[(&str, &str)] = &[
    ("knowledge file", "knowledge"),
    ("model file", "model"),
    ("opening book", "book"),
    ("file of positions", "net_positions"),
    ("strategy", "strategy"),
];

#[test]
fn every_form_of_file_is_fuzzed() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders = vec![crates];
    let mut found = 0;
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                let form = |line: &&str| line.starts_with("const FORM: Form = ");
                for line in text.lines().filter(form) {
                    let known = FORMS.iter().any(|(what, _)| line.contains(&format!("what: \"{what}\"")));
                    assert!(known, "no fuzz target for the file of {}: {line}", path.display());
                    found += 1;
                }
            }
        }
    }
    assert_eq!(found, FORMS.len(), "every target has its form");
    assert!(FORMS.iter().all(|(_, target)| TARGETS.iter().any(|(name, _)| name == target)));
}
