//! Boards with a few pieces face up and none face down, numbered, and steps in reverse.
//!
//! The pieces of the side to move come first, then the others, each side from pawns to kings; pieces of one kind are
//! in the order of their squares. Mirror images are equivalent, so the board is mirrored until the first piece stands
//! in the quarter of a8. If several mirrors do that, the smallest number counts, and the other numbers have no setup.
//!
//! ```text
//! place    the first piece's square in its quarter (8) · 32 · the next one's square · 32 · …
//! ```

use parlor_core::{Reversible, Seat, Spot};

use super::board::{Board, EMPTY};
use super::pieces::{Colour, Kind, Piece};
use super::pool::Pool;
use super::squares::{SQUARES, Set, Square, beside, jumps};
use super::{Contents, DarkChess};

/// The largest number of pieces of a setup.
pub const MAX_PIECES: usize = 4;

/// Squares in a quarter of the board.
const QUARTER: u64 = SQUARES as u64 / 4;

/// Number of plies after which a position can recur.
const MIN_CYCLE: usize = 4;

/// Number of pieces of each kind, from pawns to kings.
pub type Force = [u8; Kind::ALL.len()];

/// The pieces of the side to move, and those of the other side.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Forces {
    /// Of the side to move.
    pub own: Force,
    /// Of the other side.
    pub other: Force,
}

/// A piece and its square in nine bits, so that numbers sort by side, then kind, then square:
///
/// ```text
///   s kkk qqqqq   s whether it is the other side's, k its kind, q the square's number
/// ```
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Stone(u16);

impl Stone {
    /// Placeholder that sorts after all stones.
    const NONE: Stone = Stone(u16::MAX);

    #[inline]
    fn new(is_other: bool, kind: u8, square: u8) -> Stone {
        Stone(u16::from(is_other) << 8 | u16::from(kind) << 5 | u16::from(square))
    }

    #[inline]
    fn is_other(self) -> bool {
        self.0 & 1 << 8 != 0
    }

    #[inline]
    fn kind(self) -> u8 {
        (self.0 >> 5 & 7) as u8
    }

    #[inline]
    fn square(self) -> u8 {
        (self.0 & 31) as u8
    }
}

/// Pieces and squares, in the order that determines the number.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Lineup {
    stones: [Stone; MAX_PIECES],
    count: u8,
}

impl Lineup {
    fn stones(&self) -> &[Stone] {
        &self.stones[..usize::from(self.count)]
    }

    /// Returns the mirror image with the smallest number.
    fn mirrored(self) -> Lineup {
        let (mut best, mut least) = (self, u64::MAX);
        // Files reversed, ranks reversed, both.
        for flip in [0, 3, 28, 31] {
            let mut image = self;
            for stone in &mut image.stones[..usize::from(self.count)] {
                stone.0 ^= flip;
            }
            // A sorting network: the sort of a slice took most of the time of building a database.
            for (low, high) in [(0, 1), (2, 3), (0, 2), (1, 3), (1, 2)] {
                let (one, other) = (image.stones[low], image.stones[high]);
                (image.stones[low], image.stones[high]) = (one.min(other), one.max(other));
            }
            let place = image.place().unwrap_or(u64::MAX);
            if place < least {
                (best, least) = (image, place);
            }
        }
        best
    }

    /// Returns the number; `None` if the first piece is not in its quarter.
    #[inline]
    fn place(&self) -> Option<u64> {
        let (first, rest) = self.stones().split_first()?;
        let (file, row) = (first.square() % 4, first.square() / 4);
        let number = |sum, stone: &Stone| sum * SQUARES as u64 + u64::from(stone.square());
        (file < 2 && row < 4).then(|| rest.iter().fold(u64::from(row * 2 + file), number))
    }

    /// Returns the squares of a side, `true` for the other.
    fn squares(&self, others: bool) -> Set {
        let of_side = self.stones().iter().filter(|stone| stone.is_other() == others);
        of_side.fold(0, |all, stone| all | 1 << stone.square())
    }

    /// Returns the setup after the stone at `index` of the side to move has moved to a square, from the other side's
    /// turn.
    fn after(&self, index: usize, to: u8) -> Lineup {
        let mut next = Lineup { stones: [Stone::NONE; MAX_PIECES], count: 0 };
        for (at, stone) in self.stones().iter().enumerate() {
            if stone.is_other() && stone.square() == to {
                continue;
            }
            let square = if at == index { to } else { stone.square() };
            next.stones[usize::from(next.count)] = Stone::new(!stone.is_other(), stone.kind(), square);
            next.count += 1;
        }
        next.mirrored()
    }
}

/// Returns the squares of a set.
#[inline]
fn each(mut set: Set) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let square = set.trailing_zeros() as u8;
        let some = set != 0;
        set &= set.wrapping_sub(1);
        some.then_some(square)
    })
}

fn count(force: Force) -> u32 {
    force.iter().map(|&count| u32::from(count)).sum()
}

/// Returns every force of `pieces` pieces on one side.
fn forces(pieces: u32) -> Vec<Force> {
    let mut found = vec![Force::default()];
    for kind in Kind::ALL {
        found = found
            .into_iter()
            .flat_map(|force| {
                (0..=kind.count()).map(move |count| {
                    let mut more = force;
                    more[kind as usize] = count;
                    more
                })
            })
            .filter(|&force| count(force) <= pieces)
            .collect();
    }
    found.retain(|&force| count(force) == pieces);
    found
}

impl Forces {
    /// Returns the stones, all on square 0.
    fn stones(self) -> impl Iterator<Item = Stone> {
        let of_side = |force: Force, other: bool| {
            (0..)
                .zip(force)
                .flat_map(move |(kind, count)| (0..count).map(move |_| Stone::new(other, kind, 0)))
        };
        of_side(self.own, false).chain(of_side(self.other, true))
    }
}

impl Reversible for DarkChess {
    type Class = Forces;
    type Setup = Lineup;

    const MIRRORED: bool = true;

    fn meaning(&self) -> String {
        "darkchess".to_owned()
    }

    fn classes(&self, pieces: u32) -> Vec<Forces> {
        if pieces as usize > MAX_PIECES {
            return Vec::new();
        }
        (1..pieces)
            .flat_map(|own| forces(own).into_iter().map(move |force| (own, force)))
            .flat_map(|(count, own)| {
                forces(pieces - count).into_iter().map(move |other| Forces { own, other })
            })
            .collect()
    }

    fn class_name(&self, class: Forces) -> String {
        let letters = |force: Force| -> String {
            Kind::ALL
                .iter()
                .rev()
                .flat_map(|&kind| (0..force[kind as usize]).map(move |_| kind.letter()))
                .collect()
        };
        format!("{}-{}", letters(class.own), letters(class.other).to_lowercase())
    }

    fn pieces(&self, class: Forces) -> u32 {
        count(class.own) + count(class.other)
    }

    fn is_bare(&self, class: Forces) -> bool {
        count(class.own) == 0
    }

    /// Only captures are irreversible.
    fn rank(&self, class: Forces) -> u32 {
        self.pieces(class)
    }

    fn turned(&self, class: Forces) -> Forces {
        Forces { own: class.other, other: class.own }
    }

    fn conversions(&self, class: Forces) -> Vec<Forces> {
        let lost = Kind::ALL.into_iter().filter(|&kind| class.other[kind as usize] > 0).map(|kind| {
            let mut next = self.turned(class);
            next.own[kind as usize] -= 1;
            next
        });
        lost.filter(|&next| !self.is_bare(next)).collect()
    }

    fn slices(&self, _: Forces) -> u64 {
        1
    }

    fn slice_size(&self, class: Forces) -> u64 {
        QUARTER * (SQUARES as u64).saturating_pow(self.pieces(class) - 1)
    }

    fn turned_slice(&self, _: Forces, _: u64) -> u64 {
        0
    }

    fn level(&self, _: Forces, _: u64) -> u32 {
        0
    }

    fn setup(&self, board: &Board) -> Option<Lineup> {
        let pieces = (board.colours[0] | board.colours[1]).count_ones() as usize;
        if board.dark() != 0 || board.flipping.is_some() || !board.coloured || pieces > MAX_PIECES {
            return None;
        }
        let mut lineup = Lineup { stones: [Stone::NONE; MAX_PIECES], count: 0 };
        for square in each(board.colours[0] | board.colours[1]) {
            if let Contents::Up(piece) = board.at(Square::new(square)) {
                let stone = Stone::new(piece.colour() != board.mover, piece.kind() as u8, square);
                lineup.stones[usize::from(lineup.count)] = stone;
                lineup.count += 1;
            }
        }
        Some(lineup.mirrored())
    }

    fn stand(&self, setup: &Lineup) -> Board {
        let mut squares = [EMPTY; SQUARES];
        for stone in setup.stones() {
            let colour = if stone.is_other() { Colour::Black } else { Colour::Red };
            squares[usize::from(stone.square())] =
                Piece::new(colour, Kind::ALL[usize::from(stone.kind())]).code();
        }
        Board::new(squares, Pool::default(), Some(Colour::Red), Seat::FIRST)
    }

    fn class(&self, setup: &Lineup) -> Forces {
        let mut class = Forces { own: Force::default(), other: Force::default() };
        for stone in setup.stones() {
            let force = if stone.is_other() { &mut class.other } else { &mut class.own };
            force[usize::from(stone.kind())] += 1;
        }
        class
    }

    fn spot(&self, setup: &Lineup) -> Spot<Forces> {
        Spot { class: self.class(setup), slice: 0, place: self.place_in_slice(setup) }
    }

    fn at(&self, spot: Spot<Forces>) -> Option<Lineup> {
        let mut lineup = Lineup { stones: [Stone::NONE; MAX_PIECES], count: 0 };
        for stone in spot.class.stones() {
            lineup.stones[usize::from(lineup.count)] = stone;
            lineup.count += 1;
        }
        let mut rest = spot.place;
        for stone in lineup.stones[1..usize::from(lineup.count)].iter_mut().rev() {
            stone.0 |= (rest % SQUARES as u64) as u16;
            rest /= SQUARES as u64;
        }
        let first = rest as u16;
        lineup.stones[0].0 |= first / 2 * 4 + first % 2;
        let (own, other) = (lineup.squares(false), lineup.squares(true));
        let apart = (own | other).count_ones() == u32::from(lineup.count) && own & other == 0;
        (apart && lineup.mirrored() == lineup).then_some(lineup)
    }

    fn place_in_slice(&self, setup: &Lineup) -> u64 {
        setup.place().expect("the first piece of a setup stands in its quarter")
    }

    fn onward(&self, setup: &Lineup, mut visit: impl FnMut(Lineup, bool)) {
        let (own, foe) = (setup.squares(false), setup.squares(true));
        for (index, stone) in setup.stones().iter().enumerate().filter(|(_, stone)| !stone.is_other()) {
            let (kind, near) = (Kind::ALL[usize::from(stone.kind())], beside(1 << stone.square()));
            each(near & !(own | foe)).for_each(|to| visit(setup.after(index, to), true));
            let mut prey = 0;
            for taken in setup.stones().iter().filter(|taken| taken.is_other()) {
                let takes = kind.takes(Kind::ALL[usize::from(taken.kind())]);
                prey |= near & u32::from(takes) << taken.square();
            }
            if kind == Kind::Cannon {
                prey |= jumps(Square::new(stone.square()), own | foe) & foe;
            }
            each(prey).for_each(|to| visit(setup.after(index, to), false));
        }
    }

    fn backward(&self, setup: &Lineup, mut visit: impl FnMut(Lineup)) {
        let occupied = setup.squares(false) | setup.squares(true);
        for (index, stone) in setup.stones().iter().enumerate().filter(|(_, stone)| stone.is_other()) {
            each(beside(1 << stone.square()) & !occupied).for_each(|to| visit(setup.after(index, to)));
        }
    }

    /// Returns 0 once a position may have occurred so often that it must not recur.
    fn quiet_plies_left(&self, board: &Board) -> u32 {
        let quiet = board.quiet_plies();
        let repeats = self.repetition.is_some_and(|n| quiet >= (MIN_CYCLE * (usize::from(n) - 2)).max(1));
        if repeats { 0 } else { self.quiet_left(board) as u32 }
    }
}
