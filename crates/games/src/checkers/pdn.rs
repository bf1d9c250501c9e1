//! Portable Draughts Notation on 8×8: square numbers and FEN.
//!
//! After the PDN 3.0 standard, game type 21 (English draughts). There black moves first, from the squares 1 to 12; that
//! is red here. PDN's diagrams have black at the top, so they are our board turned by half a circle; seen from red:
//!
//! ```text
//!   8     32  31  30  29
//!   7   28  27  26  25
//!   6     24  23  22  21
//!   5   20  19  18  17
//!   4     16  15  14  13
//!   3   12  11  10   9
//!   2      8   7   6   5
//!   1    4   3   2   1
//!       a b c d e f g h
//! ```

use parlor_core::text::notation::quoted;
use parlor_core::{ReadError, Seat};

use super::{Board, Checkers, Move, RED, WHITE};
use crate::board::bits::Word;

const FEN: &str = "FEN";
const FEN_LOOKS_LIKE: &str = "a FEN looks like `B:W21,22,K3:B1,K2`";

impl<W: Word> Checkers<W> {
    /// Returns whether PDN defines square numbers for this board.
    fn has_numbers(&self) -> bool {
        self.size() == (8, 8)
    }

    /// Returns PDN's number of a square; `None` unless the board is 8×8.
    #[must_use]
    pub fn number(&self, square: u32) -> Option<u8> {
        let (column, row) = self.place(square);
        self.has_numbers().then(|| 4 * row + 4 - column / 2)
    }

    /// Returns a move in PDN with its full path, `11-15` or `15x22x29`; `None` unless the board is 8×8.
    #[must_use]
    pub fn pdn(&self, action: Move) -> Option<String> {
        let numbers: Option<Vec<String>> =
            self.path(action).map(|square| Some(self.number(square)?.to_string())).collect();
        Some(numbers?.join(if action.jumps() == 0 { "-" } else { "x" }))
    }

    /// Returns a board as PDN's FEN, white before black and men before kings; `None` unless the board is 8×8.
    #[must_use]
    pub fn fen(&self, board: &Board<W>) -> Option<String> {
        let list = |seat: Seat| {
            let number = |square: u32| Some((board.kings.has(square), self.number(square)?));
            let mut pieces = board.pieces(seat).cells().map(number).collect::<Option<Vec<_>>>()?;
            pieces.sort_unstable();
            let write = |&(king, number): &(bool, u8)| format!("{}{number}", if king { "K" } else { "" });
            Some(pieces.iter().map(write).collect::<Vec<_>>().join(","))
        };
        let turn = if board.to_move == RED { 'B' } else { 'W' };
        self.has_numbers().then(|| Some(format!("{turn}:W{}:B{}", list(WHITE)?, list(RED)?)))?
    }

    /// Returns the square with a number, if the text is a number and the board has numbers.
    pub(super) fn numbered(&self, text: &str) -> Option<u32> {
        let plain = !text.is_empty() && !text.starts_with('0') && text.bytes().all(|b| b.is_ascii_digit());
        let number = text.parse::<u8>().ok().filter(|n| plain && (1..=32).contains(n))?;
        let (row, from_right) = ((number - 1) / 4, (number - 1) % 4);
        self.has_numbers().then(|| self.square(2 * (3 - from_right) + row % 2, row))?
    }

    /// Reads a FEN; accepts ranges such as `B1-12` and a full stop at the end.
    pub(super) fn read_fen(&self, text: &str) -> Result<Board<W>, ReadError> {
        let wrong = |at: usize, wrong: String| ReadError::new(FEN, wrong).at(at);
        if !self.has_numbers() {
            let wrong = format!("the board is {}×{}, and FEN is for 8×8", self.rows, self.columns);
            return Err(ReadError::new(FEN, wrong).hint("give the rows from the top"));
        }
        let text = text.trim_end();
        let text = text.strip_suffix('.').unwrap_or(text);
        let mut parts = places(text, ':', 1);
        let to_move = match parts.next() {
            Some((_, "B")) => RED,
            Some((_, "W")) => WHITE,
            first => {
                let first = quoted(first.map_or("", |(_, part)| part));
                return Err(
                    wrong(1, format!("{first} is not a side to move")).hint("it begins with `B:` or `W:`")
                );
            }
        };
        let mut sides = [None, None];
        let mut kings = W::ZERO;
        for (at, part) in parts {
            let seat = match part.chars().next() {
                Some('B') => RED,
                Some('W') => WHITE,
                _ => {
                    return Err(
                        wrong(at, format!("{} is not a list of pieces", quoted(part))).hint(FEN_LOOKS_LIKE)
                    );
                }
            };
            let others = sides[seat.other().index()].unwrap_or(W::ZERO);
            let side = &mut sides[seat.index()];
            if side.is_some() {
                return Err(wrong(at, format!("the pieces of `{}` are listed twice", &part[..1])));
            }
            let (pieces, crowned) = self.read_pieces(&part[1..], at + 1, seat, others)?;
            *side = Some(pieces);
            kings |= crowned;
        }
        match sides {
            [Some(red), Some(white)] => Ok(Board::new(red, white, kings, to_move, 0)),
            _ => Err(ReadError::new(FEN, "the pieces of one side are missing").hint(FEN_LOOKS_LIKE)),
        }
    }

    /// Reads the pieces of one side; returns all of them, and its kings.
    fn read_pieces(&self, text: &str, at: usize, seat: Seat, others: W) -> Result<(W, W), ReadError> {
        let (mut pieces, mut kings) = (W::ZERO, W::ZERO);
        if text.is_empty() {
            return Ok((pieces, kings));
        }
        for (at, piece) in places(text, ',', at) {
            let wrong = |wrong: String| ReadError::new(FEN, wrong).at(at);
            let (king, numbers) = piece.strip_prefix('K').map_or((false, piece), |rest| (true, rest));
            let (first, last) = numbers.split_once('-').unwrap_or((numbers, numbers));
            let ends = self.numbered(first).is_some() && self.numbered(last).is_some();
            let range = match (first.parse::<u8>(), last.parse::<u8>()) {
                (Ok(first), Ok(last)) if ends && first <= last => first..=last,
                _ => {
                    return Err(wrong(format!("{} is not a piece", quoted(piece)))
                        .hint("a man is its square's number, 1 … 32, a king has `K` before it"));
                }
            };
            for number in range {
                let square = self.numbered(&number.to_string()).expect("1 … 32 are squares");
                if (pieces | others).has(square) {
                    return Err(wrong(format!("two pieces stand on square {number}")));
                }
                pieces |= W::bit(square);
                if king {
                    kings |= W::bit(square);
                } else if let Some(uncrowned) = self.uncrowned(seat, self.place(square).1) {
                    return Err(wrong(uncrowned.to_owned()).hint(format!("write `K{number}`")));
                }
            }
        }
        Ok((pieces, kings))
    }
}

/// Returns the parts of a text between separators with their positions; the text itself begins at `at`.
fn places(text: &str, separator: char, mut at: usize) -> impl Iterator<Item = (usize, &str)> {
    text.split(separator).map(move |part| {
        let here = at;
        at += part.chars().count() + 1;
        (here, part)
    })
}
