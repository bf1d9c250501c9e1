//! Static exchange evaluation: both sides capture on one square as long as it pays.

use super::super::board::Board;
use super::super::pieces::{Colour, Kind};
use super::super::squares::{Set, Square, beside, jumps};
use super::worth::Worth;

/// For each kind, the kinds that take it by a step.
const TAKERS: [[bool; 7]; 7] = {
    let mut takers = [[false; 7]; 7];
    let mut taken = 0;
    while taken < 7 {
        let mut taker = 0;
        while taker < 7 {
            takers[taken][taker] = Kind::ALL[taker].takes(Kind::ALL[taken]);
            taker += 1;
        }
        taken += 1;
    }
    takers
};

/// Returns the squares from which `colour` takes a piece of kind `taken` by a step, wherever that piece is.
#[inline]
pub(super) fn step_takers(board: &Board, colour: Colour, taken: Kind) -> Set {
    let mut takers = 0;
    for kind in Kind::ALL {
        if TAKERS[taken as usize][kind as usize] {
            takers |= board.of_kind(kind);
        }
    }
    takers & board.colours[colour.index()]
}

/// An exchange on one square.
struct Exchange<'a> {
    board: &'a Board,
    worth: &'a Worth,
    on: Square,
    beside: Set,
}

/// Returns the gain of `mover` in the exchange that begins with its capture from `from` on `on`.
pub(super) fn exchange(board: &Board, worth: &Worth, mover: Colour, from: Square, on: Square) -> i32 {
    let exchange = Exchange { board, worth, on, beside: beside(on.bit()) };
    let kind = |square: Square| board.squares[square.index()] & 7;
    let prize = worth[mover.other().index()][usize::from(kind(on))];
    prize - exchange.gain(mover.other(), kind(from), board.occupied() & !from.bit())
}

impl Exchange<'_> {
    /// Returns the largest gain of `side` after a piece of kind `holder` has just taken and with these squares
    /// occupied.
    ///
    /// The least valuable piece is not always the best one to take with, because rank decides which pieces can
    /// retake; so all are tried. A square has four neighbours and a side two cannons, so there is little to try.
    fn gain(&self, side: Colour, holder: u8, occupied: Set) -> i32 {
        let own = self.board.colours[side.index()] & occupied;
        let prize = self.worth[side.other().index()][usize::from(holder)];
        let mut best = 0;
        let mut takers = self.beside & own & step_takers(self.board, side, Kind::ALL[usize::from(holder)]);
        let cannons = own & self.board.of_kind(Kind::Cannon);
        if cannons != 0 {
            // A cannon reaches the square from exactly the squares that a cannon on it would reach.
            takers |= jumps(self.on, occupied) & cannons;
        }
        while takers != 0 {
            let from = Square::new(takers.trailing_zeros() as u8);
            takers &= takers - 1;
            let kind = self.board.squares[from.index()] & 7;
            let answer = self.gain(side.other(), kind, occupied & !from.bit());
            best = best.max(prize - answer);
        }
        best
    }
}
