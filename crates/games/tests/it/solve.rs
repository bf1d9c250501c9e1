//! Solvers against results of other programs.

use parlor_core::Cancel;

use parlor_core::Notation;
use parlor_core::play::solve::{Progress, ProgressUpdate, Resources, Solver};
use parlor_games::connect::{Column, Connect, solve::ConnectSolver};
use parlor_games::tictactoe::{Cell, Lines, TicTacToe, solve::TicTacToeSolver};
use serde_json::Value;

const RESOURCES: Resources = Resources { threads: 1, memory_mb: 64 };

fn without_progress<T>(ask: impl FnOnce(&mut Progress<'_>) -> T) -> T {
    let (stop, mut tell) = (Cancel::new(), |_: &ProgressUpdate| {});
    ask(&mut Progress { cancel: &stop, report: &mut tell })
}

fn standard() -> (Connect<u64>, ConnectSolver<u64>) {
    let game = Connect::new(7, 6, 4).unwrap();
    let solver = ConnectSolver::new(&game, &RESOURCES);
    (game, solver)
}

#[test]
fn connect_positions() {
    let vectors: Vec<Value> =
        serde_json::from_str(include_str!("../vectors/connect-solved-7x6.json")).unwrap();
    let (game, mut solver) = standard();
    for solved in &vectors {
        let moves = solved["moves"].as_str().unwrap();
        let position = game.read_position(moves).unwrap();
        let exact = without_progress(|p| solver.solve(&game, &position, p)).unwrap();
        assert_eq!(Some(exact.value), solved["score"].as_f64(), "{moves}");
        let best: Vec<u64> = exact.best.iter().map(|&Column(c)| u64::from(c) + 1).collect();
        let expected: Vec<u64> =
            solved["best"].as_array().unwrap().iter().filter_map(Value::as_u64).collect();
        assert_eq!(best, expected, "{moves}");
        let values = without_progress(|p| solver.values(&game, &position, p)).unwrap();
        let mut columns = vec![None; 7];
        for (Column(column), value) in values {
            columns[usize::from(column)] = Some(value);
        }
        let expected: Vec<Option<f64>> =
            solved["columns"].as_array().unwrap().iter().map(Value::as_f64).collect();
        assert_eq!(columns, expected, "{moves}");
    }
    assert!(vectors.len() > 100);
}

/// The first positions of each of P. Pons' six public sets (blog.gamesolver.org, *Test protocol*): the moves, then
/// the value of each column for the side to move; a dot is a full column.
const SETS: &str = include_str!("../vectors/connect-sets.txt");

#[test]
fn public_sets() {
    let (game, mut solver) = standard();
    for (set, positions) in [
        ("end-easy", 40),
        ("middle-easy", 40),
        ("begin-easy", 40),
        ("middle-medium", 20),
        ("begin-medium", 3),
    ] {
        let lines = SETS.lines().filter_map(|line| line.strip_prefix(set)).take(positions);
        let mut count = 0;
        for line in lines {
            let mut parts = line.split_whitespace();
            let moves = parts.next().unwrap();
            let position = game.read_position(moves).unwrap();
            let columns: Vec<Option<f64>> = parts.map(|value| value.parse().ok()).collect();
            let best = columns.iter().flatten().copied().fold(f64::MIN, f64::max);
            let exact = without_progress(|p| solver.solve(&game, &position, p)).unwrap();
            assert_eq!(exact.value, best, "{set} {moves}");
            let keeps: Vec<Column> =
                (0..7).filter(|&c| columns[usize::from(c)] == Some(best)).map(Column).collect();
            assert_eq!(exact.best, keeps, "{set} {moves}");
            count += 1;
        }
        assert_eq!(count, positions, "{set}");
    }
}

#[test]
fn tictactoe_positions() {
    let vectors: Value = serde_json::from_str(include_str!("../vectors/tictactoe-positions.json")).unwrap();
    let mut count = 0;
    for (rule, lines) in [("A", Lines::Windows), ("B", Lines::Runs)] {
        for size in [3, 4, 5] {
            let game = TicTacToe::new(size, size, lines).unwrap();
            let mut solver = TicTacToeSolver::new(&game, &RESOURCES);
            for given in vectors["positions"].as_array().unwrap() {
                let text = given["board"].as_str().unwrap();
                if given["size"] != size || !text.contains('.') {
                    continue;
                }
                let position = game.read_position(text).unwrap();
                let exact = without_progress(|p| solver.solve(&game, &position, p)).unwrap();
                let margin = given[rule]["margin"].as_f64().unwrap();
                let expected = if given["to_move"] == "X" { margin } else { -margin };
                assert_eq!(exact.value, expected, "{text} {rule}");
                let best: Vec<Cell> = given[rule]["best_moves"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|at| {
                        Cell((at[0].as_u64().unwrap() * u64::from(size) + at[1].as_u64().unwrap()) as u8)
                    })
                    .collect();
                assert_eq!(exact.best, best, "{text} {rule}");
                count += 1;
            }
        }
    }
    assert!(count > 250, "{count}");
}
