//! The search where many layouts are left: lists of them, split by what a click shows.

use parlor_core::Cancel;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use std::time::{Duration, Instant};

use arrayvec::ArrayVec;
use parlor_core::play::solve::{ProgressUpdate, Unsolved};

use super::frame::{Frame, Key};
use super::narrow::{self, Narrow};
use super::table::{Table, Verdict};

/// Below 2 to the power of this are all counts of layouts.
const PLANES: usize = 32;

/// Threads keep out of each other's way where at least so many layouts are left; smaller things are done before anyone asks.
const SHARED: u32 = 256;

/// How often progress is told.
const TOLD_EVERY: Duration = Duration::from_millis(250);

/// What the threads of a search have in common.
pub(super) struct Common<'a> {
    pub frame: &'a Frame,
    pub table: &'a Table,
    /// The answer is no longer wanted.
    pub stop: &'a Cancel,
    /// Some thread has the answer.
    pub done: AtomicBool,
    pub busy: Busy,
}

/// What threads are working at. It is a hint: others take something else first if there is anything.
pub(super) struct Busy(Vec<AtomicU64>);

impl Busy {
    pub fn new() -> Self {
        Busy((0..256).map(|_| AtomicU64::new(0)).collect())
    }

    fn place(&self, task: u64) -> &AtomicU64 {
        &self.0[(task >> 32) as usize % self.0.len()]
    }

    fn has(&self, task: u64) -> bool {
        self.place(task).load(Ordering::Relaxed) == task
    }

    fn enter(&self, task: u64) {
        self.place(task).store(task, Ordering::Relaxed);
    }

    fn leave(&self, task: u64) {
        // Whatever another thread has put there meanwhile stays.
        let _ = self.place(task).compare_exchange(task, 0, Ordering::Relaxed, Ordering::Relaxed);
    }
}

/// Who is told how it goes, and what is being done.
pub(super) struct Telling<'a> {
    pub tell: &'a mut (dyn FnMut(&ProgressUpdate) + Send),
    pub progress: ProgressUpdate,
    pub last: Instant,
}

/// One thread's search.
pub(super) struct Broad<'a, 'b> {
    common: &'a Common<'a>,
    pub telling: Option<Telling<'b>>,
    /// The lists of all positions from the first to the one at hand.
    pub layouts: Vec<u64>,
    narrow: Narrow,
    nodes: u64,
}

/// Layouts of a position, as a part of the list of all.
#[derive(Copy, Clone, Debug)]
pub(super) struct Span {
    pub begin: usize,
    pub end: usize,
}

impl Span {
    pub fn len(self) -> u32 {
        (self.end - self.begin) as u32
    }
}

/// What is left after a click that showed a number.
#[derive(Copy, Clone, Debug)]
struct Part {
    number: usize,
    span: Span,
    /// No more than these are won.
    most: u32,
}

impl<'a> Broad<'a, '_> {
    pub fn new(common: &'a Common<'a>, layouts: Vec<u64>) -> Self {
        Broad { common, telling: None, layouts, narrow: Narrow::new(), nodes: 0 }
    }

    /// Returns how many positions were looked at.
    pub fn nodes(&self) -> u64 {
        self.nodes + self.narrow.nodes
    }

    /// Tells how it goes if that is due.
    ///
    /// # Errors
    /// If there is no more use in going on.
    fn pause(&mut self) -> Result<(), Unsolved> {
        if self.common.stop.is_cancelled() || self.common.done.load(Ordering::Relaxed) {
            return Err(Unsolved::Cancelled);
        }
        let nodes = self.nodes();
        if let Some(telling) = &mut self.telling
            && telling.last.elapsed() >= TOLD_EVERY
        {
            telling.progress.nodes = nodes;
            (telling.tell)(&telling.progress);
            telling.last = Instant::now();
        }
        Ok(())
    }

    /// Returns in how many layouts the match is won, exactly if that is more than `need`.
    pub fn wins(
        &mut self,
        span: Span,
        mut covered: u64,
        mut key: Key,
        need: u32,
    ) -> Result<Verdict, Unsolved> {
        if span.len() == 1 {
            return Ok(Verdict::exactly(1));
        }
        let mined = self.layouts[span.begin..span.end].iter().fold(0, |mined, layout| mined | layout);
        let mut safe = covered & !mined;
        while safe != 0 {
            let cell = safe.trailing_zeros() as usize;
            safe &= safe - 1;
            let number = self.common.frame.number(self.layouts[span.begin], cell);
            let list = &self.layouts[span.begin..span.end];
            if list.iter().any(|&layout| self.common.frame.number(layout, cell) != number) {
                return self.split(span, cell, covered, &key, need, span.len());
            }
            self.common.frame.open(&mut key, cell, number);
            covered &= !(1 << cell);
        }
        let name = self.common.frame.canonical(&key);
        if let Some(known) = self.common.table.get(name)
            && (known.is_exact || known.wins <= need)
        {
            return Ok(known);
        }
        self.nodes += 1;
        self.pause()?;
        let verdict = if span.len() as usize <= narrow::MOST {
            self.narrow.solve(self.common.frame, &self.layouts[span.begin..span.end], covered, need)
        } else {
            self.search(span, covered, &key, need)?
        };
        self.common.table.put(name, verdict);
        Ok(verdict)
    }

    fn search(&mut self, span: Span, covered: u64, key: &Key, need: u32) -> Result<Verdict, Unsolved> {
        let mut clicks: ArrayVec<(u32, u8), 64> = ArrayVec::new();
        let mut rest = covered;
        while rest != 0 {
            let cell = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            self.pause()?;
            if let Some(most) = self.bound_after(span, cell, covered & !(1 << cell)) {
                clicks.push((most, cell as u8));
            }
        }
        clicks.sort_unstable_by_key(|click| std::cmp::Reverse(click.0));
        let (mut best, mut bound) = (1, 1);
        let mut later: ArrayVec<(u32, u8), 64> = ArrayVec::new();
        for second_time in [false, true] {
            let turn = if second_time { std::mem::take(&mut later) } else { clicks.clone() };
            for &(most, cell) in &turn {
                let least = best.max(need);
                if most <= least {
                    bound = bound.max(most);
                    continue;
                }
                let task = self.common.frame.click(*key, usize::from(cell)) as u64;
                let is_first = !second_time && cell == clicks[0].1;
                if !second_time && !is_first && span.len() >= SHARED && self.common.busy.has(task) {
                    later.push((most, cell));
                    continue;
                }
                self.common.busy.enter(task);
                let verdict = self.split(span, usize::from(cell), covered, key, least, most);
                self.common.busy.leave(task);
                let verdict = verdict?;
                bound = bound.max(verdict.wins);
                if verdict.is_exact {
                    best = best.max(verdict.wins);
                }
            }
        }
        Ok(if best > need { Verdict::exactly(best) } else { Verdict::at_most(bound) })
    }

    /// Returns a bound for what is won after opening a cell; `None` if it shows the same number wherever it is safe.
    fn bound_after(&self, span: Span, cell: usize, covered: u64) -> Option<u32> {
        let mut counters = [Counter::default(); 9];
        for &layout in &self.layouts[span.begin..span.end] {
            if layout >> cell & 1 == 0 {
                counters[self.common.frame.number(layout, cell)].add(layout);
            }
        }
        let shown = counters.iter().filter(|counter| counter.layouts > 0);
        (shown.clone().count() > 1).then(|| shown.map(|counter| counter.bound(covered)).sum())
    }

    /// Opens a cell, and adds up what is won for each number that it may show. Not more than `most` are.
    pub fn split(
        &mut self,
        span: Span,
        cell: usize,
        covered: u64,
        key: &Key,
        need: u32,
        most: u32,
    ) -> Result<Verdict, Unsolved> {
        let before = self.layouts.len();
        let covered = covered & !(1 << cell);
        let parts = self.part(span, cell, covered);
        let verdict = self.add_up(&parts, cell, covered, key, need, most);
        self.layouts.truncate(before);
        verdict
    }

    fn add_up(
        &mut self,
        parts: &ArrayVec<Part, 9>,
        cell: usize,
        covered: u64,
        key: &Key,
        need: u32,
        most: u32,
    ) -> Result<Verdict, Unsolved> {
        let mut sum = parts.iter().map(|part| part.most).sum::<u32>();
        let mut later: ArrayVec<Part, 9> = ArrayVec::new();
        for second_time in [false, true] {
            let turn = if second_time { std::mem::take(&mut later) } else { parts.clone() };
            for part in &turn {
                let mut key = *key;
                self.common.frame.open(&mut key, cell, part.number);
                let is_shared = part.span.len() >= SHARED;
                let task = if is_shared { self.common.frame.canonical(&key) as u64 } else { 0 };
                if is_shared && !second_time && self.common.busy.has(task) {
                    later.push(*part);
                    continue;
                }
                let others = sum - part.most;
                if is_shared {
                    self.common.busy.enter(task);
                }
                let verdict = self.wins(part.span, covered, key, need.saturating_sub(others));
                if is_shared {
                    self.common.busy.leave(task);
                }
                sum = others + verdict?.wins.min(part.most);
                if sum <= need {
                    return Ok(Verdict::at_most(sum.min(most)));
                }
            }
        }
        Ok(Verdict::exactly(sum))
    }

    /// Lists the layouts in which a cell shows each number behind all others.
    fn part(&mut self, span: Span, cell: usize, covered: u64) -> ArrayVec<Part, 9> {
        let mut counters = [Counter::default(); 9];
        for &layout in &self.layouts[span.begin..span.end] {
            if layout >> cell & 1 == 0 {
                counters[self.common.frame.number(layout, cell)].add(layout);
            }
        }
        let mut next = self.layouts.len();
        let mut places = [0; 9];
        let mut parts = ArrayVec::new();
        for (number, counter) in counters.iter().enumerate().filter(|(_, counter)| counter.layouts > 0) {
            places[number] = next;
            let span = Span { begin: next, end: next + counter.layouts as usize };
            next = span.end;
            parts.push(Part { number, span, most: counter.bound(covered) });
        }
        self.layouts.resize(next, 0);
        for at in span.begin..span.end {
            let layout = self.layouts[at];
            if layout >> cell & 1 == 0 {
                let number = self.common.frame.number(layout, cell);
                self.layouts[places[number]] = layout;
                places[number] += 1;
            }
        }
        // Small parts first: they are cheap, and may show that the rest is not worth it.
        parts.sort_unstable_by_key(|part: &Part| part.span.len());
        parts
    }
}

/// Counts for each cell in how many layouts it is a mine, in binary: bit *i* of plane *p* is worth 2ᵖ for cell *i*.
#[derive(Copy, Clone, Default)]
struct Counter {
    planes: [u64; PLANES],
    layouts: u32,
}

impl Counter {
    #[inline]
    fn add(&mut self, layout: u64) {
        self.layouts += 1;
        let mut carry = layout;
        for plane in &mut self.planes {
            let sum = *plane ^ carry;
            carry &= *plane;
            *plane = sum;
            if carry == 0 {
                break;
            }
        }
    }

    /// Returns no less than what is won: whatever is clicked next is a mine at least so often.
    fn bound(&self, covered: u64) -> u32 {
        if covered == 0 {
            return self.layouts;
        }
        let mut fewest = covered;
        let mut count = 0;
        for (p, plane) in self.planes.iter().enumerate().rev() {
            if fewest & !plane != 0 {
                fewest &= !plane;
            } else {
                count |= 1 << p;
            }
        }
        (self.layouts - count).max(1)
    }
}
