//! The transposition table: what was found out about positions, under their keys, in a fixed amount of memory.
//!
//! Threads share one table without locks. A slot is two words, the hash and what was found, and the first is kept as the
//! exclusive or of both (R. M. Hyatt, T. Mann, *A lock-less transposition table implementation*, ICGA Journal 2002): if two
//! threads write one slot at once, the words do not fit together and the slot reads as empty.

use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use parlor_core::{Key, Kind, Settings};

/// What a stored value is known to be.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The value.
    Exact,
    /// The value is this or more.
    AtLeast,
    /// The value is this or less.
    AtMost,
}

/// What was found out about a position.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The value, or the bits of one.
    pub value: i32,
    /// How many plies deep the search below it was.
    pub depth: u8,
    /// What the value is.
    pub bound: Bound,
    /// Which of the position's actions was best, by its number in the game's order, if one was.
    pub action: Option<u8>,
}

/// Slots that share a line of the cache: a position is kept in one of them.
const WAYS: usize = 4;

#[derive(Default)]
#[repr(align(64))]
struct Line([[AtomicU64; 2]; WAYS]);

/// The table.
pub struct Table {
    lines: Box<[Line]>,
    /// How many lines were asked for; there may be fewer if the machine had no room.
    asked: usize,
    /// Grows with every search, modulo 64; what earlier searches left is the first to go.
    generation: AtomicU8,
}

/// Slots for each node of a search. Most nodes are leaves and leave nothing behind, so this holds several searches.
const SLOTS_FOR_A_NODE: u64 = 2;

const ACTION_NONE: u64 = 0xff;
const GENERATIONS: u8 = 64;

impl Found {
    /// ```text
    /// bits 0 … 31 value   32 … 39 depth   40 … 41 bound   42 … 47 generation   48 … 55 action   63 always 1
    /// ```
    fn pack(self, generation: u8) -> u64 {
        let bound = match self.bound {
            Bound::Exact => 0,
            Bound::AtLeast => 1,
            Bound::AtMost => 2,
        };
        u64::from(self.value as u32)
            | u64::from(self.depth) << 32
            | bound << 40
            | u64::from(generation) << 42
            | self.action.map_or(ACTION_NONE, u64::from) << 48
            | 1 << 63
    }

    fn unpack(data: u64) -> Found {
        let action = data >> 48 & 0xff;
        Found {
            value: data as u32 as i32,
            depth: (data >> 32) as u8,
            bound: match data >> 40 & 3 {
                0 => Bound::Exact,
                1 => Bound::AtLeast,
                _ => Bound::AtMost,
            },
            action: (action != ACTION_NONE).then_some(action as u8),
        }
    }
}

fn lines_for(mebibytes: usize, nodes: u64) -> usize {
    let most = (mebibytes << 20) / size_of::<Line>();
    let of_use = nodes.saturating_mul(SLOTS_FOR_A_NODE) / WAYS as u64;
    let lines = most.min(usize::try_from(of_use).unwrap_or(usize::MAX)).max(1);
    1 << lines.ilog2()
}

fn generation_of(data: u64) -> u8 {
    (data >> 42) as u8 & (GENERATIONS - 1)
}

impl Table {
    /// `table=`: whether there is a table.
    pub const SWITCH: Key = Key {
        name: "table",
        kind: Kind::Switch,
        default: "on",
        help: "remember positions that were searched",
    };
    /// `table_mb=`: how large it is.
    pub const MEBIBYTES: Key = Key {
        name: "table_mb",
        kind: Kind::Whole { min: 0, max: 1_048_576 },
        default: "16",
        help: "mebibytes for the table of positions, less if the machine has none to give; 0 is table=off",
    };

    /// Returns how large a table two keys of a spec ask for; 0 is none.
    #[must_use]
    pub fn mebibytes(settings: &Settings) -> usize {
        if settings.switch(Table::SWITCH.name) { settings.whole(Table::MEBIBYTES.name) as usize } else { 0 }
    }

    /// Makes a table that takes at most so many mebibytes, at least one line.
    #[must_use]
    pub fn new(mebibytes: usize) -> Table {
        Table::for_searches(mebibytes, u64::MAX)
    }

    /// Makes a table for searches of at most `nodes` nodes: it takes at most so many mebibytes, and less if the searches cannot
    /// fill them. A small table stays in the processor's cache and is cleared at once.
    #[must_use]
    pub fn for_searches(mebibytes: usize, nodes: u64) -> Table {
        let mut count = lines_for(mebibytes, nodes);
        let mut lines = Vec::new();
        // A machine that has not so much memory gets a smaller table; one line there always is.
        while lines.try_reserve_exact(count).is_err() && count > 1 {
            count /= 2;
        }
        lines.resize_with(count, Line::default);
        Table {
            lines: lines.into_boxed_slice(),
            generation: AtomicU8::new(0),
            asked: lines_for(mebibytes, nodes),
        }
    }

    /// Returns whether it is as large as [`for_searches`](Table::for_searches) would make one.
    #[must_use]
    pub fn suits(&self, mebibytes: usize, nodes: u64) -> bool {
        self.asked >= lines_for(mebibytes, nodes)
    }

    /// A new search begins.
    pub fn age(&self) {
        let next = (self.generation.load(Ordering::Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Ordering::Relaxed);
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        for line in &mut self.lines {
            *line = Line::default();
        }
        self.generation.store(0, Ordering::Relaxed);
    }

    #[inline]
    fn line(&self, hash: u64) -> &Line {
        &self.lines[hash as usize & (self.lines.len() - 1)]
    }

    /// Returns what is known about the position with this hash.
    #[inline]
    #[must_use]
    pub fn get(&self, hash: u64) -> Option<Found> {
        self.line(hash).0.iter().find_map(|[check, data]| {
            let data = data.load(Ordering::Relaxed);
            (data != 0 && check.load(Ordering::Relaxed) ^ data == hash).then(|| Found::unpack(data))
        })
    }

    /// Keeps what was found. In a full line the entry goes that is oldest, then shallowest.
    #[inline]
    pub fn put(&self, hash: u64, mut found: Found) {
        let generation = self.generation.load(Ordering::Relaxed);
        let mut worst = (0, u32::MAX);
        for (at, [check, data]) in self.line(hash).0.iter().enumerate() {
            let data = data.load(Ordering::Relaxed);
            if data == 0 {
                worst = (at, 0);
                break;
            }
            if check.load(Ordering::Relaxed) ^ data == hash {
                // The action is worth keeping even where a new search has found none.
                found.action = found.action.or(Found::unpack(data).action);
                worst = (at, 0);
                break;
            }
            let fresh = u32::from(generation_of(data) == generation);
            let worth = fresh << 8 | (data >> 32) as u32 & 0xff;
            if worth < worst.1 {
                worst = (at, worth);
            }
        }
        let data = found.pack(generation);
        let [check, slot] = &self.line(hash).0[worst.0];
        check.store(hash ^ data, Ordering::Relaxed);
        slot.store(data, Ordering::Relaxed);
    }

    /// Returns how full the table is of what this search found, in thousandths, from a sample.
    #[must_use]
    pub fn fullness(&self) -> u32 {
        let generation = self.generation.load(Ordering::Relaxed);
        let sample = &self.lines[..self.lines.len().min(250)];
        let fresh = sample
            .iter()
            .flat_map(|line| &line.0)
            .filter(|[_, data]| {
                let data = data.load(Ordering::Relaxed);
                data != 0 && generation_of(data) == generation
            })
            .count();
        (1000 * fresh / (sample.len() * WAYS)) as u32
    }

    /// Returns how many bytes it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.lines.len() * size_of::<Line>()
    }
}

/// Returns a hash of a key that is the same on every machine and in every run.
#[inline]
#[must_use]
pub fn hash_of(key: &impl Hash) -> u64 {
    let mut mixer = Mixer(0);
    key.hash(&mut mixer);
    mixer.finish()
}

/// Folds words by multiplication. The standard library's hashers are slower, or not the same in every run.
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

    fn found(value: i32, depth: u8) -> Found {
        Found { value, depth, bound: Bound::AtMost, action: Some(7) }
    }

    #[test]
    fn what_is_put_is_got() {
        let table = Table::new(1);
        assert!(table.bytes() <= 1 << 20);
        for value in [0, 1, -1, i32::MAX, i32::MIN] {
            for bound in [Bound::Exact, Bound::AtLeast, Bound::AtMost] {
                for action in [None, Some(0), Some(254)] {
                    let found = Found { value, depth: 255, bound, action };
                    let hash = hash_of(&(value, action, bound as u8));
                    assert_eq!(table.get(hash), None);
                    table.put(hash, found);
                    assert_eq!(table.get(hash), Some(found));
                }
            }
        }
    }

    #[test]
    fn old_and_shallow_entries_go_first() {
        let table = Table::new(0);
        let hashes: Vec<u64> = (1..=6).collect();
        for (&hash, depth) in hashes.iter().zip([9, 3, 5, 7]) {
            table.put(hash, found(0, depth));
        }
        table.put(hashes[4], found(1, 1));
        assert_eq!(table.get(hashes[1]), None, "the shallowest has gone");
        table.age();
        table.put(hashes[0], found(2, 2));
        table.put(hashes[5], found(3, 0));
        assert_eq!(table.get(hashes[4]), None, "the shallowest of the old ones has gone");
        assert!(table.get(hashes[0]).is_some_and(|found| found.value == 2), "the new one stays");
        assert_eq!(table.fullness(), 500);
    }

    #[test]
    fn an_action_outlives_a_search_without_one() {
        let table = Table::new(0);
        table.put(5, found(1, 1));
        table.put(5, Found { action: None, ..found(2, 2) });
        assert_eq!(table.get(5), Some(found(2, 2)));
    }

    #[test]
    fn small_searches_get_small_tables() {
        assert_eq!(Table::for_searches(16, u64::MAX).bytes(), 16 << 20);
        assert_eq!(Table::for_searches(0, u64::MAX).bytes(), size_of::<Line>());
        assert_eq!(Table::for_searches(16, 1).bytes(), size_of::<Line>());
        let small = Table::for_searches(16, 50_000);
        assert_eq!(small.bytes(), 1 << 20);
        assert!(small.suits(16, 50_000) && small.suits(16, 1) && small.suits(1, u64::MAX));
        assert!(!small.suits(16, 70_000) && !small.suits(2, u64::MAX));
    }

    #[test]
    fn torn_slots_read_as_empty() {
        let table = Table::new(0);
        table.put(5, found(1, 1));
        table.lines[0].0[0][1].store(found(2, 2).pack(0), Ordering::Relaxed);
        assert_eq!(table.get(5), None);
    }

    #[test]
    fn hashes_spread_and_stay() {
        assert_eq!(hash_of(&1_u64), hash_of(&1_u64));
        let mut low: Vec<u64> = (0..1_000_u64).map(|key| hash_of(&key) & 0xffff).collect();
        low.sort_unstable();
        low.dedup();
        assert!(low.len() > 980, "{} different", low.len());
        assert_ne!(hash_of(&1_u128), hash_of(&(1_u128 << 64)));
    }
}
