//! Random streams that are the same on every machine.

use rand_core::{Rng as _, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The generator's name, repeated in every result file.
pub const GENERATOR: &str = "xoshiro256++";

/// A stream of random numbers: xoshiro256++ seeded through `SplitMix64`.
///
/// Streams are portable: the same seed gives the same numbers on every machine and in every version.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "Xoshiro256PlusPlus")]
pub struct Rng(Xoshiro256PlusPlus);

impl TryFrom<Xoshiro256PlusPlus> for Rng {
    type Error = &'static str;

    /// Takes a stream from a file. The state 0, which no seed leads to, would give nothing but zeros for ever.
    fn try_from(generator: Xoshiro256PlusPlus) -> Result<Self, Self::Error> {
        const WORDS: usize = 4;
        let mut rng = Rng(generator.clone());
        let is_zero = (0..=WORDS).all(|_| rng.bits() == 0);
        if is_zero { Err("the state 0 is not one of a random stream") } else { Ok(Rng(generator)) }
    }
}

/// One step of `SplitMix64` (Steele, Lea, Flood 2014): a bijection that scatters close numbers far apart.
const fn scatter(x: u64) -> u64 {
    let z = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Returns the seed of branch `index` of `seed`.
///
/// Trial *i* of a run draws from `fork(seed, i)` on any thread and machine. Branches of branches are
/// independent of each other for all practical purposes; for one seed, no two indices give the same branch.
#[must_use]
pub const fn fork(seed: u64, index: u64) -> u64 {
    scatter(scatter(seed) ^ index.wrapping_mul(0xd1b5_4a32_d192_ed03))
}

impl Rng {
    /// Starts the stream of `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Rng(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Starts the stream of branch `index` of `seed`, see [`fork`].
    #[must_use]
    pub fn forked(seed: u64, index: u64) -> Self {
        Self::new(fork(seed, index))
    }

    /// Returns 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Returns a whole number from `0` to `bound − 1`, each exactly equally likely.
    ///
    /// # Panics
    /// If `bound` is 0.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        assert!(bound > 0, "there is no number below 0");
        // Lemire 2019: multiply and keep the high half; reject the few low halves that would be counted twice.
        let mut product = (self.bits() >> 32) * u64::from(bound);
        if (product as u32) < bound {
            let surplus = bound.wrapping_neg() % bound;
            while (product as u32) < surplus {
                product = (self.bits() >> 32) * u64::from(bound);
            }
        }
        (product >> 32) as u32
    }

    /// Returns a number from 0 up to, not including, 1.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Returns one of `items`, each equally likely.
    ///
    /// # Panics
    /// If `items` is empty.
    #[inline]
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u32) as usize]
    }

    /// Returns one of `items`, drawn by its weight; `total` is the sum of the weights. `None` if none weighs anything.
    #[inline]
    pub fn by_weight<T>(&mut self, total: f64, items: impl IntoIterator<Item = (T, f64)>) -> Option<T> {
        let mut left = self.unit() * total;
        let mut drawn = None;
        for (item, weight) in items {
            if weight > 0.0 {
                // Rounding can leave a sliver beyond the last weight; it belongs to the last item.
                drawn = Some(item);
                if left < weight {
                    break;
                }
                left -= weight;
            }
        }
        drawn
    }

    /// Puts `items` into a random order, each equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u32 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_pinned() {
        // Result files of old runs rest on these numbers: they must never change. They were computed from the
        // published definitions of SplitMix64 and xoshiro256++ by another program.
        let mut rng = Rng::new(7);
        let first: Vec<u64> = (0..3).map(|_| rng.bits()).collect();
        assert_eq!(first, PINNED);
        assert_eq!(fork(7, 0), FORKED);
    }

    const PINNED: [u64; 3] =
        [1_021_219_803_524_665_661, 3_174_977_118_032_272_916, 13_236_943_193_235_544_178];
    const FORKED: u64 = 13_309_476_754_707_697_221;

    #[test]
    fn forks_differ() {
        let mut seen: Vec<u64> = (0..10_000).map(|i| fork(1, i)).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 10_000);
    }

    #[test]
    fn items_come_as_often_as_they_weigh() {
        let mut rng = Rng::new(5);
        let weights = [0.2, 0.0, 0.5, 0.3];
        for total in [1.0, 4.0] {
            let mut counts = [0.0; 4];
            for _ in 0..4_000 {
                let items = weights.iter().map(|weight| weight * total).enumerate();
                counts[rng.by_weight(total, items).unwrap()] += 1.0 / 4_000.0;
            }
            for (count, weight) in counts.iter().zip(weights) {
                assert!((count - weight).abs() < 0.03, "{counts:?}");
            }
        }
        assert_eq!(rng.by_weight(0.0, [('a', 0.0)]), None);
        // What rounding leaves over belongs to the last item that weighs something.
        assert_eq!(rng.by_weight(1.0, [('a', 1e-300), ('b', 1e-300), ('c', 0.0)]), Some('b'));
    }

    #[test]
    fn below_is_uniform() {
        let mut rng = Rng::new(1);
        let mut counts = [0u32; 6];
        for _ in 0..60_000 {
            counts[rng.below(6) as usize] += 1;
        }
        // Five standard deviations of a binomial count around 10,000.
        assert!(counts.iter().all(|&c| c.abs_diff(10_000) < 457), "{counts:?}");
    }
}
