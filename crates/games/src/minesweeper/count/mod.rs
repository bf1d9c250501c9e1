//! Exact counting of the mine layouts that a view allows.
//!
//! Deciding whether a board of numbers has any layout is NP-complete (Kaye 2000, "Minesweeper is NP-complete"), but
//! boards are narrow, and the open part is mostly a band. The method:
//!
//! 1. Every opened number is a constraint on the number of mines among its covered neighbours. Covered cells with the
//!    same constraints form one group ([`groups`]); only the number of mines in a group matters.
//! 2. Groups that share no constraint, directly or through others, form separate components. In each, dynamic
//!    programming over its groups counts the ways for every number of mines ([`sweep`]).
//! 3. Convolution joins the components and the cells that no number touches, because the total number of mines is
//!    given.
//!
//! All counts are at most 2⁵¹², far within the range of an `f64`, and nothing is ever subtracted: counts below 2⁵³
//! are exact, larger ones have rounding errors only.

mod ahead;
mod groups;
mod order;
mod sweep;

use parlor_core::Rng;

pub use self::ahead::{Ahead, Prospect};
use self::groups::Puzzle;
use self::order::arrange;
use self::sweep::Sweep;
use super::{First, Minesweeper, Status, View};
use crate::board::bits::Word;

/// The number of ways to have 0, 1, 2 … mines.
type Ways = Vec<f64>;

/// All layouts of the mines that agree with a view, each equally likely.
///
/// A layout's probability given the view is the same under every rule for the first click: the cells that the rule
/// keeps free of mines have been opened by that click.
#[derive(Clone, Debug)]
pub struct Layouts<W> {
    cells: u16,
    /// The mine that exploded.
    known: W,
    /// Covered cells that no number touches.
    free: W,
    /// Number of mines that are not known.
    mines: usize,
    sweeps: Vec<Sweep<W>>,
    /// Entry *i*: the ways of the sweeps from *i* on and the free cells together. Empty if the view is contradictory.
    from: Vec<Ways>,
}

impl<W: Word> Layouts<W> {
    /// Counts the layouts that agree with `view`.
    ///
    /// While mines are laid after the first click, these are the possible final layouts; before that click, all
    /// layouts of the board.
    #[must_use]
    pub fn of(game: &Minesweeper<W>, view: &View<W>) -> Self {
        Self::within(game, view, usize::MAX).expect("no count takes more than all memory")
    }

    /// Counts the layouts that agree with `view`; `None` if that takes a table of more than `limit` numbers (of eight
    /// bytes each).
    ///
    /// Boards from play take some thousands. Artificial boards on which every second cell of every second row is open
    /// and none of them is a 0 take many millions.
    #[must_use]
    pub fn within(game: &Minesweeper<W>, view: &View<W>, mut limit: usize) -> Option<Self> {
        let known = view.exploded().map_or(W::ZERO, |cell| W::bit(u32::from(cell)));
        let mines = usize::from(game.mines()) - known.len() as usize;
        let mut layouts = Layouts {
            cells: game.cells(),
            known,
            free: W::ZERO,
            mines,
            sweeps: Vec::new(),
            from: Vec::new(),
        };
        let kept_free = match (view.status(), game.first()) {
            (Status::Laying, First::Clear) => game.around(view.opened()),
            _ => view.opened(),
        };
        let covered = game.board() & !kept_free & !known;
        if view.status() == Status::Laying {
            layouts.free = covered;
        } else {
            let Some(puzzle) = Puzzle::new(game, view, covered, known) else { return Some(layouts) };
            layouts.free = puzzle.free;
            for mut component in puzzle.components {
                arrange(&mut component, u32::from(game.columns()));
                let sweep = Sweep::new(component, mines, &mut limit)?;
                if !sweep.is_possible() {
                    return Some(layouts);
                }
                layouts.sweeps.push(sweep);
            }
        }
        layouts.join();
        Some(layouts)
    }

    /// Joins the sweeps and the free cells from the last to the first.
    fn join(&mut self) {
        let free = self.free.len() as usize;
        self.from = vec![choices(free, self.mines)];
        for sweep in self.sweeps.iter().rev() {
            let joined = convolve(&sweep.ways(), &self.from[self.from.len() - 1], self.mines);
            self.from.push(joined);
        }
        self.from.reverse();
    }

    /// Returns the covered cells that no number touches.
    #[must_use]
    pub const fn free(&self) -> W {
        self.free
    }

    /// Returns the number of layouts; 0 if the view is contradictory.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.from.first().and_then(|ways| ways.get(self.mines)).copied().unwrap_or(0.0)
    }

    /// Returns for every cell the probability of a mine: 1 where one exploded, 0 in opened cells.
    ///
    /// All zeros if there is no layout.
    #[must_use]
    pub fn mine_probabilities(&self) -> Vec<f64> {
        let mut odds = vec![0.0; usize::from(self.cells)];
        let total = self.total();
        if total == 0.0 {
            return odds;
        }
        self.known.cells().for_each(|cell| odds[cell as usize] = 1.0);
        // The ways of the sweeps before the current one.
        let mut before = vec![1.0];
        for (i, sweep) in self.sweeps.iter().enumerate() {
            let others = convolve(&before, &self.from[i + 1], self.mines);
            sweep.expected(&others, self.mines, |cells, mines| {
                let each = mines / (total * f64::from(cells.len()));
                cells.cells().for_each(|cell| odds[cell as usize] = each.clamp(0.0, 1.0));
            });
            before = convolve(&before, &sweep.ways(), self.mines);
        }
        let free = choices(self.free.len() as usize, self.mines);
        let mines: f64 = (1..free.len())
            .map(|k| k as f64 * free[k] * before.get(self.mines - k).copied().unwrap_or(0.0))
            .sum();
        let each = mines / (total * f64::from(self.free.len()));
        self.free.cells().for_each(|cell| odds[cell as usize] = each.clamp(0.0, 1.0));
        odds
    }

    /// Returns every layout; `None` if there are more than `most`.
    #[must_use]
    pub fn list(&self, most: usize) -> Option<Vec<W>> {
        if self.total() > most as f64 {
            return None;
        }
        let mut layouts = Vec::with_capacity(self.total() as usize);
        self.each(&mut |layout| layouts.push(layout));
        Some(layouts)
    }

    /// Calls `visit` with every layout.
    pub fn each(&self, visit: &mut dyn FnMut(W)) {
        if self.total() > 0.0 {
            self.each_from(0, self.mines, self.known, visit);
        }
    }

    /// Calls `visit` with `layout` and every way to lay `left` mines in the sweeps from `at` on and the free cells.
    fn each_from(&self, at: usize, left: usize, layout: W, visit: &mut dyn FnMut(W)) {
        let Some(sweep) = self.sweeps.get(at) else {
            return each_choice(self.free, left, layout, visit);
        };
        let after = &self.from[at + 1];
        for mines in 0..sweep.ways().len().min(left + 1) {
            if after.get(left - mines).is_some_and(|&ways| ways > 0.0) {
                sweep.each(mines, |part| self.each_from(at + 1, left - mines, layout | part, visit));
            }
        }
    }

    /// Returns one of the layouts, each equally likely; `None` if there is no layout.
    #[must_use]
    pub fn sample(&self, rng: &mut Rng) -> Option<W> {
        if self.total() == 0.0 {
            return None;
        }
        let mut layout = self.known;
        let mut left = self.mines;
        for (sweep, after) in self.sweeps.iter().zip(&self.from[1..]) {
            let ways = sweep.ways();
            let most = ways.len().min(left + 1);
            let weight = |mines: usize| ways[mines] * after.get(left - mines).copied().unwrap_or(0.0);
            let mines = draw(rng, (0..most).map(|mines| (mines, weight(mines))))?;
            layout |= sweep.sample(mines, rng);
            left -= mines;
        }
        Some(layout | some_of(self.free, left, rng))
    }
}

/// Calls `visit` with `base` and every choice of `count` of the cells.
fn each_choice<W: Word>(cells: W, count: usize, base: W, visit: &mut dyn FnMut(W)) {
    if count == 0 {
        return visit(base);
    }
    let mut rest = cells;
    while rest.len() as usize >= count {
        let cell = W::bit(rest.lowest());
        rest &= !cell;
        each_choice(rest, count - 1, base | cell, visit);
    }
}

/// Returns `count` of the cells, every choice equally likely.
fn some_of<W: Word>(cells: W, count: usize, rng: &mut Rng) -> W {
    let mut rest = cells;
    for _ in 0..count {
        rest &= !W::bit(rest.nth(rng.below(rest.len())));
    }
    cells & !rest
}

/// Returns one of the items, drawn by weight; `None` if all weights are 0.
fn draw<T: Copy>(rng: &mut Rng, items: impl Iterator<Item = (T, f64)> + Clone) -> Option<T> {
    let total: f64 = items.clone().map(|(_, weight)| weight).sum();
    rng.by_weight(total, items)
}

/// Returns the number of ways to choose 0, 1 … of `cells`, up to `most`.
fn choices(cells: usize, most: usize) -> Ways {
    let mut ways = vec![1.0];
    for k in 0..cells.min(most) {
        // Exact while the product is below 2⁵³, because it is divisible then.
        ways.push(ways[k] * (cells - k) as f64 / (k + 1) as f64);
    }
    ways
}

/// Returns the ways of two parts together, up to `most` mines.
fn convolve(a: &[f64], b: &[f64], most: usize) -> Ways {
    let mut ways = vec![0.0; (a.len() + b.len() - 1).min(most + 1)];
    for (i, &x) in a.iter().enumerate().filter(|&(_, &x)| x != 0.0) {
        for (sum, &y) in ways.iter_mut().skip(i).zip(b) {
            *sum += x * y;
        }
    }
    ways
}

#[cfg(test)]
mod tests;
