//! Golden games: `playthroughs/*.txt` must come out again to the letter. `cargo xtask playthroughs` rewrites them;
//! the difference is then reviewed.

use std::collections::BTreeSet;
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../playthroughs")
}

#[test]
fn every_playthrough_comes_out_again() {
    let update = std::env::var_os("UPDATE").is_some();
    let mut covered = BTreeSet::new();
    let mut changed = Vec::new();
    for file in std::fs::read_dir(folder()).expect("the folder of playthroughs").map(|f| f.unwrap().path()) {
        if file.extension().is_none_or(|ending| ending != "txt") {
            continue;
        }
        let text = std::fs::read_to_string(&file).unwrap();
        let field = |name: &str| {
            text.lines()
                .find_map(|line| line.strip_prefix(name))
                .unwrap_or_else(|| panic!("{} has no line `{name}…`", file.display()))
                .trim()
        };
        let game = parlor_catalog::open(field("game:")).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let seed = field("seed:").parse().expect("a seed is a number");
        covered.insert(game.name());
        let fresh = parlor_testkit::playthrough(&*game, seed);
        if fresh != text {
            if update {
                std::fs::write(&file, fresh).unwrap();
            } else {
                let line = fresh.lines().zip(text.lines()).position(|(a, b)| a != b).unwrap_or(0) + 1;
                changed.push(format!("{}, line {line}", file.display()));
            }
        }
    }
    assert!(changed.is_empty(), "changed (see `cargo xtask playthroughs`): {changed:?}");
    for entry in parlor_catalog::GAMES {
        assert!(covered.contains(entry.name), "playthroughs/{}.txt is missing", entry.name);
    }
}
