use parlor_core::{Afterstates, Phase, Rng};

use super::*;

#[test]
fn laws_of_patterns() {
    parlor_testkit::afterstates_laws(&game::<u64>(8, 8), 5);
    parlor_testkit::positions_laws(&game::<u64>(8, 8), 5);
    for (rows, columns) in [(4, 4), (6, 6), (8, 10), (12, 12)] {
        parlor_testkit::afterstates_laws(&game::<u128>(rows, columns), 2);
        parlor_testkit::positions_laws(&game::<u128>(rows, columns), 2);
    }
}

/// The board is seen from the seat that has moved, so an exchanged board, rotated by half a turn, has the same entries.
#[test]
fn both_sides_have_the_same_entries() {
    let game = game::<u64>(8, 8);
    let layout = game.table_layout("patterns").unwrap();
    let entries = |board: &Board<u64>| {
        let mut entries = Vec::new();
        game.each_entry(&layout, board, |entry| entries.push(entry));
        entries.sort_unstable();
        entries
    };
    for seed in 0..20 {
        let (mut board, mut rng) = (game.start(), Rng::new(seed));
        while game.phase(&board) != Phase::Over {
            let turn = |set: u64| set.reversed(game.bits());
            let exchanged = Board {
                own: turn(board.own),
                other: turn(board.other),
                kings: turn(board.kings),
                to_move: board.to_move.other(),
                idle: board.idle,
            };
            assert_eq!(entries(&exchanged), entries(&board));
            let action = game.pick(&board, &mut rng);
            game.apply(&mut board, action);
        }
    }
}

/// The fast code for the usual board names the same entries as the general code, square by square.
#[test]
fn patterns_of_the_usual_board() {
    let game = game::<u64>(8, 8);
    let layout = game.table_layout("patterns").unwrap();
    let digits = |squares: &[(u8, u8)], men: [u64; 2]| {
        squares.iter().rev().fold(0, |content, &(column, row)| {
            let square = game.square(column, row).unwrap();
            3 * content + u32::from(men[0].has(square)) + 2 * u32::from(men[1].has(square))
        })
    };
    // Dark squares of a row from left to right.
    let row = |row: u8| (0..4).map(move |n| (2 * n + row % 2, row));
    let mut patterns: Vec<Vec<(u8, u8)>> = Vec::new();
    for column in 0..3 {
        for first in [0, 2, 4] {
            patterns.push((first..first + 4).flat_map(|at| row(at).skip(column).take(2)).collect());
        }
    }
    patterns.extend((0..7).map(|first| row(first).chain(row(first + 1)).collect()));
    patterns.push(row(0).chain(row(7)).collect());
    for seed in 0..20 {
        let (mut board, mut rng) = (game.start(), Rng::new(seed));
        while game.phase(&board) != Phase::Over {
            let mut found = Vec::new();
            game.each_entry(&layout, &board, |entry| found.push(entry));
            if board.to_move == WHITE && board.kings == 0 {
                let men = [board.other, board.own];
                let early = 3 * (men[0] | men[1]).len() > 2 * 24;
                let base = if early { 0 } else { phase_size(&game) };
                for ((pattern, &entry), from) in patterns.iter().zip(&found).zip((base..).step_by(6_561)) {
                    assert_eq!(entry, from + digits(pattern, men));
                }
            }
            let action = game.pick(&board, &mut rng);
            game.apply(&mut board, action);
        }
    }
}

/// Returns the number of entries of a phase.
fn phase_size(game: &Checkers<u64>) -> u32 {
    let squares = 2 * game.bits();
    17 * 6_561 + squares + 12 * 12 + 4 * 4
}
