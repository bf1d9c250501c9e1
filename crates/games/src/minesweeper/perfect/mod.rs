//! Perfect play: the number of layouts in which an optimal player wins.
//!
//! The player knows which cells are open and what they show. A cell that is safe in every layout is opened at once,
//! which costs nothing. The open cells then follow from the remaining layouts, and symmetric boards are equivalent. A
//! position's value is a whole number, the layouts that are won, so all values are exact.
//!
//! A cell is *dead* if it shows the same number wherever it is safe. Opening it has a risk and gives no information,
//! so it can wait; if all cells are dead, one layout is won.
//!
//! Clicks are searched in the order of an upper bound of their wins (`broad`, `narrow`), and the search of a click
//! ends as soon as it cannot be the best any more. There are two bounds: the next click hits a mine at least as often
//! as the safest cell does; and of two layouts that no cell distinguishes while both are possible, at most one is
//! won.

mod broad;
mod frame;
mod narrow;
mod table;

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use parlor_core::play::solve::{Exact, Progress, ProgressUpdate, Resources, Solver, Unsolved};
use parlor_core::{Game, Position, Seat};

use self::broad::{Broad, InProgress, Reporter, Shared, Span};
use self::frame::{Frame, Key};
use self::table::SharedTable;
use super::{Action, First, Layouts, Minesweeper, Status, View};
use crate::board::bits::Word;

/// The largest number of layouts of a position.
pub const MAX_LAYOUTS: usize = 1 << 20;

/// With fewer layouts than this, one thread finishes before another would start.
const MIN_FOR_THREADS: usize = 1024;

/// Limit on the numbers stored when counting layouts.
const MAX_NUMBERS: usize = 1 << 25;

/// Memory per layout that suffices for small boards: 5×5 with 5 mines has five positions per layout.
const BYTES_PER_LAYOUT: f64 = 512.0;

/// The largest number of cells of a search.
const MAX_FRAME_CELLS: u32 = 64;

/// Positions with at most this number of covered cells are solved in moments.
const QUICK_CELLS: u32 = 16;

/// The value of a click.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Click {
    /// The cell.
    pub cell: u16,
    /// Number of layouts won by perfect play after it; an upper bound unless `is_exact`.
    pub wins: u32,
    /// Number of possible layouts.
    pub of: u32,
    /// Whether `wins` is exact.
    pub is_exact: bool,
}

impl Click {
    /// Returns the probability of winning.
    #[must_use]
    pub fn odds(&self) -> f64 {
        f64::from(self.wins) / f64::from(self.of)
    }

    /// Returns whether this click wins at least as often as `other`.
    fn is_no_worse(&self, other: &Click) -> bool {
        u64::from(self.wins) * u64::from(other.of) >= u64::from(other.wins) * u64::from(self.of)
    }
}

/// A solver of one board. It keeps its table from one problem to the next.
#[derive(Debug)]
pub struct Perfect<W> {
    game: Minesweeper<W>,
    resources: Resources,
    table: SharedTable,
    /// Number of questions so far whose keys must not be shared with others.
    salt: u64,
}

/// A position to solve: a list of layouts, and their board.
struct Problem {
    frame: Frame,
    key: Key,
    /// The board's cell of each cell of the frame.
    cells: Vec<u16>,
    covered: u64,
    layouts: Vec<u64>,
    /// For a first click before mines are laid: the cells that each click keeps free of mines.
    kept_free: Option<Vec<u64>>,
}

/// Returns a solver for minesweeper.
#[must_use]
pub fn solver<W: Word>(game: &Minesweeper<W>, resources: &Resources) -> Box<dyn Solver<Minesweeper<W>>> {
    Box::new(Perfect::new(game, resources))
}

impl<W: Word> Perfect<W> {
    /// Returns a solver for a board.
    #[must_use]
    pub fn new(game: &Minesweeper<W>, resources: &Resources) -> Self {
        let (cells, mines) = (f64::from(game.cells()), i32::from(game.mines()));
        let layouts: f64 = (0..mines).map(f64::from).map(|k| (cells - k) / (k + 1.0)).product();
        let enough = (layouts * BYTES_PER_LAYOUT).min(usize::MAX as f64) as usize;
        let table = SharedTable::new(enough.min(resources.memory_mb << 20));
        Perfect { game: *game, resources: resources.clone(), table, salt: 0 }
    }

    /// Returns the values of clicks, in the order of the cells, and the number of nodes searched. With `best_only`,
    /// clicks that are worse than the best may have bounds.
    ///
    /// # Errors
    /// If no seat is to move, there are too many layouts, or the computation was cancelled.
    pub fn clicks(
        &mut self,
        game: &Minesweeper<W>,
        view: &View<W>,
        best_only: bool,
        progress: &mut Progress<'_>,
    ) -> Result<(Vec<Click>, u64), Unsolved> {
        if *game != self.game {
            *self = Perfect::new(game, &self.resources);
        }
        let problem = self.problem(view)?;
        let shared = Shared {
            frame: &problem.frame,
            table: &self.table,
            stop: progress.cancel,
            done: AtomicBool::new(false),
            in_progress: InProgress::new(),
        };
        let threads = if problem.layouts.len() < MIN_FOR_THREADS { 1 } else { self.resources.threads };
        let (mut clicks, nodes) = thread::scope(|scope| {
            for helper in 1..threads {
                let (problem, shared) = (&problem, &shared);
                scope.spawn(move || problem.answer(shared, helper, best_only, None));
            }
            let update = ProgressUpdate { doing: String::new(), done: None, nodes: 0 };
            let reporter = Reporter { report: &mut *progress.report, progress: update, last: Instant::now() };
            let answer = problem.answer(&shared, 0, best_only, Some(reporter));
            shared.done.store(true, Ordering::Relaxed);
            answer
        })?;
        // Covered cells outside the frame are mines in every layout.
        for cell in (game.board() & !view.opened()).cells().map(|cell| cell as u16) {
            if clicks.iter().all(|click| click.cell != cell) {
                let of = problem.layouts.len() as u32;
                clicks.push(Click { cell, wins: 0, of, is_exact: true });
            }
        }
        clicks.sort_unstable_by_key(|click| click.cell);
        Ok((clicks, nodes))
    }

    fn problem(&mut self, view: &View<W>) -> Result<Problem, Unsolved> {
        let game = &self.game;
        let view = match view.status() {
            Status::ToMove => *view,
            Status::Laying if view.opened().is_empty() => View::untouched(),
            Status::Laying => return Err(no_decision("mines are being laid, and no seat is to move")),
            Status::Lost(_) | Status::Won => return Err(no_decision("the match is over")),
        };
        let layouts = Layouts::within(game, &view, MAX_NUMBERS)
            .ok_or_else(|| out_of_reach("the position is too complex to count its layouts"))?;
        let total = layouts.total();
        let list = layouts.list(MAX_LAYOUTS).ok_or_else(|| {
            out_of_reach(format!(
                "{total} layouts are possible, and perfect play is for at most {MAX_LAYOUTS}"
            ))
        })?;
        let covered = game.board() & !view.opened();
        let everywhere = list.iter().fold(covered, |mines, &layout| mines & layout);
        let is_whole = u32::from(game.cells()) <= MAX_FRAME_CELLS;
        let held = if is_whole { game.board() } else { covered & !everywhere };
        if held.len() > MAX_FRAME_CELLS {
            let cells = held.len();
            return Err(out_of_reach(format!(
                "{cells} covered cells may be mines or not, and perfect play is for at most {MAX_FRAME_CELLS}"
            )));
        }
        let cells: Vec<u16> = held.cells().map(|cell| cell as u16).collect();
        let narrow = |set: W| {
            let bits = cells.iter().enumerate().filter(|(_, cell)| set.has(u32::from(**cell)));
            bits.fold(0u64, |narrow, (at, _)| narrow | 1 << at)
        };
        let near: Vec<u64> = cells.iter().map(|&cell| narrow(game.neighbours(cell))).collect();
        let beside =
            |&cell: &u16| if is_whole { 0 } else { (game.neighbours(cell) & everywhere).len() as u8 };
        let known = cells.iter().map(beside).collect();
        let identity: Vec<usize> = (0..cells.len()).collect();
        let maps = if is_whole { symmetries(game) } else { vec![identity] };
        let frame = Frame::new(near, known, &maps);
        if !is_whole {
            self.salt += 1;
        }
        let mut key = frame.blank(self.salt);
        if is_whole {
            for cell in view.opened().cells() {
                frame.open(&mut key, cell as usize, usize::from(view.number(cell as u16).unwrap_or(0)));
            }
        }
        let kept_free = (view.opened().is_empty() && game.first() != First::Any).then(|| {
            let free = |&cell: &u16| match game.first() {
                First::Clear => narrow(game.around(W::bit(u32::from(cell)))),
                _ => narrow(W::bit(u32::from(cell))),
            };
            cells.iter().map(free).collect()
        });
        let covered = narrow(covered);
        let layouts = list.into_iter().map(narrow).collect();
        Ok(Problem { frame, key, covered, layouts, kept_free, cells })
    }

    fn view(game: &Minesweeper<W>, position: &Position<Minesweeper<W>>) -> View<W> {
        match position {
            Position::View(view) => *view,
            Position::State(field) => game.view(field, Seat::FIRST),
        }
    }
}

impl Problem {
    /// Computes the values of the clicks. All threads run this and share results through the table.
    fn answer<'a>(
        &self,
        shared: &'a Shared<'a>,
        thread: usize,
        best_only: bool,
        reporter: Option<Reporter<'_>>,
    ) -> Result<(Vec<Click>, u64), Unsolved> {
        let mut broad = Broad::new(shared, self.layouts.clone());
        broad.reporter = reporter;
        let mut clicks: Vec<Click> = Vec::with_capacity(self.cells.len());
        let mut names: Vec<(u128, Click)> = Vec::new();
        let mut order: Vec<usize> = (0..self.cells.len()).filter(|&at| self.covered >> at & 1 == 1).collect();
        let safe = |at: &usize| self.layouts.iter().filter(|&layout| layout >> at & 1 == 0).count();
        order.sort_by_cached_key(|at| std::cmp::Reverse(safe(at)));
        if !best_only {
            // If all clicks need values, threads begin at different ones.
            let count = order.len();
            order.rotate_left(thread % count.max(1));
        }
        let mut best: Option<Click> = None;
        for (nth, &at) in order.iter().enumerate() {
            if let Some(reporter) = &mut broad.reporter {
                reporter.progress.doing = format!("click {} of {}", nth + 1, order.len());
                reporter.progress.done = Some(nth as f64 / order.len() as f64);
            }
            let name = self.frame.click(self.key, at);
            let click = match names.iter().find(|(known, _)| *known == name) {
                Some((_, known)) => Click { cell: self.cells[at], ..*known },
                None => self.click(&mut broad, at, if best_only { best } else { None })?,
            };
            names.push((name, click));
            if click.is_exact && best.is_none_or(|best| click.is_no_worse(&best)) {
                best = Some(click);
            }
            clicks.push(click);
        }
        Ok((clicks, broad.nodes()))
    }

    /// Computes the value of one click, exact if it is as good as `best`.
    fn click(&self, broad: &mut Broad<'_, '_>, at: usize, best: Option<Click>) -> Result<Click, Unsolved> {
        let mut span = Span { begin: 0, end: self.layouts.len() };
        if let Some(kept_free) = &self.kept_free {
            let begin = broad.layouts.len();
            let free = kept_free[at];
            broad.layouts.extend(self.layouts.iter().filter(|&layout| layout & free == 0));
            span = Span { begin, end: broad.layouts.len() };
        }
        let of = span.len();
        // Fractions with different denominators are not compared during the search.
        let need = best.filter(|best| best.of == of).map_or(0, |best| best.wins.saturating_sub(1));
        let verdict = broad.split(span, at, self.covered, &self.key, need, of);
        broad.layouts.truncate(self.layouts.len());
        let verdict = verdict?;
        Ok(Click { cell: self.cells[at], wins: verdict.wins, of, is_exact: verdict.is_exact })
    }
}

impl<W: Word> Solver<Minesweeper<W>> for Perfect<W> {
    fn unit(&self) -> &'static str {
        "probability of winning"
    }

    fn is_quick(&self, game: &Minesweeper<W>, position: &Position<Minesweeper<W>>) -> bool {
        let covered = |view: &View<W>| (game.board() & !view.opened()).len();
        match position {
            Position::View(view) => covered(view) <= QUICK_CELLS,
            Position::State(state) => covered(&game.view(state, Seat::FIRST)) <= QUICK_CELLS,
        }
    }

    fn solve(
        &mut self,
        game: &Minesweeper<W>,
        position: &Position<Minesweeper<W>>,
        progress: &mut Progress<'_>,
    ) -> Result<Exact<Action>, Unsolved> {
        let view = Self::view(game, position);
        if let Some(value) = result(&view) {
            return Ok(Exact { value, best: Vec::new(), nodes: 0 });
        }
        let (clicks, nodes) = self.clicks(game, &view, true, progress)?;
        let exact = || clicks.iter().filter(|click| click.is_exact);
        let best = |click: &&Click| exact().all(|other| click.is_no_worse(other));
        let value = exact().find(best).map_or(0.0, Click::odds);
        let best = exact().filter(best).map(|click| Action::Click(click.cell)).collect();
        Ok(Exact { value, best, nodes })
    }

    fn values(
        &mut self,
        game: &Minesweeper<W>,
        position: &Position<Minesweeper<W>>,
        progress: &mut Progress<'_>,
    ) -> Result<Vec<(Action, f64)>, Unsolved> {
        let view = Self::view(game, position);
        if result(&view).is_some() {
            return Ok(Vec::new());
        }
        let (clicks, _) = self.clicks(game, &view, false, progress)?;
        Ok(clicks.iter().map(|click| (Action::Click(click.cell), click.odds())).collect())
    }
}

/// Returns the result of a finished match; `None` before the end.
fn result<W: Word>(view: &View<W>) -> Option<f64> {
    match view.status() {
        Status::Won => Some(1.0),
        Status::Lost(_) => Some(0.0),
        Status::ToMove | Status::Laying => None,
    }
}

fn no_decision(sentence: &str) -> Unsolved {
    Unsolved::NoDecision(sentence.to_owned())
}

fn out_of_reach(sentence: impl Into<String>) -> Unsolved {
    Unsolved::OutOfReach(sentence.into())
}

/// Returns the image of each cell under every reflection of the board and, for a square, every rotation.
fn symmetries<W: Word>(game: &Minesweeper<W>) -> Vec<Vec<usize>> {
    let (rows, columns) = (usize::from(game.rows()), usize::from(game.columns()));
    let count = if rows == columns { frame::MAX_SYMMETRIES } else { frame::MAX_SYMMETRIES / 2 };
    let place = |side: usize, cell: usize| {
        let (mut row, mut column) = (cell / columns, cell % columns);
        if side & 1 == 1 {
            row = rows - 1 - row;
        }
        if side & 2 == 2 {
            column = columns - 1 - column;
        }
        if side & 4 == 4 { column * columns + row } else { row * columns + column }
    };
    (0..count).map(|side| (0..rows * columns).map(|cell| place(side, cell)).collect()).collect()
}

#[cfg(test)]
mod tests;
