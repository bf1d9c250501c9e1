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
use super::squares::{Direction, SQUARES, Set, Square, jumps};
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

/// A piece and its square: whether it is the other side's, its kind, the square's number.
type Stone = (bool, u8, u8);

/// Placeholder that sorts after all stones.
const NO_STONE: Stone = (true, u8::MAX, u8::MAX);

/// Pieces and squares, in the order that determines the number.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Lineup {
    stones: [Stone; MAX_PIECES],
    count: u8,
}

impl Lineup {
    fn new(stones: &[Stone]) -> Lineup {
        let mut all = [NO_STONE; MAX_PIECES];
        all[..stones.len()].copy_from_slice(stones);
        Lineup { stones: all, count: stones.len() as u8 }.mirrored()
    }

    fn stones(&self) -> &[Stone] {
        &self.stones[..usize::from(self.count)]
    }

    /// Returns the mirror image with the smallest number.
    fn mirrored(self) -> Lineup {
        let image = |flip: u8| {
            let mut image = self;
            for stone in &mut image.stones[..usize::from(self.count)] {
                stone.2 ^= flip;
            }
            image.stones[..usize::from(self.count)].sort_unstable();
            image
        };
        // Files reversed, ranks reversed, both.
        [0, 3, 28, 31]
            .map(image)
            .into_iter()
            .min_by_key(|image| image.place().unwrap_or(u64::MAX))
            .expect("there are four images")
    }

    /// Returns the number; `None` if the first piece is not in its quarter.
    fn place(&self) -> Option<u64> {
        let (file, row) = self.stones().first().map_or((0, 0), |stone| (stone.2 % 4, stone.2 / 4));
        let first = u64::from(row * 2 + file);
        let rest = |sum, stone: &Stone| sum * SQUARES as u64 + u64::from(stone.2);
        (file < 2 && row < 4).then(|| self.stones().iter().skip(1).fold(first, rest))
    }

    /// Returns the squares of a side, `true` for the other.
    fn squares(&self, others: bool) -> Set {
        let of_side = self.stones().iter().filter(|stone| stone.0 == others);
        of_side.fold(0, |all, stone| all | 1 << stone.2)
    }

    /// Returns the setup after the stone at `index` of the side to move has moved to a square, from the other side's
    /// turn.
    fn after(&self, index: usize, to: u8) -> Lineup {
        let mut stones = [NO_STONE; MAX_PIECES];
        let mut count = 0;
        for (at, &(other, kind, square)) in self.stones().iter().enumerate() {
            if other && square == to {
                continue;
            }
            stones[count] = (!other, kind, if at == index { to } else { square });
            count += 1;
        }
        Lineup::new(&stones[..count])
    }
}

/// Returns the neighbours of a square.
fn neighbours(square: u8) -> impl Iterator<Item = u8> {
    let has = move |direction: &Direction| direction.before(Set::MAX) & !direction.edge() & 1 << square != 0;
    Direction::ALL
        .into_iter()
        .filter(has)
        .map(move |direction| Square::new(square).step(direction).index() as u8)
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
            (0..).zip(force).flat_map(move |(kind, count)| (0..count).map(move |_| (other, kind, 0)))
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
        let mut stones = [NO_STONE; MAX_PIECES];
        let mut count = 0;
        let mut left = board.colours[0] | board.colours[1];
        while left != 0 {
            let square = left.trailing_zeros() as u8;
            left &= left - 1;
            if let Contents::Up(piece) = board.at(Square::new(square)) {
                stones[count] = (piece.colour() != board.mover, piece.kind() as u8, square);
                count += 1;
            }
        }
        Some(Lineup::new(&stones[..count]))
    }

    fn stand(&self, setup: &Lineup) -> Board {
        let mut squares = [EMPTY; SQUARES];
        for &(other, kind, square) in setup.stones() {
            let colour = if other { Colour::Black } else { Colour::Red };
            squares[usize::from(square)] = Piece::new(colour, Kind::ALL[usize::from(kind)]).code();
        }
        Board::new(squares, Pool::default(), Some(Colour::Red), Seat::FIRST)
    }

    fn class(&self, setup: &Lineup) -> Forces {
        let mut class = Forces { own: Force::default(), other: Force::default() };
        for &(other, kind, _) in setup.stones() {
            let force = if other { &mut class.other } else { &mut class.own };
            force[usize::from(kind)] += 1;
        }
        class
    }

    fn spot(&self, setup: &Lineup) -> Spot<Forces> {
        Spot { class: self.class(setup), slice: 0, place: self.place_in_slice(setup) }
    }

    fn at(&self, spot: Spot<Forces>) -> Option<Lineup> {
        let mut lineup = Lineup { stones: [NO_STONE; MAX_PIECES], count: 0 };
        for stone in spot.class.stones() {
            lineup.stones[usize::from(lineup.count)] = stone;
            lineup.count += 1;
        }
        let mut rest = spot.place;
        for stone in lineup.stones[1..usize::from(lineup.count)].iter_mut().rev() {
            stone.2 = (rest % SQUARES as u64) as u8;
            rest /= SQUARES as u64;
        }
        let first = rest as u8;
        lineup.stones[0].2 = first / 2 * 4 + first % 2;
        let apart = (lineup.squares(false) | lineup.squares(true)).count_ones() == u32::from(lineup.count)
            && lineup.squares(false) & lineup.squares(true) == 0;
        (apart && lineup.mirrored() == lineup).then_some(lineup)
    }

    fn place_in_slice(&self, setup: &Lineup) -> u64 {
        setup.place().expect("the first piece of a setup stands in its quarter")
    }

    fn onward(&self, setup: &Lineup, mut visit: impl FnMut(Lineup, bool)) {
        let (own, foe) = (setup.squares(false), setup.squares(true));
        let kind_on = |square: u8| {
            let there = setup.stones().iter().find(|stone| stone.2 == square);
            Kind::ALL[usize::from(there.expect("something stands there").1)]
        };
        for (index, &(_, kind, from)) in setup.stones().iter().enumerate().filter(|(_, stone)| !stone.0) {
            let kind = Kind::ALL[usize::from(kind)];
            for to in neighbours(from) {
                let bit: Set = 1 << to;
                if (own | foe) & bit == 0 {
                    visit(setup.after(index, to), true);
                } else if foe & bit != 0 && kind.takes(kind_on(to)) {
                    visit(setup.after(index, to), false);
                }
            }
            if kind == Kind::Cannon {
                let mut prey = jumps(Square::new(from), own | foe) & foe;
                while prey != 0 {
                    visit(setup.after(index, prey.trailing_zeros() as u8), false);
                    prey &= prey - 1;
                }
            }
        }
    }

    fn backward(&self, setup: &Lineup, mut visit: impl FnMut(Lineup)) {
        let occupied = setup.squares(false) | setup.squares(true);
        for (index, &(other, _, from)) in setup.stones().iter().enumerate() {
            if other {
                for to in neighbours(from).filter(|&to| occupied >> to & 1 == 0) {
                    visit(setup.after(index, to));
                }
            }
        }
    }

    /// Returns 0 once a position may have occurred so often that it must not recur.
    fn quiet_plies_left(&self, board: &Board) -> u32 {
        let quiet = board.quiet_plies();
        let repeats = self.repetition.is_some_and(|n| quiet >= (MIN_CYCLE * (usize::from(n) - 2)).max(1));
        if repeats { 0 } else { self.quiet_left(board) as u32 }
    }
}
