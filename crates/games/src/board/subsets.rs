//! Ranks of subsets: the subsets of one size, numbered without gaps (combinatorial number system).

use crate::board::bits::Word;

/// The largest subset size.
pub const MAX_SIZE: u32 = 12;

/// The largest set size.
const MAX_SET: usize = 72;

/// Pascal's triangle: `BINOMIALS[n][k]` is the number of subsets of `k` out of `n`.
static BINOMIALS: [[u64; MAX_SIZE as usize + 1]; MAX_SET + 1] = {
    let mut table = [[0; MAX_SIZE as usize + 1]; MAX_SET + 1];
    let mut n = 0;
    while n <= MAX_SET {
        table[n][0] = 1;
        let mut k = 1;
        while k <= MAX_SIZE as usize && n > 0 {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// Returns the number of subsets of `k` cells of a set of `n` cells, for `n` up to 72 and `k` up to [`MAX_SIZE`].
#[inline]
#[must_use]
pub fn choose(n: u32, k: u32) -> u64 {
    BINOMIALS[n as usize][k as usize]
}

/// Returns the rank of `subset` among the subsets of `set` of its size, in colexicographic order.
#[inline]
#[must_use]
pub fn rank<W: Word>(subset: W, set: W) -> u64 {
    let mut sum = 0;
    for (k, cell) in (1..).zip(subset.cells()) {
        sum += choose((set & W::first(cell)).len(), k);
    }
    sum
}

/// Returns the subset of `set` with `size` cells and this rank, which must be below `choose(set.len(), size)`.
#[inline]
#[must_use]
pub fn unrank<W: Word>(mut rank: u64, size: u32, set: W) -> W {
    let (mut found, mut n) = (W::ZERO, set.len());
    for k in (1..=size).rev() {
        // The largest index n with choose(n, k) ≤ rank.
        n -= 1;
        while choose(n, k) > rank {
            n -= 1;
        }
        rank -= choose(n, k);
        found |= W::bit(set.nth(n));
    }
    found
}

/// Returns every subset of `set` with `size` cells, in the order of their ranks.
pub fn all<W: Word>(size: u32, set: W) -> impl Iterator<Item = W> {
    let count = set.len();
    let mut next = (size <= count)
        .then(|| set.cells().take(size as usize).fold(W::ZERO, |all, cell| all | W::bit(cell)));
    std::iter::from_fn(move || {
        let now = next?;
        // The first cell whose successor in the set is not in the subset moves there; the cells before it return to
        // the start.
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
    fn every_subset_has_its_rank() {
        let set: u64 = 0b1011_0111_0000_1101;
        assert_eq!(all(set.len() + 1, set).count(), 0);
        for size in 0..=set.len() {
            let mut seen = Vec::new();
            for n in 0..choose(set.len(), size) {
                let found = unrank(n, size, set);
                assert_eq!((found.len(), found & !set), (size, 0));
                assert_eq!(rank(found, set), n);
                seen.push(found);
            }
            assert!(all(size, set).eq(seen.iter().copied()), "by rank");
            seen.sort_unstable();
            seen.dedup();
            assert_eq!(seen.len() as u64, choose(set.len(), size), "all of them");
        }
    }
}
