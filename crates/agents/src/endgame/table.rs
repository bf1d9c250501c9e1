//! The values of a class, two bits each, and the classes that are held in memory.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash};
use std::sync::atomic::{AtomicU64, Ordering};

use parlor_core::{GameValue, Reversible};
use serde::{Deserialize, Serialize};

use crate::table::Mixer;

/// Values in a word.
const IN_A_WORD: u64 = 32;

/// What is known about a class as a whole.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Census {
    /// Setups that the side to move loses.
    pub lost: u64,
    /// Setups that nobody wins.
    pub drawn: u64,
    /// Setups that the side to move wins.
    pub won: u64,
    /// The most plies until something irreversible happens, or the end, where the winner hurries and the loser delays it.
    pub longest: u32,
}

impl Census {
    /// Adds what is known about another part of the class.
    pub fn add(&mut self, more: Census) {
        self.lost += more.lost;
        self.drawn += more.drawn;
        self.won += more.won;
        self.longest = self.longest.max(more.longest);
    }

    /// Returns how many setups there are.
    #[must_use]
    pub fn setups(&self) -> u64 {
        self.lost + self.drawn + self.won
    }
}

/// The values of a class. Threads fill it together.
#[derive(Debug)]
pub struct Table {
    /// 0 nothing is known, 1 lost, 2 drawn, 3 won.
    words: Box<[AtomicU64]>,
    size: u64,
    /// What is known about the class, once it is complete.
    pub census: Census,
}

impl Table {
    /// Makes a table in which nothing is known.
    #[must_use]
    pub fn new(size: u64) -> Table {
        let words = (0..size.div_ceil(IN_A_WORD)).map(|_| AtomicU64::new(0)).collect();
        Table { words, size, census: Census::default() }
    }

    /// Returns how many places it has.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Returns the value at a place; `None` where nothing is known.
    #[inline]
    #[must_use]
    pub fn get(&self, place: u64) -> Option<GameValue> {
        let word = self.words[(place / IN_A_WORD) as usize].load(Ordering::Relaxed);
        known(word >> (2 * (place % IN_A_WORD)) & 3)
    }

    /// Fills places from `first` on, of which nothing was known.
    pub fn fill(&self, first: u64, values: impl Iterator<Item = Option<GameValue>>) {
        let (mut at, mut bits) = (first, 0);
        for value in values {
            bits |= code(value) << (2 * (at % IN_A_WORD));
            at += 1;
            if at.is_multiple_of(IN_A_WORD) {
                self.words[(at / IN_A_WORD - 1) as usize].fetch_or(bits, Ordering::Relaxed);
                bits = 0;
            }
        }
        if bits != 0 {
            self.words[(at / IN_A_WORD) as usize].fetch_or(bits, Ordering::Relaxed);
        }
    }
}

/// Returns what two bits mean.
#[inline]
pub(super) fn known(code: u64) -> Option<GameValue> {
    [None, Some(GameValue::Lost), Some(GameValue::Drawn), Some(GameValue::Won)][(code & 3) as usize]
}

/// Returns the two bits of a value.
#[inline]
pub(super) fn code(value: Option<GameValue>) -> u64 {
    match value {
        None => 0,
        Some(GameValue::Lost) => 1,
        Some(GameValue::Drawn) => 2,
        Some(GameValue::Won) => 3,
    }
}

/// The classes that are held in memory.
#[derive(Debug)]
pub struct Tables<C>(HashMap<C, Table, BuildHasherDefault<Mixer>>);

impl<C> Default for Tables<C> {
    fn default() -> Self {
        Tables(HashMap::default())
    }
}

impl<C: Copy + Eq + Hash> Tables<C> {
    /// Returns the table of a class.
    #[inline]
    #[must_use]
    pub fn get(&self, class: C) -> Option<&Table> {
        self.0.get(&class)
    }

    /// Adds the table of a class.
    pub fn insert(&mut self, class: C, table: Table) {
        self.0.insert(class, table);
    }

    pub(super) fn get_mut(&mut self, class: C) -> Option<&mut Table> {
        self.0.get_mut(&class)
    }

    /// Returns the classes that are held, in no order.
    pub(super) fn classes(&self) -> impl Iterator<Item = C> {
        self.0.keys().copied()
    }

    /// Forgets the classes that are not wanted.
    pub(super) fn retain(&mut self, wanted: impl Fn(C) -> bool) {
        self.0.retain(|&class, _| wanted(class));
    }

    /// Forgets a class.
    pub fn remove(&mut self, class: C) {
        self.0.remove(&class);
    }

    /// Returns what a setup is worth to the side to move; `None` if its class is not held.
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
