//! How good a position looks: what is left, what it can take, how free it is, and how near it is to its prey.
//!
//! There are no fixed values of pieces in dark chess. A guard is nearly invincible until the kings and guards of the other
//! side are gone, and then it is; a king among five pawns is a fugitive. So a piece is worth what it can take and what it
//! need not fear among the pieces that are left, those face down included.

mod exchange;
mod hunt;
mod weights;
mod worth;

use parlor_core::ReadError;
use parlor_core::rules::evaluate::{Evaluate, MOST};

pub use weights::Weights;

use super::board::Board;
use super::pieces::{Colour, Kind};
use super::squares::{Set, Square, Way, beside, jumps};
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

    /// Quiet moves away from danger come first, then flips where more is to be won than lost, then the others, and last moves
    /// into danger.
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
    /// Returns what is left of a lead where the draw is near: a lead that nothing comes of is worth little. Whoever has it
    /// captures or flips in time.
    #[inline]
    fn faded(&self, weights: &Weights, board: &Board, lead: i32) -> i32 {
        let passed = NEAR_DRAW.saturating_sub(self.quiet_left(board)) as i32;
        lead - lead * (weights.progress.fade * passed / NEAR_DRAW as i32) / 100
    }
}

/// Returns what a flip next to other pieces can be expected to threaten, less what it can be expected to endanger.
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
        // Whoever was turned up beside it may take it.
        let takers = takers_among(board.pool.word(colour.other()), kind);
        let stake = base[kind] * takers / total;
        promise += if colour == board.mover { -2 * stake } else { stake };
    }
    promise
}

/// Returns how many pieces of a word of the pool take a kind by a step.
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

    /// Returns what room to move is worth.
    fn freedom(&self) -> i32 {
        let empty = !self.board.occupied();
        let own = self.own();
        let steps: u32 =
            Way::ALL.iter().map(|way| (way.before(empty) & !way.edge() & own).count_ones()).sum();
        self.weights.squares.mobility * steps as i32
    }

    /// Returns what the pieces lose by standing where they can be taken, now or after a flip.
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
                let doors: u32 =
                    Way::ALL.iter().map(|way| (way.before(dark) & !way.edge() & pieces).count_ones()).sum();
                let takers = takers_among(board.pool.word(foe), kind as usize);
                percent += self.weights.squares.dark * doors as i32 * takers / veiled;
            }
            lost += percent * self.worth_of(kind as usize) / 100;
        }
        lost
    }
}

/// Returns what each piece is worth on a board.
#[cfg(test)]
pub(super) fn worth_of_all(weights: &Weights, board: &Board) -> Vec<(super::Piece, i32)> {
    let worth = worth(weights, &counts(board));
    super::Piece::all().map(|piece| (piece, worth[piece.colour().index()][piece.kind() as usize])).collect()
}
