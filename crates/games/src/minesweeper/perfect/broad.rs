//! The search with many layouts left: lists of layouts, split by the number that a click shows.

use parlor_core::Cancel;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use std::time::{Duration, Instant};

use arrayvec::ArrayVec;
use parlor_core::play::solve::{ProgressUpdate, Unsolved};

use super::frame::{Frame, Key};
use super::narrow::{self, Narrow};
use super::table::{SharedTable, Verdict};

/// Bits of a count of layouts.
const PLANES: usize = 32;

/// Threads coordinate on positions with at least this number of layouts; smaller ones are done before it would pay.
const MIN_COORDINATED: u32 = 256;

const REPORT_INTERVAL: Duration = Duration::from_millis(250);

/// State shared by the threads of a search.
pub(super) struct Shared<'a> {
    pub frame: &'a Frame,
    pub table: &'a SharedTable,
    /// Set when the caller cancels.
    pub stop: &'a Cancel,
    /// Set when some thread has finished.
    pub done: AtomicBool,
    pub in_progress: InProgress,
}

/// Positions that threads are searching. A hint: other threads take other positions first if there are any.
pub(super) struct InProgress(Vec<AtomicU64>);

impl InProgress {
    pub fn new() -> Self {
        InProgress((0..256).map(|_| AtomicU64::new(0)).collect())
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
        // Keeps the entry if another thread has replaced it.
        let _ = self.place(task).compare_exchange(task, 0, Ordering::Relaxed, Ordering::Relaxed);
    }
}

/// Progress reports of a search.
pub(super) struct Reporter<'a> {
    pub report: &'a mut (dyn FnMut(&ProgressUpdate) + Send),
    pub progress: ProgressUpdate,
    pub last: Instant,
}

/// The search of one thread.
pub(super) struct Broad<'a, 'b> {
    shared: &'a Shared<'a>,
    pub reporter: Option<Reporter<'b>>,
    /// The lists of all positions from the root to the current one.
    pub layouts: Vec<u64>,
    narrow: Narrow,
    nodes: u64,
}

/// Layouts of a position, as a range of the list of all.
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

/// The layouts left after a click that showed a number.
#[derive(Copy, Clone, Debug)]
struct Part {
    number: usize,
    span: Span,
    /// Upper bound of the layouts won.
    most: u32,
}

impl<'a> Broad<'a, '_> {
    pub fn new(shared: &'a Shared<'a>, layouts: Vec<u64>) -> Self {
        Broad { shared, reporter: None, layouts, narrow: Narrow::new(), nodes: 0 }
    }

    /// Returns the number of positions searched.
    pub fn nodes(&self) -> u64 {
        self.nodes + self.narrow.nodes
    }

    /// Reports progress if a report is due.
    ///
    /// # Errors
    /// If the search is cancelled or another thread has finished.
    fn poll(&mut self) -> Result<(), Unsolved> {
        if self.shared.stop.is_cancelled() || self.shared.done.load(Ordering::Relaxed) {
            return Err(Unsolved::Cancelled);
        }
        let nodes = self.nodes();
        if let Some(reporter) = &mut self.reporter
            && reporter.last.elapsed() >= REPORT_INTERVAL
        {
            reporter.progress.nodes = nodes;
            (reporter.report)(&reporter.progress);
            reporter.last = Instant::now();
        }
        Ok(())
    }

    /// Returns the number of layouts won, exact if it is more than `need`.
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
            let number = self.shared.frame.number(self.layouts[span.begin], cell);
            let list = &self.layouts[span.begin..span.end];
            if list.iter().any(|&layout| self.shared.frame.number(layout, cell) != number) {
                return self.split(span, cell, covered, &key, need, span.len());
            }
            self.shared.frame.open(&mut key, cell, number);
            covered &= !(1 << cell);
        }
        let name = self.shared.frame.canonical(&key);
        if let Some(known) = self.shared.table.get(name)
            && (known.is_exact || known.wins <= need)
        {
            return Ok(known);
        }
        self.nodes += 1;
        self.poll()?;
        let verdict = if span.len() as usize <= narrow::MAX_LAYOUTS {
            self.narrow.solve(self.shared.frame, &self.layouts[span.begin..span.end], covered, need)
        } else {
            self.search(span, covered, &key, need)?
        };
        self.shared.table.put(name, verdict);
        Ok(verdict)
    }

    fn search(&mut self, span: Span, covered: u64, key: &Key, need: u32) -> Result<Verdict, Unsolved> {
        let mut clicks: ArrayVec<(u32, u8), 64> = ArrayVec::new();
        let mut rest = covered;
        while rest != 0 {
            let cell = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            self.poll()?;
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
                let task = self.shared.frame.click(*key, usize::from(cell)) as u64;
                let is_first = !second_time && cell == clicks[0].1;
                if !second_time
                    && !is_first
                    && span.len() >= MIN_COORDINATED
                    && self.shared.in_progress.has(task)
                {
                    later.push((most, cell));
                    continue;
                }
                self.shared.in_progress.enter(task);
                let verdict = self.split(span, usize::from(cell), covered, key, least, most);
                self.shared.in_progress.leave(task);
                let verdict = verdict?;
                bound = bound.max(verdict.wins);
                if verdict.is_exact {
                    best = best.max(verdict.wins);
                }
            }
        }
        Ok(if best > need { Verdict::exactly(best) } else { Verdict::at_most(bound) })
    }

    /// Returns an upper bound of the layouts won after opening a cell; `None` if the cell shows the same number
    /// wherever it is safe.
    fn bound_after(&self, span: Span, cell: usize, covered: u64) -> Option<u32> {
        let mut counters = [Counter::default(); 9];
        for &layout in &self.layouts[span.begin..span.end] {
            if layout >> cell & 1 == 0 {
                counters[self.shared.frame.number(layout, cell)].add(layout);
            }
        }
        let shown = counters.iter().filter(|counter| counter.layouts > 0);
        (shown.clone().count() > 1).then(|| shown.map(|counter| counter.bound(covered)).sum())
    }

    /// Opens a cell, and sums the layouts won over the numbers that it may show; `most` is an upper bound.
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
                self.shared.frame.open(&mut key, cell, part.number);
                let is_shared = part.span.len() >= MIN_COORDINATED;
                let task = if is_shared { self.shared.frame.canonical(&key) as u64 } else { 0 };
                if is_shared && !second_time && self.shared.in_progress.has(task) {
                    later.push(*part);
                    continue;
                }
                let others = sum - part.most;
                if is_shared {
                    self.shared.in_progress.enter(task);
                }
                let verdict = self.wins(part.span, covered, key, need.saturating_sub(others));
                if is_shared {
                    self.shared.in_progress.leave(task);
                }
                sum = others + verdict?.wins.min(part.most);
                if sum <= need {
                    return Ok(Verdict::at_most(sum.min(most)));
                }
            }
        }
        Ok(Verdict::exactly(sum))
    }

    /// Appends the layouts of each number that a cell may show to the list of all.
    fn part(&mut self, span: Span, cell: usize, covered: u64) -> ArrayVec<Part, 9> {
        let mut counters = [Counter::default(); 9];
        for &layout in &self.layouts[span.begin..span.end] {
            if layout >> cell & 1 == 0 {
                counters[self.shared.frame.number(layout, cell)].add(layout);
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
                let number = self.shared.frame.number(layout, cell);
                self.layouts[places[number]] = layout;
                places[number] += 1;
            }
        }
        // Small parts first: they are cheap, and may show that the rest cannot suffice.
        parts.sort_unstable_by_key(|part: &Part| part.span.len());
        parts
    }
}

/// Counts for each cell the layouts in which it is a mine, as bit planes: bit *i* of plane *p* is worth 2ᵖ for cell
/// *i*.
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

    /// Returns an upper bound of the layouts won: the next click hits a mine at least as often as the safest cell.
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
