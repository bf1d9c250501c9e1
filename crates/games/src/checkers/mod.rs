//! American checkers on boards with even sides from 4 to 12.
//!
//! After Jackson 2009 (FABLE), section on checkers: all rows are filled except the two middle ones, red begins, and a
//! stretch of moves without a capture or a man's advance is a tie. 8×8 is the standard game of the American Checker
//! Federation. The board layout is that of Samuel 1959, with one ghost bit for each two rows.

mod action;
mod balance;
mod entry;
mod evaluate;
mod generate;
mod layout;
mod net_inputs;
mod notation;
mod patterns;
mod pdn;
mod people;
mod reversible;
mod stimulus;
mod text;

use parlor_core::{Game, Keyed, Payoffs, Phase, Range, Rng, Seat, Standing};

use crate::board::bits::Word;
use action::Direction;
pub use action::{MOST_JUMPS, Move};
pub use evaluate::Weights;
pub use notation::Sheet;
pub use patterns::Patterns;
pub use reversible::Material;
pub use stimulus::Codec;

/// The smallest side of a board.
pub const MIN_SIDE: u8 = 4;
/// The largest side of a board.
pub const MAX_SIDE: u8 = 12;
/// The largest number of moves without progress that can be set.
pub const MAX_DRAW: u16 = 1000;

/// The seat of red, which sits at the bottom and moves first.
pub const RED: Seat = Seat::FIRST;
/// The seat of white, which sits at the top.
pub const WHITE: Seat = Seat::SECOND;

/// The unit of [`Options::draw`].
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Unit {
    /// Moves of one side.
    Plies,
    /// A move of each side.
    Pairs,
}

/// When jumps are compulsory.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Kings {
    /// A side that can jump must jump.
    Must,
    /// Jumping is optional as long as no man can jump.
    May,
}

/// Options on which rule books differ.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Options {
    /// The number of consecutive moves without a capture or a man's advance that makes a tie; from 1 to [`MAX_DRAW`].
    pub draw: u16,
    /// The unit of `draw`.
    pub unit: Unit,
    /// Whether kings must jump.
    pub kings: Kings,
}

impl Default for Options {
    fn default() -> Self {
        Options { draw: 50, unit: Unit::Plies, kings: Kings::Must }
    }
}

/// The rules: red (seat 0) moves first and up, white (seat 1) down.
///
/// Only dark squares are bits. A board of `columns` = 2·h has h dark squares a row; after each even row (counted from
/// 0 at the bottom) one bit stays empty, the ghost. So every step up is a shift by h (left) or h + 1 (right) in every
/// row, and a step over the side edge ends on a ghost. 8×8, h = 4, ghosts as `*`:
///
/// ```text
///   8      32  33  34  35         h8 is bit 35
///   7    27  28  29  30  *31
///   6      23  24  25  26
///   5    18  19  20  21  *22
///   4      14  15  16  17         d4 is bit 15: its neighbours are
///   3     9  10  11  12  *13      c5 = 15 + 4, e5 = 15 + 5,
///   2       5   6   7   8         e3 = 15 − 4, c3 = 15 − 5
///   1     0   1   2   3   *4
///        a b c d e f g h
/// ```
///
/// A board takes rows/2 · (columns + 1) bits: 36 for 8×8, 78 for 12×12. `W` is `u64` where that fits and `u128` for
/// 10×12, 12×10 and 12×12.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checkers<W> {
    rows: u8,
    columns: u8,
    options: Options,
    /// h, the step up left.
    half: u32,
    /// Number of plies without progress that makes a tie.
    limit: u16,
    /// All bits that are squares.
    squares: W,
    /// The top and the bottom row, where men of red and of white are crowned.
    crowning: W,
}

/// A board, the side to move, and the number of plies without progress.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Board<W> {
    /// All pieces of the side to move.
    own: W,
    /// All pieces of the other side.
    other: W,
    /// Which pieces of either side are kings.
    kings: W,
    to_move: Seat,
    /// Plies since the last capture or advance of a man.
    idle: u16,
}

impl<W: Word> Board<W> {
    fn new(red: W, white: W, kings: W, to_move: Seat, idle: u16) -> Self {
        let (own, other) = if to_move == RED { (red, white) } else { (white, red) };
        Board { own, other, kings, to_move, idle }
    }

    /// Returns all pieces of a seat.
    #[must_use]
    pub fn pieces(&self, seat: Seat) -> W {
        if seat == self.to_move { self.own } else { self.other }
    }

    /// Returns the men of a seat.
    #[must_use]
    pub fn men(&self, seat: Seat) -> W {
        self.pieces(seat) & !self.kings
    }

    /// Returns the kings of a seat.
    #[must_use]
    pub fn kings(&self, seat: Seat) -> W {
        self.pieces(seat) & self.kings
    }

    /// Returns the seat to move; after the end, the seat that would be next.
    #[must_use]
    pub const fn to_move(&self) -> Seat {
        self.to_move
    }

    /// Returns the plies since the last capture or advance of a man.
    #[must_use]
    pub const fn idle(&self) -> u16 {
        self.idle
    }
}

impl<W: Word> Checkers<W> {
    /// Returns the game on `rows` × `columns`; `None` if a side is odd or not from [`MIN_SIDE`] to [`MAX_SIDE`], if
    /// `options.draw` is not from 1 to [`MAX_DRAW`], or if the board does not fit `W`.
    #[must_use]
    pub fn new(rows: u8, columns: u8, options: Options) -> Option<Self> {
        let side = |side: u8| (MIN_SIDE..=MAX_SIDE).contains(&side) && side.is_multiple_of(2);
        let bits = u32::from(rows) / 2 * (u32::from(columns) + 1);
        if !side(rows) || !side(columns) || !(1..=MAX_DRAW).contains(&options.draw) || bits > W::BITS {
            return None;
        }
        let plies = match options.unit {
            Unit::Plies => 1,
            Unit::Pairs => 2,
        };
        let mut game = Checkers {
            rows,
            columns,
            options,
            half: u32::from(columns) / 2,
            limit: options.draw * plies,
            squares: W::ZERO,
            crowning: W::ZERO,
        };
        game.squares = (0..rows).fold(W::ZERO, |squares, row| squares | game.row(row));
        game.crowning = game.row(0) | game.row(rows - 1);
        Some(game)
    }

    /// Returns the number of rows and columns.
    #[must_use]
    pub const fn size(&self) -> (u8, u8) {
        (self.rows, self.columns)
    }

    /// Returns the rule options.
    #[must_use]
    pub const fn options(&self) -> Options {
        self.options
    }

    /// Returns the number of plies without progress that makes a tie.
    #[must_use]
    pub const fn limit(&self) -> u16 {
        self.limit
    }

    /// Returns the bit of a dark square, columns and rows counted from 0 at the bottom left; `None` for a light square
    /// or one that is not on the board.
    #[must_use]
    pub fn square(&self, column: u8, row: u8) -> Option<u32> {
        let dark = column < self.columns && row < self.rows && (column + row).is_multiple_of(2);
        dark.then(|| {
            let (column, row) = (u32::from(column), u32::from(row));
            row / 2 * (2 * self.half + 1) + row % 2 * (self.half + 1) + column / 2
        })
    }

    /// Returns the column and the row of a square's bit, counted from 0 at the bottom left.
    #[must_use]
    pub fn place(&self, square: u32) -> (u8, u8) {
        let (two_rows, rest) = (square / (2 * self.half + 1), square % (2 * self.half + 1));
        let upper = rest > self.half;
        let column = if upper { 2 * (rest - self.half - 1) + 1 } else { 2 * rest };
        (column as u8, (2 * two_rows + u32::from(upper)) as u8)
    }

    /// Returns the squares on a move's path: its start and every landing square.
    pub fn path(&self, action: Move) -> impl Iterator<Item = u32> {
        let hops = if action.jumps() == 0 { 1 } else { 2 };
        let mut at = action.start();
        std::iter::once(at).chain(action.steps().map(move |step| {
            for _ in 0..hops {
                at = neighbour(self.half, at, step);
            }
            at
        }))
    }

    /// Returns a key that ignores the count of plies without progress.
    ///
    /// For tables whose values do not depend on the count, such as endgame values without a move limit. A search that
    /// can reach the tie by [`Options::draw`] needs [`Keyed::key`].
    #[must_use]
    pub fn board_key(&self, board: &Board<W>) -> (W, W, W, u16) {
        self.key(&Board { idle: 0, ..*board })
    }

    /// Returns the dark squares of a row, counted from 0 at the bottom.
    #[inline]
    fn row(&self, row: u8) -> W {
        let row = u32::from(row);
        W::first(self.half) << (row / 2 * (2 * self.half + 1) + row % 2 * (self.half + 1))
    }
}

/// Returns the bit one step away on a board with `half` dark squares a row; meaningful only if that square exists.
#[inline]
fn neighbour(half: u32, square: u32, Direction(direction): Direction) -> u32 {
    let distance = half + u32::from(direction & 1);
    if direction & 2 == 0 { square.wrapping_add(distance) } else { square.wrapping_sub(distance) }
}

impl<W: Word> Game for Checkers<W> {
    type State = Board<W>;
    type Action = Move;
    type View = Board<W>;

    fn seats(&self) -> u8 {
        2
    }

    fn start(&self) -> Board<W> {
        let filled = self.rows / 2 - 1;
        let rows = |from: u8| (from..from + filled).fold(W::ZERO, |squares, row| squares | self.row(row));
        Board { own: rows(0), other: rows(self.rows - filled), kings: W::ZERO, to_move: RED, idle: 0 }
    }

    #[inline]
    fn phase(&self, board: &Board<W>) -> Phase {
        if board.idle < self.limit && self.can_move(board) {
            Phase::Decide(board.to_move)
        } else {
            Phase::Over
        }
    }

    #[inline]
    fn actions(&self, board: &Board<W>) -> impl ExactSizeIterator<Item = Move> {
        self.moves(board)
    }

    fn chances(&self, _: &Board<W>) -> impl Iterator<Item = (Move, f64)> {
        std::iter::empty()
    }

    #[inline]
    fn apply(&self, board: &mut Board<W>, action: Move) {
        let start = action.start();
        let (mut end, mut taken) = (start, W::ZERO);
        if action.jumps() == 0 {
            end = neighbour(self.half, end, action.step(0));
        } else {
            for n in 0..action.jumps() {
                let over = neighbour(self.half, end, action.step(n));
                taken |= W::bit(over);
                end = neighbour(self.half, over, action.step(n));
            }
        }
        // A king may end where it started, so the start is cleared before the end is set.
        let (start, end) = (W::bit(start), W::bit(end));
        let was_king = !(board.kings & start).is_empty();
        let moved = (board.own & !start) | end;
        let crown = if was_king { end } else { end & self.crowning };
        let progress = !was_king || action.jumps() > 0;
        *board = Board {
            own: board.other & !taken,
            other: moved,
            // A man never moves towards its own home row, so a piece that arrives on either outer row is crowned.
            kings: (board.kings & !(taken | start)) | crown,
            to_move: board.to_move.other(),
            idle: if progress { 0 } else { board.idle + 1 },
        };
    }

    /// A side that cannot move loses, even when the last ply completes a stretch without progress.
    #[inline]
    fn payoffs(&self, board: &Board<W>) -> Payoffs {
        if self.can_move(board) { Payoffs::zero_sum(0.0) } else { Payoffs::won_by(board.to_move.other()) }
    }

    fn range(&self) -> Range {
        Range::WIN_DRAW_LOSS
    }

    fn view(&self, board: &Board<W>, _: Seat) -> Board<W> {
        *board
    }

    fn seen(&self, _: &Board<W>, action: Move, _: Seat) -> Option<Move> {
        Some(action)
    }

    #[inline]
    fn pick(&self, board: &Board<W>, rng: &mut Rng) -> Move {
        self.pick_move(board, rng)
    }
}

/// The key distinguishes all states, including the count of plies without progress, because near the tie it decides
/// what can still happen. Tables lose little by it, as the count is 0 after every move of a man and every capture.
/// The key is exact, not a hash.
impl<W: Word> Keyed for Checkers<W> {
    type Key = (W, W, W, u16);

    #[inline]
    fn key(&self, board: &Board<W>) -> (W, W, W, u16) {
        (board.own, board.other, board.kings, 2 * board.idle + u16::from(board.to_move.0))
    }

    #[inline]
    fn standing(&self, board: &Board<W>) -> Standing<Self::Key> {
        Standing {
            key: self.board_key(board),
            reversible: u32::from(board.idle),
            left: u32::from(self.limit.saturating_sub(board.idle)),
        }
    }
}

#[cfg(test)]
mod tests;
