//! Chinese dark chess (banqi, 暗棋) on 4×8: 32 pieces face down, turned up one by one.
//!
//! The worked example of Hsu, "Theory of Computer Games: Concluding Remarks", by tournament rules; the guide's page
//! documents our reading of them. The layout of the pieces is unknown to both seats, so the game hides nothing: a
//! view is the whole state, and a flip is a decision followed by a chance ply.

mod board;
mod entry;
mod evaluate;
mod keys;
mod layout;
mod moves;
mod notation;
mod past;
mod people;
mod pick;
mod pieces;
mod pool;
mod read;
mod reversible;
mod select;
mod squares;

use parlor_core::{Game, Keyed, Payoffs, Phase, Range, Rng, Seat};

pub use board::{Board, Contents};
pub use evaluate::Weights;
pub use notation::Sheet;
pub use past::MAX_QUIET;
pub use pieces::{Colour, Kind, Piece};
pub use pool::Pool;
pub use reversible::{Force, Forces, Lineup, MAX_PIECES};
pub use squares::{FILES, RANKS, SQUARES, Square};

use board::FACE_DOWN;
use moves::Actions;

/// The largest number of occurrences of a position that the rule allows.
pub const MAX_REPETITION: u8 = 5;

/// The rules: a turn flips a piece, steps to a neighbouring square, or captures; a side that cannot act or has lost
/// every piece loses.
///
/// Seat 0 turns up the first piece and plays its colour.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DarkChess {
    /// Number of plies without flip or capture that makes a draw.
    draw: u8,
    /// Number of occurrences of a position that makes a draw.
    repetition: Option<u8>,
}

/// An action of a seat or of chance.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Chooses a piece to turn up.
    Flip(Square),
    /// Moves a piece from one square to another, taking the piece there.
    Move(Square, Square),
    /// Chance reveals the piece that was turned up.
    Reveal(Piece),
}

/// Reason for the end of a match.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// All pieces of the colour to move are taken: it loses, even if pieces of the other side lie face down.
    Captured,
    /// The colour to move has pieces but cannot act: it loses.
    Stuck,
    /// A draw: too many plies without flip or capture.
    Quiet,
    /// A draw: the position has occurred too often.
    Repetition,
}

impl DarkChess {
    /// Returns the game; `None` if `draw` is 0 or `repetition` is not 2 … [`MAX_REPETITION`].
    ///
    /// `draw` plies without flip or capture are a draw, and so is the `repetition`-th occurrence of a position.
    #[must_use]
    pub fn new(draw: u8, repetition: Option<u8>) -> Option<Self> {
        (draw > 0 && repetition.is_none_or(|n| (2..=MAX_REPETITION).contains(&n)))
            .then_some(DarkChess { draw, repetition })
    }

    /// Returns the reason for the end of the match; `None` before the end.
    ///
    /// A loss takes precedence over a draw: a quiet ply that leaves the opponent without an action wins, even if it
    /// was the last that the draw rule allows.
    #[must_use]
    pub fn ending(&self, board: &Board) -> Option<Ending> {
        if board.flipping.is_some() {
            None
        } else if board.wiped_out() {
            Some(Ending::Captured)
        } else if !board.can_act() {
            Some(Ending::Stuck)
        } else if !board.drawn {
            None
        } else if board.quiet_plies() >= usize::from(self.draw) {
            Some(Ending::Quiet)
        } else {
            Some(Ending::Repetition)
        }
    }

    /// Returns the number of quiet plies until the draw.
    #[inline]
    fn quiet_left(&self, board: &Board) -> usize {
        usize::from(self.draw).saturating_sub(board.quiet_plies())
    }
}

impl Game for DarkChess {
    type State = Board;
    type Action = Action;
    type View = Board;

    fn seats(&self) -> u8 {
        2
    }

    fn start(&self) -> Board {
        Board::new([FACE_DOWN; SQUARES], Pool::full(), None, Seat::FIRST)
    }

    #[inline]
    fn phase(&self, board: &Board) -> Phase {
        if board.flipping.is_some() {
            Phase::Chance
        } else if board.drawn || !board.can_act() {
            Phase::Over
        } else {
            Phase::Decide(board.seat)
        }
    }

    #[inline]
    fn actions(&self, board: &Board) -> impl ExactSizeIterator<Item = Action> {
        if board.drawn || board.flipping.is_some() { Actions::default() } else { board.offered() }
    }

    #[inline]
    fn chances(&self, board: &Board) -> impl Iterator<Item = (Action, f64)> {
        let pool = if board.flipping.is_some() { board.pool } else { Pool::default() };
        let total = f64::from(pool.total());
        pool.kinds().map(move |piece| (Action::Reveal(piece), f64::from(pool.count(piece)) / total))
    }

    // `always`, because a playout does little else: inlined, an action stays in registers, which saves 6 % of a
    // playout's instructions.
    #[inline(always)]
    fn apply(&self, board: &mut Board, action: Action) {
        match action {
            Action::Flip(square) => board.flip(square),
            Action::Reveal(piece) => board.reveal(piece),
            Action::Move(from, to) => {
                let perhaps_again = board.go(from, to);
                let times = match self.repetition {
                    Some(_) if perhaps_again => board.past.occurrences(&board.squares),
                    _ => 1,
                };
                board.again = times > 1;
                board.drawn = board.quiet_plies() >= usize::from(self.draw)
                    || self.repetition.is_some_and(|n| times >= u32::from(n));
            }
        }
    }

    #[inline]
    fn payoffs(&self, board: &Board) -> Payoffs {
        if board.can_act() { Payoffs::zero_sum(0.0) } else { Payoffs::won_by(board.seat.other()) }
    }

    fn range(&self) -> Range {
        Range::WIN_DRAW_LOSS
    }

    fn view(&self, board: &Board, _: Seat) -> Board {
        board.clone()
    }

    fn seen(&self, _: &Board, action: Action, _: Seat) -> Option<Action> {
        Some(action)
    }

    #[inline]
    fn pick(&self, board: &Board, rng: &mut Rng) -> Action {
        board.pick(rng)
    }

    #[inline]
    fn sample(&self, board: &Board, rng: &mut Rng) -> Action {
        Action::Reveal(board.pool.nth(rng.below(board.pool.total())))
    }
}

/// Number of quiet plies before the draw from which on the key includes the plies left.
///
/// Chosen, not tuned: larger than usual search depths, so that a search that starts earlier never meets the draw
/// under a key without it; and small enough that the same board reached by a detour usually shares its key.
const NEAR_DRAW: usize = 32;

impl Keyed for DarkChess {
    type Key = u64;

    /// Returns a hash of the squares, the pieces face down, the side to move, and the plies left to the draw if it is
    /// within 32 plies.
    ///
    /// The key ignores which positions have occurred before: as in the transposition tables of chess programs, a
    /// repeated position shares its entry.
    #[inline]
    fn key(&self, board: &Board) -> u64 {
        let left = self.quiet_left(board);
        let near = if left <= NEAR_DRAW { keys::draw_in(left as u64) } else { 0 };
        board.hash ^ near ^ board.flipping.map_or(0, keys::flipping)
    }
}

#[cfg(test)]
mod tests;
