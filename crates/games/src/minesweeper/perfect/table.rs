//! Hash table of solved positions, shared by all threads.

use std::sync::atomic::{AtomicU64, Ordering};

/// The number of layouts won in a position, or an upper bound of it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Verdict {
    pub wins: u32,
    /// Whether `wins` is exact.
    pub is_exact: bool,
}

impl Verdict {
    pub fn exactly(wins: u32) -> Self {
        Verdict { wins, is_exact: true }
    }

    pub fn at_most(wins: u32) -> Self {
        Verdict { wins, is_exact: false }
    }
}

/// Number of entries per bucket.
const BUCKET: usize = 4;

const EXACT: u64 = 1 << 31;
const WINS: u64 = EXACT - 1;

/// A hash table of fixed size. A full bucket loses its smallest number, which is the quickest to compute again.
///
/// An entry is two words. The second holds the wins, whether they are exact, and 32 bits of the key; the first holds
/// 64 other bits of the key, exclusive-or the second word, so that an entry half written by each of two threads
/// matches no key.
#[derive(Debug)]
pub(super) struct SharedTable {
    words: Vec<AtomicU64>,
    buckets: u64,
}

impl SharedTable {
    pub fn new(bytes: usize) -> Self {
        let buckets = (bytes / (16 * BUCKET)).clamp(1, u32::MAX as usize);
        let words = (0..buckets * BUCKET * 2).map(|_| AtomicU64::new(0)).collect();
        SharedTable { words, buckets: buckets as u64 }
    }

    /// Returns the start of a key's bucket.
    #[inline]
    fn bucket(&self, key: u128) -> usize {
        // Not the highest bits: keys are minima over symmetries, so those are not uniform.
        ((u64::from(key as u32) * self.buckets) >> 32) as usize * BUCKET * 2
    }

    #[inline]
    fn load(&self, at: usize) -> (u64, u64) {
        let data = self.words[at + 1].load(Ordering::Relaxed);
        (self.words[at].load(Ordering::Relaxed) ^ data, data)
    }

    #[inline]
    pub fn get(&self, key: u128) -> Option<Verdict> {
        let begin = self.bucket(key);
        let (check, tail) = ((key >> 64) as u64, key as u64 >> 32);
        (begin..begin + BUCKET * 2).step_by(2).find_map(|at| {
            let (found, data) = self.load(at);
            (found == check && data >> 32 == tail && data & WINS > 0)
                .then_some(Verdict { wins: (data & WINS) as u32, is_exact: data & EXACT != 0 })
        })
    }

    pub fn put(&self, key: u128, verdict: Verdict) {
        let begin = self.bucket(key);
        let (check, tail) = ((key >> 64) as u64, key as u64 >> 32);
        let exact = if verdict.is_exact { EXACT } else { 0 };
        let new = tail << 32 | exact | u64::from(verdict.wins);
        let mut place = begin;
        let mut least = u64::MAX;
        for at in (begin..begin + BUCKET * 2).step_by(2) {
            let (found, data) = self.load(at);
            if found == check && data >> 32 == tail {
                place = at;
                break;
            }
            if data & WINS < least {
                (place, least) = (at, data & WINS);
            }
        }
        self.words[place].store(check ^ new, Ordering::Relaxed);
        self.words[place + 1].store(new, Ordering::Relaxed);
    }
}
