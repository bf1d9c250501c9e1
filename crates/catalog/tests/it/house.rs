//! The house rules that a machine can check.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Which rooms each room may know. `testkit` is for tests only and may be a dev-dependency of all.
const ARROWS: &[(&str, &[&str])] = &[
    ("core", &[]),
    ("stats", &[]),
    ("ml", &[]),
    ("store", &["core"]),
    ("games", &["core"]),
    ("agents", &["core", "ml"]),
    ("fable", &["core", "store"]),
    ("lab", &["core", "stats", "store", "ml"]),
    ("registry", &["core", "games", "agents", "fable"]),
    ("instances-dominoes", &["registry"]),
    ("instances-boards", &["registry"]),
    ("instances-covered", &["registry"]),
    (
        "catalog",
        &[
            "core",
            "games",
            "agents",
            "fable",
            "registry",
            "instances-dominoes",
            "instances-boards",
            "instances-covered",
        ],
    ),
    ("server", &["core", "catalog", "lab"]),
    ("cli", &["core", "catalog", "lab", "server", "stats", "store"]),
    ("python", &["core", "catalog", "lab", "stats", "store"]),
    ("testkit", &["core"]),
];

/// Returns the parlor crates named in the `[dependencies]` of a manifest.
fn dependencies(manifest: &str) -> Vec<String> {
    manifest
        .lines()
        .skip_while(|line| line.trim() != "[dependencies]")
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| line.trim().strip_prefix("parlor-"))
        .map(|line| line.chars().take_while(|c| c.is_ascii_lowercase() || *c == '-').collect())
        .collect()
}

#[test]
fn arrows_point_to_core() {
    let mut rooms = 0;
    for folder in fs::read_dir(root().join("crates")).unwrap().map(|f| f.unwrap().path()) {
        let room = folder.file_name().unwrap().to_str().unwrap().to_owned();
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let (_, allowed) = ARROWS
            .iter()
            .find(|(name, _)| *name == room)
            .unwrap_or_else(|| panic!("the room `{room}` is not in the design"));
        for other in dependencies(&manifest) {
            assert!(allowed.contains(&other.as_str()), "a forbidden arrow: {room} → {other}");
        }
        rooms += 1;
    }
    assert!(rooms >= 6, "the crates were found");
}

#[test]
fn a_forbidden_arrow_would_be_found() {
    let manifest = "[dependencies]\nparlor-core.workspace = true\nparlor-games = { path = \"x\" }\nparlor-instances-boards.workspace = true\n[dev-dependencies]\nparlor-lab = 1\n";
    assert_eq!(dependencies(manifest), ["core", "games", "instances-boards"]);
}

/// Modules of the games crate that are not games to be played; Leduc poker measures solvers.
const NOT_GAMES: &[&str] = &["board", "leduc"];

#[test]
fn no_game_is_forgotten() {
    let source = fs::read_to_string(root().join("crates/games/src/lib.rs")).unwrap();
    let modules: BTreeSet<&str> = source
        .lines()
        .filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'))
        .filter(|name| !NOT_GAMES.contains(name))
        .collect();
    let listed: BTreeSet<&str> = parlor_catalog::GAMES.iter().map(|entry| entry.name).collect();
    assert_eq!(modules, listed, "crates/games and the registry list the same games");
}

#[test]
fn every_game_is_compiled_once() {
    let mut compiled: Vec<&str> =
        parlor_catalog::INSTANCES.iter().copied().flatten().map(|instance| instance.game).collect();
    let mut listed: Vec<&str> = parlor_catalog::GAMES.iter().map(|entry| entry.name).collect();
    compiled.sort_unstable();
    listed.sort_unstable();
    assert_eq!(compiled, listed, "crates/instances-… and the registry list the same games");
}

/// Perft counts, moves and playthroughs are looked for where they are read.
#[test]
fn every_game_and_every_agent_has_its_page() {
    let read = |page: &str| fs::read_to_string(root().join(page)).unwrap();
    let (index, agents) = (read("docs/guide/README.md"), read("docs/guide/agents.md"));
    for entry in parlor_catalog::GAMES {
        let page = format!("docs/guide/games/{}.md", entry.name);
        let text = fs::read_to_string(root().join(&page)).unwrap_or_else(|_| panic!("{page} is missing"));
        for key in entry.keys {
            assert!(text.contains(&format!("`{}", key.name)), "{page} does not explain `{}`", key.name);
        }
        let game = parlor_catalog::open(entry.name).unwrap();
        for codec in game.codecs() {
            assert!(text.contains(&format!("`{}`", codec.name)), "{page} lacks the codec `{}`", codec.name);
        }
        for agent in game.agents() {
            let named = ["`", "(", ":"].map(|end| format!("`{}{end}", agent.name));
            let described = named.iter().any(|name| text.contains(name) || agents.contains(name));
            assert!(described, "neither docs/guide/agents.md nor {page} describes `{}`", agent.name);
        }
        let link = format!("(games/{}.md)", entry.name);
        assert!(index.contains(&link), "docs/guide/README.md does not link to {page}");
    }
}

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).unwrap().map(|f| f.unwrap().path()) {
        if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// Returns the sources of the crates, without tests: each file with its lines before its module of tests.
fn sources() -> Vec<(String, String)> {
    let mut files = Vec::new();
    for folder in fs::read_dir(root().join("crates")).unwrap().map(|f| f.unwrap().path()) {
        rust_files(&folder.join("src"), &mut files);
    }
    files.retain(|file| {
        !file.ends_with("tests.rs") && !file.components().any(|part| part.as_os_str() == "tests")
    });
    let source = |file: PathBuf| {
        let text = fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default().to_owned();
        (file.strip_prefix(root()).unwrap().display().to_string(), code)
    };
    files.into_iter().map(source).collect()
}

/// Returns the lines with one of these words, in files whose path contains none of `except`.
fn lines_with(words: &[&str], except: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for (file, code) in sources() {
        if except.iter().any(|place| file.contains(place)) {
            continue;
        }
        let begins = |line: &str, at: usize| !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let has = |line: &str, word: &str| line.match_indices(word).any(|(at, _)| begins(line, at));
        let guilty = code.lines().filter(|line| words.iter().any(|word| has(line, word)));
        found.extend(guilty.map(|line| format!("{file}: {}", line.trim())));
    }
    found
}

#[test]
fn files_are_read_in_one_place() {
    let words = [
        "fs::read(",
        "fs::read_to_string(",
        "fs::read_dir(",
        "fs::create_dir",
        "File::open(",
        "fs::write(",
        "File::create(",
        "read_to_string(",
    ];
    let found = lines_with(&words, &["core/src/files/", "testkit/", "cli/src/fuzz/"]);
    assert!(
        found.is_empty(),
        "use parlor_core::files, which refuses devices and files without end:\n{}",
        found.join("\n")
    );
}

#[test]
fn the_command_line_prints_in_one_place() {
    // The engine and the worker of FABLE speak protocols, completions and the manual page are for shells and formatters, `person` prompts, `waiting` shows that an agent thinks, `inspect --text` writes a learner's own encoding.
    let except = [
        "cli/src/terminal.rs",
        "cli/src/engine/mod.rs",
        "cli/src/fable.rs",
        "cli/src/generated.rs",
        "cli/src/play/person.rs",
        "cli/src/play/waiting.rs",
        "cli/src/learning/inspect.rs",
    ];
    let mut found =
        lines_with(&["println!(", "eprintln!(", "print!(", "io::stdout()", "io::stderr()"], &except);
    found.retain(|line| line.starts_with("crates/cli/") && !line.contains("is_terminal()"));
    assert!(
        found.is_empty(),
        "use crate::terminal, which lets no control characters through:\n{}",
        found.join("\n")
    );
}

#[test]
fn no_file_is_too_long() {
    let mut files = Vec::new();
    rust_files(&root().join("crates"), &mut files);
    rust_files(&root().join("xtask"), &mut files);
    assert!(files.len() > 20, "the sources were found");
    for file in files {
        let lines = fs::read_to_string(&file).unwrap().lines().count();
        assert!(lines <= 450, "{} has {lines} lines: two rooms would be clearer", file.display());
    }
}
