//! The search where at most 64 layouts are left: a set of them is a word, and so is what a number tells.

use arrayvec::ArrayVec;

use super::frame::Frame;
use super::table::Verdict;

/// The most layouts.
pub(super) const MOST: usize = 64;

/// Sets that are remembered, of one problem at a time.
const REMEMBERED: usize = 1 << 15;

/// What a living cell tells.
#[derive(Clone, Debug, Default)]
struct Cell {
    /// The layouts in which it is no mine.
    safe: u64,
    /// The layouts in which it shows each number that it can show.
    parts: ArrayVec<u64, 9>,
}

#[derive(Copy, Clone, Debug, Default)]
struct Remembered {
    set: u64,
    /// The problem to which this belongs.
    problem: u32,
    wins: u16,
    is_exact: bool,
}

/// A search that is made once and used for many problems.
#[derive(Clone, Debug)]
pub(super) struct Narrow {
    cells: Vec<Cell>,
    /// For each layout the others that no cell can tell from it while both are possible: one of them at the most is won.
    rivals: [u64; MOST],
    memory: Vec<Remembered>,
    problem: u32,
    pub nodes: u64,
}

impl Narrow {
    pub fn new() -> Self {
        Narrow {
            cells: Vec::with_capacity(64),
            rivals: [0; MOST],
            memory: vec![Remembered::default(); REMEMBERED],
            problem: 0,
            nodes: 0,
        }
    }

    /// Returns in how many of the layouts the match is won, exactly if that is more than `need`. No covered cell is safe in all.
    pub fn solve(&mut self, frame: &Frame, layouts: &[u64], covered: u64, need: u32) -> Verdict {
        let all = u64::MAX >> (MOST - layouts.len());
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

    /// Returns no less than what is won of a set: it is covered with groups of rivals, and of each one is won at the most.
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
        (set.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - REMEMBERED.trailing_zeros())) as usize
    }

    fn wins(&mut self, set: u64, alive: u64, need: u32) -> Verdict {
        let whole = set.count_ones();
        if whole < 3 {
            let rivals = self.rivals[set.trailing_zeros() as usize] & set;
            return Verdict::exactly(if rivals == 0 { whole } else { 1 });
        }
        let place = Self::place(set);
        let known = &self.memory[place];
        if known.problem == self.problem
            && known.set == set
            && (known.is_exact || u32::from(known.wins) <= need)
        {
            return Verdict { wins: u32::from(known.wins), is_exact: known.is_exact };
        }
        self.nodes += 1;
        let verdict = self.search(set, alive, need);
        self.memory[place] =
            Remembered { set, problem: self.problem, wins: verdict.wins as u16, is_exact: verdict.is_exact };
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
            // Which part does not matter: if one holds all that is safe, nothing is told.
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

    /// Returns a bound for what is won after opening a cell.
    #[inline]
    fn bound_after(&self, set: u64, at: usize) -> u32 {
        self.cells[at].parts.iter().map(|part| self.bound(part & set)).sum()
    }

    /// Opens a cell, and adds up what is won for each number that it may show. Not more than `most` are.
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
