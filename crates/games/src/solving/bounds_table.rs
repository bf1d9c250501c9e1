//! Transposition table of exact solvers: bounds of the values of searched boards, one word per entry.

use crate::board::bits::Word;

/// Lower and upper bound of a board's value for the side to move.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Bounds {
    pub least: i32,
    pub most: i32,
}

/// Bounds by key. Each bucket has two entries: the first holds the board that took more work, the second the latest
/// one.
///
/// ```text
///    bits 0 … 7: 128 + least     8 … 15: 128 + most     16 … 19: work     the rest: the key's remainder in its bucket
/// ```
///
/// Bucket and remainder identify the key, so no board is ever mistaken for another. Only an empty entry is 0.
pub(crate) struct BoundsTable<W> {
    entries: Vec<W>,
    bits: u32,
}

/// Number of bits of an entry below the key's remainder.
const ENTRY_BITS: u32 = 20;

impl<W: Word> BoundsTable<W> {
    /// Creates a table of at most `megabytes`, but never with fewer buckets than distinguish all keys, which takes 16
    /// to 48 megabytes.
    pub fn new(megabytes: usize) -> Self {
        let pairs = megabytes.saturating_mul(1 << 20) / (2 * size_of::<W>());
        let bits = pairs.max(1).ilog2().clamp(ENTRY_BITS, 32);
        BoundsTable { entries: vec![W::ZERO; 2 << bits], bits }
    }

    #[inline]
    pub fn get(&self, key: W) -> Option<Bounds> {
        let (place, rest) = key.spread(self.bits);
        let pair = &self.entries[2 * place..2 * place + 2];
        pair.iter()
            .find(|&&entry| entry >> ENTRY_BITS == rest && !entry.is_empty())
            .map(|&entry| bounds(entry))
    }

    /// Stores the bounds of a board whose search took `nodes` nodes.
    #[inline]
    pub fn insert(&mut self, key: W, Bounds { least, most }: Bounds, nodes: u64) {
        let (place, rest) = key.spread(self.bits);
        let work = (nodes.ilog2() / 2).min(15);
        let known = (least + 128) as u32 | ((most + 128) as u32) << 8 | work << 16;
        let entry = rest << ENTRY_BITS | W::from_low(u128::from(known));
        let pair = &mut self.entries[2 * place..2 * place + 2];
        let first = pair[0];
        if first >> ENTRY_BITS == rest || work >= (first.low() as u32 >> 16 & 15) {
            if first >> ENTRY_BITS != rest {
                pair[1] = first;
            }
            pair[0] = entry;
        } else {
            pair[1] = entry;
        }
    }

    pub fn clear(&mut self) {
        self.entries.fill(W::ZERO);
    }
}

#[inline]
fn bounds<W: Word>(entry: W) -> Bounds {
    let known = entry.low() as u32;
    Bounds { least: (known & 255) as i32 - 128, most: (known >> 8 & 255) as i32 - 128 }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use parlor_core::Rng;

    use super::*;
    use crate::board::wide::U192;

    /// Stores many bounds and checks that the table never returns any but the latest of a key.
    fn returns_latest_bounds<W: Word>(key_bits: u32) {
        let (mut table, mut rng) = (BoundsTable::<W>::new(1), Rng::new(2));
        let mut kept = HashMap::new();
        let mut keys = Vec::new();
        for n in 0..20_000 {
            let key = if n % 4 == 0 && n > 0 {
                *rng.choose(&keys)
            } else {
                W::from_low(u128::from(rng.bits()) << 64 | u128::from(rng.bits())) & W::first(key_bits)
            };
            let least = rng.below(129) as i32 - 64;
            let bounds = Bounds { least, most: least + rng.below(20) as i32 };
            table.insert(key, bounds, 1 + u64::from(rng.below(1_000)));
            kept.insert(key, bounds);
            keys.push(key);
        }
        let found = kept.iter().filter(|(key, _)| table.get(**key).is_some()).count();
        assert!(found * 10 > kept.len() * 9, "{found} of {}", kept.len());
        for (&key, &bounds) in &kept {
            assert!(table.get(key).is_none_or(|found| found == bounds), "{key:?}");
        }
        table.clear();
        assert!(keys.iter().all(|&key| table.get(key).is_none()));
    }

    #[test]
    fn bounds_belong_to_their_key() {
        returns_latest_bounds::<u64>(64);
        returns_latest_bounds::<u64>(12);
        returns_latest_bounds::<u128>(128);
        returns_latest_bounds::<U192>(128);
    }
}
