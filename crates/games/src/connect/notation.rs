//! Boards and moves as text: a column is one character, a position is the columns played so far, `436622165622`.

use parlor_core::text::notation::quoted;
use parlor_core::{Game, Ink, Notation, Position, ReadError, Seat};
use serde::{Deserialize, Serialize};

use super::{Board, Column, Connect};
use crate::board::bits::Word;
use crate::board::grid;

/// The JSON form of a board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sheet {
    /// Rows from the top; `X` (seat 0), `O` (seat 1) or `.` for each cell.
    pub rows: Vec<String>,
    /// The seat to move, 0 for X; `null` when the match is over.
    pub to_move: Option<u8>,
    /// The seat that has won; `null` in a draw and before the end.
    pub winner: Option<u8>,
    /// The discs of the winner's rows, each as column from the left and row from the top, counted from 0.
    pub line: Vec<[u8; 2]>,
}

/// Returns the name of a column counted from 0: `1` … `9`, then `a` … `z`.
fn column_name(column: u8) -> char {
    char::from(if column < 9 { b'1' + column } else { b'a' + (column - 9) })
}

/// Marks of the seats; X begins.
pub(super) const MARKS: [char; 2] = ['X', 'O'];

impl<W: Word> Connect<W> {
    fn read_column(&self, what: &'static str, name: char) -> Result<Column, ReadError> {
        (0..self.width).find(|&c| column_name(c) == name.to_ascii_lowercase()).map(Column).ok_or_else(|| {
            let last = column_name(self.width - 1);
            let known = match self.width {
                1 => "the only column is 1".to_owned(),
                2..=9 => format!("columns are 1 to {last}"),
                10 => "columns are 1 to 9, then a".to_owned(),
                _ => format!("columns are 1 to 9, then a to {last}"),
            };
            ReadError::new(what, format!("`{}` is not a column", name.escape_debug())).hint(known)
        })
    }

    /// Returns the seat whose disc lies in a cell; rows count from the top.
    fn owner(&self, board: &Board<W>, column: u8, row: u8) -> Option<Seat> {
        let cell = self.cell(column, self.height - 1 - row);
        Seat::all(2).find(|&seat| self.discs(board, seat).has(cell))
    }

    fn row_texts(&self, board: &Board<W>) -> Vec<String> {
        let mark = |column, row| self.owner(board, column, row).map_or('.', |seat| MARKS[seat.index()]);
        (0..self.height).map(|row| (0..self.width).map(|column| mark(column, row)).collect()).collect()
    }

    /// Returns the board that rows of marks show, if play can reach it.
    fn read_board(&self, text: &str) -> Result<Board<W>, ReadError> {
        let mut sides = [W::ZERO; 2];
        let marks = grid::read_rows("view", text, self.height, self.width)?;
        let (width, mut row) = (usize::from(self.width), self.height);
        // From the bottom up, so that the cells below a disc are known.
        for line in marks.chunks(width).rev() {
            row -= 1;
            for (column, &(at, mark)) in line.iter().enumerate() {
                let height = self.height - 1 - row;
                let cell = self.cell(column as u8, height);
                match MARKS.iter().position(|&known| known == mark) {
                    Some(_) if height > 0 && !(sides[0] | sides[1]).has(cell - 1) => {
                        return Err(ReadError::new("view", "a disc hovers over an empty cell").at(at));
                    }
                    Some(seat) => sides[seat] |= W::bit(cell),
                    None if mark == '.' => {}
                    None => {
                        return Err(ReadError::new(
                            "view",
                            format!("`{}` is not a cell", mark.escape_debug()),
                        )
                        .at(at)
                        .hint("cells are `X`, `O` or `.`"));
                    }
                }
            }
        }
        let [x, o] = sides.map(Word::len);
        if x != o && x != o + 1 {
            return Err(ReadError::new("view", format!("{x} X and {o} O cannot be"))
                .hint("X begins, so there are as many X as O, or one more"));
        }
        let board = self.with_discs(sides[0], sides[1]);
        let last = if x > o { 0 } else { 1 };
        let late = self.has_row(sides[1 - last])
            || (self.has_row(sides[last]) && !self.ends_now(&board, sides[last]));
        if late {
            return Err(ReadError::new("view", "play continued after a row was complete")
                .hint("the last disc, on top of a column, is part of every row"));
        }
        Ok(board)
    }

    /// Returns whether removing some disc on top of a column breaks all rows of `discs`, which belong to the side
    /// that moved last.
    fn ends_now(&self, board: &Board<W>, discs: W) -> bool {
        let taken = self.taken(board);
        let tops = discs & !(taken >> 1);
        tops.cells().any(|cell| !self.has_row(discs ^ W::bit(cell)))
    }

    fn verdict(&self, board: &Board<W>) -> Option<String> {
        match (self.is_over(board), self.winner(board)) {
            (false, _) => None,
            (true, None) => Some("the board is full: a draw".to_owned()),
            (true, Some(seat)) => Some(format!("{} has {} in a row", MARKS[seat.index()], self.row)),
        }
    }
}

impl<W: Word> Notation for Connect<W> {
    type Sheet = Sheet;

    fn sheet(&self, board: &Board<W>) -> Sheet {
        let stride = self.stride();
        let place = |cell: u32| [(cell / stride) as u8, self.height - 1 - (cell % stride) as u8];
        Sheet {
            rows: self.row_texts(board),
            to_move: self.to_move(board).map(|seat| seat.0),
            winner: self.winner(board).map(|seat| seat.0),
            line: self.winning_row(board).cells().map(place).collect(),
        }
    }

    fn read_view(&self, sheet: &Sheet) -> Result<Board<W>, ReadError> {
        let board = self.read_board(&sheet.rows.join("/"))?;
        let follows = self.sheet(&board);
        let json = |seat: Option<u8>| seat.map_or("null".to_owned(), |seat| seat.to_string());
        let wrong = if sheet.to_move != follows.to_move {
            format!("`to_move` is {} where `rows` give {}", json(sheet.to_move), json(follows.to_move))
        } else if sheet.winner != follows.winner {
            format!("`winner` is {} where `rows` give {}", json(sheet.winner), json(follows.winner))
        } else if *sheet != follows {
            format!("`line` does not follow from `rows`, which give {:?}", follows.line)
        } else {
            return Ok(board);
        };
        Err(ReadError::new("view", wrong))
    }

    fn write_action(&self, Column(column): Column) -> String {
        column_name(column).to_string()
    }

    fn read_action(&self, text: &str) -> Result<Column, ReadError> {
        let mut names = text.chars();
        match (names.next(), names.next()) {
            (Some(name), None) => self.read_column("move", name),
            _ => Err(ReadError::new("move", format!("{} is not one column", quoted(text)))
                .hint("a move is a single character, such as `1`")),
        }
    }

    fn view_actions(&self, board: &Board<W>) -> Vec<Column> {
        self.actions(board).collect()
    }

    fn read_position(&self, text: &str) -> Result<Position<Self>, ReadError> {
        let mut board = self.start();
        for (before, name) in text.chars().enumerate() {
            let wrong = |error: ReadError| error.at(before + 1);
            let column = self.read_column("position", name).map_err(wrong)?;
            if let Some(verdict) = self.verdict(&board) {
                return Err(wrong(
                    ReadError::new("position", format!("the match is over here, {verdict}"))
                        .hint(format!("cut the text here to see the end after {before} moves")),
                ));
            }
            if self.try_apply(&mut board, column).is_err() {
                let open: String = self.actions(&board).map(|Column(c)| column_name(c)).collect();
                return Err(wrong(
                    ReadError::new("position", format!("column {name} is full here"))
                        .hint(format!("open columns: {open}")),
                ));
            }
        }
        Ok(Position::State(board))
    }

    /// Returns `None`, because a board does not determine the order of its discs.
    fn write_position(&self, _: &Board<W>) -> Option<String> {
        None
    }

    fn draw(&self, board: &Board<W>, ink: Ink) -> String {
        let row = self.winning_row(board);
        let side = ink.pick("│", "|");
        let mut text = String::new();
        for from_top in 0..self.height {
            text.push_str(side);
            for column in 0..self.width {
                let disc = match self.owner(board, column, from_top) {
                    None => ink.pick("·", ".").to_owned(),
                    Some(seat) => {
                        let won = row.has(self.cell(column, self.height - 1 - from_top));
                        let (style, won_style) =
                            if seat == Seat::FIRST { ("31", "1;7;31") } else { ("33", "1;7;33") };
                        ink.paint(if won { won_style } else { style }, Self::disc(seat, ink))
                    }
                };
                text.push_str(&format!(" {disc}"));
            }
            text.push_str(&format!(" {side}\n"));
        }
        let (left, floor, right) = if ink.ascii { ("+", "-", "+") } else { ("└", "─", "┘") };
        text.push_str(&format!("{left}{}{right}\n", floor.repeat(2 * usize::from(self.width) + 1)));
        let names: String = (0..self.width).map(|c| format!(" {}", column_name(c))).collect();
        text.push_str(&format!(" {names}\n"));
        text
    }

    fn status(&self, board: &Board<W>) -> String {
        self.verdict(board).unwrap_or_else(|| {
            let discs = self.taken(board).len();
            let seat = self.to_move(board).map_or(0, Seat::index);
            format!("seat {seat} to move, disc {} of {}", discs + 1, self.board.len())
        })
    }

    fn rules(&self) -> String {
        self.rules_text()
    }

    fn side(&self, _: &Board<W>, seat: Seat, ink: Ink) -> Option<String> {
        Some(Self::disc(seat, ink).to_owned())
    }

    fn status_for(&self, board: &Board<W>, seat: Seat) -> String {
        self.status_text(board, seat)
    }
}
