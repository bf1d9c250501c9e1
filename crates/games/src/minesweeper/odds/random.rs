//! The probability of winning by random clicks.
//!
//! Uniformly random clicks on covered cells amount to a random order of the covered cells in which cells that are
//! already open are skipped. The match is won if everything that must be clicked comes before the first mine: every
//! *lone* number (one without a 0 beside it), and some cell of every *lake* (0s that open each other). The shore of a
//! lake opens with it, so its place in the order does not matter.
//!
//! Give every cell a uniform time between 0 and 1, and let the first of *m* mines have the time 1 − *s*: its density
//! is *m*·*s*^(*m*−1). By then a lone number was clicked with probability 1 − *s*, and a lake of *z* cells with 1 −
//! *s*^*z* = (1 − *s*)(1 + *s* + … + *s*^(*z*−1)). So a layout with *k* lone numbers and lakes together is won with
//!
//! ∫ *m*·*s*^(*m*−1)·(1 − *s*)^*k*·Π(1 + *s* + … + *s*^(*z*−1)) d*s*
//!
//! which is a sum of beta functions with positive integer factors: nothing cancels. The factors are summed over all
//! layouts first, the beta functions last.

use super::super::{First, Layouts, Minesweeper, Status, View};
use crate::board::bits::Word;

/// The largest number of layouts to enumerate, which takes a second or two.
pub const MAX_LAYOUTS: f64 = 2e7;

/// Returns the probability of winning by random clicks from a view; `None` if it has too many layouts.
pub(super) fn random_win<W: Word>(
    game: &Minesweeper<W>,
    view: &View<W>,
    layouts: &Layouts<W>,
) -> Option<f64> {
    match view.status() {
        Status::Won => return Some(1.0),
        Status::Lost(_) => return Some(0.0),
        Status::ToMove | Status::Laying => (),
    }
    let total = layouts.total();
    if total > MAX_LAYOUTS || total == 0.0 {
        return None;
    }
    let covered = game.board() & !view.opened();
    let mut sum = Sum::new(game.cells(), game.mines());
    let mut lakes: Vec<u32> = Vec::new();
    if view.status() == Status::ToMove && view.opened().is_empty() && game.first() != First::Any {
        // Mines are laid after the first click: every cell has its own layouts, all equally likely.
        let firsts = Firsts::new(game);
        layouts.each(&mut |layout| firsts.add(game, layout, &mut lakes, &mut sum));
        return Some(sum.value() / f64::from(game.cells()));
    }
    // While mines are laid, the first click is pending and opens with the last mine.
    let waiting = if view.status() == Status::Laying { view.opened() } else { W::ZERO };
    layouts.each(&mut |layout| {
        let covered = if waiting.is_empty() { covered } else { game.board() & !game.flood(layout, waiting) };
        let lone = survey(game, layout, covered, &mut lakes);
        sum.add(lone.len(), &lakes, None, 1.0);
    });
    Some(sum.value() / total)
}

/// Returns the lone numbers among covered cells, and lists the number of covered cells of each lake.
fn survey<W: Word>(game: &Minesweeper<W>, layout: W, covered: W, lakes: &mut Vec<u32>) -> W {
    lakes.clear();
    let zeros = covered & !game.around(layout);
    let mut left = zeros;
    while !left.is_empty() {
        let lake = lake(game, zeros, W::bit(left.lowest()));
        lakes.push(lake.len());
        left &= !lake;
    }
    covered & !layout & !game.around(zeros)
}

/// Returns the 0s that open together with one of them.
fn lake<W: Word>(game: &Minesweeper<W>, zeros: W, one: W) -> W {
    let mut lake = one;
    loop {
        let wider = game.around(lake) & zeros;
        if wider == lake {
            return lake;
        }
        lake = wider;
    }
}

/// The first click under rules that lay mines after it.
struct Firsts<W> {
    clear: bool,
    /// Cells by the weight of a layout that is laid after a click on them: 1 over the number of those layouts.
    weights: Vec<(W, f64)>,
}

impl<W: Word> Firsts<W> {
    fn new(game: &Minesweeper<W>) -> Self {
        let clear = game.first() == First::Clear;
        let mut weights: Vec<(W, f64)> = Vec::new();
        for cell in game.board().cells() {
            let near = game.neighbours(cell as u16).len();
            let free = u32::from(game.cells()) - 1 - if clear { near } else { 0 };
            let mines = u32::from(game.mines());
            let ways: f64 = (0..mines).map(|k| f64::from(free - k) / f64::from(k + 1)).product();
            match weights.iter_mut().find(|(_, weight)| *weight == 1.0 / ways) {
                Some((cells, _)) => *cells |= W::bit(cell),
                None => weights.push((W::bit(cell), 1.0 / ways)),
            }
        }
        Firsts { clear, weights }
    }

    /// Returns the total weight of a layout after clicks on these cells.
    fn weigh(&self, cells: W) -> f64 {
        self.weights.iter().map(|&(of, weight)| f64::from((cells & of).len()) * weight).sum()
    }

    /// Adds the wins of a layout after each first click that can lead to it.
    fn add(&self, game: &Minesweeper<W>, layout: W, lakes: &mut Vec<u32>, sum: &mut Sum) {
        let lone = survey(game, layout, game.board(), lakes);
        let zeros = game.board() & !game.around(layout);
        let mut left = zeros;
        for nth in 0..lakes.len() {
            let lake = lake(game, zeros, W::bit(left.lowest()));
            sum.add(lone.len(), lakes, Some(nth), self.weigh(lake));
            left &= !lake;
        }
        if !self.clear {
            if !lone.is_empty() {
                sum.add(lone.len() - 1, lakes, None, self.weigh(lone));
            }
            sum.add(lone.len(), lakes, None, self.weigh(game.board() & !layout & !zeros & !lone));
        }
    }
}

/// The factors of beta functions, summed over layouts.
struct Sum {
    mines: u32,
    /// Entry *k*, *j*: the factor of the integral of *m*·*s*^(*m*−1+*j*)·(1 − *s*)^*k*.
    factors: Vec<Vec<f64>>,
    /// The product of the lakes of one layout, stored to reuse its allocation.
    product: Vec<f64>,
}

impl Sum {
    fn new(cells: u16, mines: u16) -> Self {
        let factors = vec![Vec::new(); usize::from(cells) + 1];
        Sum { mines: u32::from(mines), factors, product: Vec::new() }
    }

    /// Adds a layout with `lone` lone numbers and these lakes, except the one that is open.
    fn add(&mut self, lone: u32, lakes: &[u32], open: Option<usize>, weight: f64) {
        self.product.clear();
        self.product.push(weight);
        let mut must = lone as usize;
        for (_, &cells) in lakes.iter().enumerate().filter(|&(nth, _)| Some(nth) != open) {
            must += 1;
            self.times_row_of_ones(cells as usize);
        }
        let to = &mut self.factors[must];
        if to.len() < self.product.len() {
            to.resize(self.product.len(), 0.0);
        }
        for (to, factor) in to.iter_mut().zip(&self.product) {
            *to += factor;
        }
    }

    /// Multiplies the product by 1 + *s* + … + *s*^(`ones` − 1).
    fn times_row_of_ones(&mut self, ones: usize) {
        let before = self.product.len();
        self.product.resize(before + ones - 1, 0.0);
        for at in (0..self.product.len()).rev() {
            let from = (at + 1).saturating_sub(ones);
            self.product[at] = self.product[from..=at.min(before - 1)].iter().sum();
        }
    }

    /// Returns the sum of all integrals.
    fn value(&self) -> f64 {
        let mines = f64::from(self.mines);
        let mut value = 0.0;
        for (k, factors) in self.factors.iter().enumerate() {
            // The integral for j = 0: the probability that k events all come before m mines.
            let mut beta: f64 = (1..=k).map(|i| i as f64 / (mines + i as f64)).product();
            for (j, factor) in factors.iter().enumerate() {
                value += factor * beta;
                beta *= (mines + j as f64) / (mines + (j + k + 1) as f64);
            }
        }
        value
    }
}
