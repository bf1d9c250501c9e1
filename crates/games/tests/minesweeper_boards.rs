//! Mine odds on boards that another program has counted layout by layout.

use parlor_core::{Notation, Position};
use parlor_games::bits::Word;
use parlor_games::minesweeper::{First, Layouts, Minesweeper};
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
    /// In how many layouts each cell is a mine; nothing for opened cells.
    mine_layouts: Vec<Option<u64>>,
    /// Rows and columns of the cells that are mines in no layout.
    safe_cells: Vec<(u32, u32)>,
}

#[test]
fn odds_agree() {
    let file: File = serde_json::from_str(include_str!("vectors/minesweeper-boards.json")).unwrap();
    assert_eq!(file.boards.len(), 61);
    for board in file.boards {
        let game = Minesweeper::<u64>::new(board.rows, board.cols, board.mines, First::Any).unwrap();
        let view = match game.read_position(&board.board) {
            Ok(Position::View(view)) => view,
            other => panic!("{}: {other:?}", board.id),
        };
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
