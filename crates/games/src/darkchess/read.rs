//! Positions from text and views from JSON; errors explain what is wrong.

use parlor_core::text::notation::quoted;
use parlor_core::{Game, Notation, ReadError, Seat};

use super::board::{Board, Contents, EMPTY, FACE_DOWN};
use super::notation::Sheet;
use super::pieces::{Colour, Piece};
use super::pool::Pool;
use super::squares::{FILES, RANKS, SQUARES, Square};
use super::{Action, DarkChess};
use crate::board::grid;

const LETTERS: &str = "pieces are `K G M R N C P`, in lower case for black";
const LOOKS: &str = "a position looks like `K--k/----/X---/----/----/----/----/---- r P`";

/// Returns the words of a text with the position of their first character, counted from 1.
fn words(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut at = 1;
    for piece in text.split(char::is_whitespace) {
        if !piece.is_empty() {
            found.push((at, piece));
        }
        at += piece.chars().count() + 1;
    }
    found
}

/// Shifts the position of an error in one word to its position in the whole text.
fn shifted(mut error: ReadError, start: usize) -> ReadError {
    error.at = error.at.map(|at| at + start - 1);
    error
}

fn read_squares(what: &'static str, text: &str) -> Result<[u8; SQUARES], ReadError> {
    let mut squares = [EMPTY; SQUARES];
    for (square, (at, letter)) in squares.iter_mut().zip(grid::read_rows(what, text, RANKS, FILES)?) {
        *square = match letter {
            '-' => EMPTY,
            'X' => FACE_DOWN,
            _ => match Piece::from_letter(letter) {
                Some(piece) => piece.code(),
                None => {
                    return Err(ReadError::new(what, format!("`{}` is not a square", letter.escape_debug()))
                        .at(at)
                        .hint(format!("{LETTERS}; `-` is empty and `X` face down")));
                }
            },
        };
    }
    Ok(squares)
}

/// Returns the pieces that the letters list, which lie under the `X` of `squares`.
fn read_pool(what: &'static str, text: &str, squares: &[u8; SQUARES]) -> Result<Pool, ReadError> {
    let mut pieces = Vec::new();
    for (at, letter) in (1..).zip(text.chars()) {
        pieces.push(Piece::from_letter(letter).ok_or_else(|| {
            ReadError::new(what, format!("`{}` is not a piece", letter.escape_debug())).at(at).hint(LETTERS)
        })?);
    }
    let covered = squares.iter().filter(|&&code| code == FACE_DOWN).count();
    if pieces.len() != covered {
        let wrong = format!("the board has {covered} `X` but {} face-down pieces are listed", pieces.len());
        return Err(ReadError::new(what, wrong).hint("list one piece for each `X`"));
    }
    let mut pool = Pool::default();
    for piece in pieces {
        pool.add(piece);
    }
    Ok(pool)
}

/// Returns the colour of `r`, `b` or `?`.
fn read_turn(what: &'static str, text: &str) -> Result<Option<Colour>, ReadError> {
    match text {
        "r" => Ok(Some(Colour::Red)),
        "b" => Ok(Some(Colour::Black)),
        "?" => Ok(None),
        _ => Err(ReadError::new(what, format!("{} is not a side to move", quoted(text)))
            .hint("it is `r`, `b`, or `?` before the first piece is turned up")),
    }
}

/// Returns the board if it is possible with one set of pieces.
fn assemble(
    what: &'static str,
    squares: [u8; SQUARES],
    pool: Pool,
    turn: Option<Colour>,
    seat: Seat,
) -> Result<Board, ReadError> {
    let board = Board::new(squares, pool, turn, seat);
    if let Some(piece) = board.left().too_many() {
        let (count, limit) = (board.left().count(piece), piece.kind().count());
        return Err(ReadError::new(what, format!("{count} `{}` are more than the set has", piece.letter()))
            .hint(format!("it has {limit}, face-down pieces included")));
    }
    if turn.is_none() {
        let up = Square::all().find(|&square| matches!(board.at(square), Contents::Up(_)));
        if let Some(square) = up {
            return Err(ReadError::new(what, format!("`?` is to move but a piece lies face up on {square}"))
                .hint("the first piece that is turned up decides the colours: write `r` or `b`"));
        }
        if board.pool.total() == 0 {
            return Err(ReadError::new(what, "`?` is to move but nothing lies face down")
                .hint("write `r` or `b` for the side to move"));
        }
    }
    Ok(board)
}

impl DarkChess {
    pub(super) fn read_text(text: &str) -> Result<Board, ReadError> {
        const WHAT: &str = "position";
        let words = words(text);
        let (board, turn, rest) = match words[..] {
            [board, turn, ref rest @ ..] => (board, turn, rest),
            [_] => return Err(ReadError::new(WHAT, "the side to move is missing").hint(LOOKS)),
            [] => return Err(ReadError::new(WHAT, "the text is empty").hint(LOOKS)),
        };
        if let Some((at, extra)) = rest.get(1) {
            return Err(ReadError::new(WHAT, format!("{} is one word too many", quoted(extra)))
                .at(*at)
                .hint(LOOKS));
        }
        let (pool_at, pool) = rest.first().copied().unwrap_or((1, ""));
        let squares = read_squares(WHAT, board.1).map_err(|e| shifted(e, board.0))?;
        let side = read_turn(WHAT, turn.1).map_err(|e| e.at(turn.0))?;
        let pool = read_pool(WHAT, pool, &squares).map_err(|e| shifted(e, pool_at))?;
        assemble(WHAT, squares, pool, side, Seat::FIRST)
    }

    pub(super) fn read_sheet(&self, sheet: &Sheet) -> Result<Board, ReadError> {
        const WHAT: &str = "view";
        let mut squares = read_squares(WHAT, &sheet.rows.join("/"))?;
        let pool = read_pool(WHAT, &sheet.face_down, &squares)?;
        let turn = read_turn(WHAT, &sheet.turn)?;
        let mut seat = match (turn, sheet.red) {
            (None, None) => Seat::FIRST,
            (Some(Colour::Red), Some(red @ 0..=1)) => Seat(red),
            (Some(Colour::Black), Some(red @ 0..=1)) => Seat(red).other(),
            _ => {
                return Err(ReadError::new(WHAT, "`turn` and `red` are inconsistent")
                    .hint("`red` is the seat 0 or 1, and `null` exactly while `turn` is `?`"));
            }
        };

        // Step 1. Undo the quiet plies, back to the beginning of the past.
        let mut steps = Vec::new();
        for text in &sheet.quiet {
            match self.read_action(text)? {
                Action::Move(from, to) => steps.push((from, to)),
                _ => {
                    return Err(ReadError::new(WHAT, format!("{} in `quiet` is not a move", quoted(text)))
                        .hint("a move looks like `a8-a7`"));
                }
            }
        }
        let cannot = |from: Square, to: Square| {
            ReadError::new(WHAT, format!("`{from}-{to}` in `quiet` cannot have been played")).hint(
                "`quiet` lists the steps to empty squares that led to `rows` since the last flip or capture",
            )
        };
        let mut mover = turn;
        for &(from, to) in steps.iter().rev() {
            let code = squares[to.index()];
            if squares[from.index()] != EMPTY || matches!(code, EMPTY | FACE_DOWN) {
                return Err(cannot(from, to));
            }
            squares[from.index()] = code;
            squares[to.index()] = EMPTY;
            seat = seat.other();
            mover = mover.map(Colour::other);
        }
        // Before the seats have colours no move is possible; `assemble` would use the wrong seat.
        if let (None, Some(&(from, to))) = (turn, steps.first()) {
            return Err(cannot(from, to));
        }

        // Step 2. Play them again, which also finds draws.
        let mut board = assemble(WHAT, squares, pool, mover, seat)?;
        for (from, to) in steps {
            self.try_apply(&mut board, Action::Move(from, to)).map_err(|_| cannot(from, to))?;
        }

        // Step 3. The pending flip, and all fields that follow from the others.
        if let Some(text) = &sheet.flipping {
            let (file, rank) = grid::read_square(WHAT, text, FILES, RANKS)?;
            self.try_apply(&mut board, Action::Flip(Square::on(file, rank))).map_err(|_| {
                ReadError::new(WHAT, format!("no piece can be turned up on {}", quoted(text)))
                    .hint("`flipping` names a square that is `X`, or is `null`")
            })?;
        }
        if self.sheet(&board) != *sheet {
            return Err(ReadError::new(
                WHAT,
                "`to_move`, `taken`, `ending`, the order of `face_down` or `quiet` do not follow from the rest",
            ));
        }
        Ok(board)
    }
}
