//! Deductions from single numbers, without counting layouts. They find most safe cells at a hundredth of the cost.

use crate::board::bits::Word;
use crate::minesweeper::{Minesweeper, View};

/// Returns cells that are certainly safe because all mines beside some number are known. Other cells may be safe too.
pub(super) fn obvious<W: Word>(game: &Minesweeper<W>, view: &View<W>) -> W {
    let covered = game.board() & !view.opened();
    let (mut mines, mut safe) = (W::ZERO, W::ZERO);
    let mut open = view.opened() & game.around(covered);
    // A number that gives no more information is dropped. The others are checked again while new mines are found.
    loop {
        let known = mines;
        for number in open.cells() {
            let near = game.neighbours(number as u16) & covered;
            let need = u32::from(view.number(number as u16).unwrap_or(0));
            if near.len() == need {
                mines |= near;
            } else if (near & mines).len() == need {
                safe |= near & !mines;
            } else {
                continue;
            }
            open &= !W::bit(number);
        }
        if mines == known {
            return safe;
        }
    }
}
