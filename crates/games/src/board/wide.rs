//! Sets of more than 128 cells.

use std::cmp::Ordering;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr};

use crate::board::bits::Word;

/// A word of `LIMBS` × 64 bits; bit *i* is bit *i* mod 64 of limb *i* div 64.
///
/// ```text
///    limb 0     limb 1      limb 2
///    0 … 63   64 … 127   128 … 191
/// ```
///
/// Unlike the built-in words, shifting by [`Word::BITS`] or more gives the empty set.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Wide<const LIMBS: usize>([u64; LIMBS]);

/// A word of 192 bits.
pub type U192 = Wide<3>;

/// A word of 512 bits.
pub type U512 = Wide<8>;

impl<const LIMBS: usize> Wide<LIMBS> {
    #[inline]
    fn map(self, change: impl Fn(u64) -> u64) -> Self {
        Wide(self.0.map(change))
    }

    #[inline]
    fn join(self, other: Self, join: impl Fn(u64, u64) -> u64) -> Self {
        Wide(std::array::from_fn(|i| join(self.0[i], other.0[i])))
    }
}

impl<const LIMBS: usize> Default for Wide<LIMBS> {
    fn default() -> Self {
        Self::ZERO
    }
}

impl<const LIMBS: usize> Ord for Wide<LIMBS> {
    /// Compares as numbers: the last limb weighs most.
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.iter().rev().cmp(other.0.iter().rev())
    }
}

impl<const LIMBS: usize> PartialOrd for Wide<LIMBS> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<const LIMBS: usize> Not for Wide<LIMBS> {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        self.map(|limb| !limb)
    }
}

impl<const LIMBS: usize> BitAnd for Wide<LIMBS> {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        self.join(other, |a, b| a & b)
    }
}

impl<const LIMBS: usize> BitOr for Wide<LIMBS> {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        self.join(other, |a, b| a | b)
    }
}

impl<const LIMBS: usize> BitXor for Wide<LIMBS> {
    type Output = Self;
    #[inline]
    fn bitxor(self, other: Self) -> Self {
        self.join(other, |a, b| a ^ b)
    }
}

impl<const LIMBS: usize> BitAndAssign for Wide<LIMBS> {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}

impl<const LIMBS: usize> BitOrAssign for Wide<LIMBS> {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl<const LIMBS: usize> BitXorAssign for Wide<LIMBS> {
    #[inline]
    fn bitxor_assign(&mut self, other: Self) {
        *self = *self ^ other;
    }
}

impl<const LIMBS: usize> Shl<u32> for Wide<LIMBS> {
    type Output = Self;
    #[inline]
    fn shl(self, by: u32) -> Self {
        let (limbs, bits) = ((by / 64) as usize, by % 64);
        Wide(std::array::from_fn(|i| {
            let limb = |back: usize| i.checked_sub(limbs + back).map_or(0, |from| self.0[from]);
            // Two shifts carry the bits over, because a single shift by 64 would overflow.
            limb(0) << bits | limb(1) >> 1 >> (63 - bits)
        }))
    }
}

impl<const LIMBS: usize> Shr<u32> for Wide<LIMBS> {
    type Output = Self;
    #[inline]
    fn shr(self, by: u32) -> Self {
        let (limbs, bits) = ((by / 64) as usize, by % 64);
        Wide(std::array::from_fn(|i| {
            let limb = |ahead: usize| self.0.get(i + limbs + ahead).copied().unwrap_or(0);
            limb(0) >> bits | limb(1) << 1 << (63 - bits)
        }))
    }
}

impl<const LIMBS: usize> Word for Wide<LIMBS> {
    const BITS: u32 = 64 * LIMBS as u32;
    const ZERO: Self = Wide([0; LIMBS]);
    const ONE: Self = {
        let mut limbs = [0; LIMBS];
        limbs[0] = 1;
        Wide(limbs)
    };

    #[inline]
    fn len(self) -> u32 {
        self.0.iter().map(|limb| limb.count_ones()).sum()
    }

    #[inline]
    fn lowest(self) -> u32 {
        let used = self.0.iter().position(|&limb| limb != 0);
        used.map_or(Self::BITS, |i| 64 * i as u32 + self.0[i].trailing_zeros())
    }

    #[inline]
    fn without_lowest(mut self) -> Self {
        if let Some(limb) = self.0.iter_mut().find(|limb| **limb != 0) {
            *limb &= *limb - 1;
        }
        self
    }

    #[inline]
    fn low(self) -> u128 {
        let limb = |i: usize| self.0.get(i).map_or(0, |&limb| u128::from(limb));
        limb(0) | limb(1) << 64
    }

    #[inline]
    fn from_low(ones: u128) -> Self {
        let mut limbs = [0; LIMBS];
        for (limb, part) in limbs.iter_mut().zip([ones as u64, (ones >> 64) as u64]) {
            *limb = part;
        }
        Wide(limbs)
    }

    #[inline]
    fn spread(self, bits: u32) -> (usize, Self) {
        let mix = |mixed: u64, limb: &u64| (mixed.rotate_left(29) ^ limb).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((self.0.iter().fold(0, mix) >> (64 - bits)) as usize, self)
    }

    #[inline]
    fn bit(index: u32) -> Self {
        let mut limbs = [0; LIMBS];
        limbs[(index / 64) as usize] = 1 << (index % 64);
        Wide(limbs)
    }

    #[inline]
    fn has(self, index: u32) -> bool {
        self.0[(index / 64) as usize] >> (index % 64) & 1 == 1
    }

    #[inline]
    fn nth(self, mut n: u32) -> u32 {
        for (i, limb) in self.0.iter().enumerate() {
            let len = limb.count_ones();
            if n < len {
                return 64 * i as u32 + limb.nth(n);
            }
            n -= len;
        }
        Self::BITS
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn word(cells: &BTreeSet<u32>) -> U192 {
        cells.iter().fold(U192::ZERO, |set, &cell| set | U192::bit(cell))
    }

    fn set() -> impl Strategy<Value = BTreeSet<u32>> {
        vec(0u32..192, 0..100).prop_map(BTreeSet::from_iter)
    }

    proptest! {
        #[test]
        fn agrees_with_sets(a in set(), b in set()) {
            let (x, y) = (word(&a), word(&b));
            prop_assert_eq!(x.cells().collect::<BTreeSet<_>>(), a.clone());
            prop_assert_eq!(x.len() as usize, a.len());
            prop_assert_eq!(x.lowest(), a.first().copied().unwrap_or(192));
            prop_assert!((0..192).all(|cell| x.has(cell) == a.contains(&cell)));
            prop_assert_eq!(x & y, word(&(&a & &b)));
            prop_assert_eq!(x | y, word(&(&a | &b)));
            prop_assert_eq!(x ^ y, word(&(&a ^ &b)));
            prop_assert_eq!(!x, word(&(0..192).filter(|cell| !a.contains(cell)).collect()));
            // As numbers: the largest cell that only one set holds decides.
            prop_assert_eq!(x.cmp(&y), a.iter().rev().cmp(b.iter().rev()));
        }

        #[test]
        fn shifts_agree_with_sets(a in set(), by in 0u32..200) {
            let up = a.iter().map(|cell| cell + by).filter(|&cell| cell < 192).collect();
            let down = a.iter().filter_map(|cell| cell.checked_sub(by)).collect();
            prop_assert_eq!(word(&a) << by, word(&up));
            prop_assert_eq!(word(&a) >> by, word(&down));
        }
    }

    #[test]
    fn first_cells() {
        for count in [0, 1, 63, 64, 65, 128, 160, 191, 192] {
            assert_eq!(U192::first(count), word(&(0..count).collect()), "{count}");
        }
    }
}
