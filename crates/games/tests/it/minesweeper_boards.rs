//! Mine probabilities on boards that another program has counted layout by layout.

use parlor_core::play::solve::{Progress, Resources};
use parlor_core::{Cancel, Notation, Position};
use parlor_games::bits::Word;
use parlor_games::minesweeper::{Action, First, Layouts, Minesweeper, View, solver};
use serde::Deserialize;

#[derive(Deserialize)]
struct File {
    boards: Vec<Board>,
}

#[derive(Deserialize)]
struct Board {
    id: String,
    rows: u8,
    cols: u8,
    mines: u16,
    board: String,
    layouts: u64,
    /// Number of layouts in which each cell is a mine; `null` for opened cells.
    mine_layouts: Vec<Option<u64>>,
    /// Number of layouts in which a click on each cell wins under perfect play afterwards; `null` for opened cells.
    win_layouts_if_clicked: Vec<Option<u32>>,
    optimal_win: String,
    /// Rows and columns of the cells that are safe in every layout.
    safe_cells: Vec<(u32, u32)>,
}

fn boards() -> Vec<Board> {
    let file: File = serde_json::from_str(include_str!("../vectors/minesweeper-boards.json")).unwrap();
    assert_eq!(file.boards.len(), 61);
    file.boards
}

fn opened(board: &Board) -> (Minesweeper<u64>, View<u64>) {
    let game = Minesweeper::new(board.rows, board.cols, board.mines, First::Any).unwrap();
    match game.read_position(&board.board) {
        Ok(Position::View(view)) => (game, view),
        other => panic!("{}: {other:?}", board.id),
    }
}

#[test]
fn perfect_play_agrees() {
    let stop = Cancel::new();
    for board in boards() {
        let (game, view) = opened(&board);
        let mut solver = solver(&game, &Resources { threads: 1, memory_mb: 8 });
        let mut progress = Progress { cancel: &stop, report: &mut |_| () };
        let position = Position::View(view);
        let values = solver.values(&game, &position, &mut progress).unwrap();
        let wins = board.win_layouts_if_clicked.iter().enumerate();
        let expected: Vec<(Action, f64)> = wins
            .filter_map(|(cell, wins)| Some((cell, (*wins)?)))
            .map(|(cell, wins)| (Action::Click(cell as u16), f64::from(wins) / board.layouts as f64))
            .collect();
        assert_eq!(values, expected, "{}", board.id);
        let exact = solver.solve(&game, &position, &mut progress).unwrap();
        let most = values.iter().map(|value| value.1).fold(0.0, f64::max);
        let best: Vec<Action> = values.iter().filter(|value| value.1 == most).map(|value| value.0).collect();
        assert_eq!((exact.value, exact.best), (most, best), "{}", board.id);
        let (won, of) = board.optimal_win.split_once('/').unwrap();
        assert!(
            (most - won.parse::<f64>().unwrap() / of.parse::<f64>().unwrap()).abs() < 1e-12,
            "{}",
            board.id
        );
    }
}

#[test]
fn odds_agree() {
    for board in boards() {
        let (game, view) = opened(&board);
        assert_eq!(game.write_position(&view), Some(board.board), "{}", board.id);
        let layouts = Layouts::of(&game, &view);
        assert_eq!(layouts.total(), board.layouts as f64, "{}", board.id);

        let odds = layouts.mine_probabilities();
        let safe = board
            .safe_cells
            .iter()
            .fold(0, |set, (row, column)| set | u64::bit(row * u32::from(board.cols) + column));
        for (cell, expected) in board.mine_layouts.iter().enumerate() {
            assert_eq!(view.opened().has(cell as u32), expected.is_none(), "{}", board.id);
            let expected = expected.unwrap_or(0) as f64 / board.layouts as f64;
            assert!((odds[cell] - expected).abs() < 1e-12, "{} cell {cell}: {}", board.id, odds[cell]);
            let covered = !view.opened().has(cell as u32);
            assert_eq!(covered && odds[cell] == 0.0, safe.has(cell as u32), "{} cell {cell}", board.id);
        }
    }
}
