//! The values of a class at two bits each, and the classes in memory.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash};
use std::sync::atomic::{AtomicU64, Ordering};

use parlor_core::{GameValue, Reversible};
use serde::{Deserialize, Serialize};

use crate::table::Mixer;

/// Values per word.
const VALUES_PER_WORD: u64 = 32;

/// The counts of a class.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Census {
    /// Setups that the side to move loses.
    pub lost: u64,
    /// Setups that are drawn.
    pub drawn: u64,
    /// Setups that the side to move wins.
    pub won: u64,
    /// The longest distance to an irreversible move or the end in plies, if the winner hurries and the loser delays.
    pub longest: u32,
}

impl Census {
    /// Adds the counts of another part.
    pub fn add(&mut self, more: Census) {
        // Saturating: the counts may come from a file.
        self.lost = self.lost.saturating_add(more.lost);
        self.drawn = self.drawn.saturating_add(more.drawn);
        self.won = self.won.saturating_add(more.won);
        self.longest = self.longest.max(more.longest);
    }

    /// Returns the number of setups.
    #[must_use]
    pub fn setups(&self) -> u64 {
        self.lost.saturating_add(self.drawn).saturating_add(self.won)
    }
}

/// The values of a class. Threads fill it concurrently.
#[derive(Debug)]
pub struct EndgameTable {
    /// Two bits per place: 0 unknown, 1 lost, 2 drawn, 3 won.
    words: Box<[AtomicU64]>,
    size: u64,
    /// The counts of the class, once it is complete.
    pub census: Census,
}

impl EndgameTable {
    /// Returns a table with all values unknown.
    #[must_use]
    pub fn new(size: u64) -> EndgameTable {
        let words = (0..size.div_ceil(VALUES_PER_WORD)).map(|_| AtomicU64::new(0)).collect();
        EndgameTable { words, size, census: Census::default() }
    }

    /// Returns the number of places.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Returns the value at a place; `None` if unknown.
    #[inline]
    #[must_use]
    pub fn get(&self, place: u64) -> Option<GameValue> {
        let word = self.words[(place / VALUES_PER_WORD) as usize].load(Ordering::Relaxed);
        known(word >> (2 * (place % VALUES_PER_WORD)) & 3)
    }

    /// Fills the places from `first` on, which must be unknown.
    pub fn fill(&self, first: u64, values: impl Iterator<Item = Option<GameValue>>) {
        let (mut at, mut bits) = (first, 0);
        for value in values {
            bits |= code(value) << (2 * (at % VALUES_PER_WORD));
            at += 1;
            if at.is_multiple_of(VALUES_PER_WORD) {
                self.words[(at / VALUES_PER_WORD - 1) as usize].fetch_or(bits, Ordering::Relaxed);
                bits = 0;
            }
        }
        if bits != 0 {
            self.words[(at / VALUES_PER_WORD) as usize].fetch_or(bits, Ordering::Relaxed);
        }
    }
}

/// Returns the value of a two-bit code.
#[inline]
pub(super) fn known(code: u64) -> Option<GameValue> {
    [None, Some(GameValue::Lost), Some(GameValue::Drawn), Some(GameValue::Won)][(code & 3) as usize]
}

/// Returns the two-bit code of a value.
#[inline]
pub(super) fn code(value: Option<GameValue>) -> u64 {
    match value {
        None => 0,
        Some(GameValue::Lost) => 1,
        Some(GameValue::Drawn) => 2,
        Some(GameValue::Won) => 3,
    }
}

/// The tables in memory, by class.
#[derive(Debug)]
pub struct Tables<C>(HashMap<C, EndgameTable, BuildHasherDefault<Mixer>>);

impl<C> Default for Tables<C> {
    fn default() -> Self {
        Tables(HashMap::default())
    }
}

impl<C: Copy + Eq + Hash> Tables<C> {
    /// Returns the table of a class.
    #[inline]
    #[must_use]
    pub fn get(&self, class: C) -> Option<&EndgameTable> {
        self.0.get(&class)
    }

    /// Adds the table of a class.
    pub fn insert(&mut self, class: C, table: EndgameTable) {
        self.0.insert(class, table);
    }

    pub(super) fn get_mut(&mut self, class: C) -> Option<&mut EndgameTable> {
        self.0.get_mut(&class)
    }

    /// Returns the classes in memory, in no particular order.
    pub(super) fn classes(&self) -> impl Iterator<Item = C> {
        self.0.keys().copied()
    }

    /// Drops the classes for which `wanted` is false.
    pub(super) fn retain(&mut self, wanted: impl Fn(C) -> bool) {
        self.0.retain(|&class, _| wanted(class));
    }

    /// Drops a class.
    pub fn remove(&mut self, class: C) {
        self.0.remove(&class);
    }

    /// Returns the value of a setup to the side to move; `None` if its class is not in memory.
    #[inline]
    pub fn value<G: Reversible<Class = C>>(&self, game: &G, setup: &G::Setup) -> Option<GameValue> {
        let class = game.class(setup);
        if game.is_bare(class) {
            return Some(GameValue::Lost);
        }
        let table = self.get(class)?;
        let spot = game.spot(setup);
        table.get(spot.slice * game.slice_size(class) + spot.place)
    }
}
