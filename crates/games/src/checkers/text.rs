//! Boards and moves as text: `-w-w/.-.-/-.-./r-r- r`, `c3-d4`, `e3xc5xe7`.

use parlor_core::text::notation::quoted;
use parlor_core::{ReadError, Seat};

use super::{Board, Checkers, Direction, MOST_JUMPS, Move, RED, WHITE};
use crate::board::bits::Word;
use crate::board::grid;

const MOVE: &str = "move";
const POSITION: &str = "position";
const MOVES_LOOK_LIKE: &str = "a step looks like c3-d4, a jump like e3xc5xe7 with every square it lands on";

/// A move as typed: its squares and separator.
pub(super) struct Typed {
    pub(super) squares: Vec<u32>,
    /// Whether a square was given by number.
    pub(super) numbers: bool,
    jump: bool,
}

impl<W: Word> Checkers<W> {
    /// Returns the square's name, `c3`.
    pub(super) fn square_text(&self, square: u32) -> String {
        let (column, row) = self.place(square);
        grid::write_square(column, row)
    }

    /// Returns the rows from the top.
    pub(super) fn row_texts(&self, board: &Board<W>) -> Vec<String> {
        let mark = |square: u32| match (board.pieces(RED).has(square), board.kings.has(square)) {
            (true, false) => 'r',
            (true, true) => 'R',
            (false, true) => 'W',
            (false, false) if board.pieces(WHITE).has(square) => 'w',
            (false, false) => '.',
        };
        let row =
            |row: u8| (0..self.columns).map(|column| self.square(column, row).map_or('-', mark)).collect();
        (0..self.rows).rev().map(row).collect()
    }

    /// Reads rows from the top with `/` between them.
    pub(super) fn read_board(&self, text: &str, to_move: Seat, idle: u16) -> Result<Board<W>, ReadError> {
        let wrong = |at: usize, wrong: String| ReadError::new(POSITION, wrong).at(at);
        let (mut red, mut white, mut kings) = (W::ZERO, W::ZERO, W::ZERO);
        let marks = grid::read_rows(POSITION, text, self.rows, self.columns)?;
        for (cell, (at, mark)) in marks.into_iter().enumerate() {
            let (from_top, column) = (cell / usize::from(self.columns), cell % usize::from(self.columns));
            let (column, row) = (column as u8, self.rows - 1 - from_top as u8);
            let here = grid::write_square(column, row);
            let Some(square) = self.square(column, row) else {
                if mark == '-' {
                    continue;
                }
                let mark = mark.escape_debug();
                return Err(wrong(at, format!("{here} is light, but `{mark}` stands there"))
                    .hint("light squares are `-`"));
            };
            match mark {
                '.' => {}
                'r' | 'R' => red |= W::bit(square),
                'w' | 'W' => white |= W::bit(square),
                '-' => {
                    return Err(wrong(at, format!("{here} is dark, but `-` is a light square")).hint(MARKS));
                }
                other => {
                    return Err(wrong(at, format!("`{}` is not a square", other.escape_debug())).hint(MARKS));
                }
            }
            if matches!(mark, 'R' | 'W') {
                kings |= W::bit(square);
            }
            let man = match mark {
                'r' => Some(RED),
                'w' => Some(WHITE),
                _ => None,
            };
            if let Some(uncrowned) = man.and_then(|seat| self.uncrowned(seat, row)) {
                return Err(wrong(at, uncrowned.to_owned()));
            }
        }
        Ok(Board::new(red, white, kings, to_move, idle))
    }

    /// Returns the error for a man of `seat` on a row where it would have been crowned.
    pub(super) fn uncrowned(&self, seat: Seat, row: u8) -> Option<&'static str> {
        if seat == RED && row == self.rows - 1 {
            Some("a red man on the top row would be a king")
        } else if seat == WHITE && row == 0 {
            Some("a white man on the bottom row would be a king")
        } else {
            None
        }
    }

    /// Reads rows and the side to move.
    pub(super) fn read_rows_and_turn(&self, text: &str) -> Result<Board<W>, ReadError> {
        let (rows, turn) =
            text.trim().split_once(' ').map_or((text.trim(), ""), |(rows, turn)| (rows, turn.trim()));
        let wrong = |at: usize, wrong: String| {
            ReadError::new(POSITION, wrong)
                .at(rows.chars().count() + at)
                .hint("after the rows comes a space and `r` or `w`")
        };
        let to_move = match turn {
            "r" => Ok(RED),
            "w" => Ok(WHITE),
            "" => Err(wrong(1, "the side to move is missing".to_owned())),
            other => Err(wrong(2, format!("{} is not a side to move", quoted(other)))),
        };
        // If both are wrong, the error of the rows comes first.
        let board = self.read_board(rows, *to_move.as_ref().unwrap_or(&RED), 0)?;
        to_move.map(|_| board)
    }

    /// Reads the squares of a move, by name or, on 8×8, by number.
    pub(super) fn read_squares(&self, text: &str) -> Result<Typed, ReadError> {
        let mut typed = Typed { squares: Vec::new(), numbers: false, jump: false };
        let (mut at, mut steps) = (1, 0);
        for part in text.split_inclusive(SEPARATORS) {
            let name = part.trim_end_matches(SEPARATORS);
            let square = match self.numbered(name) {
                Some(square) => {
                    typed.numbers = true;
                    square
                }
                None => {
                    let (column, row) =
                        grid::read_square(MOVE, name, self.columns, self.rows).map_err(|e| e.at(at))?;
                    self.square(column, row).ok_or_else(|| {
                        ReadError::new(MOVE, format!("{} is a light square", quoted(name)))
                            .at(at)
                            .hint("pieces stand on dark squares; a1 is one")
                    })?
                }
            };
            typed.squares.push(square);
            match &part[name.len()..] {
                "" => {}
                "-" => steps += 1,
                _ => typed.jump = true,
            }
            at += part.chars().count();
        }
        let joined_at_the_end = text.ends_with(SEPARATORS);
        if typed.squares.len() < 2 || joined_at_the_end || (typed.jump && steps > 0) {
            let wrong = format!("{} is not a move", quoted(text));
            return Err(ReadError::new(MOVE, wrong).hint(MOVES_LOOK_LIKE));
        }
        Ok(typed)
    }

    /// Returns the move that goes from square to square as typed.
    pub(super) fn typed_move(&self, text: &str, typed: &Typed) -> Result<Move, ReadError> {
        let wrong = |wrong: String| ReadError::new(MOVE, format!("{}: {wrong}", quoted(text)));
        let hops = if typed.jump { 2 } else { 1 };
        let direction = |pair: &[u32]| {
            let ((from_column, from_row), (column, row)) = (self.place(pair[0]), self.place(pair[1]));
            Direction::ALL.into_iter().find(|direction| {
                let (right, up) = direction.right_and_up();
                from_column.checked_add_signed(hops * right) == Some(column)
                    && from_row.checked_add_signed(hops * up) == Some(row)
            })
        };
        let jumps = typed.squares.len() as u32 - 1;
        if typed.jump && jumps > MOST_JUMPS {
            return Err(wrong(format!("{jumps} jumps in one move cannot be"))
                .hint(format!("no move takes more than {MOST_JUMPS} pieces")));
        }
        let mut steps = 0;
        for (n, pair) in typed.squares.windows(2).enumerate() {
            let Some(direction) = direction(pair) else {
                let (from, to) = (self.square_text(pair[0]), self.square_text(pair[1]));
                let needed =
                    if typed.jump { "two squares along a diagonal" } else { "to a diagonal neighbour" };
                return Err(wrong(format!("from {from} to {to} is not {needed}")).hint(MOVES_LOOK_LIKE));
            };
            if !typed.jump && n == 0 && jumps == 1 {
                return Ok(Move::new(typed.squares[0], u64::from(direction.0), 0));
            }
            steps |= u64::from(direction.0) << (2 * n);
        }
        if !typed.jump {
            return Err(wrong("a quiet move is one step".to_owned()).hint(MOVES_LOOK_LIKE));
        }
        Ok(Move::new(typed.squares[0], steps, jumps))
    }
}

const MARKS: &str = "dark squares are `.`, `r`, `w`, `R` or `W`";

/// Separators between the squares of a move.
const SEPARATORS: [char; 4] = ['-', 'x', 'X', ':'];
