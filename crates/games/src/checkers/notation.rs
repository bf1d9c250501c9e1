//! Text, drawings and JSON of boards and moves.

use parlor_core::text::notation::quoted;
use parlor_core::{Game, Happening, Ink, Notation, Phase, Position, ReadError, Seat, Sketch, Told};
use serde::{Deserialize, Serialize};

use super::{Board, Checkers, Move, RED, WHITE};
use crate::board::bits::Word;
use crate::board::grid;

/// The JSON form of a board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sheet {
    /// Rows from the top; `-` light, `.` empty, `r` and `w` men, `R` and `W` kings.
    pub rows: Vec<String>,
    /// The seat to move, 0 for red; after the end, the seat that would be next.
    pub turn: u8,
    /// The seat to move; `null` after the end.
    pub to_move: Option<u8>,
    /// The seat that has won; `null` before the end and after a tie.
    pub winner: Option<u8>,
    /// Plies since the last capture or advance of a man.
    pub idle: u16,
    /// Number of idle plies at which the game is a tie.
    pub limit: u16,
}

impl<W: Word> Checkers<W> {
    fn winner(&self, board: &Board<W>) -> Option<Seat> {
        (!self.can_move(board)).then(|| board.to_move.other())
    }

    fn is_over(&self, board: &Board<W>) -> bool {
        self.phase(board) == Phase::Over
    }

    /// Returns what is drawn in a cell; rows count from the top.
    fn cell_text(&self, board: &Board<W>, column: u8, from_top: u8, ink: Ink) -> String {
        let Some(square) = self.square(column, self.rows - 1 - from_top) else {
            return " ".to_owned();
        };
        let king = board.kings.has(square);
        if board.pieces(RED).has(square) {
            ink.paint("1;31", if king { ink.pick("♛", "R") } else { ink.pick("●", "r") })
        } else if board.pieces(WHITE).has(square) {
            ink.paint("1;37", if king { ink.pick("♕", "W") } else { ink.pick("○", "w") })
        } else {
            ink.paint("2", ink.pick("·", "."))
        }
    }

    /// Returns the error for a text that matches more than one legal move.
    fn ambiguous(&self, text: &str, meant: &[Move], numbers: bool) -> ReadError {
        const SHOWN: usize = 8;
        let write =
            |action: Move| self.pdn(action).filter(|_| numbers).unwrap_or_else(|| self.write_action(action));
        let mut some: Vec<String> = meant.iter().take(SHOWN).map(|&action| write(action)).collect();
        if meant.len() > SHOWN {
            some.push("…".to_owned());
        }
        ReadError::new("move", format!("{} can be done in {} ways", quoted(text), meant.len()))
            .hint(format!("give the whole path: {}", some.join(" ")))
    }
}

impl<W: Word> Notation for Checkers<W> {
    type Sheet = Sheet;

    fn sheet(&self, board: &Board<W>) -> Sheet {
        Sheet {
            rows: self.row_texts(board),
            turn: board.to_move.0,
            to_move: (!self.is_over(board)).then_some(board.to_move.0),
            winner: self.winner(board).map(|seat| seat.0),
            idle: board.idle,
            limit: self.limit,
        }
    }

    fn read_view(&self, sheet: &Sheet) -> Result<Board<W>, ReadError> {
        if sheet.turn > 1 {
            return Err(
                ReadError::new("view", format!("`turn` is {}", sheet.turn)).hint("0 is red, 1 is white")
            );
        }
        if sheet.idle > self.limit {
            let wrong = format!("`idle` is {}, but the game ends at {}", sheet.idle, self.limit);
            return Err(ReadError::new("view", wrong));
        }
        let board = self.read_board(&sheet.rows.join("/"), Seat(sheet.turn), sheet.idle)?;
        if self.sheet(&board) != *sheet {
            let wrong = "`to_move`, `winner` or `limit` do not follow from the other fields and the rules";
            return Err(ReadError::new("view", wrong));
        }
        Ok(board)
    }

    fn write_action(&self, action: Move) -> String {
        let squares: Vec<String> = self.path(action).map(|square| self.square_text(square)).collect();
        squares.join(if action.jumps() == 0 { "-" } else { "x" })
    }

    fn read_action(&self, text: &str) -> Result<Move, ReadError> {
        self.typed_move(text, &self.read_squares(text)?)
    }

    fn view_actions(&self, board: &Board<W>) -> Vec<Move> {
        self.actions(board).collect()
    }

    /// Squares may be left out of a jump as long as only one legal move remains: `e3xe7` for `e3xc5xe7`. On 8×8 PDN's
    /// numbers are understood too.
    fn understand(&self, legal: &[Move], text: &str) -> Result<Move, ReadError> {
        let text = text.trim();
        let typed = self.read_squares(text)?;
        let fits = |action: Move| {
            let way: Vec<u32> = self.path(action).collect();
            let mut rest = way.iter();
            let (first, last) = (way.first(), way.last());
            first == typed.squares.first()
                && last == typed.squares.last()
                && typed.squares.iter().all(|square| rest.any(|passed| passed == square))
        };
        let meant: Vec<Move> = legal.iter().copied().filter(|&action| fits(action)).collect();
        match meant[..] {
            [] => Err(self.not_legal(legal, text)),
            [only] => Ok(only),
            _ => meant
                .iter()
                .copied()
                .find(|&action| self.path(action).eq(typed.squares.iter().copied()))
                .ok_or_else(|| self.ambiguous(text, &meant, typed.numbers)),
        }
    }

    fn read_position(&self, text: &str) -> Result<Position<Self>, ReadError> {
        if text.contains(':') {
            return self.read_fen(text).map(Position::State);
        }
        self.read_rows_and_turn(text).map(Position::State).map_err(|e| match e.hint {
            Some(_) => e,
            None => e.hint(format!("a position looks like `{} r`", self.row_texts(&self.start()).join("/"))),
        })
    }

    fn write_position(&self, board: &Board<W>) -> Option<String> {
        let turn = if board.to_move == RED { 'r' } else { 'w' };
        Some(format!("{} {turn}", self.row_texts(board).join("/")))
    }

    fn draw(&self, board: &Board<W>, ink: Ink) -> String {
        grid::draw(self.columns, self.rows, grid::RowLabels::FromBottom, ink, |column, from_top| {
            self.cell_text(board, column, from_top, ink)
        })
    }

    fn status(&self, board: &Board<W>) -> String {
        let name = |seat: Seat| if seat == RED { "red" } else { "white" };
        let ending = match self.winner(board) {
            Some(winner) => format!("{} cannot move: {} wins", name(winner.other()), name(winner)),
            None if self.is_over(board) => format!("tie: {} plies without progress", board.idle),
            None => format!("{} to move", name(board.to_move)),
        };
        let pieces = |seat: Seat| {
            let kings = match board.kings(seat).len() {
                0 => String::new(),
                1 => " + 1 king".to_owned(),
                kings => format!(" + {kings} kings"),
            };
            let men = board.men(seat).len();
            format!("{} {men} {}{kings}", name(seat), if men == 1 { "man" } else { "men" })
        };
        let idle = match board.idle {
            0 => String::new(),
            idle => format!("; {idle} of {} plies without progress", self.limit),
        };
        format!("{ending}; {}; {}{idle}", pieces(RED), pieces(WHITE))
    }

    fn rules(&self) -> String {
        self.rules_text()
    }

    fn side(&self, _: &Board<W>, seat: Seat, ink: Ink) -> Option<String> {
        Some(if seat == RED {
            format!("red {}", ink.pick("●", "r"))
        } else {
            format!("white {}", ink.pick("○", "w"))
        })
    }

    /// White sees the board from its own side.
    fn draw_for(&self, board: &Board<W>, sketch: &Sketch<'_, Move>) -> String {
        if sketch.seat == RED {
            return self.draw(board, sketch.ink);
        }
        grid::draw_turned(self.columns, self.rows, sketch.ink, |column, from_top| {
            self.cell_text(board, column, from_top, sketch.ink)
        })
    }

    fn tell(&self, happening: &Happening<'_, Self>) -> Option<Told> {
        Some(self.tell_move(happening))
    }
}
