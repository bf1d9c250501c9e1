//! Positions and actions as text, drawings, and the JSON of a view.

use parlor_core::text::notation::quoted;
use parlor_core::{Game, Happening, Ink, Notation, Phase, Position, ReadError, Seat, Told};
use serde::{Deserialize, Serialize};

use super::board::{Board, Contents};
use super::pieces::{Colour, Piece};
use super::squares::{FILES, RANKS, Square};
use super::{Action, DarkChess, Ending};
use crate::board::grid;

/// The JSON form of a board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sheet {
    /// Ranks from 8 down to 1, files a … d: `K G M R N C P` red, lower case black, `-` empty, `X` face down.
    pub rows: Vec<String>,
    /// The colour to move, `r` or `b`; `?` before the seats have colours. While a piece is being turned up, the
    /// colour that chose it.
    pub turn: String,
    /// The seat to move; `null` while a piece is being turned up and after the end.
    pub to_move: Option<u8>,
    /// The seat that plays red; `null` before the seats have colours.
    pub red: Option<u8>,
    /// A letter for each piece that lies face down, red before black and pawns before kings.
    pub face_down: String,
    /// A letter for each piece of the set that is neither on the board nor face down, in the same order.
    pub taken: String,
    /// The square whose piece is being turned up.
    pub flipping: Option<String>,
    /// The moves since the last flip or capture, the oldest first; both draw rules count from there.
    pub quiet: Vec<String>,
    /// The reason for the end: `captured` or `stuck` (the colour to move has lost), `quiet` or `repetition` (draws).
    pub ending: Option<Ending>,
}

fn row_texts(board: &Board) -> Vec<String> {
    let letter = |square: Square| match board.at(square) {
        Contents::Empty => '-',
        Contents::FaceDown => 'X',
        Contents::Up(piece) => piece.letter(),
    };
    (0..RANKS).rev().map(|rank| (0..FILES).map(|file| letter(Square::on(file, rank))).collect()).collect()
}

fn turn_text(board: &Board) -> &'static str {
    match board.turn() {
        None => "?",
        Some(Colour::Red) => "r",
        Some(Colour::Black) => "b",
    }
}

fn read_square(text: &str) -> Result<Square, ReadError> {
    grid::read_square("move", text, FILES, RANKS).map(|(file, rank)| Square::on(file, rank))
}

impl Notation for DarkChess {
    type Sheet = Sheet;

    fn sheet(&self, board: &Board) -> Sheet {
        let to_move = match self.phase(board) {
            Phase::Decide(seat) => Some(seat.0),
            Phase::Chance | Phase::Over => None,
        };
        Sheet {
            rows: row_texts(board),
            turn: turn_text(board).to_owned(),
            to_move,
            red: board.red().map(|seat| seat.0),
            face_down: board.pool().letters(),
            taken: board.left().missing().letters(),
            flipping: board.flipping().map(|square| square.to_string()),
            quiet: board.past.steps().iter().map(|step| format!("{}-{}", step.from, step.to)).collect(),
            ending: self.ending(board),
        }
    }

    fn read_view(&self, sheet: &Sheet) -> Result<Board, ReadError> {
        self.read_sheet(sheet)
    }

    fn write_action(&self, action: Action) -> String {
        match action {
            Action::Flip(square) => square.to_string(),
            Action::Move(from, to) => format!("{from}-{to}"),
            Action::Reveal(piece) => format!("={}", piece.letter()),
        }
    }

    fn read_action(&self, text: &str) -> Result<Action, ReadError> {
        if let Some(letter) = text.strip_prefix('=') {
            let mut letters = letter.chars();
            return match (letters.next().and_then(Piece::from_letter), letters.next()) {
                (Some(piece), None) => Ok(Action::Reveal(piece)),
                _ => Err(ReadError::new("move", format!("{} does not name a piece", quoted(text)))
                    .hint("a piece that is turned up looks like `=P` (red) or `=p` (black)")),
            };
        }
        let Some((from, to)) = text.split_once('-') else {
            return read_square(text).map(Action::Flip).map_err(|error| {
                error.hint("a flip is a square from a1 to d8 such as `a6`, a move looks like `a8-a7`")
            });
        };
        let (from, to) = (read_square(from)?, read_square(to)?);
        if from == to || from.file() != to.file() && from.rank() != to.rank() {
            return Err(ReadError::new("move", format!("`{from}-{to}` does not follow a file or a rank"))
                .hint("pieces step to a neighbouring square, and cannons jump along a line"));
        }
        Ok(Action::Move(from, to))
    }

    fn view_actions(&self, board: &Board) -> Vec<Action> {
        self.actions(board).collect()
    }

    fn read_position(&self, text: &str) -> Result<Position<Self>, ReadError> {
        DarkChess::read_text(text).map(Position::State)
    }

    /// Returns the position text; `None` while a piece is being turned up. The text omits the past, so the draw rules
    /// count from there.
    fn write_position(&self, board: &Board) -> Option<String> {
        if board.flipping().is_some() {
            return None;
        }
        let text = format!("{} {} {}", row_texts(board).join("/"), turn_text(board), board.pool().letters());
        Some(text.trim_end().to_owned())
    }

    /// Draws the board with letters, which have the width of a square in every font; Chinese characters do not.
    fn draw(&self, board: &Board, ink: Ink) -> String {
        grid::draw(FILES, RANKS, grid::RowLabels::FromBottom, ink, |file, row| {
            let square = Square::on(file, RANKS - 1 - row);
            match board.at(square) {
                _ if board.flipping() == Some(square) => ink.paint("1;33", "?"),
                Contents::Empty => ink.pick("·", ".").to_owned(),
                Contents::FaceDown => ink.paint("2", ink.pick("▒", "X")),
                Contents::Up(piece) => {
                    // Black keeps the terminal's own colour: real black is invisible on a dark background.
                    let style = if piece.colour() == Colour::Red { "1;31" } else { "1" };
                    ink.paint(style, &piece.letter().to_string())
                }
            }
        })
    }

    fn status(&self, board: &Board) -> String {
        let side = |seat: Seat, colour: Option<Colour>| match colour {
            Some(colour) => format!("seat {seat} ({})", colour.name()),
            None => format!("seat {seat}"),
        };
        let mover = side(board.seat, board.turn());
        let other = side(board.seat.other(), board.turn().map(Colour::other));
        let mut parts = vec![match (self.ending(board), board.flipping()) {
            (Some(Ending::Captured), _) => format!("{other} wins: {mover} has no piece left"),
            (Some(Ending::Stuck), _) => format!("{other} wins: {mover} can do nothing"),
            (Some(Ending::Quiet), _) => format!("draw: {} plies without flip or capture", self.draw),
            (Some(Ending::Repetition), _) => "draw: the position has occurred too often".to_owned(),
            (None, Some(square)) => format!("{mover} turns up {square}"),
            (None, None) => format!("{mover} to move"),
        }];
        if board.pool().total() > 0 {
            parts.push(format!("{} face down: {}", board.pool().total(), board.pool().letters()));
        }
        parts.extend(self.losses_and_quiet(board));
        parts.join("; ")
    }

    fn rules(&self) -> String {
        self.rules_text()
    }

    fn side(&self, board: &Board, seat: Seat, _: Ink) -> Option<String> {
        Self::colour(board, seat).map(|colour| colour.name().to_owned())
    }

    fn status_for(&self, board: &Board, seat: Seat) -> String {
        self.status_text(board, seat)
    }

    fn tell(&self, happening: &Happening<'_, Self>) -> Option<Told> {
        self.tell_move(happening)
    }
}
