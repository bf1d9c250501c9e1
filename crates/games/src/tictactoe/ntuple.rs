//! Tuples of cells for the learner `ntuple`.

use parlor_core::{Afterstates, CodecInfo, Game, Payoffs, Positions, Seat, StageResult};

use super::{Board, Cell, TicTacToe};
use crate::board::bits::Word;
use crate::board::tuples::{CellTuples, blocks};

/// The digits of a cell: free, X, O.
const SYMBOLS: u32 = 3;

/// The part of the cells that the winner has more points, at which the result counts as 1. Few matches between players who know the rules
/// end with more.
const POINTS_SHARE: f64 = 0.5;

impl TicTacToe {
    /// Returns the active entries after a seat's move, those of the second seat after those of the first.
    #[inline]
    fn list_entries(&self, layout: &CellTuples, board: &Board, seat: Seat, out: &mut Vec<u32>) {
        let from = out.len();
        layout.begin(u32::from(seat.0) * layout.entries(), out);
        for (side, symbol) in [(board.x, 1), (board.o, 2)] {
            for cell in side.cells() {
                layout.put(cell, symbol, &mut out[from..]);
            }
        }
    }

    #[inline]
    fn seat_to_move(board: &Board) -> Seat {
        Seat(((board.x | board.o).len() & 1) as u8)
    }
}

impl Afterstates for TicTacToe {
    type Layout = CellTuples;
    type Scratch = Vec<u32>;

    const LAYOUTS: &'static [CodecInfo] = &[
        CodecInfo {
            name: "blocks", summary: "blocks of 3×3 and 3×4 cells; on small boards the whole board"
        },
        CodecInfo { name: "small", summary: "blocks of 3×3 and 2×4 cells" },
    ];

    fn table_layout(&self, name: &str) -> Result<CellTuples, String> {
        let (width, height) = (self.columns, self.rows);
        let mut tuples = blocks(width, height, 3, 3);
        let [rows, columns] = if name == "blocks" { [3, 4] } else { [2, 4] };
        if self.cells() > 9 {
            tuples.extend(blocks(width, height, rows, columns));
        }
        CellTuples::new(width, height, SYMBOLS, &tuples)
    }

    fn layout_meaning(&self, _: &CellTuples) -> String {
        format!("{}x{} {:?}", self.rows, self.columns, self.lines)
    }

    fn entries(&self, layout: &CellTuples) -> usize {
        2 * layout.entries() as usize
    }

    fn most_active(&self, layout: &CellTuples) -> usize {
        layout.len()
    }

    #[inline]
    fn active(&self, layout: &CellTuples, board: &Board, action: Cell, out: &mut Vec<u32>) {
        let mut next = *board;
        self.apply(&mut next, action);
        self.list_entries(layout, &next, Self::seat_to_move(board), out);
    }

    /// Sums up once for the board before the action: an action changes the tuples of its cell only.
    #[inline]
    fn sums(
        &self,
        layout: &CellTuples,
        entries: &mut Vec<u32>,
        weights: &[f32],
        board: &Board,
        actions: &[Cell],
        out: &mut Vec<f32>,
    ) {
        let seat = Self::seat_to_move(board);
        entries.clear();
        self.list_entries(layout, board, seat, entries);
        let base: f32 = entries.iter().map(|&entry| weights[entry as usize]).sum();
        let symbol = 1 + u32::from(seat.0);
        out.clear();
        out.extend(
            actions.iter().map(|&Cell(cell)| base + layout.gain(u32::from(cell), symbol, entries, weights)),
        );
    }

    fn alternates(&self) -> bool {
        true
    }

    fn target(&self, _: &CellTuples, seat: Seat, _: &StageResult, payoffs: Option<&Payoffs>) -> Option<f32> {
        let most = POINTS_SHARE * f64::from(self.cells());
        payoffs.map(|payoffs| (payoffs.of(seat) / most).clamp(-1.0, 1.0) as f32)
    }
}

impl Positions for TicTacToe {
    #[inline]
    fn position_sum(&self, layout: &CellTuples, weights: &[f32], board: &Board) -> f32 {
        let mut entries = Vec::with_capacity(layout.len());
        self.list_entries(layout, board, Self::seat_to_move(board).other(), &mut entries);
        entries.iter().map(|&entry| weights[entry as usize]).sum()
    }
}
