use parlor_core::Cancel;
use std::collections::HashMap;
use std::time::Duration;

use parlor_core::Rng;

use super::*;
use crate::board::wide::U192;

const RESOURCES: Resources = Resources { threads: 1, memory_mb: 16 };

/// Returns the value of a board for the side to move by exhaustive search.
fn exhaustive_value<W: Word>(game: &Connect<W>, board: &Board<W>, known: &mut HashMap<Board<W>, i32>) -> i32 {
    if let Some(&value) = known.get(board) {
        return value;
    }
    let (cells, discs) = (i32::from(game.width) * i32::from(game.height), game.taken(board).len() as i32);
    let value = if !game.is_over(board) {
        let values = game.actions(board).map(|column| {
            let mut after = *board;
            game.apply(&mut after, column);
            -exhaustive_value(game, &after, known)
        });
        values.max().unwrap()
    } else if game.winner(board).is_some() {
        // Half the number of discs, including the last one, that could still have been played.
        -((cells + 2 - discs) / 2)
    } else {
        0
    };
    known.insert(*board, value);
    value
}

/// Compares all results for a board with exhaustive search.
fn agrees<W: Word>(
    solver: &mut ConnectSolver<W>,
    game: &Connect<W>,
    board: &Board<W>,
    known: &mut HashMap<Board<W>, i32>,
) {
    let (stop, mut tell) = (Cancel::new(), |_: &_| {});
    let mut progress = Progress { cancel: &stop, report: &mut tell };
    let value = f64::from(exhaustive_value(game, board, known));
    let slow: Vec<(Column, f64)> = game
        .actions(board)
        .map(|column| {
            let mut after = *board;
            game.apply(&mut after, column);
            (column, f64::from(-exhaustive_value(game, &after, known)))
        })
        .collect();
    let position = Position::State(*board);
    let exact = solver.solve(game, &position, &mut progress).unwrap();
    assert_eq!(exact.value, value, "{board:?}");
    let best: Vec<Column> = slow.iter().filter(|(_, v)| *v == value).map(|&(column, _)| column).collect();
    assert_eq!(exact.best, best, "{board:?}");
    assert_eq!(solver.values(game, &position, &mut progress).unwrap(), slow, "{board:?}");
    let one = solver.best_action(game, &position, &Budget::default(), &stop).unwrap();
    assert!(one.value == value && one.best.len() == 1 && best.contains(&one.best[0]), "{board:?}");
}

/// Checks all reachable boards, every `step`-th of them in full.
fn all_agree<W: Word>(width: u8, height: u8, row: u8, step: usize) {
    let game = Connect::<W>::new(width, height, row).unwrap();
    let mut solver = ConnectSolver::new(&game, &RESOURCES);
    let mut known = HashMap::new();
    exhaustive_value(&game, &game.start(), &mut known);
    let mut boards: Vec<(Board<W>, i32)> = known.iter().map(|(&board, &value)| (board, value)).collect();
    boards.retain(|(board, _)| !game.is_over(board));
    boards.sort_by_key(|(board, _)| (board.taken, board.mover));
    let (stop, mut tell) = (Cancel::new(), |_: &_| {});
    for (n, (board, value)) in boards.iter().enumerate() {
        let mut progress = Progress { cancel: &stop, report: &mut tell };
        assert_eq!(solver.value(board, &mut progress).unwrap().0, *value, "{board:?}");
        if n.is_multiple_of(step) {
            agrees(&mut solver, &game, board, &mut known);
        }
    }
}

#[test]
fn every_board_of_small_sizes() {
    all_agree::<u64>(4, 4, 4, 20);
    all_agree::<u64>(4, 4, 3, 20);
    all_agree::<u64>(3, 4, 3, 3);
    all_agree::<u64>(2, 6, 4, 3);
    all_agree::<u64>(4, 3, 2, 3);
    all_agree::<u64>(1, 5, 2, 1);
    all_agree::<u64>(7, 1, 4, 1);
    all_agree::<u128>(4, 3, 4, 3);
    all_agree::<U192>(3, 4, 3, 10);
}

/// Checks random boards with `discs` discs.
fn sample_agrees<W: Word>(width: u8, height: u8, row: u8, discs: u32, samples: u64) {
    let game = Connect::<W>::new(width, height, row).unwrap();
    let mut solver = ConnectSolver::new(&game, &RESOURCES);
    let (mut known, mut rng, mut done) = (HashMap::new(), Rng::new(5), 0);
    while done < samples {
        let mut board = game.start();
        while game.taken(&board).len() < discs && !game.is_over(&board) {
            let column = game.pick(&board, &mut rng);
            game.apply(&mut board, column);
        }
        if !game.is_over(&board) {
            agrees(&mut solver, &game, &board, &mut known);
            done += 1;
        }
    }
}

#[test]
fn late_boards_of_other_sizes() {
    sample_agrees::<u64>(5, 4, 4, 9, 40);
    sample_agrees::<u64>(5, 4, 3, 7, 40);
    sample_agrees::<u64>(5, 5, 4, 14, 40);
    sample_agrees::<u64>(7, 6, 4, 31, 60);
    sample_agrees::<u64>(8, 7, 5, 46, 10);
    sample_agrees::<u64>(6, 5, 5, 19, 20);
    sample_agrees::<u128>(8, 10, 6, 70, 6);
    sample_agrees::<u128>(11, 10, 7, 101, 4);
    sample_agrees::<U192>(16, 8, 8, 119, 4);
}

#[test]
fn a_search_can_be_cancelled_and_finished_boards_have_no_moves() {
    let game = Connect::<u64>::new(7, 6, 4).unwrap();
    let mut solver = solver(&game, &RESOURCES);
    let (stop, mut tell) = (Cancel::cancelled(), |_: &_| {});
    let mut progress = Progress { cancel: &stop, report: &mut tell };
    let start = Position::State(game.start());
    assert_eq!(solver.solve(&game, &start, &mut progress), Err(Unsolved::Cancelled));
    let mut won = game.start();
    for column in [0, 1, 0, 1, 0, 1, 0] {
        game.apply(&mut won, Column(column));
    }
    assert_eq!(solver.values(&game, &Position::State(won), &mut progress), Ok(Vec::new()));
}

#[test]
fn an_answer_beyond_the_budget_is_out_of_reach() {
    let game = Connect::<u64>::new(7, 6, 4).unwrap();
    let mut solver = ConnectSolver::new(&game, &RESOURCES);
    let (start, cancel) = (Position::State(game.start()), Cancel::new());
    let refused = solver.best_action(&game, &start, &Budget::nodes(20_000), &cancel).unwrap_err();
    assert_eq!(refused, Unsolved::OutOfReach("the value takes more than 20000 nodes".to_owned()));
    let refused = solver.best_action(&game, &start, &Budget::time(Duration::ZERO), &cancel).unwrap_err();
    assert_eq!(refused, Unsolved::Cancelled);
}

#[test]
fn a_solver_switches_to_another_board_size() {
    let boards = [(4, 4, 4), (4, 4, 3), (5, 4, 3), (4, 4, 4)];
    let mut solver = ConnectSolver::new(&Connect::<u64>::new(4, 4, 3).unwrap(), &RESOURCES);
    for (width, height, row) in boards {
        let game = Connect::<u64>::new(width, height, row).unwrap();
        let mut board = game.start();
        for column in [0, 1, 0, 1] {
            game.apply(&mut board, Column(column));
        }
        agrees(&mut solver, &game, &board, &mut HashMap::new());
    }
}
