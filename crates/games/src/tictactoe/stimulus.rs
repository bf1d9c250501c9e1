//! Codes of a board for the collective learner.

use parlor_core::{CodecInfo, Notation, Stimulus, no_such_codec};

use super::{Board, Cell, Game, TicTacToe};
use crate::board::bits::Word;

/// The one codec: the whole board. The cells of X are the lower half of a code's bits, those of O the upper half.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct WholeBoard;

impl TicTacToe {
    fn code(&self, board: &Board) -> u128 {
        u128::from(board.x) | u128::from(board.o) << self.cells()
    }

    /// Returns the board of a code; a cell that an invalid code gives to both sides is X's.
    fn decode(&self, code: u128) -> Board {
        let all = u64::first(self.cells());
        let x = code as u64 & all;
        Board { x, o: (code >> self.cells()) as u64 & all & !x }
    }
}

impl Stimulus for TicTacToe {
    type Codec = WholeBoard;

    const CODECS: &'static [CodecInfo] = &[CodecInfo { name: "board", summary: "the whole board" }];

    fn codec(&self, name: &str) -> Result<WholeBoard, String> {
        if name == "board" { Ok(WholeBoard) } else { Err(no_such_codec(name, Self::CODECS)) }
    }

    fn meaning(&self, codec: WholeBoard) -> String {
        format!("{codec:?} {}×{}", self.rows, self.columns)
    }

    fn width(&self, WholeBoard: WholeBoard) -> u32 {
        2 * self.cells()
    }

    #[inline]
    fn stimulant(&self, WholeBoard: WholeBoard, board: &Board) -> u128 {
        self.code(board)
    }

    #[inline]
    fn respondent(&self, WholeBoard: WholeBoard, board: &Board, cell: Cell) -> u128 {
        let mut after = *board;
        self.apply(&mut after, cell);
        self.code(&after)
    }

    fn in_words(&self, WholeBoard: WholeBoard, code: u128) -> String {
        self.write_position(&self.decode(code)).expect("every board has a text")
    }

    fn step_in_words(&self, codec: WholeBoard, from: u128, to: u128) -> String {
        let (before, after) = (self.decode(from), self.decode(to));
        let new = (after.x ^ before.x) | (after.o ^ before.o);
        if new.len() != 1 || from & !to != 0 {
            return format!("{} → {}", self.in_words(codec, from), self.in_words(codec, to));
        }
        let mark = if after.x.has(new.lowest()) { 'X' } else { 'O' };
        format!("{mark} takes {}", self.write_action(Cell(new.lowest() as u8)))
    }

    fn is_opening(&self, WholeBoard: WholeBoard, code: u128) -> bool {
        code == 0
    }
}
