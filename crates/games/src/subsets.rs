//! Subsets of a set, numbered without gaps.

use crate::bits::Word;

/// The largest subsets that are numbered.
pub const MOST: u32 = 12;

/// The largest sets whose subsets are numbered.
const LARGEST: usize = 72;

/// Pascal's triangle: `BINOMIALS[n][k]` is the number of subsets of `k` out of `n`.
static BINOMIALS: [[u64; MOST as usize + 1]; LARGEST + 1] = {
    let mut table = [[0; MOST as usize + 1]; LARGEST + 1];
    let mut n = 0;
    while n <= LARGEST {
        table[n][0] = 1;
        let mut k = 1;
        while k <= MOST as usize && n > 0 {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// Returns how many subsets of `k` cells a set of `n` cells has, for `n` up to 72 and `k` up to [`MOST`].
#[inline]
#[must_use]
pub fn choose(n: u32, k: u32) -> u64 {
    BINOMIALS[n as usize][k as usize]
}

/// Returns the number of a subset of `set` among those of its size (colexicographic: those without the last cells first).
#[inline]
#[must_use]
pub fn number<W: Word>(subset: W, set: W) -> u64 {
    let mut sum = 0;
    for (k, cell) in (1..).zip(subset.cells()) {
        sum += choose((set & W::first(cell)).len(), k);
    }
    sum
}

/// Returns the subset of `size` cells of `set` that has this number; the number must be below [`choose`]'s.
#[inline]
#[must_use]
pub fn subset<W: Word>(mut number: u64, size: u32, set: W) -> W {
    let (mut found, mut n) = (W::ZERO, set.len());
    for k in (1..=size).rev() {
        // The largest place whose subsets to the left are not too many.
        n -= 1;
        while choose(n, k) > number {
            n -= 1;
        }
        number -= choose(n, k);
        found |= W::bit(set.nth(n));
    }
    found
}

/// Returns every subset of `size` cells of `set`, by number.
pub fn all<W: Word>(size: u32, set: W) -> impl Iterator<Item = W> {
    let count = set.len();
    let mut next = (size <= count)
        .then(|| set.cells().take(size as usize).fold(W::ZERO, |all, cell| all | W::bit(cell)));
    std::iter::from_fn(move || {
        let now = next?;
        // The first cell that can go on to the next cell of the set does so, and those before it begin again.
        next = None;
        let mut passed = W::ZERO;
        for cell in now.cells() {
            let beyond = set & !W::first(cell + 1);
            passed |= W::bit(cell);
            if !beyond.is_empty() && !now.has(beyond.lowest()) {
                let again = passed.len() as usize - 1;
                let start = set.cells().take(again).fold(W::ZERO, |all, cell| all | W::bit(cell));
                next = Some(now & !passed | W::bit(beyond.lowest()) | start);
                break;
            }
        }
        Some(now)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_subset_has_its_number() {
        let set: u64 = 0b1011_0111_0000_1101;
        assert_eq!(all(set.len() + 1, set).count(), 0);
        for size in 0..=set.len() {
            let mut seen = Vec::new();
            for n in 0..choose(set.len(), size) {
                let found = subset(n, size, set);
                assert_eq!((found.len(), found & !set), (size, 0));
                assert_eq!(number(found, set), n);
                seen.push(found);
            }
            assert!(all(size, set).eq(seen.iter().copied()), "by number");
            seen.sort_unstable();
            seen.dedup();
            assert_eq!(seen.len() as u64, choose(set.len(), size), "all of them");
        }
    }
}
