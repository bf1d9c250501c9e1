//! Expected knowledge after one more click.
//!
//! Opening a cell adds a constraint to the components that it touches and changes no other: only those are recounted,
//! once for every number that the cell may show. The others keep their counts, and their probabilities follow from
//! the number of mines left for them.

use super::groups::{Component, Group};
use super::order::arrange;
use super::sweep::Sweep;
use super::{Layouts, Ways, choices, convolve};
use crate::board::bits::Word;
use crate::minesweeper::Minesweeper;

/// The largest number that a cell can show.
const MAX_NUMBER: u8 = 8;

/// Expected results of a click.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Prospect {
    /// Probability that the cell is safe.
    pub safe: f64,
    /// Probability that the cell is safe and that the safest cell, once the number is known, is safe too.
    pub next: f64,
    /// Probability that the cell is safe and that some cell is certainly safe afterwards.
    pub progress: f64,
}

/// A component that a click does not touch.
struct Part<W> {
    cells: W,
    ways: Ways,
    /// For each group the number of its mines, divided by its cells, summed over all layouts with 0, 1, 2 … mines.
    shares: Vec<Ways>,
}

/// Look-ahead by one click from one view.
pub struct Ahead<'a, W> {
    layouts: &'a Layouts<W>,
    parts: Vec<Part<W>>,
    /// `rows[n]`: the number of ways to choose 0, 1 … of `n` free cells; computed on demand.
    rows: Vec<Ways>,
}

impl<'a, W: Word> Ahead<'a, W> {
    /// Prepares a look-ahead from counted layouts. There must be a layout.
    #[must_use]
    pub fn new(layouts: &'a Layouts<W>) -> Self {
        let parts = layouts.sweeps.iter().map(|sweep| {
            let ways = sweep.ways();
            let mut shares = vec![vec![0.0; ways.len()]; sweep.groups().len()];
            let sizes: Vec<_> = sweep.groups().iter().map(|group| f64::from(group.size)).collect();
            let most = ways.len() - 1;
            for mines in (0..=most).filter(|&mines| ways[mines] > 0.0) {
                let mut only = vec![0.0; most + 1];
                only[most - mines] = 1.0;
                // Groups come from the last to the first.
                let mut g = shares.len();
                sweep.expected(&only, most, |_, sum| {
                    g -= 1;
                    shares[g][mines] = sum / sizes[g];
                });
            }
            let cells = sweep.groups().iter().fold(W::ZERO, |cells, group| cells | group.cells);
            Part { cells, ways, shares }
        });
        let parts = parts.collect();
        Ahead { layouts, parts, rows: vec![Vec::new(); layouts.free.len() as usize + 1] }
    }

    /// Returns the expected results of a click on a covered cell.
    pub fn prospect(&mut self, game: &Minesweeper<W>, cell: u16) -> Prospect {
        let layouts = self.layouts;
        let clicked = W::bit(u32::from(cell));
        let near = game.neighbours(cell);
        let reach = clicked | near;
        let is_touched: Vec<bool> = self.parts.iter().map(|part| !(part.cells & reach).is_empty()).collect();
        let untouched: Vec<usize> = (0..self.parts.len()).filter(|&i| !is_touched[i]).collect();
        let touched = layouts.sweeps.iter().zip(&is_touched).filter(|&(_, &touched)| touched);
        let mut merged = merge(touched.map(|(sweep, _)| sweep), layouts.free, clicked, near);
        arrange(&mut merged, u32::from(game.columns()));
        let free = (layouts.free & !reach).len() as usize;
        self.prepare_row(free);
        let row = &self.rows[free];
        let rest =
            untouched.iter().fold(vec![1.0], |ways, &i| convolve(&ways, &self.parts[i].ways, layouts.mines));

        let mut prospect = Prospect { safe: 0.0, next: 0.0, progress: 0.0 };
        let is_empty = |c: usize| !merged.groups.iter().any(|group| group.constraints.contains(&(c as u16)));
        if (0..merged.needs.len()).any(|c| merged.needs[c] > 0 && is_empty(c)) {
            return prospect;
        }
        let total = layouts.total();
        let new = merged.needs.len() - 1;
        let room: u8 =
            merged.groups.iter().filter(|g| g.constraints.contains(&(new as u16))).map(|g| g.size).sum();
        for number in 0..=room.min(MAX_NUMBER) {
            merged.needs[new] = number;
            let Some(sweep) = Sweep::new(merged.clone(), layouts.mines, &mut usize::MAX.clone()) else {
                continue;
            };
            if !sweep.is_possible() {
                continue;
            }
            let ways = sweep.ways();
            // The number of layouts of everything else for each number of mines in the merged component.
            let others = shortfalls(&rest, row, layouts.mines, ways.len());
            let count: f64 = ways.iter().zip(&others).map(|(a, b)| a * b).sum();
            if count == 0.0 {
                continue;
            }
            let mut lowest = f64::INFINITY;
            let mut reversed = vec![0.0; layouts.mines + 1];
            others.iter().enumerate().for_each(|(k, &ways)| reversed[layouts.mines - k] = ways);
            sweep.expected(&reversed, layouts.mines, |cells, sum| {
                lowest = lowest.min(sum / f64::from(cells.len()));
            });
            if lowest > 0.0 {
                lowest = lowest.min(self.lowest_elsewhere(&untouched, &rest, &ways, free));
            }
            // After the last cell there is nothing to click.
            let lowest = if lowest.is_finite() { lowest / count } else { 0.0 };
            let odds = count / total;
            prospect.safe += odds;
            prospect.next += odds * (1.0 - lowest.min(1.0));
            prospect.progress += if lowest == 0.0 { odds } else { 0.0 };
        }
        let edge: u32 = self.parts.iter().map(|part| part.cells.len()).sum();
        if (edge + layouts.free.len()) as usize == layouts.mines + 1 {
            // All other covered cells are mines: surviving this click wins.
            (prospect.next, prospect.progress) = (prospect.safe, prospect.safe);
        }
        prospect
    }

    fn prepare_row(&mut self, free: usize) {
        if self.rows[free].is_empty() {
            self.rows[free] = choices(free, self.layouts.mines);
        }
    }

    /// Returns the smallest number of mines of a cell that is not in the merged component, summed over all layouts.
    fn lowest_elsewhere(&self, untouched: &[usize], rest: &[f64], merged: &[f64], free: usize) -> f64 {
        let (row, mines) = (&self.rows[free], self.layouts.mines);
        let mut lowest = f64::INFINITY;
        if free > 0 {
            let edge = convolve(rest, merged, mines);
            let sum: f64 = edge
                .iter()
                .enumerate()
                .map(|(k, &ways)| (mines - k) as f64 * ways * row.get(mines - k).copied().unwrap_or(0.0))
                .sum();
            lowest = sum / free as f64;
        }
        for &i in untouched {
            let others = untouched.iter().filter(|&&other| other != i);
            let rest = others.fold(merged.to_vec(), |ways, &j| convolve(&ways, &self.parts[j].ways, mines));
            let others = shortfalls(&rest, row, mines, self.parts[i].ways.len());
            for share in &self.parts[i].shares {
                lowest = lowest.min(share.iter().zip(&others).map(|(a, b)| a * b).sum());
            }
        }
        lowest
    }
}

/// Returns for k = 0, 1, 2 … below `end` the ways of `rest` and the free cells together to have `mines` − k mines.
fn shortfalls(rest: &[f64], row: &[f64], mines: usize, end: usize) -> Ways {
    let left = |k: usize| {
        let Some(left) = mines.checked_sub(k) else { return 0.0 };
        let first = (left + 1).saturating_sub(row.len());
        (first..rest.len().min(left + 1)).map(|j| rest[j] * row[left - j]).sum()
    };
    (0..end).map(left).collect()
}

/// Merges the components that a click touches, without the clicked cell. The last constraint is the new number's.
fn merge<'a, W: Word>(
    touched: impl Iterator<Item = &'a Sweep<W>>,
    free: W,
    clicked: W,
    near: W,
) -> Component<W> {
    let mut merged = Component { groups: Vec::new(), needs: Vec::new() };
    let mut beside: Vec<usize> = Vec::new();
    for sweep in touched {
        let shift = merged.needs.len() as u16;
        merged.needs.extend_from_slice(sweep.needs());
        for group in sweep.groups() {
            for (cells, is_beside) in [(group.cells & near, true), (group.cells & !near & !clicked, false)] {
                if cells.is_empty() {
                    continue;
                }
                if is_beside {
                    beside.push(merged.groups.len());
                }
                let constraints = group.constraints.iter().map(|c| c + shift).collect();
                merged.groups.push(Group { cells, size: cells.len() as u8, constraints });
            }
        }
    }
    let cells = free & near;
    if !cells.is_empty() {
        beside.push(merged.groups.len());
        merged.groups.push(Group { cells, size: cells.len() as u8, constraints: Default::default() });
    }
    let new = merged.needs.len() as u16;
    merged.needs.push(0);
    for g in beside {
        merged.groups[g].constraints.push(new);
    }
    merged
}
