//! Tuples of cells of any board for the learner `ntuple`: each cell has one of a few symbols, and the content of a tuple is the number
//! that its symbols make as digits.

use parlor_core::Symmetry;

/// The most entries that a table may have.
const MOST_ENTRIES: u64 = 1 << 25;

/// Tuples in all their places, with the entries that belong to them.
#[derive(Clone, Debug)]
pub struct CellTuples {
    /// The first entry of each.
    firsts: Vec<u32>,
    /// For each cell the tuples that it is part of, and the value of its digit in them.
    of_cell: Vec<Vec<(u16, u32)>>,
    entries: u32,
}

impl CellTuples {
    /// Returns tuples of a grid whose cells have this number of symbols; cells are numbered row by row from the top left. Images of a
    /// tuple under the grid's symmetries share its entries.
    ///
    /// # Errors
    /// If there are too many entries.
    pub fn new(width: u8, height: u8, symbols: u32, tuples: &[Vec<u16>]) -> Result<Self, String> {
        let (width, height) = (u16::from(width), u16::from(height));
        let cells = usize::from(width * height);
        let mut all = CellTuples { firsts: Vec::new(), of_cell: vec![Vec::new(); cells], entries: 0 };
        // What has been listed, so that images of one tuple are no tuples of their own.
        let mut listed: Vec<Vec<u16>> = Vec::new();
        for tuple in tuples {
            let sorted = |mut cells: Vec<u16>| {
                cells.sort_unstable();
                cells
            };
            if listed.contains(&sorted(tuple.clone())) {
                continue;
            }
            let contents = (0..tuple.len()).fold(1_u64, |product, _| product.saturating_mul(symbols.into()));
            let next = contents.saturating_add(all.entries.into());
            if next > MOST_ENTRIES {
                return Err("the board is too large for its tuples".to_owned());
            }
            let first = std::mem::replace(&mut all.entries, next as u32);
            let mut images: Vec<Vec<u16>> = Vec::new();
            for symmetry in Symmetry::of_sides(width, height) {
                let image: Vec<u16> = tuple.iter().map(|&cell| symmetry.apply(cell, width, height)).collect();
                if !images.contains(&image) {
                    listed.push(sorted(image.clone()));
                    images.push(image);
                }
            }
            for image in images {
                let number = all.firsts.len() as u16;
                all.firsts.push(first);
                let mut digit = 1;
                for cell in image {
                    all.of_cell[usize::from(cell)].push((number, digit));
                    digit *= symbols;
                }
            }
        }
        Ok(all)
    }

    /// Returns the number of entries.
    #[must_use]
    pub fn entries(&self) -> u32 {
        self.entries
    }

    /// Returns the number of tuples: the active entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.firsts.len()
    }

    /// Returns whether there are no tuples.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.firsts.is_empty()
    }

    /// Appends the entries of a board on which all cells have symbol 0, `offset` further on in the table.
    #[inline]
    pub fn begin(&self, offset: u32, out: &mut Vec<u32>) {
        out.extend(self.firsts.iter().map(|first| offset + first));
    }

    /// Changes the entries that [`begin`](CellTuples::begin) appended: a cell has this symbol instead of 0.
    #[inline]
    pub fn put(&self, cell: u32, symbol: u32, entries: &mut [u32]) {
        for &(tuple, digit) in &self.of_cell[cell as usize] {
            entries[usize::from(tuple)] += symbol * digit;
        }
    }

    /// Returns by how much the sum of the weights grows if a cell gets this symbol instead of 0.
    #[inline]
    #[must_use]
    pub fn gain(&self, cell: u32, symbol: u32, entries: &[u32], weights: &[f32]) -> f32 {
        let tuples = self.of_cell[cell as usize].iter();
        tuples.fold(0.0, |gain, &(tuple, digit)| {
            let entry = entries[usize::from(tuple)];
            gain + (weights[(entry + symbol * digit) as usize] - weights[entry as usize])
        })
    }
}

/// Returns every place of a block of `rows` × `columns` cells on a grid, and of the block turned by a quarter.
#[must_use]
pub fn blocks(width: u8, height: u8, rows: u8, columns: u8) -> Vec<Vec<u16>> {
    let mut all = Vec::new();
    for (rows, columns) in [(rows, columns), (columns, rows)] {
        for top in 0..=height.saturating_sub(rows) {
            for left in 0..=width.saturating_sub(columns) {
                let cells = (top..(top + rows).min(height))
                    .flat_map(|row| (left..(left + columns).min(width)).map(move |column| (row, column)));
                all.push(
                    cells
                        .map(|(row, column)| u16::from(row) * u16::from(width) + u16::from(column))
                        .collect(),
                );
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_share_their_entries() {
        // Of the four blocks of 2×2 on 3×3, each is an image of the first, in two orders.
        let tuples = CellTuples::new(3, 3, 3, &blocks(3, 3, 2, 2)).unwrap();
        assert_eq!((tuples.len(), tuples.entries()), (8, 81));
        let mut entries = Vec::new();
        tuples.begin(5, &mut entries);
        assert_eq!(entries, [5; 8]);
        // The middle is in all of them, a corner in one.
        tuples.put(4, 2, &mut entries);
        assert!(entries.iter().all(|&entry| entry > 5));
        let before = entries.clone();
        let weights: Vec<f32> = (0_u8..100).map(f32::from).collect();
        let gain = tuples.gain(0, 1, &entries, &weights);
        tuples.put(0, 1, &mut entries);
        assert_eq!(entries.iter().zip(&before).filter(|(after, before)| after != before).count(), 2);
        let sum = |entries: &[u32]| entries.iter().map(|&entry| weights[entry as usize]).sum::<f32>();
        assert_eq!(sum(&entries) - sum(&before), gain);
    }

    #[test]
    fn what_is_too_large_is_refused() {
        assert!(CellTuples::new(6, 6, 3, &[(0..36).collect()]).is_err());
    }
}
