//! What is known about boards that were searched: bounds of their values, in one word each.

use crate::bits::Word;

/// The least and the most that a board is worth to the side to move.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Bounds {
    pub least: i32,
    pub most: i32,
}

/// Bounds by key. Pairs of entries share a place: the first of a pair is the one that took more work, the second the latest.
///
/// ```text
///    bits 0 … 7: 128 + least     8 … 15: 128 + most     16 … 19: work     the rest: what the place leaves open of the key
/// ```
///
/// An entry says exactly whose it is, so no board is ever taken for another. An empty entry is 0, and no other is.
pub(crate) struct Table<W> {
    entries: Vec<W>,
    bits: u32,
}

/// Below a key there are so many bits for what is known.
const KNOWN: u32 = 20;

impl<W: Word> Table<W> {
    /// Makes a table of at most `megabytes`, though never of fewer places than keep keys apart, which takes 16 to 48 of them.
    pub fn new(megabytes: usize) -> Self {
        let pairs = megabytes.saturating_mul(1 << 20) / (2 * size_of::<W>());
        let bits = pairs.max(1).ilog2().clamp(KNOWN, 32);
        Table { entries: vec![W::ZERO; 2 << bits], bits }
    }

    #[inline]
    pub fn find(&self, key: W) -> Option<Bounds> {
        let (place, rest) = key.spread(self.bits);
        let pair = &self.entries[2 * place..2 * place + 2];
        pair.iter().find(|&&entry| entry >> KNOWN == rest && !entry.is_empty()).map(|&entry| bounds(entry))
    }

    /// Keeps the bounds of a board whose search took `nodes`.
    #[inline]
    pub fn keep(&mut self, key: W, Bounds { least, most }: Bounds, nodes: u64) {
        let (place, rest) = key.spread(self.bits);
        let work = (nodes.ilog2() / 2).min(15);
        let known = (least + 128) as u32 | ((most + 128) as u32) << 8 | work << 16;
        let entry = rest << KNOWN | W::from_low(u128::from(known));
        let pair = &mut self.entries[2 * place..2 * place + 2];
        let first = pair[0];
        if first >> KNOWN == rest || work >= (first.low() as u32 >> 16 & 15) {
            if first >> KNOWN != rest {
                pair[1] = first;
            }
            pair[0] = entry;
        } else {
            pair[1] = entry;
        }
    }

    /// Empties it.
    pub fn forget(&mut self) {
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
    use crate::wide::U192;

    /// Keeps many bounds, and never finds others than were kept last.
    fn remembers<W: Word>(key_bits: u32) {
        let (mut table, mut rng) = (Table::<W>::new(1), Rng::new(2));
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
            table.keep(key, bounds, 1 + u64::from(rng.below(1_000)));
            kept.insert(key, bounds);
            keys.push(key);
        }
        let found = kept.iter().filter(|(key, _)| table.find(**key).is_some()).count();
        assert!(found * 10 > kept.len() * 9, "{found} of {}", kept.len());
        for (&key, &bounds) in &kept {
            assert!(table.find(key).is_none_or(|found| found == bounds), "{key:?}");
        }
        table.forget();
        assert!(keys.iter().all(|&key| table.find(key).is_none()));
    }

    #[test]
    fn bounds_are_those_of_the_key() {
        remembers::<u64>(64);
        remembers::<u64>(12);
        remembers::<u128>(128);
        remembers::<U192>(128);
    }
}
