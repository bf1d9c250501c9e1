//! Picks one random action, for playouts: cheaper than generating all of them.

use parlor_core::Rng;

use super::Action;
use super::board::{Board, EMPTY};
use super::moves::pair;
use super::pieces::{Kind, Piece};
use super::select::nth_bit;
use super::squares::{Direction, Square, jumps};

/// For each code of a piece, the set of codes of squares that it may step to.
static ENTERS: [u16; 16] = {
    let mut enters = [0; 16];
    let mut code = 0;
    while code < 16 {
        if code & 7 != EMPTY {
            let piece = Piece::from_code(code);
            enters[code as usize] |= 1 << EMPTY;
            let mut kind = 0;
            while kind < Kind::ALL.len() {
                let other = Piece::new(piece.colour().other(), Kind::ALL[kind]);
                if piece.kind().takes(other.kind()) {
                    enters[code as usize] |= 1 << other.code();
                }
                kind += 1;
            }
        }
        code += 1;
    }
    enters
};

/// The largest number of jumps of a cannon: up, down, and one along its rank, since two along a rank need five files.
const JUMPS: u32 = 3;

impl Board {
    /// Returns one of the actions, each equally likely; there must be one.
    ///
    /// Rejection sampling: draws from a superset of the actions, which includes every step next to an enemy, and
    /// draws again if the candidate is illegal. Legal actions stay equally likely, and captures need no check for all
    /// enemies.
    #[inline]
    pub(super) fn pick(&self, rng: &mut Rng) -> Action {
        // Step 1. Candidates: flips, steps up and down the files, steps along the ranks, and three jumps per cannon.
        let own = self.colours[self.mover.index()];
        let open = !(own | self.dark());
        let [north, east, south, west] = Direction::ALL.map(|forth| own & forth.before(open) & !forth.edge());
        let (upright, along) = (pair(north, south), pair(east, west));
        let cannons = own & self.of_kind(Kind::Cannon);
        let flips = self.pool.total();
        let uprights = upright.count_ones();
        let steps = uprights + along.count_ones();
        let total = flips
            + steps
            + JUMPS * u32::from(cannons != 0)
            + JUMPS * u32::from(cannons & cannons.wrapping_sub(1) != 0);

        loop {
            // Step 2. One of them. Flips are always legal.
            let n = rng.below(total);
            if n < flips {
                return Action::Flip(Square::new(nth_bit(self.dark().into(), n) as u8));
            }
            let n = n - flips;
            if n >= steps {
                let n = n - steps;
                let cannon = if n < JUMPS { cannons } else { cannons & (cannons - 1) };
                let from = Square::new(cannon.trailing_zeros() as u8);
                let targets = jumps(from, self.occupied()) & self.colours[self.mover.other().index()];
                if n % JUMPS < targets.count_ones() {
                    return Action::Move(from, Square::new(nth_bit(targets.into(), n % JUMPS) as u8));
                }
                continue;
            }

            // Step 3. Steps depend on the target square. The low half of a word is one direction, the high half the
            // opposite one.
            let (word, n, forth, back) = if n < uprights {
                (upright, n, Direction::North, Direction::South)
            } else {
                (along, n - uprights, Direction::East, Direction::West)
            };
            let bit = nth_bit(word, n);
            let from = Square::new((bit % 32) as u8);
            let to = if bit < 32 { from.step(forth) } else { from.step(back) };
            let (mover, there) = (self.squares[from.index()], self.squares[to.index()]);
            if ENTERS[usize::from(mover & 15)] >> (there & 15) & 1 == 1 {
                return Action::Move(from, to);
            }
        }
    }
}
