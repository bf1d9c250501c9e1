//! The 17 features of a column: threats through its first free cell, and whether the cell above is one.
//!
//! A threat of a side is a window (as many cells in a line as win) through the cell in which all other cells but none, or all but one,
//! hold its discs and the rest are free: three or two of four.

use parlor_core::FeatureInfo;

use crate::board::bits::Word;
use crate::connect::{Board, Connect};

/// How many features a column has.
pub const COUNT: usize = 17;

/// The number of directions: level, upright, rising, falling.
const DIRECTIONS: usize = 4;

/// The place of "the cell above is a threat", the last feature.
pub(super) const ABOVE: usize = COUNT - 1;

/// The features of one column, in the order of [`INFO`].
pub type ColumnFeatures = [u8; COUNT];

const fn count(name: &'static str, summary: &'static str) -> FeatureInfo {
    FeatureInfo { name, summary, whole: true }
}

/// The features as lists and files name them. "Three" is all but one of a row, "two" all but two.
pub const INFO: [FeatureInfo; COUNT] = [
    count("own3_level", "level windows with three of the mover's discs"),
    count("own3_upright", "upright windows with three of the mover's discs"),
    count("own3_rising", "rising windows with three of the mover's discs"),
    count("own3_falling", "falling windows with three of the mover's discs"),
    count("other3_level", "level windows with three of the other side's discs"),
    count("other3_upright", "upright windows with three of the other side's discs"),
    count("other3_rising", "rising windows with three of the other side's discs"),
    count("other3_falling", "falling windows with three of the other side's discs"),
    count("own2_level", "level windows with two of the mover's discs"),
    count("own2_upright", "upright windows with two of the mover's discs"),
    count("own2_rising", "rising windows with two of the mover's discs"),
    count("own2_falling", "falling windows with two of the mover's discs"),
    count("other2_level", "level windows with two of the other side's discs"),
    count("other2_upright", "upright windows with two of the other side's discs"),
    count("other2_rising", "rising windows with two of the other side's discs"),
    count("other2_falling", "falling windows with two of the other side's discs"),
    count("above3", "1 if the cell above completes a row of either side"),
];

/// Every window of a board, by the cells it goes through.
#[derive(Clone, Debug)]
pub struct Windows<W> {
    /// The windows of all cells, cell by cell and within a cell by direction.
    masks: Vec<W>,
    /// Where the windows of a cell begin in each direction, and where the last ones end.
    bounds: Vec<[u16; DIRECTIONS + 1]>,
    /// The number of discs that make a threat of three, and of two.
    three: u32,
    two: u32,
}

impl<W: Word> Windows<W> {
    /// Lists the windows of a board.
    #[must_use]
    pub fn new(game: &Connect<W>) -> Self {
        let (width, height, row) = (i32::from(game.width()), i32::from(game.height()), i32::from(game.row()));
        let on_board =
            |(column, line): (i32, i32)| (0..width).contains(&column) && (0..height).contains(&line);
        let mut masks = Vec::new();
        let cells = (u32::from(game.width()) * game.stride()) as usize;
        let mut bounds = vec![[0; DIRECTIONS + 1]; cells];
        for column in 0..width {
            for line in 0..height {
                let mut of_cell = [masks.len() as u16; DIRECTIONS + 1];
                for (direction, (right, up)) in [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().enumerate() {
                    for first in (1 - row)..=0 {
                        let place = |at: i32| (column + (first + at) * right, line + (first + at) * up);
                        if (0..row).all(|at| on_board(place(at))) {
                            masks.push((0..row).map(place).fold(W::ZERO, |mask, (column, line)| {
                                mask | W::bit(game.cell(column as u8, line as u8))
                            }));
                        }
                    }
                    of_cell[direction + 1] = masks.len() as u16;
                }
                bounds[game.cell(column as u8, line as u8) as usize] = of_cell;
            }
        }
        let row = u32::from(game.row());
        // A row of two has no threat of "two": a window without a disc is not one.
        Windows { masks, bounds, three: row - 1, two: if row > 2 { row - 2 } else { u32::MAX } }
    }

    /// Returns the features of the column whose first free cell is `cell`, for the side to move.
    #[inline]
    pub(super) fn features(&self, game: &Connect<W>, board: &Board<W>, cell: u32) -> ColumnFeatures {
        let taken = game.taken(board);
        let (own, other) = (board.mover, taken ^ board.mover);
        let mut features = [0; COUNT];
        let bounds = &self.bounds[cell as usize];
        for direction in 0..DIRECTIONS {
            for &mask in &self.masks[usize::from(bounds[direction])..usize::from(bounds[direction + 1])] {
                let (owns, others) = (own & mask, other & mask);
                let (discs, group) = match (owns.is_empty(), others.is_empty()) {
                    (false, true) => (owns.len(), 0),
                    (true, false) => (others.len(), DIRECTIONS),
                    _ => continue,
                };
                if discs == self.three {
                    features[group + direction] += 1;
                } else if discs == self.two {
                    features[2 * DIRECTIONS + group + direction] += 1;
                }
            }
        }
        let above = cell + 1;
        if above % game.stride() < u32::from(game.height()) {
            features[ABOVE] = u8::from(self.is_threat(own, other, above));
        }
        features
    }

    /// Returns whether one disc in `cell` would complete a row of either side.
    fn is_threat(&self, own: W, other: W, cell: u32) -> bool {
        let bounds = &self.bounds[cell as usize];
        self.masks[usize::from(bounds[0])..usize::from(bounds[DIRECTIONS])].iter().any(|&mask| {
            let (owns, others) = (own & mask, other & mask);
            (others.is_empty() && owns.len() == self.three) || (owns.is_empty() && others.len() == self.three)
        })
    }
}
