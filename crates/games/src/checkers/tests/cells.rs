//! Boards as cells, and numbers of moves.

use parlor_core::{Cells, Numbered};

use super::*;

#[test]
fn boards_of_all_sizes() {
    let laws = |rows: u8, columns: u8, kings: Kings, cases: u32| {
        let game = with::<u64>(rows, columns, 20, Unit::Plies, kings);
        parlor_testkit::cells_laws(&game, cases, parlor_testkit::no_chance);
    };
    laws(4, 4, Kings::Must, 20);
    laws(6, 6, Kings::May, 10);
    laws(8, 8, Kings::Must, 10);
    laws(4, 12, Kings::May, 5);
    laws(10, 6, Kings::Must, 5);
    let largest = with::<u128>(12, 12, 30, Unit::Pairs, Kings::May);
    parlor_testkit::cells_laws(&largest, 3, parlor_testkit::no_chance);
}

#[test]
fn pieces_and_paths() {
    let game = game::<u64>(6, 6);
    let board = board(&game, "-.-.-R/.-w-.-/-.-.-./.-w-.-/-r-.-./.-.-W- r");
    let mut cells = [9; 36];
    game.cells(&board, &mut cells);
    let expected = [
        [0, 1, 0, 1, 0, 3], //
        [1, 0, 4, 0, 1, 0],
        [0, 1, 0, 1, 0, 1],
        [1, 0, 4, 0, 1, 0],
        [0, 2, 0, 1, 0, 1],
        [1, 0, 1, 0, 5, 0],
    ];
    assert_eq!(cells.as_chunks().0, expected);
    let double = meant(&game, &board, "b2xd4xb6");
    assert_eq!(Cells::place(&game, &board, double).cells[..], [25, 15, 1]);
}

/// The sizes that the docs state, and numbers that must never change.
#[test]
fn numbers_are_fixed() {
    let sizes = [(4, 4, 26), (6, 6, 154), (8, 6, 366), (6, 8, 366), (8, 8, 1_426), (10, 10, 36_450)];
    for (rows, columns, expected) in sizes {
        assert_eq!(game::<u64>(rows, columns).numbers(), expected, "{rows}×{columns}");
    }
    assert_eq!(game::<u128>(12, 12).numbers(), 1_860_762);
    let game = game::<u64>(8, 8);
    let number = |text: &str| Numbered::number(&game, game.read_action(text).unwrap());
    let found = ["a1-b2", "c3-d4", "c3xe5", "e3xc5xe7", "h8-g7"].map(number);
    assert_eq!(found, [0, 379, 383, 444, 1_380]);
}
