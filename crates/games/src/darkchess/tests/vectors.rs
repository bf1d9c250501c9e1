//! Perft counts and move lists from an independent implementation.

use parlor_core::Entry;
use parlor_core::rules::perft::perft;
use serde_json::Value;

use super::*;

/// Limit on nodes; deeper counts are skipped, so that tests stay quick without optimisation.
const MAX_NODES: u64 = 2_500_000;

fn check(file: &str, counts_field: &str) -> usize {
    let game = game();
    let cases: Vec<Value> = serde_json::from_str(file).unwrap();
    for case in &cases {
        let text = |field: &str| case[field].as_str().unwrap();
        let position = format!("{} {} {}", text("board"), text("turn"), text("pool"));
        let state = board(&position);
        assert_eq!(game.write_position(&state).as_deref(), Some(position.trim_end()));
        if let Some(moves) = case["moves"].as_array() {
            assert_eq!(offered(&game, &state), *moves, "{}", text("name"));
        }
        let counts: Vec<u64> =
            case[counts_field].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
        let depth = counts.iter().take_while(|&&count| count <= MAX_NODES).count();
        assert!(depth >= 2, "{}: nothing is counted", text("name"));
        assert_eq!(perft(&game, &state, depth, DarkChess::JOIN_CHANCE), counts[..depth], "{}", text("name"));
    }
    cases.len()
}

#[test]
fn face_up() {
    let file = include_str!("../../../tests/vectors/darkchess-perft-revealed.json");
    assert_eq!(check(file, "perft"), 15);
}

#[test]
fn face_down() {
    let file = include_str!("../../../tests/vectors/darkchess-perft-dark.json");
    assert_eq!(check(file, "perft_flip_as_chance_branches"), 9);
}
