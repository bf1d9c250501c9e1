use parlor_core::Cancel;
use std::collections::HashMap;

use parlor_core::Rng;

use super::*;

fn game(rows: u8, columns: u8, lines: Lines) -> TicTacToe {
    TicTacToe::new(rows, columns, lines).unwrap()
}

fn small() -> Resources {
    Resources { threads: 1, memory_mb: 16 }
}

/// Returns the margin for the side to move by exhaustive search.
fn exhaustive_margin(game: &TicTacToe, board: &Board, known: &mut HashMap<Board, i32>) -> i32 {
    if let Some(&value) = known.get(board) {
        return value;
    }
    let x_moves = (board.x | board.o).len() & 1 == 0;
    let value = if game.free(board) == 0 {
        let margin = game.points(board.x) as i32 - game.points(board.o) as i32;
        if x_moves { margin } else { -margin }
    } else {
        let values = game.actions(board).map(|cell| {
            let mut after = *board;
            game.apply(&mut after, cell);
            -exhaustive_margin(game, &after, known)
        });
        values.max().unwrap()
    };
    known.insert(*board, value);
    value
}

/// Compares all results for a board with exhaustive search.
fn agrees(solver: &mut TicTacToeSolver, game: &TicTacToe, board: &Board, known: &mut HashMap<Board, i32>) {
    let (stop, mut tell) = (Cancel::new(), |_: &_| {});
    let mut progress = Progress { cancel: &stop, report: &mut tell };
    let slow: Vec<(Cell, f64)> = game
        .actions(board)
        .map(|cell| {
            let mut after = *board;
            game.apply(&mut after, cell);
            (cell, f64::from(-exhaustive_margin(game, &after, known)))
        })
        .collect();
    let position = Position::State(*board);
    let exact = solver.solve(game, &position, &mut progress).unwrap();
    let value = f64::from(exhaustive_margin(game, board, known));
    assert_eq!(exact.value, value, "{} {board:?}", game.points(board.x));
    let best: Vec<Cell> = slow.iter().filter(|(_, v)| *v == value).map(|&(cell, _)| cell).collect();
    assert_eq!(exact.best, best, "{board:?}");
    assert_eq!(solver.values(game, &position, &mut progress).unwrap(), slow, "{board:?}");
}

#[test]
fn every_board_of_three_by_three() {
    for lines in [Lines::Windows, Lines::Runs] {
        let game = game(3, 3, lines);
        let mut solver = TicTacToeSolver::new(&game, &small());
        let mut known = HashMap::new();
        exhaustive_margin(&game, &game.start(), &mut known);
        let boards: Vec<Board> = known.keys().copied().filter(|board| game.free(board) != 0).collect();
        assert!(boards.len() > 4_000);
        for board in boards.iter().step_by(3) {
            agrees(&mut solver, &game, board, &mut known);
        }
        agrees(&mut solver, &game, &game.start(), &mut known);
    }
}

/// Fills random cells until `free` are free.
fn random_board(game: &TicTacToe, free: u32, rng: &mut Rng) -> Board {
    let mut board = game.start();
    while game.free(&board).len() > free {
        let cell = game.pick(&board, rng);
        game.apply(&mut board, cell);
    }
    board
}

#[test]
fn late_boards_of_other_sizes() {
    for (rows, columns, lines, free) in [
        (3, 4, Lines::Windows, 9),
        (3, 4, Lines::Runs, 9),
        (4, 4, Lines::Windows, 9),
        (4, 4, Lines::Runs, 9),
        (5, 5, Lines::Windows, 9),
        (5, 5, Lines::Runs, 9),
        (4, 6, Lines::Runs, 9),
        (6, 4, Lines::Windows, 8),
        (3, 8, Lines::Windows, 9),
        (1, 6, Lines::Runs, 6),
        (2, 5, Lines::Windows, 10),
        (5, 1, Lines::Windows, 5),
    ] {
        let game = game(rows, columns, lines);
        let mut solver = TicTacToeSolver::new(&game, &small());
        let mut rng = Rng::new(7);
        for _ in 0..12 {
            let board = random_board(&game, free, &mut rng);
            agrees(&mut solver, &game, &board, &mut HashMap::new());
        }
    }
}

#[test]
fn values_from_the_start() {
    let (stop, mut tell) = (Cancel::new(), |_: &_| {});
    let mut progress = Progress { cancel: &stop, report: &mut tell };
    for (rows, columns, lines) in [(3, 4, Lines::Windows), (3, 4, Lines::Runs)] {
        let game = game(rows, columns, lines);
        let mut solver = TicTacToeSolver::new(&game, &small());
        let exact = solver.solve(&game, &Position::State(game.start()), &mut progress).unwrap();
        let slow = exhaustive_margin(&game, &game.start(), &mut HashMap::new());
        assert_eq!(exact.value, f64::from(slow));
    }
}

#[test]
fn full_boards_have_their_margin_and_large_ones_are_refused() {
    let (stop, mut tell) = (Cancel::cancelled(), |_: &_| {});
    let mut progress = Progress { cancel: &stop, report: &mut tell };
    let five = game(5, 5, Lines::Windows);
    let mut solver = TicTacToeSolver::new(&five, &small());
    let start = Position::State(five.start());
    assert_eq!(solver.solve(&five, &start, &mut progress), Err(Unsolved::Cancelled));
    let full = Board { x: u64::first(13), o: u64::first(25) & !u64::first(13) };
    let over = solver.solve(&five, &Position::State(full), &mut progress).unwrap();
    let margin = f64::from(five.points(full.o)) - f64::from(five.points(full.x));
    assert_eq!((over.value, over.best), (margin, Vec::new()), "O would be next");
    let mut says = |rows, columns, lines| {
        let other = game(rows, columns, lines);
        let start = Position::State(other.start());
        let own = super::solver(&other, &small()).solve(&other, &start, &mut progress).unwrap_err();
        assert_eq!(solver.values(&other, &start, &mut progress), Err(own.clone()));
        own.to_string()
    };
    assert_eq!(says(6, 5, Lines::Windows), "a board of 30 cells is too large to solve; the largest has 25");
    assert_eq!(
        says(3, 7, Lines::Runs),
        "with lines=runs a side of 7 or more cannot be solved: two runs can become one there"
    );
}
