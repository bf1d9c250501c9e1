//! Cells of a board: who holds them and which ones win. Solvers and evaluations build on these.

use parlor_core::{Game, Keyed, Phase, Seat};

use super::{Board, Connect, with_steps};
use crate::board::bits::Word;

impl<W: Word> Connect<W> {
    /// Returns the number of the cell in `column` and `row`, both counted from 0, rows from the bottom.
    #[inline]
    #[must_use]
    pub const fn cell(&self, column: u8, row: u8) -> u32 {
        column as u32 * self.stride() + row as u32
    }

    /// Returns whether the match is over.
    #[inline]
    #[must_use]
    pub fn is_over(&self, board: &Board<W>) -> bool {
        board.taken.has(u32::from(self.height))
    }

    /// Returns the cells that hold a disc.
    #[inline]
    #[must_use]
    pub fn taken(&self, board: &Board<W>) -> W {
        board.taken & self.board
    }

    /// Returns the cells of one seat.
    #[inline]
    #[must_use]
    pub fn discs(&self, board: &Board<W>, seat: Seat) -> W {
        let taken = self.taken(board);
        if taken.len() & 1 == u32::from(seat.0) { board.mover } else { taken ^ board.mover }
    }

    /// Returns the cells that the next disc can fall into, one for each column that is not full; empty after the end.
    #[inline]
    #[must_use]
    pub fn playable(&self, board: &Board<W>) -> W {
        if self.is_over(board) {
            return W::ZERO;
        }
        (board.taken << 1 | self.bottom) & !board.taken & self.board
    }

    /// Returns the free cells in which a disc would complete a row of `seat`, whether or not it can fall there yet.
    #[inline]
    #[must_use]
    pub fn winning_cells(&self, board: &Board<W>, seat: Seat) -> W {
        self.completing_any(self.discs(board, seat)) & self.board & !board.taken
    }

    /// Returns the cells that one more of `discs` would make part of a row, whether or not they are taken.
    #[inline]
    pub(super) fn completing_any(&self, discs: W) -> W {
        let last = u32::from(self.row) - 1;
        let mut cells = W::ZERO;
        for step in self.steps {
            // The missing disc has `before` discs on one side and the rest on the other.
            for before in 0..=last {
                let left = runs(discs, step, before) << (before * step);
                // If nothing has to follow, a shift would bring in zeros from beyond the word.
                let right = if before == last { !W::ZERO } else { runs(discs, step, last - before) >> step };
                cells |= left & right;
            }
        }
        cells
    }

    /// Returns the winner; `None` in a draw and before the end.
    #[must_use]
    pub fn winner(&self, board: &Board<W>) -> Option<Seat> {
        let taken = self.taken(board);
        let last = Seat((taken.len() & 1) as u8).other();
        (self.is_over(board) && self.has_row(taken ^ board.mover)).then_some(last)
    }

    /// Returns the cells of all rows of the winner; empty without a winner.
    #[must_use]
    pub fn winning_row(&self, board: &Board<W>) -> W {
        let discs = self.winner(board).map_or(W::ZERO, |seat| self.discs(board, seat));
        let mut cells = W::ZERO;
        for step in self.steps {
            let starts = runs(discs, step, u32::from(self.row));
            cells = (0..u32::from(self.row)).fold(cells, |cells, n| cells | starts << (n * step));
        }
        cells
    }

    /// Returns the smaller of the keys of a board and of its mirror image, which has the same value.
    #[must_use]
    pub fn mirror_key(&self, board: &Board<W>) -> W {
        let key = self.key(board);
        key.min(self.mirror_image(key))
    }

    /// Returns a set of cells, or a key, with left and right exchanged.
    #[must_use]
    pub fn mirror_image(&self, cells: W) -> W {
        let column = W::first(self.stride());
        let last = u32::from(self.width) - 1;
        (0..=last).fold(W::ZERO, |image, c| {
            image | (cells >> (c * self.stride()) & column) << ((last - c) * self.stride())
        })
    }

    /// Returns whether the discs of one side contain a row.
    #[inline]
    pub(super) fn has_row(&self, discs: W) -> bool {
        if self.row == 4 {
            // The usual length, unrolled: with the loop below a random match is a fifth slower.
            return !with_steps!(self, steps => fours(discs, steps)).is_empty();
        }
        // All directions side by side, so that the steps of one do not wait for those of another.
        let mut rows = [discs; 4];
        let mut length = 1;
        while length < u32::from(self.row) {
            let more = length.min(u32::from(self.row) - length);
            for (row, step) in rows.iter_mut().zip(self.steps) {
                *row &= *row >> (more * step);
            }
            length += more;
        }
        !(rows[0] | rows[1] | rows[2] | rows[3]).is_empty()
    }

    /// Returns the board on which each seat has these cells; their number determines the seat to move. The caller
    /// guarantees that they are disjoint and that no disc hovers.
    pub(super) fn with_discs(&self, first: W, second: W) -> Board<W> {
        let mover = if first.len() == second.len() { first } else { second };
        let taken = first | second;
        let over = self.has_row(first) || self.has_row(second) || taken == self.board;
        Board { mover, taken: if over { taken | self.over() } else { taken } }
    }

    /// Returns the seat to move; `None` after the end.
    pub(super) fn to_move(&self, board: &Board<W>) -> Option<Seat> {
        match self.phase(board) {
            Phase::Decide(seat) => Some(seat),
            _ => None,
        }
    }
}

/// Returns the cells at which rows of four begin.
#[inline(always)]
fn fours<W: Word>(discs: W, steps: [u32; 4]) -> W {
    let fours = steps.map(|step| {
        let twos = discs & discs >> step;
        twos & twos >> (2 * step)
    });
    fours[0] | fours[1] | fours[2] | fours[3]
}

/// Returns the cells at which `length` cells of `discs` in a line begin; every cell for a length of 0.
#[inline]
fn runs<W: Word>(discs: W, step: u32, length: u32) -> W {
    if length == 0 {
        return !W::ZERO;
    }
    let (mut runs, mut done) = (discs, 1);
    while done < length {
        // A run of m and another that begins at most m further on form a longer one.
        let more = done.min(length - done);
        runs &= runs >> (more * step);
        done += more;
    }
    runs
}
