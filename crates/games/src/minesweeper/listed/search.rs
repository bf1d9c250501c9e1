//! The search over sets of layouts. It depends on no board, only on what each cell shows in each layout.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use parlor_core::time::budget::Meter;

use super::Choice;

/// The value that a mine shows.
pub(super) const MINE: u8 = 9;

/// Number of values that a cell can show.
const SHOWN: usize = 10;

/// Hasher that returns its input, because keys of sets of layouts are random numbers already.
#[derive(Clone, Default, Debug)]
struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, _: &[u8]) {
        unreachable!("only keys are hashed")
    }
    fn write_u128(&mut self, key: u128) {
        self.0 = key as u64;
    }
}

#[derive(Clone, Debug)]
pub(super) struct Search {
    cells: Vec<u16>,
    /// The value of cell *c* in layout *l*, at `l * cells + c`.
    shows: Vec<u8>,
    /// A random number for each layout. A set's key is their exclusive or.
    keys: Vec<u128>,
    /// Solved sets, with the number of layouts won.
    solved: HashMap<u128, u32, BuildHasherDefault<IdentityHasher>>,
}

/// A cell and the number of layouts in which it is safe.
#[derive(Copy, Clone, Debug)]
struct CellSafety {
    cell: u16,
    safe: u32,
}

impl Search {
    pub fn new(cells: Vec<u16>, shows: Vec<u8>, layouts: usize) -> Self {
        Search { cells, shows, keys: (0..layouts as u64).map(key).collect(), solved: HashMap::default() }
    }

    pub fn cells(&self) -> &[u16] {
        &self.cells
    }

    fn show(&self, layout: u32, cell: u16) -> u8 {
        self.shows[layout as usize * self.cells.len() + usize::from(cell)]
    }

    /// Returns the values of clicks on `covered` cells with the layouts `left`; see
    /// [`ListedLayouts::choices`](super::ListedLayouts::choices).
    pub fn choices(&mut self, left: &[u32], covered: &[u16], meter: &mut Meter<'_>) -> Option<Vec<Choice>> {
        let all: Vec<u16> = (0..self.cells.len() as u16)
            .filter(|&cell| covered.contains(&self.cells[usize::from(cell)]))
            .collect();
        let whole = left.len() as u32;
        let choice = |search: &Self, cell_safety: &CellSafety, wins, is_bound| Choice {
            cell: search.cells[usize::from(cell_safety.cell)],
            wins,
            is_bound,
        };
        let (mut living, mut dead) = (Vec::new(), Vec::new());
        for &cell in &all {
            let counts = self.counts(left, cell);
            let cell_safety = CellSafety { cell, safe: whole - counts[usize::from(MINE)] };
            if cell_safety.safe == whole {
                let wins = self.wins(left, &all, meter)?;
                return Some(vec![choice(self, &cell_safety, wins, false)]);
            }
            if cell_safety.safe > 0 {
                if numbers(&counts) > 1 { &mut living } else { &mut dead }.push(cell_safety);
            }
        }
        let by_safety = |looks: &mut Vec<CellSafety>| {
            looks.sort_by_key(|cell_safety| std::cmp::Reverse(cell_safety.safe))
        };
        by_safety(&mut living);
        by_safety(&mut dead);
        if living.is_empty() {
            return Some(dead.iter().map(|cell_safety| choice(self, cell_safety, 1, false)).collect());
        }
        let alive: Vec<u16> = living.iter().map(|cell_safety| cell_safety.cell).collect();
        let mut best = 0;
        let mut choices = Vec::with_capacity(living.len());
        for cell_safety in &living {
            let (wins, is_bound) = self.value(left, cell_safety, &alive, best, meter)?;
            best = if is_bound { best } else { best.max(wins) };
            choices.push(choice(self, cell_safety, wins, is_bound));
        }
        choices.sort_by_key(|choice| (choice.is_bound, std::cmp::Reverse(choice.wins)));
        Some(choices)
    }

    /// Returns how often a cell shows each value.
    fn counts(&self, left: &[u32], cell: u16) -> [u32; SHOWN] {
        let mut counts = [0; SHOWN];
        left.iter().for_each(|&layout| counts[usize::from(self.show(layout, cell))] += 1);
        counts
    }

    /// Returns the number of layouts won by perfect play; `None` if the search was stopped.
    fn wins(&mut self, left: &[u32], alive: &[u16], meter: &mut Meter<'_>) -> Option<u32> {
        if left.len() == 1 {
            return Some(1);
        }
        let key = left.iter().fold(0, |key, &layout| key ^ self.keys[layout as usize]);
        if let Some(&wins) = self.solved.get(&key) {
            return Some(wins);
        }
        if !meter.tick(1) {
            return None;
        }
        let whole = left.len() as u32;
        let mut living: Vec<CellSafety> = Vec::with_capacity(alive.len());
        for &cell in alive {
            let counts = self.counts(left, cell);
            let safe = whole - counts[usize::from(MINE)];
            // A dead cell stays dead, because fewer layouts show no more values.
            if numbers(&counts) < 2 {
                continue;
            }
            if safe == whole {
                let wins = self.split(left, cell, alive, 0, whole, meter)?.0;
                self.solved.insert(key, wins);
                return Some(wins);
            }
            living.push(CellSafety { cell, safe });
        }
        living.sort_by_key(|cell_safety| std::cmp::Reverse(cell_safety.safe));
        let alive: Vec<u16> = living.iter().map(|cell_safety| cell_safety.cell).collect();
        let mut best = 1;
        for cell_safety in &living {
            if cell_safety.safe <= best {
                break;
            }
            let (wins, is_bound) = self.value(left, cell_safety, &alive, best, meter)?;
            best = if is_bound { best } else { best.max(wins) };
        }
        self.solved.insert(key, best);
        Some(best)
    }

    /// Returns the number of layouts won after opening a cell, or an upper bound of at most `best`.
    fn value(
        &mut self,
        left: &[u32],
        cell_safety: &CellSafety,
        alive: &[u16],
        best: u32,
        meter: &mut Meter<'_>,
    ) -> Option<(u32, bool)> {
        if cell_safety.safe <= best {
            return Some((cell_safety.safe, true));
        }
        self.split(left, cell_safety.cell, alive, best, cell_safety.safe, meter)
    }

    /// Opens a cell that is safe in `safe` layouts, and solves the rest for each number that it shows. Stops with a
    /// bound as soon as it cannot win more than `best`.
    fn split(
        &mut self,
        left: &[u32],
        cell: u16,
        alive: &[u16],
        best: u32,
        safe: u32,
        meter: &mut Meter<'_>,
    ) -> Option<(u32, bool)> {
        let mut parts: [Vec<u32>; SHOWN - 1] = Default::default();
        for &layout in left {
            let shown = self.show(layout, cell);
            if shown != MINE {
                parts[usize::from(shown)].push(layout);
            }
        }
        // The wins of the parts so far, plus all layouts of the others.
        let mut most = safe;
        for part in parts.iter().filter(|part| !part.is_empty()) {
            most -= part.len() as u32 - self.wins(part, alive, meter)?;
            if most <= best {
                return Some((most, true));
            }
        }
        Some((most, false))
    }
}

/// Returns the number of different numbers shown.
fn numbers(counts: &[u32; SHOWN]) -> usize {
    counts[..usize::from(MINE)].iter().filter(|&&count| count > 0).count()
}

/// Returns the key of a layout: two rounds of a mixing function, so that sets do not collide systematically.
fn key(layout: u64) -> u128 {
    let mix = |of: u64| {
        let a = (of ^ of >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let b = (a ^ a >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        b ^ b >> 31
    };
    let step = 0x9e37_79b9_7f4a_7c15;
    let low = mix((2 * layout + 1).wrapping_mul(step));
    let high = mix((2 * layout + 2).wrapping_mul(step));
    u128::from(high) << 64 | u128::from(low)
}
