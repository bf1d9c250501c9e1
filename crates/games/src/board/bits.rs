//! Sets of cells as machine words.
//!
//! Every mask goes through [`Word`]: `W::bit(i)`, never `1u64 << i`, so a board that outgrows 64 bits changes only
//! its type.

use std::fmt::Debug;
use std::hash::Hash;
use std::iter::FusedIterator;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr};

/// A fixed number of bits, used as a set of cell numbers.
pub trait Word:
    Copy
    + Debug
    + Default
    + Eq
    + Ord
    + Hash
    + Send
    + Sync
    + 'static
    + Not<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// Number of cells that fit.
    const BITS: u32;
    /// The empty set.
    const ZERO: Self;
    /// The set that holds cell 0 only.
    const ONE: Self;

    /// Returns the number of cells in the set.
    fn len(self) -> u32;

    /// Returns the smallest cell in the set, or [`Word::BITS`] if the set is empty.
    fn lowest(self) -> u32;

    /// Returns the set without its smallest cell.
    fn without_lowest(self) -> Self;

    /// Returns the cells 0 … 127 as a number in which cell *i* is bit *i*; cells beyond are dropped.
    fn low(self) -> u128;

    /// Returns the set of the one bits of a number; bits beyond [`Word::BITS`] are dropped.
    fn from_low(ones: u128) -> Self;

    /// Returns the set of the cells `count − 1 − i` for each cell *i*, all of which must be below `count`, at most 128.
    #[inline]
    fn reversed(self, count: u32) -> Self {
        Self::from_low(self.low().reverse_bits() >> (u128::BITS - count))
    }

    /// Returns a bucket below `2^bits` and a remainder that distinguishes the set from all others of that bucket;
    /// `bits` is 1 to 32. In words of 64 and 128 bits the remainder is below `2^(BITS − bits)`; in wider ones it is
    /// the whole set.
    fn spread(self, bits: u32) -> (usize, Self);

    /// Returns the set that holds cell `index` only.
    #[inline]
    fn bit(index: u32) -> Self {
        Self::ONE << index
    }

    /// Returns the set of the cells `0 … count − 1`.
    #[inline]
    fn first(count: u32) -> Self {
        if count == 0 { Self::ZERO } else { !Self::ZERO >> (Self::BITS - count) }
    }

    /// Returns whether the set is empty.
    #[inline]
    fn is_empty(self) -> bool {
        self == Self::ZERO
    }

    /// Returns whether cell `index` is in the set.
    #[inline]
    fn has(self, index: u32) -> bool {
        !(self & Self::bit(index)).is_empty()
    }

    /// Returns the `n`-th smallest cell, counted from 0. The set must have more than `n` cells.
    #[inline]
    fn nth(mut self, n: u32) -> u32 {
        for _ in 0..n {
            self = self.without_lowest();
        }
        self.lowest()
    }

    /// Returns the cells from the smallest to the largest.
    #[inline]
    fn cells(self) -> Cells<Self> {
        Cells(self)
    }
}

macro_rules! word {
    ($type:ty, $odd:expr) => {
        impl Word for $type {
            const BITS: u32 = <$type>::BITS;
            const ZERO: Self = 0;
            const ONE: Self = 1;
            #[inline]
            fn len(self) -> u32 {
                self.count_ones()
            }
            #[inline]
            fn lowest(self) -> u32 {
                self.trailing_zeros()
            }
            #[inline]
            fn without_lowest(self) -> Self {
                self & self.wrapping_sub(1)
            }
            #[inline]
            fn low(self) -> u128 {
                self as u128
            }
            #[inline]
            fn from_low(ones: u128) -> Self {
                ones as Self
            }
            #[inline]
            fn reversed(self, count: u32) -> Self {
                self.reverse_bits() >> (Self::BITS - count)
            }
            #[inline]
            fn spread(self, bits: u32) -> (usize, Self) {
                // Multiplying by an odd number is invertible, so the upper and lower part of the product together
                // identify the set.
                let product = self.wrapping_mul($odd);
                ((product >> (Self::BITS - bits)) as usize, product & (Self::MAX >> bits))
            }
        }
    };
}

// Odd numbers near 2^BITS divided by the golden ratio.
word!(u64, 0x9e37_79b9_7f4a_7c15);
word!(u128, 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);

/// The cells of a set from the smallest to the largest.
#[derive(Clone, Debug)]
pub struct Cells<W>(W);

impl<W: Word> Iterator for Cells<W> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        if self.0.is_empty() {
            return None;
        }
        let cell = self.0.lowest();
        self.0 = self.0.without_lowest();
        Some(cell)
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<u32> {
        for _ in 0..n {
            if self.0.is_empty() {
                return None;
            }
            self.0 = self.0.without_lowest();
        }
        self.next()
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.len() as usize;
        (len, Some(len))
    }
}

impl<W: Word> ExactSizeIterator for Cells<W> {}
impl<W: Word> FusedIterator for Cells<W> {}

/// `BIT_OF_BYTE[n][byte]` is the position of the `n`-th lowest one bit in a byte, or 0 if the byte has fewer.
const BIT_OF_BYTE: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let (mut n, mut bit) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[n][byte] = bit;
                n += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// Returns the same as [`Word::nth`], without a loop: for random picks from larger sets, where a branch predictor
/// cannot foresee the length of a loop. The set must have more than `n` cells.
#[inline]
#[must_use]
pub fn nth_cell(set: u64, n: u32) -> u32 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    const TOPS: u64 = 0x80 * EACH;
    // Step 1. Byte i of `upto` holds the number of one bits in bytes 0 … i.
    let pairs = set - ((set >> 1) & (0x55 * EACH));
    let nibbles = (pairs & (0x33 * EACH)) + ((pairs >> 2) & (0x33 * EACH));
    let upto = ((nibbles + (nibbles >> 4)) & (0x0f * EACH)).wrapping_mul(EACH);
    // Step 2. The first byte with a count above n holds the cell. No byte borrows: 0x80 + count − (n + 1) ≥ 0.
    let above = ((upto | TOPS) - (u64::from(n) + 1) * EACH) & TOPS;
    let start = above.trailing_zeros() & !7;
    let before = (upto << 8 >> start) as u8;
    let byte = (set >> start) as u8;
    start + u32::from(BIT_OF_BYTE[(n as u8).wrapping_sub(before) as usize & 7][usize::from(byte)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::wide::U512;
    use proptest::prelude::*;
    use std::collections::HashSet;

    fn agrees_with_a_sorted_list<W: Word>(cells: &[u32]) {
        let set = cells.iter().fold(W::ZERO, |set, &c| set | W::bit(c));
        let mut sorted = cells.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(set.cells().collect::<Vec<_>>(), sorted);
        assert_eq!(set.len() as usize, sorted.len());
        let low: Vec<u32> = sorted.iter().copied().filter(|&cell| cell < 128).collect();
        assert_eq!(set.low().cells().collect::<Vec<_>>(), low);
        assert_eq!(W::from_low(set.low()).cells().collect::<Vec<_>>(), low);
        if let Some(&last) = low.last() {
            let turned: Vec<u32> = low.iter().rev().map(|cell| last - cell).collect();
            assert_eq!(W::from_low(set.low()).reversed(last + 1).cells().collect::<Vec<_>>(), turned);
        }
        for (n, &cell) in sorted.iter().enumerate() {
            assert_eq!(set.nth(n as u32), cell);
            assert_eq!(set.cells().nth(n), Some(cell));
            assert!(set.has(cell));
        }
        assert_eq!(set.cells().nth(sorted.len()), None);
    }

    fn spreads_apart<W: Word>(words: &[u128], bits: u32) {
        let words: HashSet<W> = words.iter().map(|&word| W::from_low(word)).collect();
        let spread: HashSet<(usize, W)> = words.iter().map(|word| word.spread(bits)).collect();
        assert_eq!(spread.len(), words.len());
        for (place, rest) in spread {
            assert!(place < 1 << bits);
            assert!(W::BITS > 128 || (rest >> (W::BITS - bits)).is_empty());
        }
    }

    proptest! {
        #[test]
        fn spreading_keeps_words_distinct(words in proptest::collection::vec(any::<u128>(), 0..200), bits in 1u32..=32) {
            // Include words that differ in few bits.
            let near: Vec<u128> = words.iter().flat_map(|word| [*word, word ^ 1, word ^ 1 << 63, word ^ 6]).collect();
            spreads_apart::<u64>(&near, bits);
            spreads_apart::<u128>(&near, bits);
            spreads_apart::<U512>(&near, bits);
        }

        #[test]
        fn sets_of_64(cells in proptest::collection::vec(0u32..64, 0..64)) {
            agrees_with_a_sorted_list::<u64>(&cells);
        }

        #[test]
        fn sets_of_128(cells in proptest::collection::vec(0u32..128, 0..128)) {
            agrees_with_a_sorted_list::<u128>(&cells);
        }

        #[test]
        fn sets_of_512(cells in proptest::collection::vec(0u32..512, 0..512)) {
            agrees_with_a_sorted_list::<U512>(&cells);
        }

        #[test]
        fn wide_shifts_move_every_cell(cells in proptest::collection::vec(0u32..512, 0..40), by in 0u32..512) {
            let set = |cells: &mut dyn Iterator<Item = u32>| cells.fold(U512::ZERO, |set, c| set | U512::bit(c));
            let word = set(&mut cells.iter().copied());
            prop_assert_eq!(word << by, set(&mut cells.iter().map(|c| c + by).filter(|&c| c < 512)));
            prop_assert_eq!(word >> by, set(&mut cells.iter().filter_map(|c| c.checked_sub(by))));
        }

        #[test]
        fn wide_words_work_like_narrow_ones(a: u128, b: u128) {
            let wide = |x: u128| x.cells().fold(U512::ZERO, |set, cell| set | U512::bit(cell));
            prop_assert_eq!(wide(a) & wide(b), wide(a & b));
            prop_assert_eq!(wide(a) | wide(b), wide(a | b));
            prop_assert_eq!(wide(a) ^ wide(b), wide(a ^ b));
            prop_assert_eq!(wide(a).cmp(&wide(b)), a.cmp(&b));
            prop_assert_eq!(!!wide(a), wide(a));
            prop_assert_eq!(wide(a).without_lowest(), wide(a.without_lowest()));
        }
    }

    proptest! {
        #[test]
        fn cells_without_a_loop(set in any::<u64>(), mask in any::<u64>()) {
            for set in [set, set & mask, u64::MAX] {
                for (n, cell) in set.cells().enumerate() {
                    assert_eq!(nth_cell(set, n as u32), cell);
                }
            }
        }
    }

    #[test]
    fn first_cells() {
        assert_eq!(u64::first(0), 0);
        assert_eq!(u64::first(3), 0b111);
        assert_eq!(u64::first(64), u64::MAX);
        assert_eq!(u128::first(128), u128::MAX);
        assert_eq!(U512::first(512), !U512::ZERO);
        assert_eq!(U512::first(100).len(), 100);
        assert_eq!(U512::first(100).nth(99), 99);
        assert_eq!(U512::ZERO.lowest(), 512);
    }
}
