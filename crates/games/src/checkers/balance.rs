//! `balance`: a code of the material balance, immediate captures and crownings. Many boards share a code, so
//! experience generalises.
//!
//! ```text
//! bit 0      the side to move, 0 for red
//! then       4 and 3 men and kings that the side to move has more, 8 and 4 = equal
//!            2 and 2 jumps of the side to move, and those that the other side would have if it were its turn
//!            2 and 2 men one step from crowning, of the side to move and of the other
//!            2 pieces on the board, in sixths of the squares
//! ```
//!
//! A number that is too large for its field becomes the largest that fits.

use super::{Board, Checkers, RED};
use crate::board::bits::Word;
use crate::codes::fields::Field;

const MEN: Field = Field::new(1, 4);
const KINGS: Field = MEN.next(3);
const JUMPS: Field = KINGS.next(2);
const OTHER_JUMPS: Field = JUMPS.next(2);
const CROWNING: Field = OTHER_JUMPS.next(2);
const OTHER_CROWNING: Field = CROWNING.next(2);
const PIECES: Field = OTHER_CROWNING.next(2);

/// Number of bits of a code.
pub(super) const WIDTH: u32 = PIECES.end();

impl<W: Word> Checkers<W> {
    pub(super) fn balance(&self, board: &Board<W>) -> u128 {
        let (seat, other) = (board.to_move, board.to_move.other());
        let men = [seat, other].map(|seat| board.men(seat).len() as i32);
        let kings = [seat, other].map(|seat| board.kings(seat).len() as i32);
        let turned = Board { own: board.other, other: board.own, to_move: other, ..*board };
        let [crowning, other_crowning] = [seat, other].map(|seat| {
            let last = if seat == RED { self.rows - 2 } else { 1 };
            (board.men(seat) & self.row(last)).len()
        });
        let pieces = (men[0] + men[1] + kings[0] + kings[1]) as u32;
        let code = u32::from(board.to_move.0)
            | MEN.put_signed(men[0] - men[1])
            | KINGS.put_signed(kings[0] - kings[1])
            | JUMPS.put(self.jumps(board))
            | OTHER_JUMPS.put(self.jumps(&turned))
            | CROWNING.put(crowning)
            | OTHER_CROWNING.put(other_crowning)
            | PIECES.put(6 * pieces / self.squares.len().max(1));
        u128::from(code)
    }
}

/// Returns the text of a code; every number has one.
pub(super) fn in_words(code: u128) -> String {
    let code = code as u32;
    format!(
        "{} to move, {:+} men and {:+} kings; can jump {} ways, the other {}; about to crown {}, the other {}; board {}/6 full",
        if code & 1 == 0 { "red" } else { "white" },
        MEN.get_signed(code),
        KINGS.get_signed(code),
        JUMPS.get(code),
        OTHER_JUMPS.get(code),
        CROWNING.get(code),
        OTHER_CROWNING.get(code),
        PIECES.get(code)
    )
}
