//! Counting and selecting bits within a word, all bytes at once and without branches.

/// A one in every byte.
const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

/// Returns in each byte the sum of the bytes up to it. The total must be below 256.
#[inline]
pub(super) const fn running_sums(bytes: u64) -> u64 {
    bytes.wrapping_mul(ONES)
}

/// Returns eight times the index of the first byte that is larger than `n`; bytes and `n` must be below 128, and such
/// a byte must exist.
#[inline]
pub(super) const fn first_above(sums: u64, n: u32) -> u32 {
    // With its high bit set, a byte never borrows from its neighbour; the bit survives where byte ≥ n + 1.
    let reached = (sums | HIGH_BITS).wrapping_sub((n as u64 + 1) * ONES) & HIGH_BITS;
    reached.trailing_zeros() & !7
}

/// Returns, in each byte, the number of set bits in the bytes of `word` up to it; the last byte has the total.
#[inline]
const fn bit_sums(word: u64) -> u64 {
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    running_sums((fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f)
}

/// For each byte, the positions of its set bits from the lowest on.
static PLACES: [[u8; 8]; 256] = {
    let mut places = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut found) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                places[byte][found] = bit as u8;
                found += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    places
};

/// Returns the position of the `n`-th set bit, counted from 0; it must exist.
#[inline]
pub(super) fn nth_bit(word: u64, n: u32) -> u32 {
    let sums = bit_sums(word);
    let shift = first_above(sums, n);
    let before = ((sums << 8) >> shift) as u32;
    let byte = (word >> shift) as u8;
    shift + u32::from(PLACES[usize::from(byte)][(n.wrapping_sub(before) & 7) as usize])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::bits::Word;

    #[test]
    fn selection_agrees_with_iteration() {
        let mut rng = parlor_core::Rng::new(9);
        let mut words = vec![0, 1, 1 << 63, u64::MAX];
        words.extend((0..2_000).map(|_| rng.bits() & rng.bits()));
        for word in words {
            let sums = bit_sums(word);
            assert_eq!(sums >> 56, u64::from(word.count_ones()));
            for (n, place) in word.cells().enumerate() {
                assert_eq!(nth_bit(word, n as u32), place, "bit {n} of {word:064b}");
            }
        }
    }
}
