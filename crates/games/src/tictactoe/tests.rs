use super::*;
use parlor_core::{Notation, Position, Stimulus};

fn board(game: &TicTacToe, text: &str) -> Board {
    match game.read_position(text) {
        Ok(Position::State(board)) => board,
        other => panic!("{other:?}"),
    }
}

#[test]
fn laws() {
    for (rows, columns, lines) in [
        (3, 3, Lines::Windows),
        (4, 4, Lines::Runs),
        (3, 5, Lines::Windows),
        (8, 8, Lines::Runs),
        (1, 1, Lines::Runs),
    ] {
        let game = TicTacToe::new(rows, columns, lines).unwrap();
        parlor_testkit::laws(&game, 40);
        parlor_testkit::stimulus_laws(&game, 10);
        parlor_testkit::respondents_are_reached(&game, 10);
    }
}

/// Boards of one row, not square, and the largest.
#[test]
fn cells() {
    for (rows, columns, lines) in [
        (3, 3, Lines::Windows),
        (5, 5, Lines::Runs),
        (3, 5, Lines::Windows),
        (8, 2, Lines::Runs),
        (1, 1, Lines::Windows),
        (8, 8, Lines::Windows),
    ] {
        let game = TicTacToe::new(rows, columns, lines).unwrap();
        parlor_testkit::cells_laws(&game, 20, parlor_testkit::no_chance);
    }
    let game = TicTacToe::new(2, 3, Lines::Windows).unwrap();
    let mut cells = [9; 6];
    parlor_core::Cells::cells(&game, &board(&game, "XO./..X"), &mut cells);
    assert_eq!(cells, [1, 2, 0, 0, 0, 1]);
}

#[test]
fn codes() {
    let game = TicTacToe::new(3, 3, Lines::Windows).unwrap();
    let codec = game.codec("board").unwrap();
    assert_eq!(game.width(codec), 18);
    let before = board(&game, "XO./.X./...");
    let from = game.stimulant(codec, &before);
    assert_eq!(from, 0b10_001 | 0b10 << 9);
    assert_eq!(game.in_words(codec, from), "XO./.X./...");
    let to = game.respondent(codec, &before, Cell(8));
    assert_eq!(game.in_words(codec, to), "XO./.X./..O");
    assert_eq!(game.step_in_words(codec, from, to), "O takes c3");
    assert_eq!(game.step_in_words(codec, to, from), "XO./.X./..O → XO./.X./...", "no move leads back");
    assert!(game.is_opening(codec, 0) && !game.is_opening(codec, from));
}

#[test]
fn windows_and_runs() {
    let windows = TicTacToe::new(5, 5, Lines::Windows).unwrap();
    let runs = TicTacToe::new(5, 5, Lines::Runs).unwrap();
    let row_of_five = board(&windows, "XXXXX/OOOO./...../...../O....");
    assert_eq!((windows.points(row_of_five.x), windows.points(row_of_five.o)), (3, 2));
    assert_eq!((runs.points(row_of_five.x), runs.points(row_of_five.o)), (1, 1));
    // A line never wraps around the edge.
    let wrapped = board(&windows, "...XX/X.OO./...../...../O....");
    assert_eq!((windows.points(wrapped.x), windows.points(wrapped.o)), (0, 0));
}

/// Counts lines cell by cell.
fn slow_points(game: &TicTacToe, side: u64) -> u32 {
    let (rows, columns) = (i32::from(game.rows), i32::from(game.columns));
    let has = |r: i32, c: i32| {
        (0..rows).contains(&r) && (0..columns).contains(&c) && side.has((r * columns + c) as u32)
    };
    let mut points = 0;
    for (dr, dc) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
        for r in 0..rows {
            for c in 0..columns {
                let three = (0..3).all(|k| has(r + k * dr, c + k * dc));
                let first = !has(r - dr, c - dc);
                points += u32::from(three && (game.lines == Lines::Windows || first));
            }
        }
    }
    points
}

#[test]
fn points_agree_with_a_slow_count() {
    let mut rng = Rng::new(3);
    for lines in [Lines::Windows, Lines::Runs] {
        for (rows, columns) in [(3, 3), (4, 5), (8, 8), (1, 7), (6, 2)] {
            let game = TicTacToe::new(rows, columns, lines).unwrap();
            for _ in 0..500 {
                let side = rng.bits() & (rng.bits() | rng.bits()) & u64::first(game.cells());
                assert_eq!(game.points(side), slow_points(&game, side), "{rows}x{columns} {side:b}");
            }
        }
    }
}

#[test]
fn errors_explain_bad_positions() {
    let game = TicTacToe::new(3, 3, Lines::Windows).unwrap();
    let says = |text: &str| game.read_position(text).unwrap_err().to_string();
    assert_eq!(says(".../..Z/..."), "position, character 7: `Z` is not a cell; cells are `X`, `O` or `.`");
    assert!(says("XX./.../...").contains("2 X and 0 O cannot be"));
    assert!(says(".../...").contains("2 rows where the board has 3"));
    assert!(says(".../..../...").contains("row 2 has 4 cells"));
}

#[test]
fn picks_are_uniform_over_free_cells() {
    let game = TicTacToe::new(3, 3, Lines::Windows).unwrap();
    // pick() has two methods: one for boards with more than half of the cells free, one for the others.
    for (text, free) in [("X.O/.../X.O", 5), ("XOX/.O./X.O", 3)] {
        let board = board(&game, text);
        let mut rng = Rng::new(8);
        let mut counts = [0u32; 9];
        for _ in 0..10_000 * free {
            counts[usize::from(game.pick(&board, &mut rng).0)] += 1;
        }
        for (cell, &count) in counts.iter().enumerate() {
            let expected = if game.free(&board).has(cell as u32) { 10_000 } else { 0 };
            // Five standard deviations of a binomial count, rounded up; a taken cell is never picked.
            assert!(count.abs_diff(expected) <= expected / 20, "{text} {counts:?}");
        }
    }
}

#[test]
fn laws_of_tuples() {
    for (rows, columns) in [(3, 3), (4, 4), (3, 5), (1, 4), (8, 8)] {
        let game = TicTacToe::new(rows, columns, Lines::Windows).unwrap();
        parlor_testkit::afterstates_laws(&game, 3);
        parlor_testkit::positions_laws(&game, 3);
    }
}
