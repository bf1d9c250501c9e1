//! Hashes of table keys.

use std::hash::{Hash, Hasher};

/// Returns a hash of `key` that is the same on every machine and in every run.
#[inline]
#[must_use]
pub fn hash_of(key: &impl Hash) -> u64 {
    let mut mixer = Mixer(0);
    key.hash(&mut mixer);
    mixer.finish()
}

/// A multiplicative hasher. The hashers of the standard library are slower or differ between runs.
#[derive(Default)]
pub(crate) struct Mixer(u64);

impl Mixer {
    #[inline]
    fn fold(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word ^ 0x9e37_79b9_7f4a_7c15) * 0xd6e8_feb8_6659_fd93_u128;
        self.0 = (product >> 64) as u64 ^ product as u64;
    }
}

impl Hasher for Mixer {
    #[inline]
    fn finish(&self) -> u64 {
        let mut x = self.0;
        x ^= x >> 32;
        x.wrapping_mul(0x9fb2_1c65_1e98_df25) ^ x >> 29
    }
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.fold(u64::from_le_bytes(word));
        }
    }
    #[inline]
    fn write_u8(&mut self, x: u8) {
        self.fold(u64::from(x));
    }
    #[inline]
    fn write_u16(&mut self, x: u16) {
        self.fold(u64::from(x));
    }
    #[inline]
    fn write_u32(&mut self, x: u32) {
        self.fold(u64::from(x));
    }
    #[inline]
    fn write_u64(&mut self, x: u64) {
        self.fold(x);
    }
    #[inline]
    fn write_u128(&mut self, x: u128) {
        self.fold(x as u64);
        self.fold((x >> 64) as u64);
    }
    #[inline]
    fn write_usize(&mut self, x: usize) {
        self.fold(x as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_stable_and_spread() {
        assert_eq!(hash_of(&1_u64), hash_of(&1_u64));
        let mut low: Vec<u64> = (0..1_000_u64).map(|key| hash_of(&key) & 0xffff).collect();
        low.sort_unstable();
        low.dedup();
        assert!(low.len() > 980, "{} different", low.len());
        assert_ne!(hash_of(&1_u128), hash_of(&(1_u128 << 64)));
    }
}
