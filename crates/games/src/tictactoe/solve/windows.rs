//! The windows of three cells of a board as bits of a word, and each side's share of them.

use super::super::{Lines, TicTacToe};
use crate::board::bits::Word;

/// The largest number of cells of a board whose windows fit a word.
pub(super) const MAX_CELLS: u32 = 25;

/// The windows of a board.
pub(super) struct Windows {
    /// The windows that contain a cell.
    pub through: [u64; MAX_CELLS as usize],
    /// All windows of the line that contains a window.
    pub line: [u64; 64],
    /// All windows.
    pub all: u64,
    lines: Lines,
}

impl Default for Windows {
    fn default() -> Self {
        Windows { through: [0; MAX_CELLS as usize], line: [0; 64], all: 0, lines: Lines::Windows }
    }
}

impl Windows {
    pub fn new(game: &TicTacToe) -> Self {
        let mut windows = Windows { lines: game.lines, ..Windows::default() };
        let mut count = 0;
        for direction in &game.directions {
            let mut lines: Vec<(u64, u64)> = Vec::new();
            for start in direction.starts.cells() {
                let cells =
                    u64::bit(start) | u64::bit(start + direction.step) | u64::bit(start + 2 * direction.step);
                cells.cells().for_each(|cell| windows.through[cell as usize] |= u64::bit(count));
                // A window that begins one step after another lies in its line.
                let before = u64::bit(start) >> direction.step;
                match lines.iter_mut().find(|(starts, _)| starts & before != 0) {
                    Some((starts, line)) => {
                        (*starts, *line) = (*starts | u64::bit(start), *line | u64::bit(count));
                    }
                    None => lines.push((u64::bit(start), u64::bit(count))),
                }
                count += 1;
            }
            for (_, line) in lines {
                line.cells().for_each(|window| windows.line[window as usize] = line);
            }
        }
        windows.all = u64::first(count);
        windows
    }

    /// Returns the number of points of the windows that `side` has just filled, and removes them from its open
    /// windows.
    #[inline(always)]
    fn score(&self, side: &mut Side, filled: u64) -> i32 {
        if self.lines == Lines::Windows {
            side.open &= !filled;
            return filled.len() as i32;
        }
        // A line is one point, however many of its windows are filled.
        let (mut points, mut filled) = (0, filled);
        while filled != 0 {
            let line = self.line[filled.lowest() as usize];
            side.open &= !line;
            filled &= !line;
            points += 1;
        }
        points
    }
}

/// The cells and windows of one side.
#[derive(Copy, Clone, Default, Debug)]
pub(super) struct Side {
    /// The side's cells.
    pub cells: u32,
    /// The windows that can still become a point.
    pub open: u64,
    /// The windows of which the side has one cell, two, all three.
    pub held: [u64; 3],
}

impl Side {
    /// Returns the potential in eighths of a point: every open window counts half as much for each cell that is
    /// missing.
    #[inline(always)]
    pub fn potential(&self) -> i32 {
        let [one, two, _] = self.held;
        (self.open.len() + (self.open & one).len() + 2 * (self.open & two).len()) as i32
    }

    /// Takes a cell and returns the points that it makes.
    #[inline(always)]
    fn take(&mut self, windows: &Windows, cell: u32) -> i32 {
        let through = windows.through[cell as usize];
        let [one, two, three] = self.held;
        self.held = [one | through, two | one & through, three | two & through];
        self.cells |= 1 << cell;
        windows.score(self, self.open & two & through)
    }
}

/// A board, reduced to what matters for the rest of the match.
#[derive(Copy, Clone, Debug)]
pub(super) struct Node {
    /// The side to move.
    pub mover: Side,
    pub other: Side,
    /// The free cells that still matter.
    pub free: u32,
}

impl Node {
    /// Returns a board on which the sides have these cells; points already made do not count.
    pub fn new(windows: &Windows, cells: u32, mover: u64, other: u64) -> Self {
        let side = Side { open: windows.all, ..Side::default() };
        let free = u64::first(cells) as u32;
        let mut node = Node { mover: side, other: side, free };
        for cell in mover.cells() {
            node = node.after(windows, cell).1.turned();
        }
        let mut node = node.turned();
        for cell in other.cells() {
            node = node.after(windows, cell).1.turned();
        }
        node.turned()
    }

    fn turned(self) -> Self {
        Node { mover: self.other, other: self.mover, ..self }
    }

    /// Returns the points that the side to move makes with a cell, and the board with the other side to move.
    #[inline(always)]
    pub fn after(&self, windows: &Windows, cell: u32) -> (i32, Node) {
        let (mut mover, mut other) = (self.mover, self.other);
        let points = mover.take(windows, cell);
        other.open &= !windows.through[cell as usize];
        (points, Node { mover: other, other: mover, free: self.free & !(1 << cell) })
    }

    /// Drops the cells that no longer matter: cells of a side outside all of its open windows, and free cells outside
    /// all open windows. Having a cell is never worse than not having it, so useless free cells can wait for the end.
    #[inline]
    pub fn reduce(&mut self, windows: &Windows) {
        self.mover.cells = useful(windows, self.mover.cells, self.kept(windows, &self.mover, &self.other));
        self.other.cells = useful(windows, self.other.cells, self.kept(windows, &self.other, &self.mover));
        self.free = useful(windows, self.free, self.mover.open | self.other.open);
    }

    /// Returns the windows whose cells of a side must be kept: the open ones, and the filled ones of lines in which
    /// others look open.
    #[inline]
    fn kept(&self, windows: &Windows, side: &Side, against: &Side) -> u64 {
        if windows.lines == Lines::Windows {
            return side.open;
        }
        let [.., filled] = side.held;
        let closed = windows.all & !against.held[0] & !filled & !side.open;
        filled
            .cells()
            .filter(|&window| windows.line[window as usize] & closed != 0)
            .fold(side.open, |kept, window| kept | u64::bit(window))
    }

    /// Returns two bits for each cell: its owner, or both bits if it does not matter.
    #[inline]
    pub fn picture(&self, cells: u32) -> [u32; 2] {
        let idle = u64::first(cells) as u32 & !(self.mover.cells | self.other.cells | self.free);
        [self.mover.cells | idle, self.other.cells | idle]
    }
}

/// Returns the cells that lie in one of the windows.
#[inline(always)]
fn useful(windows: &Windows, cells: u32, of: u64) -> u32 {
    let (mut useful, mut rest) = (0, cells);
    while rest != 0 {
        let cell = rest.trailing_zeros();
        useful |= u32::from(windows.through[cell as usize] & of != 0) << cell;
        rest &= rest - 1;
    }
    useful
}
