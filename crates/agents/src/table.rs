//! The transposition table: what was found out about positions, under their keys, in a fixed amount of memory.
//!
//! Threads share one table without locks. A slot is two words, the hash and what was found, and the first is kept as the
//! exclusive or of both (R. M. Hyatt, T. Mann, *A lock-less transposition table implementation*, ICGA Journal 2002): if two
//! threads write one slot at once, the words do not fit together and the slot reads as empty.

mod hash;
mod room;

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use parlor_core::{Key, Kind, Settings};
use zerocopy::FromZeros;

pub(crate) use hash::Mixer;
pub use hash::hash_of;

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

/// A check and what was found.
type Slot = [AtomicU64; 2];

/// The bytes of a line of the cache.
const LINE: usize = WAYS * size_of::<Slot>();

/// The table.
pub struct Table {
    slots: Box<[Slot]>,
    /// The slot with which the first line begins. The system only gives memory lazily that is asked for without an alignment.
    first: usize,
    /// How many lines there are, a power of two.
    lines: usize,
    /// How many lines were asked for; there may be fewer if the machine had no room.
    asked: usize,
    /// Grows with every search, modulo 64; what earlier searches left is the first to go.
    generation: AtomicU8,
}

/// Slots for each node of a search. Most nodes are leaves and leave nothing behind, so this holds several searches.
const SLOTS_FOR_A_NODE: u64 = 2;

/// Tables up to so many bytes are wiped to be cleared. Larger ones are made anew, which takes as long as what was used of them,
/// not as long as they are large.
const WIPED: usize = 32 << 20;

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
    let most = (mebibytes << 20) / LINE;
    let of_use = nodes.saturating_mul(SLOTS_FOR_A_NODE) / WAYS as u64;
    let lines = most.min(usize::try_from(of_use).unwrap_or(usize::MAX)).max(1);
    1 << lines.ilog2()
}

/// Returns empty slots for so many lines, and for the way to the first that begins a line of the cache; `None` if the system does
/// not give the memory. It gives it empty and page by page, when one is first used: a large table takes no time to make.
fn empty(lines: usize) -> Option<Box<[Slot]>> {
    <[Slot]>::new_box_zeroed_with_elems(lines.checked_mul(WAYS)?.checked_add(WAYS - 1)?).ok()
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
    /// `memory_mb=`: how large it is.
    pub const MEBIBYTES: Key = Key {
        name: "memory_mb",
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
        let asked = lines_for(mebibytes, nodes);
        let mut table =
            Table { slots: Box::default(), first: 0, lines: asked, asked, generation: AtomicU8::new(0) };
        while table.lines > 1 && !room::is_there_for(table.bytes()) {
            table.lines /= 2;
        }
        table.make();
        table
    }

    /// Gets its memory, in place of any that it had. A machine that has not so much gives it fewer lines.
    fn make(&mut self) {
        // The old memory goes before the new one comes.
        self.slots = Box::default();
        self.slots = loop {
            match empty(self.lines) {
                Some(slots) => break slots,
                None if self.lines > 1 => self.lines /= 2,
                None => break (1..2 * WAYS).map(|_| Slot::new_zeroed()).collect(),
            }
        };
        let first = self.slots.as_ptr().align_offset(LINE);
        self.first = if first < WAYS { first } else { 0 };
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
        if self.bytes() > WIPED {
            self.make();
        } else {
            self.slots.zero();
        }
        self.generation.store(0, Ordering::Relaxed);
    }

    #[inline]
    fn line(&self, hash: u64) -> &[Slot] {
        let at = self.first + WAYS * (hash as usize & (self.lines - 1));
        &self.slots[at..at + WAYS]
    }

    /// Returns what is known about the position with this hash.
    #[inline]
    #[must_use]
    pub fn get(&self, hash: u64) -> Option<Found> {
        self.line(hash).iter().find_map(|[check, data]| {
            let data = data.load(Ordering::Relaxed);
            (data != 0 && check.load(Ordering::Relaxed) ^ data == hash).then(|| Found::unpack(data))
        })
    }

    /// Keeps what was found. In a full line the entry goes that is oldest, then shallowest.
    #[inline]
    pub fn put(&self, hash: u64, mut found: Found) {
        let generation = self.generation.load(Ordering::Relaxed);
        let mut worst = (0, u32::MAX);
        for (at, [check, data]) in self.line(hash).iter().enumerate() {
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
        let [check, slot] = &self.line(hash)[worst.0];
        check.store(hash ^ data, Ordering::Relaxed);
        slot.store(data, Ordering::Relaxed);
    }

    /// Returns how full the table is of what this search found, in thousandths, from a sample.
    #[must_use]
    pub fn fullness(&self) -> u32 {
        let generation = self.generation.load(Ordering::Relaxed);
        let sample = &self.slots[self.first..][..WAYS * self.lines.min(250)];
        let fresh = sample
            .iter()
            .filter(|[_, data]| {
                let data = data.load(Ordering::Relaxed);
                data != 0 && generation_of(data) == generation
            })
            .count();
        (1000 * fresh / sample.len()) as u32
    }

    /// Returns how many bytes it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.lines * LINE
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
        assert_eq!(Table::for_searches(0, u64::MAX).bytes(), LINE);
        assert_eq!(Table::for_searches(16, 1).bytes(), LINE);
        let small = Table::for_searches(16, 50_000);
        assert_eq!(small.bytes(), 1 << 20);
        assert!(small.suits(16, 50_000) && small.suits(16, 1) && small.suits(1, u64::MAX));
        assert!(!small.suits(16, 70_000) && !small.suits(2, u64::MAX));
    }

    #[test]
    fn a_table_larger_than_the_machine_can_be_made_and_cleared() {
        let mut table = Table::new(1 << 20);
        for _ in 0..3 {
            table.put(5, found(1, 1));
            assert!(table.get(5).is_some());
            table.clear();
            assert!(table.get(5).is_none());
        }
        assert_eq!(table.line(0).as_ptr().addr() % LINE, 0);
    }

    #[test]
    fn torn_slots_read_as_empty() {
        let table = Table::new(0);
        table.put(5, found(1, 1));
        table.line(5)[0][1].store(found(2, 2).pack(0), Ordering::Relaxed);
        assert_eq!(table.get(5), None);
    }
}
