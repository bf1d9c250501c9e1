//! Boards as cells, and numbers of actions.

use parlor_core::{Cells, Numbered};

use super::*;

/// Mirrored boards turn up the same pieces.
#[test]
fn laws() {
    for (draw, repetition, cases) in [(180, Some(3), 4), (40, None, 8), (20, Some(2), 8)] {
        let game = DarkChess::new(draw, repetition).unwrap();
        parlor_testkit::cells_laws(&game, cases, |_, _, action| action);
    }
}

#[test]
fn squares_colours_and_counts() {
    let game = game();
    let mut cells = [99; 32 + 15];
    let shown = |board: &Board, cells: &mut [u8]| {
        game.cells(board, cells);
        let symbols = game.layout().symbols;
        cells.iter().map(|&symbol| symbols[usize::from(symbol)].text.clone()).collect::<Vec<_>>().join(" ")
    };
    let start = shown(&game.start(), &mut cells);
    assert!(start.ends_with("X = 5 2 2 2 2 2 1 5 2 2 2 2 2 1"), "{start}");
    let mut board = board(&ranks(&["K--k", "X---"], "r P"));
    let text = shown(&board, &mut cells);
    assert!(text.starts_with("K - - k X - "), "{text}");
    assert!(text.ends_with("- red 1 0 0 0 0 0 0 0 0 0 0 0 0 0"), "{text}");
    let place = |text: &str| game.place(&board, game.read_action(text).unwrap()).cells.to_vec();
    assert_eq!((place("a7"), place("a8-b8")), (vec![4], vec![0, 1]));
    play(&game, &mut board, "a7");
    assert!(shown(&board, &mut cells).starts_with("K - - k ? -"), "a piece is being turned up");
}

/// Numbers that must never change.
#[test]
fn numbers_are_fixed() {
    let game = game();
    assert_eq!(game.numbers(), 352);
    let number = |text: &str| game.number(game.read_action(text).unwrap());
    let found = ["a8", "d1", "a8-b8", "a8-d8", "a8-a7", "a8-a1", "b7-a7", "b7-b8", "d1-d2"].map(number);
    assert_eq!(found, [0, 31, 32, 34, 35, 41, 82, 85, 351]);
}
