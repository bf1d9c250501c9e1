//! Static evaluation: threats to complete a row, and discs on cells where many rows cross.
//!
//! That threats in rows of one parity favour one side is due to V. Allis, *A knowledge-based approach of
//! connect-four*, 1988, chapter 3.

use parlor_core::rules::evaluate::MOST;
use parlor_core::{Evaluate, Game, ReadError};
use serde::Deserialize;

use super::{Board, Column, Connect, with_steps};
use crate::board::bits::Word;
use crate::weights;

/// The data file.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    fitting_threat: i32,
    other_threat: i32,
    stacked_threats: i32,
    line: i32,
    forced: i32,
    turn: i32,
}

/// Weights prepared for one board size.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights<W> {
    file: File,
    /// Number of possible rows through each cell.
    lines: Box<[i32]>,
    /// Bit planes of the same numbers: `planes[k]` holds the cells whose number has bit *k* set.
    planes: [W; PLANES],
    /// Number of planes that are not empty.
    used: usize,
    /// The rows whose threats favour the first seat, and those that favour the second.
    fitting: [W; 2],
}

/// Bits of a number of rows: a cell is part of at most four rows for each of its places in them, and no row longer
/// than 16 crosses another that often on a board of 128 cells.
const PLANES: usize = 6;

/// The largest weight. Sums over 128 cells are clamped to [`UNDECIDED`].
const MAX_WEIGHT: i32 = 1_000;

/// Value of winning with the next disc, or losing to the next but one.
const DECIDED: i32 = MOST - 100;
/// Bound on the value of all other positions.
const UNDECIDED: i32 = MOST - 1_000;

/// Move-ordering scores of decisive actions; other actions score the number of rows through their cell.
const WINS: i32 = 4_000;
const BLOCKS: i32 = 2_000;
const GIVES_AWAY: i32 = -2_000;

impl<W: Word> Connect<W> {
    /// Returns the free cells in which one more of `discs` completes a row: a fast version of
    /// [`winning_cells`](Connect::winning_cells) for rows of four.
    #[inline]
    fn completing(&self, discs: W, free: W) -> W {
        if self.row != 4 {
            return self.completing_any(discs) & free;
        }
        with_steps!(self, steps => fours_but_one(discs, steps)) & free
    }

    fn lines_through(&self, row: u8, column: u8) -> i32 {
        let (width, height, length) = (i32::from(self.width), i32::from(self.height), i32::from(self.row));
        let inside = |c: i32, r: i32| (0..width).contains(&c) && (0..height).contains(&r);
        let mut lines = 0;
        for (right, up) in [(0, 1), (1, 0), (1, -1), (1, 1)] {
            for place in 0..length {
                let (c, r) = (i32::from(column) - place * right, i32::from(row) - place * up);
                let (last_c, last_r) = (c + (length - 1) * right, r + (length - 1) * up);
                lines += i32::from(inside(c, r) && inside(last_c, last_r));
            }
        }
        lines
    }

    /// Returns the cell that a disc falls into.
    #[inline]
    fn landing(&self, board: &Board<W>, Column(column): Column) -> W {
        let column = self.column << (u32::from(column) * self.stride());
        (board.taken << 1 | self.bottom) & !board.taken & column
    }
}

/// Returns the cells that one more of `discs` makes part of a row of four.
#[inline(always)]
fn fours_but_one<W: Word>(discs: W, steps: [u32; 4]) -> W {
    let mut cells = W::ZERO;
    for step in steps {
        let (one, two) = (discs << step, discs << (2 * step));
        let (back, two_back) = (discs >> step, discs >> (2 * step));
        let (before, after) = (one & two, back & two_back);
        cells |= before & (discs << (3 * step) | back) | after & (discs >> (3 * step) | one);
    }
    cells
}

impl<W: Word> Evaluate for Connect<W> {
    type Weights = Weights<W>;

    const WEIGHTS: &'static str = include_str!("../../data/connect.toml");
    const UNIT: &'static str = "hundredths of a disc";

    fn read_weights(&self, text: &str) -> Result<Weights<W>, ReadError> {
        let file: File = weights::read("weights of connect", text)?;
        weights::within(
            "weights of connect",
            MAX_WEIGHT,
            &[
                ("fitting_threat", file.fitting_threat),
                ("other_threat", file.other_threat),
                ("stacked_threats", file.stacked_threats),
                ("line", file.line),
                ("forced", file.forced),
                ("turn", file.turn),
            ],
        )?;
        let mut lines = vec![0; W::BITS as usize];
        let (mut planes, mut fitting) = ([W::ZERO; PLANES], [W::ZERO; 2]);
        for column in 0..self.width {
            for row in 0..self.height {
                let (cell, count) = (self.cell(column, row), self.lines_through(row, column));
                lines[cell as usize] = count;
                for (k, plane) in planes.iter_mut().enumerate() {
                    if count >> k & 1 == 1 {
                        *plane |= W::bit(cell);
                    }
                }
                fitting[usize::from(row % 2)] |= W::bit(cell);
            }
        }
        let used = planes.iter().rposition(|plane| !plane.is_empty()).map_or(0, |last| last + 1);
        Ok(Weights { file, lines: lines.into(), planes, used, fitting })
    }

    #[inline]
    fn evaluate(&self, weights: &Weights<W>, board: &Board<W>) -> i32 {
        let file = &weights.file;
        let taken = board.taken;
        let (own, other) = (board.mover, taken ^ board.mover);
        let free = self.board & !taken;
        let playable = (taken << 1 | self.bottom) & free;

        let own_wins = self.completing(own, free);
        if !(own_wins & playable).is_empty() {
            return DECIDED;
        }
        let other_wins = self.completing(other, free);
        let blocks = other_wins & playable;
        let mut value = file.turn;
        if !blocks.is_empty() {
            // Two cells cannot both be blocked, and a block is useless if the disc above it wins.
            if !blocks.without_lowest().is_empty() || !(blocks << 1 & other_wins).is_empty() {
                return -DECIDED;
            }
            value -= file.forced;
        }
        let seat = (taken.len() & 1) as usize;
        let threats = |wins: W, seat: usize| {
            if wins.is_empty() {
                return 0;
            }
            let fitting = (wins & weights.fitting[seat]).len() as i32;
            let others = wins.len() as i32 - fitting;
            let stacked = (wins & wins << 1).len() as i32;
            fitting * file.fitting_threat + others * file.other_threat + stacked * file.stacked_threats
        };
        value += threats(own_wins, seat) - threats(other_wins & !playable, 1 - seat);
        let lines = weights.planes[..weights.used].iter().enumerate().fold(0, |sum, (k, &plane)| {
            sum + (((own & plane).len() as i32 - (other & plane).len() as i32) << k)
        });
        value += lines * file.line;
        value.clamp(-UNDECIDED, UNDECIDED)
    }

    #[inline]
    fn promise(&self, weights: &Weights<W>, board: &Board<W>, action: Column) -> i32 {
        let cell = self.landing(board, action);
        let (own, other) = (board.mover, board.taken ^ board.mover);
        if self.has_row(own | cell) {
            return WINS;
        }
        if self.has_row(other | cell) {
            return BLOCKS;
        }
        if self.has_row(other | (cell << 1 & self.board)) {
            return GIVES_AWAY;
        }
        weights.lines[cell.lowest() as usize]
    }

    /// Computes once for all columns where each side completes a row.
    #[inline]
    fn promises(&self, weights: &Weights<W>, board: &Board<W>, mut visit: impl FnMut(Column, i32)) {
        let free = self.board & !board.taken;
        let playable = (board.taken << 1 | self.bottom) & free;
        let own_wins = self.completing(board.mover, free) & playable;
        let other_wins = self.completing(board.taken ^ board.mover, free);
        let (blocks, given_away) = (other_wins & playable, other_wins >> 1 & playable);
        let special = own_wins | blocks | given_away;
        for (column, cell) in self.actions(board).zip(playable.cells()) {
            let promise = if !special.has(cell) {
                weights.lines[cell as usize]
            } else if own_wins.has(cell) {
                WINS
            } else if blocks.has(cell) {
                BLOCKS
            } else {
                GIVES_AWAY
            };
            visit(column, promise);
        }
    }
}

#[cfg(test)]
mod tests {
    use parlor_core::{Phase, Rng};

    use super::*;
    use crate::board::wide::U192;

    fn walks<W: Word>(game: &Connect<W>, mut visit: impl FnMut(&Board<W>)) {
        for seed in 0..40 {
            let (mut board, mut rng) = (game.start(), Rng::new(seed));
            while let Phase::Decide(_) = game.phase(&board) {
                visit(&board);
                let action = game.pick(&board, &mut rng);
                game.apply(&mut board, action);
            }
        }
    }

    fn agrees<W: Word>(width: u8, height: u8, row: u8) {
        let game = Connect::<W>::new(width, height, row).unwrap();
        let weights = game.read_weights(Connect::<W>::WEIGHTS).unwrap();
        walks(&game, |board| {
            let Phase::Decide(seat) = game.phase(board) else { unreachable!() };
            let free = game.board & !board.taken;
            assert_eq!(game.completing(board.mover, free), game.winning_cells(board, seat));
            let value = game.evaluate(&weights, board);
            assert!(value.abs() <= MOST);
            let mirrored =
                Board { mover: game.mirror_image(board.mover), taken: game.mirror_image(board.taken) };
            assert_eq!(game.evaluate(&weights, &mirrored), value, "left and right do not matter");
            let wins = |column| {
                let mut next = *board;
                game.apply(&mut next, column);
                game.winner(&next).is_some()
            };
            assert_eq!(value == DECIDED, game.actions(board).any(wins), "wins at once are seen");
            let mut promised = Vec::new();
            game.promises(&weights, board, |column, promise| promised.push((column, promise)));
            let one_by_one =
                game.actions(board).map(|column| (column, game.promise(&weights, board, column)));
            assert_eq!(promised, one_by_one.collect::<Vec<_>>());
            for (column, promise) in promised {
                assert_eq!(promise == WINS, wins(column));
            }
        });
    }

    #[test]
    fn evaluations_agree_on_every_word_and_row() {
        agrees::<u64>(7, 6, 4);
        agrees::<u64>(5, 5, 3);
        agrees::<u128>(11, 10, 4);
        agrees::<u128>(11, 10, 5);
        agrees::<U192>(12, 10, 4);
    }

    #[test]
    fn a_lost_board_looks_lost() {
        let game = Connect::<u64>::new(7, 6, 4).unwrap();
        let weights = game.read_weights(Connect::<u64>::WEIGHTS).unwrap();
        // Three in the bottom row with both ends open: the second seat is to move and cannot block both.
        let mut board = game.start();
        for column in [2, 2, 3, 3, 4] {
            game.apply(&mut board, Column(column));
        }
        assert_eq!(game.evaluate(&weights, &board), -DECIDED);
    }

    #[test]
    fn errors_of_broken_files_name_the_line() {
        let game = Connect::<u64>::new(7, 6, 4).unwrap();
        let says = |text: &str| game.read_weights(text).unwrap_err().to_string();
        assert!(says("line = x").contains("line 1"), "{}", says("line = x"));
        let text = Connect::<u64>::WEIGHTS;
        assert!(says(&format!("{text}lin = 3\n")).contains("unknown field `lin`"));
        assert!(says(&text.replace("turn = 10", "")).contains("missing field `turn`"));
        assert!(says(&text.replace("turn = 10", "turn = 10000")).contains("between -1000 and 1000"));
    }
}
