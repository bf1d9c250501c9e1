//! The 32 squares, sets of them as words, and tables for move generation.
//!
//! Square *i* is bit *i*, in reading order with rank 8 on top:
//!
//! ```text
//!        a  b  c  d
//!    8   0  1  2  3
//!    7   4  5  6  7
//!    6   8  9 10 11
//!    …
//!    1  28 29 30 31
//! ```
//!
//! The set {a8, b7} is `0x0000_0021`.

use std::fmt;

use crate::board::grid;

/// Files a … d.
pub const FILES: u8 = 4;
/// Ranks 1 … 8.
pub const RANKS: u8 = 8;
/// Number of squares.
pub const SQUARES: usize = (FILES * RANKS) as usize;

/// A set of squares.
pub(super) type Set = u32;

/// One of the 32 squares, in reading order: a8 is 0, d1 is 31.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Square(u8);

impl Square {
    /// Returns the square with this number; numbers wrap at 32.
    #[inline]
    #[must_use]
    pub const fn new(number: u8) -> Square {
        Square(number % SQUARES as u8)
    }

    /// Returns the square on a file (a is 0) and a rank (rank 1 is 0).
    #[must_use]
    pub const fn on(file: u8, rank: u8) -> Square {
        Square::new((RANKS - 1 - rank) * FILES + file)
    }

    /// Returns the squares in reading order.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..SQUARES as u8).map(Square)
    }

    /// Returns the file, a is 0.
    #[must_use]
    pub const fn file(self) -> u8 {
        self.0 % FILES
    }

    /// Returns the rank, rank 1 is 0.
    #[must_use]
    pub const fn rank(self) -> u8 {
        RANKS - 1 - self.0 / FILES
    }

    /// Returns the square's number, for indexing.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        // The remainder shows the compiler the constructors' promise, so tables need no bounds check.
        self.0 as usize % SQUARES
    }

    /// Returns the neighbour in a direction; it must exist.
    #[inline]
    pub(super) const fn step(self, direction: Direction) -> Square {
        Square::new(self.0 + direction.offset())
    }

    /// Returns the set that holds this square only.
    #[inline]
    pub(super) const fn bit(self) -> Set {
        1 << self.index()
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&grid::write_square(self.file(), self.rank()))
    }
}

const FILE_A: Set = 0x1111_1111;
const FILE_D: Set = 0x8888_8888;

/// The four directions, in the order in which moves are listed.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    North,
    East,
    South,
    West,
}

impl Direction {
    pub(super) const ALL: [Direction; 4] =
        [Direction::North, Direction::East, Direction::South, Direction::West];

    /// Returns the number that a step in this direction adds to a square's number, modulo 32.
    #[inline]
    const fn offset(self) -> u8 {
        match self {
            Direction::North => SQUARES as u8 - FILES,
            Direction::East => 1,
            Direction::South => FILES,
            Direction::West => SQUARES as u8 - 1,
        }
    }

    /// Returns the squares whose neighbour in this direction is in `targets`, and perhaps some of [`Direction::edge`].
    #[inline]
    pub(super) const fn before(self, targets: Set) -> Set {
        match self {
            Direction::North => targets << FILES,
            Direction::East => targets >> 1,
            Direction::South => targets >> FILES,
            Direction::West => targets << 1,
        }
    }

    /// Returns the squares without a neighbour in this direction for which [`Direction::before`] wraps to the other end of
    /// a rank.
    #[inline]
    pub(super) const fn edge(self) -> Set {
        match self {
            Direction::East => FILE_D,
            Direction::West => FILE_A,
            Direction::North | Direction::South => 0,
        }
    }
}

/// Returns the squares next to `targets`.
#[inline]
pub(super) fn beside(targets: Set) -> Set {
    Direction::ALL.iter().fold(0, |all, direction| all | (direction.before(targets) & !direction.edge()))
}

/// For a position on a line of up to eight and the occupied positions, the positions that a cannon reaches by
/// jumping: the second occupied one on either side.
static LINE_JUMPS: [[u8; 256]; 8] = {
    let mut jumps = [[0; 256]; 8];
    let mut at = 0;
    while at < 8 {
        let mut occupied = 0;
        while occupied < 256 {
            let (mut place, mut met) = (at + 1, 0);
            while place < 8 {
                met += occupied >> place & 1;
                if met == 2 {
                    jumps[at][occupied] |= 1 << place;
                    break;
                }
                place += 1;
            }
            (place, met) = (at, 0);
            while place > 0 {
                place -= 1;
                met += occupied >> place & 1;
                if met == 2 {
                    jumps[at][occupied] |= 1 << place;
                    break;
                }
            }
            occupied += 1;
        }
        at += 1;
    }
    jumps
};

/// For each set of eight positions, the squares of file a that they stand for, a8 first.
static DOWN_THE_FILE: [Set; 256] = {
    let mut squares = [0; 256];
    let mut places = 0;
    while places < 256 {
        let mut place = 0;
        while place < RANKS as usize {
            if places >> place & 1 == 1 {
                squares[places] |= 1 << (place * FILES as usize);
            }
            place += 1;
        }
        places += 1;
    }
    squares
};

/// Returns the squares of file a in `set` as eight positions, a8 first: the reverse of [`DOWN_THE_FILE`].
#[inline]
const fn up_the_file(set: Set) -> u8 {
    // Every fourth bit, gathered in pairs, fours and eights.
    let ones = set & FILE_A;
    let pairs = (ones | ones >> 3) & 0x0303_0303;
    let fours = (pairs | pairs >> 6) & 0x000f_000f;
    (fours | fours >> 12) as u8
}

/// Returns the squares that a cannon on `from` reaches by jumping: the second occupied square of each line.
#[inline]
pub(super) fn jumps(from: Square, occupied: Set) -> Set {
    let (file, row) = (from.index() % FILES as usize, from.index() / FILES as usize);
    let rank_start = row * FILES as usize;
    let along = LINE_JUMPS[file][(occupied >> rank_start & 0xf) as usize];
    let upright = LINE_JUMPS[row][usize::from(up_the_file(occupied >> file))];
    Set::from(along) << rank_start | DOWN_THE_FILE[usize::from(upright)] << file
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the neighbour of a square, from file and rank.
    fn neighbour(square: Square, direction: Direction) -> Option<Square> {
        let (file, rank) = (square.file(), square.rank());
        match direction {
            Direction::North => (rank < 7).then(|| Square::on(file, rank + 1)),
            Direction::East => (file < 3).then(|| Square::on(file + 1, rank)),
            Direction::South => (rank > 0).then(|| Square::on(file, rank - 1)),
            Direction::West => (file > 0).then(|| Square::on(file - 1, rank)),
        }
    }

    #[test]
    fn steps_agree_with_files_and_ranks() {
        for square in Square::all() {
            assert_eq!(Square::on(square.file(), square.rank()), square);
            for direction in Direction::ALL {
                let near = neighbour(square, direction);
                for target in Square::all() {
                    let reaches = direction.before(target.bit()) & !direction.edge() & square.bit() != 0;
                    assert_eq!(reaches, near == Some(target), "{square} {direction:?} {target}");
                }
                if let Some(near) = near {
                    assert_eq!(square.step(direction), near);
                }
            }
        }
    }

    #[test]
    fn jumps_agree_with_walking() {
        let mut rng = parlor_core::Rng::new(8);
        for _ in 0..2_000 {
            let occupied = (rng.bits() & rng.bits()) as Set | (rng.bits() & rng.bits() & rng.bits()) as Set;
            for from in Square::all() {
                let mut expected = 0;
                for direction in Direction::ALL {
                    let line =
                        std::iter::successors(neighbour(from, direction), |&s| neighbour(s, direction));
                    let second = line.filter(|s| occupied & s.bit() != 0).nth(1);
                    expected |= second.map_or(0, Square::bit);
                }
                assert_eq!(jumps(from, occupied), expected, "{from} {occupied:08x}");
            }
        }
    }
}
