use super::*;
use crate::bits::U512;
use parlor_core::{Entry, Notation, Position, ReadError, Settings, Spec};

fn laws_of<W: Word>(rows: u8, columns: u8, mines: u16, first: First, cases: u32) {
    let game = Minesweeper::<W>::new(rows, columns, mines, first).unwrap();
    parlor_testkit::audited_laws(&game, cases, audit);
    parlor_testkit::imagine_laws(&game, cases);
}

/// Recomputes what a field keeps up to date, cell by cell.
fn audit<W: Word>(game: &Minesweeper<W>, field: &Field<W>) {
    assert!((field.mines & field.opened).is_empty());
    assert!(((field.mines | field.opened) & !game.board).is_empty());
    let laid = field.mines.len() as u16;
    let open = field.opened.len() as u16;
    let right = match field.stage {
        Stage::First => laid == 0 && open == 0 && game.first != First::Any,
        Stage::Laying(left) => left == game.mines - laid && open == u16::from(game.first != First::Any),
        Stage::Playing(left) => laid == game.mines && left > 0 && left == game.cells() - game.mines - open,
        Stage::Lost(cell) => laid == game.mines && field.mines.has(u32::from(cell)),
        Stage::Won => laid == game.mines && open == game.cells() - game.mines,
    };
    assert!(right, "{field:?}");
    if laid < game.mines {
        return;
    }
    let view = game.view(field, Seat::FIRST);
    for cell in 0..game.cells() {
        let number = slow_neighbours(game, cell).filter(|&n| field.mines.has(u32::from(n))).count() as u8;
        let opened = field.opened.has(u32::from(cell));
        assert_eq!(view.number(cell), opened.then_some(number));
        if opened && number == 0 {
            let all_open = slow_neighbours(game, cell).all(|n| field.opened.has(u32::from(n)));
            assert!(all_open, "a 0 opens its neighbours");
        }
    }
}

fn slow_neighbours<W: Word>(game: &Minesweeper<W>, cell: u16) -> impl Iterator<Item = u16> {
    let (rows, columns) = (i32::from(game.rows), i32::from(game.columns));
    let (row, column) = (i32::from(cell) / columns, i32::from(cell) % columns);
    let near = (-1..=1).flat_map(move |down| (-1..=1).map(move |right| (row + down, column + right)));
    near.filter(move |&(r, c)| (0..rows).contains(&r) && (0..columns).contains(&c) && (r, c) != (row, column))
        .map(move |(r, c)| (r * columns + c) as u16)
}

#[test]
fn laws() {
    laws_of::<u64>(3, 3, 2, First::Any, 60);
    laws_of::<u64>(8, 8, 10, First::Any, 10);
    laws_of::<u64>(4, 5, 4, First::Safe, 40);
    laws_of::<u64>(5, 5, 5, First::Clear, 40);
    laws_of::<u64>(1, 2, 1, First::Safe, 10);
    laws_of::<u64>(1, 9, 6, First::Clear, 20);
    laws_of::<u64>(32, 2, 60, First::Any, 5);
    laws_of::<u128>(9, 9, 10, First::Clear, 10);
    laws_of::<u128>(4, 32, 20, First::Any, 3);
    laws_of::<U512>(16, 16, 40, First::Safe, 3);
}

#[test]
fn laws_of_the_largest_boards() {
    laws_of::<U512>(16, 30, 99, First::Clear, 1);
    laws_of::<U512>(16, 32, 511, First::Any, 1);
}
