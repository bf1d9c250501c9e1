//! A move in one word.

/// The largest number of pieces that one move can take.
///
/// A jump passes over a square whose row and column both differ in parity from those of the square it left, and lands
/// on the parity it started from. So all pieces that one move takes stand on squares of one row parity and one column
/// parity, and none on the edge, because there is no square behind it to land on. On 12×12 (rows and columns 0 … 11)
/// these
/// are the rows and columns 1, 3, 5, 7, 9 or 2, 4, 6, 8, 10: 5 × 5 squares, and no piece is jumped twice.
pub const MOST_JUMPS: u32 = 25;

/// One of the four diagonals.
///
/// ```text
///    0   1
///      ×        up is away from red's home
///    3   2
/// ```
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Direction(pub u8);

impl Direction {
    pub(super) const UP_LEFT: Direction = Direction(0);
    pub(super) const UP_RIGHT: Direction = Direction(1);
    pub(super) const DOWN_RIGHT: Direction = Direction(2);
    pub(super) const DOWN_LEFT: Direction = Direction(3);
    pub(super) const ALL: [Direction; 4] = [Self::UP_LEFT, Self::UP_RIGHT, Self::DOWN_RIGHT, Self::DOWN_LEFT];

    /// Returns the number of columns and rows that a step goes right and up.
    pub(super) const fn right_and_up(self) -> (i8, i8) {
        match self {
            Self::UP_LEFT => (-1, 1),
            Self::UP_RIGHT => (1, 1),
            Self::DOWN_RIGHT => (1, -1),
            _ => (-1, -1),
        }
    }
}

/// The start of a piece and every step of its path: one quiet step, or a chain of jumps.
///
/// Two paths with the same start, end and captures are different moves.
///
/// ```text
///   bit  63   62 … 56   55 … 51   50   49 … 2            1 … 0
///         0   start     jumps      0   further steps     first step
/// ```
///
/// `start` is the bit of the square in the board's layout, `jumps` is 0 for a quiet step, and a step is one of the
/// directions 0 up left, 1 up right, 2 down right, 3 down left. 25 jumps fill the 50 bits.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u64);

impl Move {
    const JUMPS_AT: u32 = 51;
    const START_AT: u32 = 56;

    #[inline]
    pub(super) const fn new(start: u32, steps: u64, jumps: u32) -> Self {
        Move((start as u64) << Self::START_AT | (jumps as u64) << Self::JUMPS_AT | steps)
    }

    /// Returns the bit of the square that the piece starts from.
    #[inline]
    #[must_use]
    pub const fn start(self) -> u32 {
        (self.0 >> Self::START_AT) as u32
    }

    /// Returns the number of pieces that the move takes; 0 for a quiet step.
    #[inline]
    #[must_use]
    pub const fn jumps(self) -> u32 {
        (self.0 >> Self::JUMPS_AT) as u32 & 31
    }

    /// Returns the direction of step `n`.
    #[inline]
    pub(super) const fn step(self, n: u32) -> Direction {
        Direction((self.0 >> (2 * n)) as u8 & 3)
    }

    /// Returns the directions of all steps.
    pub(super) fn steps(self) -> impl Iterator<Item = Direction> {
        (0..self.jumps().max(1)).map(move |n| self.step(n))
    }
}

impl std::fmt::Debug for Move {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Move({} {}", self.start(), if self.jumps() == 0 { "steps" } else { "jumps" })?;
        self.steps().try_for_each(|step| write!(f, " {}", ["↖", "↗", "↘", "↙"][usize::from(step.0)]))?;
        f.write_str(")")
    }
}
