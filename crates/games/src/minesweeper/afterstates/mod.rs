//! Values of clicks for the learner `ntuple`: what the numbers around a covered cell say about it, as active entries of a table of
//! weights.
//!
//! Nothing is deduced: a number, the covered cells around it, and what two numbers have in common are described, and training finds out
//! which of them mean a mine. The same weights serve every cell, and every board of the same density.

mod numbers;
#[cfg(test)]
mod tests;

use parlor_core::{Afterstates, CodecInfo, no_such_codec};

use super::view::View;
use super::{Action, Minesweeper};
use crate::board::bits::Word;
use crate::facts;
use numbers::{ALL, CLICK, Facts, GROUPS, NUMBER, NUMBERS, Number as N, PAIR, STARTS};

/// The entries of a click; there is one layout.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Layout;

/// The maximum number of numbers beside a cell, and of others that may have covered cells in common with one of them.
const BESIDE: usize = 8;
const NEAR: usize = 24;

/// The first group of each kind.
const FIRST_NUMBER: usize = CLICK.len();
const FIRST_PAIR: usize = FIRST_NUMBER + NUMBER.len();

/// Returns the entry of these numbers in a group.
#[inline]
fn entry(facts: &Facts, group: usize) -> u32 {
    STARTS[group] + facts.entry(ALL[group])
}

/// What a view says, whatever is clicked.
struct Knowledge<W> {
    covered: W,
    numbers: Facts,
}

/// A number and the covered cells around it.
struct Sum<W> {
    cells: W,
    mines: u8,
}

impl<W: Word> Sum<W> {
    /// Returns the part of the cells that are mines.
    fn share(&self) -> f64 {
        f64::from(self.mines) / f64::from(self.cells.len().max(1))
    }
}

impl<W: Word> Knowledge<W> {
    fn new(game: &Minesweeper<W>, view: &View<W>) -> Knowledge<W> {
        let covered = game.board() & !view.opened();
        let mut knowledge = Knowledge { covered, numbers: Facts::new() };
        let frontier = covered & game.around(view.opened());
        let away = (covered & !frontier).len();
        let mut mines = f64::from(game.mines());
        for cell in frontier.cells() {
            let (mut shares, mut numbers) = (0.0, 0.0);
            knowledge.each_beside(game, view, cell as u16, |_, sum| {
                shares += sum.share();
                numbers += 1.0;
            });
            mines -= shares / numbers;
        }
        let facts = &mut knowledge.numbers;
        facts.put(N::Covered, covered.len());
        facts.put(N::Mines, game.mines());
        facts.put(N::Safe, covered.len().saturating_sub(u32::from(game.mines())));
        if away > 0 {
            facts.put_amount(N::Elsewhere, (mines / f64::from(away)).clamp(0.0, 1.0));
        }
        knowledge
    }

    /// Returns a number that a cell shows.
    fn sum(&self, game: &Minesweeper<W>, view: &View<W>, cell: u32) -> Sum<W> {
        let mines = view.number(cell as u16).unwrap_or(0);
        Sum { cells: game.neighbours(cell as u16) & self.covered, mines }
    }

    /// Calls `each` with every number beside a covered cell.
    fn each_beside(
        &self,
        game: &Minesweeper<W>,
        view: &View<W>,
        cell: u16,
        mut each: impl FnMut(u32, &Sum<W>),
    ) {
        for number in (game.neighbours(cell) & view.opened()).cells() {
            each(number, &self.sum(game, view, number));
        }
    }

    /// Appends the active entries of a click.
    fn append(&self, game: &Minesweeper<W>, view: &View<W>, cell: u16, out: &mut Vec<u32>) {
        let mut facts = self.numbers.clone();
        let neighbours = game.neighbours(cell);
        let beside = (neighbours & view.opened()).len();
        facts.put(N::NumbersBeside, beside);
        facts.put(N::CoveredBeside, (neighbours & self.covered).len());
        let (row, column) = (cell / u16::from(game.columns), cell % u16::from(game.columns));
        let at_edge = |at: u16, side: u8| u32::from(at == 0 || at + 1 == u16::from(side));
        facts.put(N::Edges, at_edge(row, game.rows) + at_edge(column, game.columns));
        let (mut highest, mut lowest, mut shares) = (0.0_f64, 1.0_f64, 0.0);
        self.each_beside(game, view, cell, |_, sum| {
            highest = highest.max(sum.share());
            lowest = lowest.min(sum.share());
            shares += sum.share();
        });
        if beside > 0 {
            facts.put_amount(N::Highest, highest);
            facts.put_amount(N::Lowest, lowest);
            facts.put_amount(N::Mean, shares / f64::from(beside));
        }
        out.extend((0..FIRST_NUMBER).map(|group| entry(&facts, group)));
        self.each_beside(game, view, cell, |number, sum| {
            let around = sum.cells.len();
            facts.put(N::Shows, sum.mines);
            facts.put(N::Around, around);
            facts.put(N::MinesOff, game.mines.saturating_sub(u16::from(sum.mines)));
            facts.put(N::CoveredOff, self.covered.len() - around);
            out.extend((FIRST_NUMBER..FIRST_PAIR).map(|group| entry(&facts, group)));
            let near = game.around(sum.cells) & view.opened() & !W::bit(number);
            for second in near.cells() {
                let other = self.sum(game, view, second);
                let common = (sum.cells & other.cells).len();
                facts.put(N::Second, other.mines);
                facts.put(N::Common, common);
                facts.put(N::First, around - common);
                facts.put(N::Other, other.cells.len() - common);
                facts.put(N::IsCommon, other.cells.has(u32::from(cell)));
                out.extend((FIRST_PAIR..GROUPS).map(|group| entry(&facts, group)));
            }
        });
    }
}

impl<W: Word> Afterstates for Minesweeper<W> {
    type Layout = Layout;
    type Scratch = Vec<u32>;

    const LAYOUTS: &'static [CodecInfo] = &[CodecInfo {
        name: "facts",
        summary: "the numbers beside the click, what they have in common with others, and the cells that are left",
    }];

    fn table_layout(&self, name: &str) -> Result<Layout, String> {
        if name == Self::LAYOUTS[0].name { Ok(Layout) } else { Err(no_such_codec(name, Self::LAYOUTS)) }
    }

    /// Weights of one board are of some use on any other.
    fn layout_meaning(&self, _: &Layout) -> String {
        "1".to_owned()
    }

    fn entries(&self, _: &Layout) -> usize {
        STARTS[GROUPS] as usize
    }

    fn most_active(&self, _: &Layout) -> usize {
        let cells = usize::from(self.cells());
        CLICK.len() + BESIDE.min(cells) * (NUMBER.len() + NEAR.min(cells) * PAIR.len())
    }

    fn active(&self, _: &Layout, view: &View<W>, action: Action, out: &mut Vec<u32>) {
        if let Action::Click(cell) = action {
            Knowledge::new(self, view).append(self, view, cell, out);
        }
    }

    fn sums(
        &self,
        _: &Layout,
        active: &mut Vec<u32>,
        weights: &[f32],
        view: &View<W>,
        actions: &[Action],
        out: &mut Vec<f32>,
    ) {
        let known = Knowledge::new(self, view);
        out.clear();
        out.extend(actions.iter().map(|&action| {
            let Action::Click(cell) = action else { return 0.0 };
            active.clear();
            known.append(self, view, cell, active);
            active.iter().map(|&entry| weights[entry as usize]).sum()
        }));
    }

    fn entry_in_words(&self, _: &Layout, entry: u32) -> String {
        let group = STARTS.partition_point(|&start| start <= entry) - 1;
        facts::in_words(ALL[group].iter().map(|&number| NUMBERS[number as usize]), entry - STARTS[group])
    }
}
