//! The images of a board under rotations and reflections.

use super::super::TicTacToe;
use super::windows::MAX_CELLS;

/// Cells are mapped in two halves of this number of bits.
const HALF: u32 = MAX_CELLS.div_ceil(2);

/// Every image of every half board.
#[derive(Default)]
pub(super) struct Images {
    images: Vec<[Vec<u32>; 2]>,
}

impl Images {
    pub fn new(game: &TicTacToe) -> Self {
        let (rows, columns) = (u32::from(game.rows), u32::from(game.columns));
        let square = rows == columns;
        let mut images = Vec::new();
        for (down, right, swap) in (0..8).map(|n| (n & 1 == 1, n & 2 == 2, n & 4 == 4)) {
            if swap && !square {
                continue;
            }
            let image = |cell: u32| {
                let (row, column) = (cell / columns, cell % columns);
                let row = if down { rows - 1 - row } else { row };
                let column = if right { columns - 1 - column } else { column };
                if swap { column * columns + row } else { row * columns + column }
            };
            let half = |first: u32| {
                let count = game.cells().saturating_sub(first).min(HALF);
                let part = |bits: u32| {
                    (0..count).filter(|n| bits >> n & 1 == 1).fold(0, |set, n| set | 1 << image(first + n))
                };
                (0..1 << count).map(part).collect()
            };
            images.push([half(0), half(HALF)]);
        }
        Images { images }
    }

    /// Returns the smallest number among the images of a board's bits.
    #[inline]
    pub fn smallest(&self, [first, second]: [u32; 2]) -> u64 {
        let moved = |[low, high]: &[Vec<u32>; 2], cells: u32| {
            low[(cells & ((1 << HALF) - 1)) as usize] | high[(cells >> HALF) as usize]
        };
        let numbers = self.images.iter().map(|image| number([moved(image, first), moved(image, second)]));
        numbers.min().unwrap_or_default()
    }
}

/// Returns the two halves of a board's bits as one number.
#[inline]
pub(super) fn number([first, second]: [u32; 2]) -> u64 {
    u64::from(first) | u64::from(second) << MAX_CELLS
}
