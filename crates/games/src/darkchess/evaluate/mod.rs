//! Static evaluation: material, threats, mobility, and the distance of hunters from their prey.
//!
//! Pieces have no fixed values in dark chess. A guard is nearly invincible until the kings and guards of the other
//! side are gone, and fully so afterwards; a king among five pawns is a fugitive. So the value of a piece depends on
//! what it can take and what can take it among the remaining pieces, including those face down.

mod exchange;
mod hunt;
mod weights;
mod worth;

use parlor_core::ReadError;
use parlor_core::rules::evaluate::{Evaluate, MOST};

pub use weights::Weights;

use super::board::Board;
use super::pieces::{Colour, Kind};
use super::squares::{Direction, Set, Square, beside, jumps};
use super::{Action, DarkChess, NEAR_DRAW};
use exchange::{exchange, step_takers};
use worth::{Worth, counts, worth};

impl Evaluate for DarkChess {
    type Weights = Weights;

    const WEIGHTS: &'static str = include_str!("../../../data/darkchess.toml");

    const UNIT: &'static str = "thousandths of a piece that nothing can stop";

    fn read_weights(&self, text: &str) -> Result<Weights, ReadError> {
        Weights::read(text)
    }

    fn evaluate(&self, weights: &Weights, board: &Board) -> i32 {
        if !board.coloured {
            return 0;
        }
        let counts = counts(board);
        let worth = worth(weights, &counts);
        let [mine, theirs] = [board.mover, board.mover.other()].map(|colour| {
            let side = Side { board, weights, worth: &worth, colour };
            let pieces: i32 = (0..7).map(|kind| counts[colour.index()][kind] * side.worth_of(kind)).sum();
            pieces + side.freedom() - side.exposure() + side.hunt()
        });
        self.faded(weights, board, mine - theirs).clamp(-MOST, MOST)
    }

    #[inline]
    fn is_loud_action(&self, board: &Board, action: Action) -> bool {
        matches!(action, Action::Move(_, to) if board.occupied() & to.bit() != 0)
    }

    fn exchange(&self, weights: &Weights, board: &Board, action: Action) -> i32 {
        let Action::Move(from, to) = action else { return 0 };
        let worth = worth(weights, &counts(board));
        exchange(board, &worth, board.mover, from, to)
    }

    #[inline]
    fn is_gamble(&self, _: &Board, action: Action) -> bool {
        matches!(action, Action::Flip(_))
    }

    #[inline]
    fn recurs(&self, board: &Board) -> bool {
        board.again
    }

    /// Quiet moves out of danger come first, then flips that win more than they risk, then other moves, and last
    /// moves into danger.
    fn promise(&self, weights: &Weights, board: &Board, action: Action) -> i32 {
        let base = weights.base.by_kind();
        match action {
            Action::Move(from, to) => {
                let kind = Kind::ALL[usize::from(board.squares[from.index()] & 7)];
                let takers = step_takers(board, board.mover.other(), kind);
                let flees = i32::from(beside(from.bit()) & takers != 0);
                let risks = i32::from(beside(to.bit()) & takers != 0);
                (flees - 2 * risks) * base[kind as usize]
            }
            Action::Flip(square) => flip_promise(board, &base, square),
            Action::Reveal(_) => 0,
        }
    }
}

impl DarkChess {
    /// Returns a lead reduced by the nearness of the draw, so that the side ahead captures or flips in time.
    #[inline]
    fn faded(&self, weights: &Weights, board: &Board, lead: i32) -> i32 {
        let passed = NEAR_DRAW.saturating_sub(self.quiet_left(board)) as i32;
        lead - lead * (weights.progress.fade * passed / NEAR_DRAW as i32) / 100
    }
}

/// Returns the expected value of what a flip next to other pieces threatens, less that of what it endangers.
fn flip_promise(board: &Board, base: &[i32; 7], square: Square) -> i32 {
    let total = board.pool.total().max(1) as i32;
    let mut near = beside(square.bit()) & (board.colours[0] | board.colours[1]);
    let mut promise = 0;
    while near != 0 {
        let at = near.trailing_zeros() as usize;
        near &= near - 1;
        let code = board.squares[at];
        let colour = Colour::ALL[usize::from(code >> 3 & 1)];
        let kind = usize::from(code & 7);
        // A piece turned up beside it may take it.
        let takers = takers_among(board.pool.word(colour.other()), kind);
        let stake = base[kind] * takers / total;
        promise += if colour == board.mover { -2 * stake } else { stake };
    }
    promise
}

/// Returns the number of pieces of a pool word that take a kind by a step.
#[inline]
fn takers_among(word: u64, taken: usize) -> i32 {
    /// For each kind, the bytes of the kinds that take it.
    const TAKERS: [u64; 7] = {
        let mut masks = [0; 7];
        let mut taken = 0;
        while taken < 7 {
            let mut taker = 0;
            while taker < 7 {
                if Kind::ALL[taker].takes(Kind::ALL[taken]) {
                    masks[taken] |= 0xff << (8 * taker);
                }
                taker += 1;
            }
            taken += 1;
        }
        masks
    };
    (super::select::running_sums(word & TAKERS[taken]) >> 56) as i32
}

/// One side of a position.
struct Side<'a> {
    board: &'a Board,
    weights: &'a Weights,
    worth: &'a Worth,
    colour: Colour,
}

impl Side<'_> {
    #[inline]
    fn worth_of(&self, kind: usize) -> i32 {
        self.worth[self.colour.index()][kind]
    }

    /// Returns the squares with pieces of this side face up.
    #[inline]
    fn own(&self) -> Set {
        self.board.colours[self.colour.index()]
    }

    /// Returns the value of mobility.
    fn freedom(&self) -> i32 {
        let empty = !self.board.occupied();
        let own = self.own();
        let steps: u32 = Direction::ALL
            .iter()
            .map(|direction| (direction.before(empty) & !direction.edge() & own).count_ones())
            .sum();
        self.weights.squares.mobility * steps as i32
    }

    /// Returns the loss in value of pieces that can be taken, now or after a flip.
    fn exposure(&self) -> i32 {
        let board = self.board;
        let foe = self.colour.other();
        let cannons = board.of_kind(Kind::Cannon) & board.colours[foe.index()];
        let mut shelled = 0;
        let mut left = cannons;
        while left != 0 {
            shelled |= jumps(Square::new(left.trailing_zeros() as u8), board.occupied());
            left &= left - 1;
        }
        let dark = board.dark();
        let veiled = board.pool.total().max(1) as i32;
        let mut lost = 0;
        for kind in Kind::ALL {
            let pieces = board.of_kind(kind) & self.own();
            if pieces == 0 {
                continue;
            }
            let attacked = pieces & (shelled | beside(step_takers(board, foe, kind)));
            let mut percent = self.weights.squares.threat * attacked.count_ones() as i32;
            if dark != 0 {
                let doors: u32 = Direction::ALL
                    .iter()
                    .map(|direction| (direction.before(dark) & !direction.edge() & pieces).count_ones())
                    .sum();
                let takers = takers_among(board.pool.word(foe), kind as usize);
                percent += self.weights.squares.dark * doors as i32 * takers / veiled;
            }
            lost += percent * self.worth_of(kind as usize) / 100;
        }
        lost
    }
}

/// Returns the value of each piece on a board.
#[cfg(test)]
pub(super) fn worth_of_all(weights: &Weights, board: &Board) -> Vec<(super::Piece, i32)> {
    let worth = worth(weights, &counts(board));
    super::Piece::all().map(|piece| (piece, worth[piece.colour().index()][piece.kind() as usize])).collect()
}
