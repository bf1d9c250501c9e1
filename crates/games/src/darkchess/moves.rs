//! Actions of the colour to move, generated for all its pieces at once.

use std::iter::FusedIterator;

use super::Action;
use super::board::Board;
use super::pieces::Kind;
use super::select::nth_bit;
use super::squares::{Direction, Set, Square, beside, jumps};

/// The actions of a decision as seven lanes of 32 squares:
///
/// ```text
///    lane  0        1      2      3      4      5      6              7
///          flips    north  east   south  west   -      first cannon   second cannon
///          of       steps from                         jumps to
/// ```
///
/// Lane *i* is half *i* % 2 of word *i* / 2, the low half first. Actions are listed from the lowest bit to the highest.
#[derive(Clone, Debug, Default)]
pub(super) struct Actions {
    words: [u64; 4],
    cannons: [Square; 2],
}

impl Board {
    /// Returns the actions of the colour to move; the match must not be drawn and no flip be pending.
    #[inline]
    pub(super) fn offered(&self) -> Actions {
        let own = self.colours[self.mover.index()];
        let foe = self.colours[self.mover.other().index()];
        let occupied = self.occupied();

        // Step 1. For each kind, the squares that a step may end on: empty ones, and enemies of equal or lower rank.
        // Kings spare pawns, pawns reach up to kings, cannons never take by a step.
        let [pawn, cannon, knight, rook, minister, guard, king] = Kind::ALL.map(|kind| self.of_kind(kind));
        let empty = !occupied;
        let by_pawn = empty | foe & (pawn | king);
        let by_knight = empty | foe & (pawn | cannon | knight);
        let by_rook = by_knight | foe & rook;
        let by_minister = by_rook | foe & minister;
        let by_guard = by_minister | foe & guard;
        let by_king = empty | foe & !pawn;

        // Step 2. For each direction, the pieces whose neighbour is such a square: one bit per piece, so one bit per
        // move.
        let [north, east, south, west] = Direction::ALL.map(|direction| {
            let movers = pawn & direction.before(by_pawn)
                | cannon & direction.before(empty)
                | knight & direction.before(by_knight)
                | rook & direction.before(by_rook)
                | minister & direction.before(by_minister)
                | guard & direction.before(by_guard)
                | king & direction.before(by_king);
            movers & own & !direction.edge()
        });

        let (cannons, [first, second]) = self.cannon_jumps();
        let dark = if self.wiped_out() { 0 } else { self.dark() };
        let words = [pair(dark, north), pair(east, south), pair(west, 0), pair(first, second)];
        Actions { words, cannons }
    }

    /// Returns the squares of the cannons of the colour to move, and the squares that each can take. A missing cannon
    /// takes nothing.
    #[inline]
    fn cannon_jumps(&self) -> ([Square; 2], [Set; 2]) {
        let cannons = self.of_kind(Kind::Cannon) & self.colours[self.mover.index()];
        if cannons == 0 {
            return Default::default();
        }
        let foe = self.colours[self.mover.other().index()];
        let occupied = self.occupied();
        let squares = [cannons.trailing_zeros(), 31 - cannons.leading_zeros()].map(|n| Square::new(n as u8));
        let [first, second] = squares.map(|square| jumps(square, occupied) & foe);
        // With a single cannon, both entries are that one.
        (squares, [first, if squares[0] == squares[1] { 0 } else { second }])
    }

    /// Returns whether the colour to move has lost all its pieces, including those face down. Then it may not even
    /// flip.
    #[inline]
    pub(super) fn wiped_out(&self) -> bool {
        self.colours[self.mover.index()] == 0 && self.coloured && !self.pool.has(self.mover)
    }

    /// Returns whether the colour to move has an action.
    #[inline]
    pub(super) fn can_act(&self) -> bool {
        let own = self.colours[self.mover.index()];
        // The cheap tests nearly always decide.
        self.dark() != 0 && !self.wiped_out() || own & beside(!self.occupied()) != 0 || self.has_captures()
    }

    #[cold]
    fn has_captures(&self) -> bool {
        self.offered().len() > 0
    }
}

/// Returns two lanes as one word.
#[inline]
pub(super) const fn pair(low: Set, high: Set) -> u64 {
    low as u64 | (high as u64) << 32
}

impl Actions {
    /// Returns the action that bit `bit` of word `word` stands for.
    #[inline]
    fn decode(&self, word: usize, bit: u32) -> Action {
        let lane = 2 * word + (bit / 32) as usize;
        let square = Square::new((bit % 32) as u8);
        match lane {
            0 => Action::Flip(square),
            1..=4 => Action::Move(square, square.step(Direction::ALL[lane - 1])),
            _ => Action::Move(self.cannons[lane & 1], square),
        }
    }
}

impl Iterator for Actions {
    type Item = Action;

    #[inline]
    fn next(&mut self) -> Option<Action> {
        let word = self.words.iter().position(|&word| word != 0)?;
        let bit = self.words[word].trailing_zeros();
        self.words[word] &= self.words[word] - 1;
        Some(self.decode(word, bit))
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<Action> {
        let mut n = u32::try_from(n).ok()?;
        for word in &mut self.words {
            let count = word.count_ones();
            if n < count {
                // Clears the skipped bits, so that iteration can continue.
                *word &= u64::MAX << nth_bit(*word, n);
                return self.next();
            }
            n -= count;
            *word = 0;
        }
        None
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.words.iter().map(|word| word.count_ones() as usize).sum();
        (count, Some(count))
    }
}

impl ExactSizeIterator for Actions {}
impl FusedIterator for Actions {}
