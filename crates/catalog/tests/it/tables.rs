//! Positions with known answers, through the same API as the command line.

use std::path::Path;

use parlor_catalog::GAMES;
use parlor_core::Spec;
use parlor_testkit::{Case, cases};

/// Longer counts take too long in a test; `PARLOR_PERFT_LIMIT` raises the limit.
fn limit() -> u64 {
    std::env::var("PARLOR_PERFT_LIMIT").ok().and_then(|text| text.parse().ok()).unwrap_or(400_000)
}

fn check_perft(case: &Case) {
    let game =
        parlor_catalog::open(&case.spec).unwrap_or_else(|e| panic!("{}, line {}: {e}", case.spec, case.line));
    let expected: Vec<u64> = case.answer.iter().map(|word| word.parse().expect("a count")).collect();
    let depth = expected.iter().take_while(|&&count| count <= limit()).count();
    let counts = game
        .perft(depth, case.position.as_deref())
        .unwrap_or_else(|e| panic!("{}, line {}: {e}", case.spec, case.line));
    assert_eq!(counts, expected[..depth], "line {}: {} {:?}", case.line, case.spec, case.position);
    assert!(depth > 0, "line {}: nothing was counted", case.line);
}

fn check_moves(case: &Case) {
    let game =
        parlor_catalog::open(&case.spec).unwrap_or_else(|e| panic!("{}, line {}: {e}", case.spec, case.line));
    let moves = game
        .moves(case.position.as_deref())
        .unwrap_or_else(|e| panic!("{}, line {}: {e}", case.spec, case.line));
    let mut expected = case.answer.clone();
    expected.sort_unstable();
    assert_eq!(moves, expected, "line {}: {} {:?}", case.line, case.spec, case.position);
}

/// Reads a folder with one file for each game of the registry, by its name, and checks every line.
fn check_all(folder: &str, check: fn(&Case)) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    for entry in GAMES {
        let file = folder.join(entry.name).with_extension("txt");
        let text = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let cases = cases(&text);
        assert!(!cases.is_empty(), "{} has no line", file.display());
        for case in &cases {
            assert_eq!(
                Spec::parse(&case.spec).unwrap().name,
                entry.name,
                "{} line {}",
                file.display(),
                case.line
            );
            check(case);
        }
    }
}

#[test]
fn perft_counts_every_game() {
    check_all("perft", check_perft);
}

#[test]
fn moves_are_those_listed() {
    check_all("moves", check_moves);
}
