//! Positions with known answers, through the same door as the command line.

use parlor_testkit::{Case, cases};

/// Longer counts take too long in a test; `PARLOR_PERFT_LIMIT` raises the limit.
fn limit() -> u64 {
    std::env::var("PARLOR_PERFT_LIMIT").ok().and_then(|text| text.parse().ok()).unwrap_or(400_000)
}

fn check_perft(case: &Case) {
    let game = parlor_catalog::open(&case.spec).unwrap_or_else(|e| panic!("line {}: {e}", case.line));
    let expected: Vec<u64> = case.answer.iter().map(|word| word.parse().expect("a count")).collect();
    let depth = expected.iter().take_while(|&&count| count <= limit()).count();
    let counts =
        game.perft(depth, case.position.as_deref()).unwrap_or_else(|e| panic!("line {}: {e}", case.line));
    assert_eq!(counts, expected[..depth], "line {}: {} {:?}", case.line, case.spec, case.position);
    assert!(depth > 0, "line {}: nothing was counted", case.line);
}

fn check_moves(case: &Case) {
    let game = parlor_catalog::open(&case.spec).unwrap_or_else(|e| panic!("line {}: {e}", case.line));
    let moves = game.moves(case.position.as_deref()).unwrap_or_else(|e| panic!("line {}: {e}", case.line));
    let mut expected = case.answer.clone();
    expected.sort_unstable();
    assert_eq!(moves, expected, "line {}: {} {:?}", case.line, case.spec, case.position);
}

macro_rules! tables {
    ($check:ident, $folder:literal, $($name:ident)*) => { $(
        #[test]
        fn $name() {
            let text = include_str!(concat!($folder, "/", stringify!($name), ".txt"));
            let cases = cases(text);
            assert!(!cases.is_empty());
            cases.iter().for_each($check);
        }
    )* };
}

mod perft {
    use super::*;
    tables!(check_perft, "../perft", checkers connect darkchess dominoes minesweeper tictactoe);
}

mod moves {
    use super::*;
    tables!(check_moves, "../moves", checkers connect darkchess dominoes minesweeper tictactoe);
}
