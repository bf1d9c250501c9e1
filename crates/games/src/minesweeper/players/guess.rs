//! Which cell to open when none is certainly safe.

use std::cmp::Ordering;

use parlor_core::Meter;

use crate::board::bits::Word;
use crate::minesweeper::{Ahead, First, Layouts, Minesweeper, Prospect, View};

/// What the odds of finding a safe cell next are worth, beside the odds of surviving two clicks.
const PROGRESS: f64 = 0.1;

/// Cells that are looked at for the second of three clicks, the safest first.
const FURTHER: usize = 8;

/// The largest number that a cell can show.
const LARGEST: u8 = 8;

/// A cell that was weighed.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) struct Weighed {
    pub cell: u16,
    /// The odds that it is no mine.
    pub safe: f64,
    /// How good a click is, larger is better.
    pub score: f64,
    /// Whether the score is only a bound: it is no better than that, and the cell was not looked at as far as the best.
    pub is_bound: bool,
}

impl Weighed {
    /// Orders by score, the best first, and all bounds behind all scores.
    pub fn best_first(&self, other: &Weighed) -> Ordering {
        self.is_bound.cmp(&other.is_bound).then(other.score.total_cmp(&self.score))
    }
}

/// Returns every covered cell that may be safe, the safest first.
pub(super) fn by_safety<W: Word>(covered: W, odds: &[f64]) -> Vec<Weighed> {
    let mut cells: Vec<Weighed> = covered
        .cells()
        .map(|cell| (cell as u16, 1.0 - odds[cell as usize]))
        .filter(|&(_, safe)| safe > 0.0)
        .map(|(cell, safe)| Weighed { cell, safe, score: safe, is_bound: false })
        .collect();
    cells.sort_by(Weighed::best_first);
    cells
}

/// Weighs the `look` most promising cells one click ahead; returns these and others with bounds, the best first.
///
/// `odds` are the odds of mines in a view in which no covered cell is certainly safe.
pub(super) fn look_ahead<W: Word>(
    game: &Minesweeper<W>,
    layouts: &Layouts<W>,
    covered: W,
    odds: &[f64],
    look: usize,
    meter: &mut Meter<'_>,
) -> Vec<Weighed> {
    let mut ahead = Ahead::new(layouts);
    let mut best = 0.0f64;
    let mut weighed = candidates(game, layouts, covered, odds);
    for (n, cell) in weighed.iter_mut().enumerate() {
        let bound = cell.safe * (1.0 + PROGRESS);
        // The first one is weighed whatever happens, so that there is an answer.
        if n > 0 && (n >= look || bound <= best || !meter.tick(1)) {
            (cell.score, cell.is_bound) = (bound.min(best), true);
            continue;
        }
        cell.score = score(&ahead.prospect(game, cell.cell));
        best = best.max(cell.score);
    }
    weighed.sort_by(Weighed::best_first);
    weighed
}

/// Of the cells that were weighed, looks at up to `deep` one click further, as long as that can change which is the best.
///
/// `limit` is what counting may remember.
pub(super) fn look_further<W: Word>(
    game: &Minesweeper<W>,
    view: &View<W>,
    total: f64,
    weighed: &mut [Weighed],
    (deep, limit): (usize, usize),
    meter: &mut Meter<'_>,
) {
    let mut best = 0.0f64;
    for (n, cell) in weighed.iter_mut().enumerate() {
        // Three clicks are survived no more often than two: the score is a bound.
        let known = if n < deep && !cell.is_bound && cell.score > best {
            lost_further(game, view, total, cell.cell, limit, meter)
        } else {
            None
        };
        match known {
            Some(lost) => {
                cell.score -= lost;
                best = best.max(cell.score);
            }
            None if n == 0 => return,
            None => cell.is_bound = true,
        }
    }
    weighed.sort_by(Weighed::best_first);
}

/// Returns how likely the first two of three clicks are survived and the third one is not, if the first one is on `cell`;
/// `None` if that could not be counted.
fn lost_further<W: Word>(
    game: &Minesweeper<W>,
    view: &View<W>,
    total: f64,
    cell: u16,
    limit: usize,
    meter: &mut Meter<'_>,
) -> Option<f64> {
    let mut lost = 0.0;
    for number in 0..=LARGEST {
        let shown = view.with(cell, number);
        let layouts = Layouts::within(game, &shown, limit)?;
        let covered = game.board() & !shown.opened();
        if layouts.total() == 0.0 || covered.is_empty() {
            continue;
        }
        let odds = layouts.mine_probabilities();
        let safest = covered.cells().map(|cell| odds[cell as usize]).fold(1.0, f64::min);
        // Where something is certain, that is opened and tells more: nothing is lost yet.
        if safest == 0.0 || safest == 1.0 {
            continue;
        }
        let mut ahead = Ahead::new(&layouts);
        let mut best = 0.0f64;
        for candidate in candidates(game, &layouts, covered, &odds).iter().take(FURTHER) {
            if candidate.safe <= best {
                break;
            }
            if !meter.tick(1) {
                return None;
            }
            best = best.max(ahead.prospect(game, candidate.cell).next);
        }
        lost += layouts.total() / total * (1.0 - safest - best).max(0.0);
    }
    Some(lost)
}

fn score(prospect: &Prospect) -> f64 {
    prospect.next + PROGRESS * prospect.progress
}

/// Returns the cells that are worth a look, the safest first, and of equally safe ones those with the fewest covered
/// neighbours, for these show a 0 most likely.
fn candidates<W: Word>(
    game: &Minesweeper<W>,
    layouts: &Layouts<W>,
    covered: W,
    odds: &[f64],
) -> Vec<Weighed> {
    let edge = covered & !layouts.free();
    // Far from all numbers one cell is like another, but for how many neighbours it has.
    let far = layouts.free() & !game.around(edge);
    let mut seen = [false; 9];
    let mut cells: Vec<(u32, Weighed)> = Vec::new();
    for weighed in by_safety(covered, odds) {
        let neighbours = (game.neighbours(weighed.cell) & covered).len();
        if far.has(u32::from(weighed.cell)) && std::mem::replace(&mut seen[neighbours as usize], true) {
            continue;
        }
        cells.push((neighbours, weighed));
    }
    cells.sort_by(|a, b| a.1.best_first(&b.1).then(a.0.cmp(&b.0)));
    cells.into_iter().map(|(_, weighed)| weighed).collect()
}

/// Returns the first click: a corner, where a 0 is most likely; if a 0 is certain anyway, a cell that opens more.
pub(super) fn opening<W: Word>(game: &Minesweeper<W>) -> u16 {
    let is_roomy = game.rows() > 4 && game.columns() > 4;
    match game.first() {
        First::Clear if is_roomy => 2 * u16::from(game.columns()) + 2,
        _ => 0,
    }
}
