//! Boards as cells.

use parlor_core::{Cells, Notation, Numbered, Position};

use super::*;
use crate::board::wide::U192;

fn laws<W: Word>(width: u8, height: u8, row: u8, cases: u32) {
    let game = Connect::<W>::new(width, height, row).unwrap();
    parlor_testkit::cells_laws(&game, cases, parlor_testkit::no_chance);
}

/// Words of every size, one row, one column, the largest board.
#[test]
fn boards_of_all_sizes() {
    laws::<u64>(7, 6, 4, 20);
    laws::<u64>(4, 3, 3, 20);
    laws::<u64>(9, 1, 2, 10);
    laws::<u64>(1, 5, 3, 5);
    laws::<u128>(11, 10, 4, 10);
    laws::<U192>(16, 8, 5, 5);
    laws::<U192>(35, 3, 4, 5);
}

#[test]
fn a_disc_lies_where_it_falls() {
    let game = Connect::<u64>::new(4, 3, 3).unwrap();
    let Ok(Position::State(board)) = game.read_position("1121") else { panic!("a position") };
    let mut cells = [9; 12];
    game.cells(&board, &mut cells);
    // The third disc of column 1 is on top; the second seat plays every other disc.
    assert_eq!(cells, [2, 0, 0, 0, 2, 0, 0, 0, 1, 1, 0, 0]);
    let places: Vec<_> = game.actions(&board).map(|a| game.place(&board, a).cells[0]).collect();
    assert_eq!(places, [5, 10, 11], "column 1 is full");
    assert_eq!((game.numbers(), game.number(Column(3)), game.numbered(4)), (4, 3, None));
}
