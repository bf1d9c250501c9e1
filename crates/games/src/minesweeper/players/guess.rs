//! The choice of a cell when none is certainly safe.

use std::cmp::Ordering;

use parlor_core::Meter;

use crate::board::bits::Word;
use crate::minesweeper::{Ahead, First, Layouts, Minesweeper, Prospect, View};

/// Weight of the probability of finding a safe cell next, relative to that of surviving two clicks.
const PROGRESS: f64 = 0.1;

/// Number of cells considered for the second of three clicks, the safest first.
const FURTHER: usize = 8;

/// The largest number that a cell can show.
const MAX_NUMBER: u8 = 8;

/// A scored cell.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) struct ScoredCell {
    pub cell: u16,
    /// Probability that the cell is safe.
    pub safe: f64,
    /// The score of a click; larger is better.
    pub score: f64,
    /// Whether the score is only an upper bound, because the cell was not searched as far as the best one.
    pub is_bound: bool,
}

impl ScoredCell {
    /// Orders by score, best first, with all bounds after all scores.
    pub fn best_first(&self, other: &ScoredCell) -> Ordering {
        self.is_bound.cmp(&other.is_bound).then(other.score.total_cmp(&self.score))
    }
}

/// Returns every covered cell that may be safe, the safest first.
pub(super) fn by_safety<W: Word>(covered: W, odds: &[f64]) -> Vec<ScoredCell> {
    let mut cells: Vec<ScoredCell> = covered
        .cells()
        .map(|cell| (cell as u16, 1.0 - odds[cell as usize]))
        .filter(|&(_, safe)| safe > 0.0)
        .map(|(cell, safe)| ScoredCell { cell, safe, score: safe, is_bound: false })
        .collect();
    cells.sort_by(ScoredCell::best_first);
    cells
}

/// Scores the `look` most promising cells one click ahead; returns these and others with bounds, best first.
///
/// `odds` are the mine probabilities of a view in which no covered cell is certainly safe.
pub(super) fn look_ahead<W: Word>(
    game: &Minesweeper<W>,
    layouts: &Layouts<W>,
    covered: W,
    odds: &[f64],
    look: usize,
    meter: &mut Meter<'_>,
) -> Vec<ScoredCell> {
    let mut ahead = Ahead::new(layouts);
    let mut best = 0.0f64;
    let mut scored = candidates(game, layouts, covered, odds);
    for (n, cell) in scored.iter_mut().enumerate() {
        let bound = cell.safe * (1.0 + PROGRESS);
        // The first cell is always scored, so that there is a result.
        if n > 0 && (n >= look || bound <= best || !meter.tick(1)) {
            (cell.score, cell.is_bound) = (bound.min(best), true);
            continue;
        }
        cell.score = score(&ahead.prospect(game, cell.cell));
        best = best.max(cell.score);
    }
    scored.sort_by(ScoredCell::best_first);
    scored
}

/// Scores up to `deep` of the scored cells one click further, as long as that can change the best one.
///
/// `limit` is the number of values that counting may store.
pub(super) fn look_further<W: Word>(
    game: &Minesweeper<W>,
    view: &View<W>,
    total: f64,
    scored: &mut [ScoredCell],
    (deep, limit): (usize, usize),
    meter: &mut Meter<'_>,
) {
    let mut best = 0.0f64;
    for (n, cell) in scored.iter_mut().enumerate() {
        // Surviving three clicks is no more likely than surviving two, so the score is an upper bound.
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
    scored.sort_by(ScoredCell::best_first);
}

/// Returns the probability that the first two of three clicks are survived and the third one is not, with the first
/// one on `cell`; `None` if it could not be counted.
fn lost_further<W: Word>(
    game: &Minesweeper<W>,
    view: &View<W>,
    total: f64,
    cell: u16,
    limit: usize,
    meter: &mut Meter<'_>,
) -> Option<f64> {
    let mut lost = 0.0;
    for number in 0..=MAX_NUMBER {
        let shown = view.with(cell, number);
        let layouts = Layouts::within(game, &shown, limit)?;
        let covered = game.board() & !shown.opened();
        if layouts.total() == 0.0 || covered.is_empty() {
            continue;
        }
        let odds = layouts.mine_probabilities();
        let safest = covered.cells().map(|cell| odds[cell as usize]).fold(1.0, f64::min);
        // A certainly safe cell is opened next and gives more information: nothing is lost yet.
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

/// Returns the candidate cells, the safest first; of equally safe ones those with the fewest covered neighbours come
/// first, because they are the most likely to show a 0.
fn candidates<W: Word>(
    game: &Minesweeper<W>,
    layouts: &Layouts<W>,
    covered: W,
    odds: &[f64],
) -> Vec<ScoredCell> {
    let edge = covered & !layouts.free();
    // Cells far from all numbers differ only in their number of neighbours.
    let far = layouts.free() & !game.around(edge);
    let mut seen = [false; 9];
    let mut cells: Vec<(u32, ScoredCell)> = Vec::new();
    for scored in by_safety(covered, odds) {
        let neighbours = (game.neighbours(scored.cell) & covered).len();
        if far.has(u32::from(scored.cell)) && std::mem::replace(&mut seen[neighbours as usize], true) {
            continue;
        }
        cells.push((neighbours, scored));
    }
    cells.sort_by(|a, b| a.1.best_first(&b.1).then(a.0.cmp(&b.0)));
    cells.into_iter().map(|(_, scored)| scored).collect()
}

/// Returns the first click: a corner, where a 0 is most likely; if a 0 is certain anyway, a cell that opens more.
pub(super) fn opening<W: Word>(game: &Minesweeper<W>) -> u16 {
    let is_roomy = game.rows() > 4 && game.columns() > 4;
    match game.first() {
        First::Clear if is_roomy => 2 * u16::from(game.columns()) + 2,
        _ => 0,
    }
}
