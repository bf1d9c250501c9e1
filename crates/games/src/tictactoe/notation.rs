//! Boards and cells as text: `.X./O.X/.XO`, and `b1` for the second cell of the top row.

use parlor_core::text::notation::quoted;
use parlor_core::{Game, Happening, Ink, Notation, Phase, Position, ReadError, Seat, Told};
use serde::{Deserialize, Serialize};

use super::{Board, Cell, TicTacToe};
use crate::board::bits::Word;
use crate::board::grid;

/// The JSON form of a board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sheet {
    /// Rows from the top; `X`, `O` or `.` for each cell.
    pub rows: Vec<String>,
    /// The seat to move, 0 for X; `null` when the board is full.
    pub to_move: Option<u8>,
    /// The points of X and of O so far.
    pub points: [u32; 2],
}

impl TicTacToe {
    fn row_texts(&self, board: &Board) -> Vec<String> {
        let mark = |cell: u32| {
            if board.x.has(cell) {
                'X'
            } else if board.o.has(cell) {
                'O'
            } else {
                '.'
            }
        };
        let columns = u32::from(self.columns);
        (0..u32::from(self.rows)).map(|row| (0..columns).map(|c| mark(row * columns + c)).collect()).collect()
    }

    fn read_board(&self, text: &str) -> Result<Board, ReadError> {
        let mut board = Board::default();
        let marks = grid::read_rows("position", text, self.rows, self.columns)?;
        for (cell, (at, mark)) in marks.into_iter().enumerate() {
            match mark {
                '.' => {}
                'X' => board.x |= u64::bit(cell as u32),
                'O' => board.o |= u64::bit(cell as u32),
                other => {
                    return Err(ReadError::new(
                        "position",
                        format!("`{}` is not a cell", other.escape_debug()),
                    )
                    .at(at)
                    .hint("cells are `X`, `O` or `.`"));
                }
            }
        }
        let (x, o) = (board.x.len(), board.o.len());
        if x != o && x != o + 1 {
            return Err(ReadError::new("position", format!("{x} X and {o} O cannot be"))
                .hint("X begins, so there are as many X as O, or one more"));
        }
        Ok(board)
    }

    fn to_move(&self, board: &Board) -> Option<u8> {
        match self.phase(board) {
            Phase::Decide(seat) => Some(seat.0),
            _ => None,
        }
    }
}

impl Notation for TicTacToe {
    type Sheet = Sheet;

    fn sheet(&self, board: &Board) -> Sheet {
        Sheet {
            rows: self.row_texts(board),
            to_move: self.to_move(board),
            points: [self.points(board.x), self.points(board.o)],
        }
    }

    fn read_view(&self, sheet: &Sheet) -> Result<Board, ReadError> {
        let board = self.read_board(&sheet.rows.join("/"))?;
        if self.sheet(&board) != *sheet {
            return Err(ReadError::new("view", "`to_move` or `points` do not follow from `rows`"));
        }
        Ok(board)
    }

    fn write_action(&self, Cell(cell): Cell) -> String {
        grid::write_square(cell % self.columns, cell / self.columns)
    }

    fn read_action(&self, text: &str) -> Result<Cell, ReadError> {
        let (column, row) = grid::read_square("move", text, self.columns, self.rows)?;
        Ok(Cell(row * self.columns + column))
    }

    fn view_actions(&self, board: &Board) -> Vec<Cell> {
        self.actions(board).collect()
    }

    fn read_position(&self, text: &str) -> Result<Position<Self>, ReadError> {
        self.read_board(text).map(Position::State).map_err(|e| match e.hint {
            Some(_) => e,
            None => e.hint(format!(
                "a position looks like {}",
                quoted(&self.row_texts(&Board::default()).join("/"))
            )),
        })
    }

    fn write_position(&self, board: &Board) -> Option<String> {
        Some(self.row_texts(board).join("/"))
    }

    fn draw(&self, board: &Board, ink: Ink) -> String {
        grid::draw(self.columns, self.rows, grid::RowLabels::FromTop, ink, |column, row| {
            let cell = u32::from(row) * u32::from(self.columns) + u32::from(column);
            if board.x.has(cell) {
                ink.paint("1;31", "X")
            } else if board.o.has(cell) {
                ink.paint("1;34", "O")
            } else {
                ink.pick("·", ".").to_owned()
            }
        })
    }

    fn status(&self, board: &Board) -> String {
        let next = match self.to_move(board) {
            Some(0) => "X to move",
            Some(_) => "O to move",
            None => "over",
        };
        format!("{next}; points: X {}, O {}", self.points(board.x), self.points(board.o))
    }

    fn rules(&self) -> String {
        self.rules_text()
    }

    fn side(&self, _: &Board, seat: Seat, _: Ink) -> Option<String> {
        Some(if seat == Seat::FIRST { "X" } else { "O" }.to_owned())
    }

    fn points(&self, board: &Board, seat: Seat) -> Option<[u32; 2]> {
        let [x, o] = [board.x, board.o].map(|side| TicTacToe::points(self, side));
        Some(if seat == Seat::FIRST { [x, o] } else { [o, x] })
    }

    fn tell(&self, happening: &Happening<'_, Self>) -> Option<Told> {
        Some(self.tell_move(happening))
    }
}
