//! The search with at most 64 layouts left: a set of layouts is one word.

use arrayvec::ArrayVec;

use super::frame::Frame;
use super::table::Verdict;

/// The largest number of layouts.
pub(super) const MAX_LAYOUTS: usize = 64;

/// Number of cached sets, of one problem at a time.
const CACHE_SIZE: usize = 1 << 15;

/// The information that a living cell gives.
#[derive(Clone, Debug, Default)]
struct Cell {
    /// The layouts in which it is safe.
    safe: u64,
    /// The layouts in which it shows each number that it can show.
    parts: ArrayVec<u64, 9>,
}

#[derive(Copy, Clone, Debug, Default)]
struct CacheEntry {
    set: u64,
    /// The problem of this entry.
    problem: u32,
    wins: u16,
    is_exact: bool,
}

/// A search that is allocated once and used for many problems.
#[derive(Clone, Debug)]
pub(super) struct Narrow {
    cells: Vec<Cell>,
    /// For each layout the others that no cell distinguishes from it while both are possible: at most one of them is
    /// won.
    rivals: [u64; MAX_LAYOUTS],
    cache: Vec<CacheEntry>,
    problem: u32,
    pub nodes: u64,
}

impl Narrow {
    pub fn new() -> Self {
        Narrow {
            cells: Vec::with_capacity(64),
            rivals: [0; MAX_LAYOUTS],
            cache: vec![CacheEntry::default(); CACHE_SIZE],
            problem: 0,
            nodes: 0,
        }
    }

    /// Returns the number of layouts won, exact if it is more than `need`. No covered cell may be safe in all
    /// layouts.
    pub fn solve(&mut self, frame: &Frame, layouts: &[u64], covered: u64, need: u32) -> Verdict {
        let all = u64::MAX >> (MAX_LAYOUTS - layouts.len());
        self.problem += 1;
        let mut used = 0;
        let mut rest = covered;
        while rest != 0 {
            let at = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let mut shows = [0u64; 9];
            for (i, &layout) in layouts.iter().enumerate() {
                let free = !layout >> at & 1;
                shows[frame.number(layout, at)] |= free << i;
            }
            if self.cells.len() == used {
                self.cells.push(Cell::default());
            }
            let cell = &mut self.cells[used];
            cell.parts.clear();
            cell.safe = 0;
            for part in shows.into_iter().filter(|&part| part != 0) {
                cell.safe |= part;
                cell.parts.push(part);
            }
            used += usize::from(cell.parts.len() > 1);
        }
        self.find_rivals(used, all, layouts.len());
        let alive = if used == 0 { 0 } else { u64::MAX >> (64 - used) };
        self.wins(all, alive, need)
    }

    fn find_rivals(&mut self, used: usize, all: u64, layouts: usize) {
        self.rivals[..layouts].fill(all);
        for cell in &self.cells[..used] {
            for &part in &cell.parts {
                let told = cell.safe & !part;
                let mut rest = part;
                while rest != 0 {
                    self.rivals[rest.trailing_zeros() as usize] &= !told;
                    rest &= rest - 1;
                }
            }
        }
        for (i, rivals) in self.rivals[..layouts].iter_mut().enumerate() {
            *rivals &= !(1 << i);
        }
    }

    /// Returns an upper bound of the layouts won of a set: it is covered with groups of rivals, and at most one of
    /// each is won.
    #[inline]
    fn bound(&self, set: u64) -> u32 {
        let mut groups = 0;
        let mut rest = set;
        while rest != 0 {
            let first = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            groups += 1;
            let mut group = self.rivals[first] & rest;
            while group != 0 {
                let next = group.trailing_zeros() as usize;
                rest &= !(1 << next);
                group &= self.rivals[next];
            }
        }
        groups
    }

    #[inline]
    fn place(set: u64) -> usize {
        (set.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - CACHE_SIZE.trailing_zeros())) as usize
    }

    fn wins(&mut self, set: u64, alive: u64, need: u32) -> Verdict {
        let whole = set.count_ones();
        if whole < 3 {
            let rivals = self.rivals[set.trailing_zeros() as usize] & set;
            return Verdict::exactly(if rivals == 0 { whole } else { 1 });
        }
        let place = Self::place(set);
        let known = &self.cache[place];
        if known.problem == self.problem
            && known.set == set
            && (known.is_exact || u32::from(known.wins) <= need)
        {
            return Verdict { wins: u32::from(known.wins), is_exact: known.is_exact };
        }
        self.nodes += 1;
        let verdict = self.search(set, alive, need);
        self.cache[place] =
            CacheEntry { set, problem: self.problem, wins: verdict.wins as u16, is_exact: verdict.is_exact };
        verdict
    }

    fn search(&mut self, set: u64, alive: u64, need: u32) -> Verdict {
        let mut clicks: ArrayVec<(u32, u8), 64> = ArrayVec::new();
        let mut living = 0u64;
        let mut rest = alive;
        while rest != 0 {
            let at = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let cell = &self.cells[at];
            let safe = cell.safe & set;
            // Any part will do: if it holds all safe layouts, the cell gives no information.
            let is_dead = cell.parts.iter().any(|part| safe & !part == 0);
            if is_dead {
                continue;
            }
            living |= 1 << at;
            if safe == set {
                let most = self.bound_after(set, at);
                return self.split(set, at, alive, need, most);
            }
            clicks.push((safe.count_ones(), at as u8));
        }
        if clicks.is_empty() {
            return Verdict::exactly(1);
        }
        let most = self.bound(set);
        if most <= need {
            return Verdict::at_most(most);
        }
        for click in &mut clicks {
            click.0 = self.bound_after(set, usize::from(click.1));
        }
        clicks.sort_unstable_by_key(|click| std::cmp::Reverse(click.0));
        let mut best = 1;
        let mut bound = 1;
        for &(most, at) in &clicks {
            let least = best.max(need);
            if most <= least {
                bound = bound.max(most);
                break;
            }
            let verdict = self.split(set, usize::from(at), living, least, most);
            bound = bound.max(verdict.wins);
            if verdict.is_exact {
                best = best.max(verdict.wins);
            }
        }
        if best > need { Verdict::exactly(best) } else { Verdict::at_most(bound.min(most)) }
    }

    /// Returns an upper bound of the layouts won after opening a cell.
    #[inline]
    fn bound_after(&self, set: u64, at: usize) -> u32 {
        self.cells[at].parts.iter().map(|part| self.bound(part & set)).sum()
    }

    /// Opens a cell, and sums the layouts won over the numbers that it may show; `most` is an upper bound.
    fn split(&mut self, set: u64, at: usize, alive: u64, need: u32, mut most: u32) -> Verdict {
        for nth in 0..self.cells[at].parts.len() {
            let part = self.cells[at].parts[nth] & set;
            if part == 0 {
                continue;
            }
            let bound = self.bound(part);
            let others = most - bound;
            let verdict = self.wins(part, alive, need.saturating_sub(others));
            most = others + verdict.wins.min(bound);
            if most <= need {
                return Verdict::at_most(most);
            }
        }
        Verdict::exactly(most)
    }
}
