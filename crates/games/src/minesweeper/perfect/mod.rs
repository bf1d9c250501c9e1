//! Perfect play: in how many layouts a match is won by whoever never errs.
//!
//! What the player knows is which cells are open and what they show. A cell that is safe in every layout is opened at once: that
//! costs nothing. What is then open follows from which layouts are left, and boards that can be turned or mirrored into each
//! other are one. A position's value is a whole number, the layouts of it that are won, so that all answers are exact.
//!
//! A cell is *dead* if it shows the same number wherever it is safe. Opening it risks something and tells nothing, so it can
//! wait; if all are dead, one layout is won.
//!
//! Clicks are searched in the order of what they win at the most (`broad`, `narrow`), and a click ends as soon as it cannot be
//! the best any more. Two bounds are used: the next click is a mine at least as often as the safest cell is; and of two layouts
//! that no cell can tell apart while both are possible, one is won at the most.

mod broad;
mod frame;
mod narrow;
mod table;

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use parlor_core::play::solve::{Exact, Progress, ProgressUpdate, Resources, Solver, Unsolved};
use parlor_core::{Game, Position, Seat};

use self::broad::{Broad, Busy, Common, Span, Telling};
use self::frame::{Frame, Key};
use self::table::Table;
use super::{Action, First, Layouts, Minesweeper, Standing, View};
use crate::board::bits::Word;

/// The most layouts that a position may have.
pub const MOST_LAYOUTS: usize = 1 << 20;

/// With fewer layouts than this the answer is there before another thread is.
const WORTH_HELP: usize = 1024;

/// How large counting the layouts may get.
const MOST_NUMBERS: usize = 1 << 25;

/// Small boards need no more memory than this for each layout: 5×5 with 5 mines has five positions for each.
const BYTES_PER_LAYOUT: f64 = 512.0;

/// The most cells that a search can hold apart.
const MOST_CELLS: u32 = 64;

/// With so many covered cells or fewer, a position is solved in moments.
const QUICK_CELLS: u32 = 16;

/// What a click is worth.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Click {
    /// The cell.
    pub cell: u16,
    /// The layouts that are won by perfect play after it; if not `is_exact`, fewer than this or as many.
    pub wins: u32,
    /// The layouts there can be.
    pub of: u32,
    /// Whether it is exactly that many.
    pub is_exact: bool,
}

impl Click {
    /// Returns the odds of winning.
    #[must_use]
    pub fn odds(&self) -> f64 {
        f64::from(self.wins) / f64::from(self.of)
    }

    /// Returns whether this one wins as often as `other` or more.
    fn is_no_worse(&self, other: &Click) -> bool {
        u64::from(self.wins) * u64::from(other.of) >= u64::from(other.wins) * u64::from(self.of)
    }
}

/// A solver of one board. It remembers positions from one question to the next.
#[derive(Debug)]
pub struct Perfect<W> {
    game: Minesweeper<W>,
    means: Resources,
    table: Table,
    /// How many questions were asked that have nothing in common with others.
    salt: u64,
}

/// A question: a list of layouts, and the board that they lie on.
struct Question {
    frame: Frame,
    key: Key,
    /// For each cell of the frame which one it is on the board.
    cells: Vec<u16>,
    covered: u64,
    layouts: Vec<u64>,
    /// The first click, after which mines are laid: what each click keeps free of them.
    kept_free: Option<Vec<u64>>,
}

/// Returns a solver of minesweeper.
#[must_use]
pub fn solver<W: Word>(game: &Minesweeper<W>, means: &Resources) -> Box<dyn Solver<Minesweeper<W>>> {
    Box::new(Perfect::new(game, means))
}

impl<W: Word> Perfect<W> {
    /// Makes a solver of a board.
    #[must_use]
    pub fn new(game: &Minesweeper<W>, means: &Resources) -> Self {
        let (cells, mines) = (f64::from(game.cells()), i32::from(game.mines()));
        let layouts: f64 = (0..mines).map(f64::from).map(|k| (cells - k) / (k + 1.0)).product();
        let enough = (layouts * BYTES_PER_LAYOUT).min(usize::MAX as f64) as usize;
        let table = Table::new(enough.min(means.memory_mb << 20));
        Perfect { game: *game, means: means.clone(), table, salt: 0 }
    }

    /// Returns what clicks are worth, in the order of the cells, and how many nodes it took. With `best_only` those that are worse
    /// than the best may have bounds.
    ///
    /// # Errors
    /// If nobody is to move, there are too many layouts, or the answer is no longer wanted.
    pub fn clicks(
        &mut self,
        game: &Minesweeper<W>,
        view: &View<W>,
        best_only: bool,
        progress: &mut Progress<'_>,
    ) -> Result<(Vec<Click>, u64), Unsolved> {
        if *game != self.game {
            *self = Perfect::new(game, &self.means);
        }
        let question = self.question(view)?;
        let common = Common {
            frame: &question.frame,
            table: &self.table,
            stop: progress.cancel,
            done: AtomicBool::new(false),
            busy: Busy::new(),
        };
        let threads = if question.layouts.len() < WORTH_HELP { 1 } else { self.means.threads };
        let (mut clicks, nodes) = thread::scope(|scope| {
            for helper in 1..threads {
                let (question, common) = (&question, &common);
                scope.spawn(move || question.answer(common, helper, best_only, None));
            }
            let update = ProgressUpdate { doing: String::new(), done: None, nodes: 0 };
            let telling = Telling { tell: &mut *progress.report, progress: update, last: Instant::now() };
            let answer = question.answer(&common, 0, best_only, Some(telling));
            common.done.store(true, Ordering::Relaxed);
            answer
        })?;
        // Covered cells that are no cells of the search are mines in every layout.
        for cell in (game.board() & !view.opened()).cells().map(|cell| cell as u16) {
            if clicks.iter().all(|click| click.cell != cell) {
                let of = question.layouts.len() as u32;
                clicks.push(Click { cell, wins: 0, of, is_exact: true });
            }
        }
        clicks.sort_unstable_by_key(|click| click.cell);
        Ok((clicks, nodes))
    }

    fn question(&mut self, view: &View<W>) -> Result<Question, Unsolved> {
        let game = &self.game;
        let view = match view.standing() {
            Standing::ToMove => *view,
            Standing::Laying if view.opened().is_empty() => View::untouched(),
            Standing::Laying => return Err(unfit("mines are being laid, and nobody is to move")),
            Standing::Lost(_) | Standing::Won => return Err(unfit("the match is over")),
        };
        let layouts = Layouts::within(game, &view, MOST_NUMBERS)
            .ok_or_else(|| unfit("the position is too tangled to be counted"))?;
        let total = layouts.total();
        let list = layouts.list(MOST_LAYOUTS).ok_or_else(|| {
            unfit(format!("{total} layouts are possible, and perfect play is for at most {MOST_LAYOUTS}"))
        })?;
        let covered = game.board() & !view.opened();
        let everywhere = list.iter().fold(covered, |mines, &layout| mines & layout);
        let is_whole = u32::from(game.cells()) <= MOST_CELLS;
        let held = if is_whole { game.board() } else { covered & !everywhere };
        if held.len() > MOST_CELLS {
            let cells = held.len();
            return Err(unfit(format!(
                "{cells} covered cells may be mines or not, and perfect play is for at most {MOST_CELLS}"
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
        Ok(Question { frame, key, covered, layouts, kept_free, cells })
    }

    fn view(game: &Minesweeper<W>, position: &Position<Minesweeper<W>>) -> View<W> {
        match position {
            Position::View(view) => *view,
            Position::State(field) => game.view(field, Seat::FIRST),
        }
    }
}

impl Question {
    /// Values the clicks. All threads do this, and find what others have found in the table.
    fn answer<'a>(
        &self,
        common: &'a Common<'a>,
        thread: usize,
        best_only: bool,
        telling: Option<Telling<'_>>,
    ) -> Result<(Vec<Click>, u64), Unsolved> {
        let mut broad = Broad::new(common, self.layouts.clone());
        broad.telling = telling;
        let mut clicks: Vec<Click> = Vec::with_capacity(self.cells.len());
        let mut names: Vec<(u128, Click)> = Vec::new();
        let mut order: Vec<usize> = (0..self.cells.len()).filter(|&at| self.covered >> at & 1 == 1).collect();
        let safe = |at: &usize| self.layouts.iter().filter(|&layout| layout >> at & 1 == 0).count();
        order.sort_by_cached_key(|at| std::cmp::Reverse(safe(at)));
        if !best_only {
            // Where everything is asked for, threads begin at different places.
            let count = order.len();
            order.rotate_left(thread % count.max(1));
        }
        let mut best: Option<Click> = None;
        for (nth, &at) in order.iter().enumerate() {
            if let Some(telling) = &mut broad.telling {
                telling.progress.doing = format!("click {} of {}", nth + 1, order.len());
                telling.progress.done = Some(nth as f64 / order.len() as f64);
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

    /// Values one click, exactly if it is as good as `best`.
    fn click(&self, broad: &mut Broad<'_, '_>, at: usize, best: Option<Click>) -> Result<Click, Unsolved> {
        let mut span = Span { begin: 0, end: self.layouts.len() };
        if let Some(kept_free) = &self.kept_free {
            let begin = broad.layouts.len();
            let free = kept_free[at];
            broad.layouts.extend(self.layouts.iter().filter(|&layout| layout & free == 0));
            span = Span { begin, end: broad.layouts.len() };
        }
        let of = span.len();
        // Fractions of different wholes are not compared while they are searched.
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
        let (clicks, nodes) = self.clicks(game, &Self::view(game, position), true, progress)?;
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
        let (clicks, _) = self.clicks(game, &Self::view(game, position), false, progress)?;
        Ok(clicks.iter().map(|click| (Action::Click(click.cell), click.odds())).collect())
    }
}

fn unfit(sentence: impl Into<String>) -> Unsolved {
    Unsolved::OutOfReach(sentence.into())
}

/// Returns where each cell goes when the board is mirrored, and if it is a square turned.
fn symmetries<W: Word>(game: &Minesweeper<W>) -> Vec<Vec<usize>> {
    let (rows, columns) = (usize::from(game.rows()), usize::from(game.columns()));
    let count = if rows == columns { frame::MOST_SYMMETRIES } else { frame::MOST_SYMMETRIES / 2 };
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
