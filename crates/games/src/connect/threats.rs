//! `threats`: a code of the winning cells of both sides. Many boards share a code, so experience generalises.
//!
//! ```text
//! bit 0      1: the board is not empty         bit 1   1: the last disc has won
//! then       2 wins at once of the side to move       2 wins at once that the other side would have
//!            2 and 2 cells that would win later, of the side to move and of the other
//!            3 discs that the other side has more in the middle columns, 4 = equal
//!            2 quarters of the board that are filled
//! ```
//!
//! A number that is too large for its field becomes the largest that fits.

use parlor_core::{Game, Phase, Seat};

use super::{Board, Connect};
use crate::board::bits::Word;
use crate::codes::fields::Field;

/// The code of an empty board.
pub(super) const OPENING: u128 = 0;

const WON: Field = Field::new(1, 1);
const WINS: Field = WON.next(2);
const OTHER_WINS: Field = WINS.next(2);
const LATER: Field = OTHER_WINS.next(2);
const OTHER_LATER: Field = LATER.next(2);
const MIDDLE: Field = OTHER_LATER.next(3);
const FILLED: Field = MIDDLE.next(2);

/// Number of bits of a code.
pub(super) const WIDTH: u32 = FILLED.end();

impl<W: Word> Connect<W> {
    pub(super) fn threats(&self, board: &Board<W>) -> u128 {
        let taken = self.taken(board);
        if taken.is_empty() {
            return OPENING;
        }
        let side = Seat((taken.len() & 1) as u8);
        let over = self.phase(board) == Phase::Over;
        let won = over && self.payoffs(board).winner().is_some();
        let playable = self.playable(board);
        let [own, other] = [side, side.other()].map(|seat| self.winning_cells(board, seat));
        let [own_middle, other_middle] =
            [side, side.other()].map(|seat| (self.discs(board, seat) & self.middle()).len() as i32);
        let cells = u32::from(self.width) * u32::from(self.height);
        let code = 1
            | WON.put(u32::from(won))
            | WINS.put((own & playable).len())
            | OTHER_WINS.put((other & playable).len())
            | LATER.put((own & !playable).len())
            | OTHER_LATER.put((other & !playable).len())
            | MIDDLE.put_signed(other_middle - own_middle)
            | FILLED.put(4 * taken.len() / (cells + 1));
        u128::from(code)
    }

    /// Returns the cells of the middle third of the columns.
    fn middle(&self) -> W {
        let width = u32::from(self.width);
        let third = width.div_ceil(3);
        let first = (width - third) / 2;
        (first..first + third).fold(W::ZERO, |cells, column| cells | self.column << (column * self.stride()))
    }
}

/// Returns the text of a code; every number has one.
pub(super) fn in_words(code: u128) -> String {
    if code == OPENING {
        return "an empty board".to_owned();
    }
    let code = code as u32;
    if WON.get(code) == 1 {
        return "wins".to_owned();
    }
    format!(
        "the next side can win at {} cells now and {} later, the one that moved at {} and {}, {:+} in the middle, {}/4 full",
        WINS.get(code),
        LATER.get(code),
        OTHER_WINS.get(code),
        OTHER_LATER.get(code),
        MIDDLE.get_signed(code),
        FILLED.get(code)
    )
}
