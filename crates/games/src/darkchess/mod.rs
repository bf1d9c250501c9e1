//! Chinese dark chess (banqi, 暗棋) on 4×8: 32 pieces face down, turned up one by one.
//!
//! The worked example of Hsu, "Theory of Computer Games: Concluding Remarks", by tournament rules; the guide's page says
//! how we read them. Where pieces lie is chance that nobody has looked at, so the game hides nothing: a view is the
//! whole state, and a flip is a decision followed by a ply of chance.

mod board;
mod entry;
mod evaluate;
mod keys;
mod moves;
mod notation;
mod past;
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
pub use reversible::{Force, Forces, Lineup, MOST_PIECES};
pub use squares::{FILES, RANKS, SQUARES, Square};

use board::FACE_DOWN;
use moves::Actions;

/// The latest occurrence of a position that a rule can ask for.
pub const MAX_REPETITION: u8 = 5;

/// The rules: a turn flips a piece, steps to a neighbouring square, or captures; who can do nothing or has lost every
/// piece has lost.
///
/// Seat 0 turns up the first piece and plays its colour.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DarkChess {
    /// So many plies without flip or capture are a draw.
    draw: u8,
    /// The occurrence of a position that makes a draw.
    repetition: Option<u8>,
}

/// What a seat or chance does.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Chooses a piece to turn up.
    Flip(Square),
    /// Moves a piece from one square to another, taking what is there.
    Move(Square, Square),
    /// Chance shows what was turned up.
    Reveal(Piece),
}

/// How a match has ended.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// All pieces of the colour to move are taken: it has lost, even if pieces of the other side lie face down.
    Captured,
    /// The colour to move has pieces but can do nothing: it has lost.
    Stuck,
    /// A draw: too many plies without flip or capture.
    Quiet,
    /// A draw: the position has occurred too often.
    Repetition,
}

impl DarkChess {
    /// Makes the game; `None` if `draw` is 0 or `repetition` is not 2 … [`MAX_REPETITION`].
    ///
    /// `draw` plies without flip or capture are a draw, and so is the `repetition`-th occurrence of a position.
    #[must_use]
    pub fn new(draw: u8, repetition: Option<u8>) -> Option<Self> {
        (draw > 0 && repetition.is_none_or(|n| (2..=MAX_REPETITION).contains(&n)))
            .then_some(DarkChess { draw, repetition })
    }

    /// Returns how the match has ended, if it has.
    ///
    /// A loss counts before a draw: a quiet ply that leaves the opponent nothing to do wins, even if it was the last
    /// that the draw rule allows.
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

    /// Returns how many quiet plies are left until the draw.
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

    // Always, because a playout is little else: inlined, an action stays in registers, which
    // spares 6 % of a playout's instructions.
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

/// From so many quiet plies before the draw on, the key tells how many are left.
///
/// Chosen, not tuned: deeper than searches look, so that one which starts earlier never meets the draw under a key that
/// does not tell of it; and small enough that the same board reached by a detour usually shares its key.
const NEAR_DRAW: usize = 32;

impl Keyed for DarkChess {
    type Key = u64;

    /// Returns a hash of what lies where, what lies face down, who is to move, and how near the draw is once it is
    /// within 32 plies.
    ///
    /// The key leaves out which positions have occurred before: like every table that chess programs keep, one under
    /// this key takes a position that occurs again for the same position.
    #[inline]
    fn key(&self, board: &Board) -> u64 {
        let left = self.quiet_left(board);
        let near = if left <= NEAR_DRAW { keys::draw_in(left as u64) } else { 0 };
        board.hash ^ near ^ board.flipping.map_or(0, keys::flipping)
    }
}

#[cfg(test)]
mod tests;
