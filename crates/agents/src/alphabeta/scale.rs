//! The scale of values: evaluations in the middle, results of matches at the ends.

use parlor_core::rules::evaluate::MOST;
use parlor_core::{Game, GameValue, Range};

/// The value of an immediate win, minus one for each ply until then, so that quick wins and late losses are preferred.
pub const WON: i32 = 20_000;

/// The value of a win known from a database, before adding a share of the evaluation and subtracting one per ply: above
/// every evaluation, below every win on the board.
const KNOWN_WON: i32 = 15_000;

/// The divisor of the evaluation where a database knows the result. The evaluation still guides the play among won
/// positions.
const KNOWN_SHARE: i32 = 16;

/// The greatest distance of an end that [`Scale::end_in`] recognises.
const FURTHEST_END: i32 = 1_000;

/// Above every value.
pub(super) const INFINITE: i32 = 32_000;

/// The value of a point in games that are played for points.
const POINT: f64 = 100.0;

/// The conversion of payoffs into values.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Scale {
    /// Whether every match is won, drawn or lost.
    decisive: bool,
}

impl Scale {
    pub(super) fn of(game: &impl Game) -> Scale {
        Scale { decisive: game.range() == Range::WIN_DRAW_LOSS }
    }

    /// Returns the value of a match that has ended `ply` plies from the root.
    #[inline]
    pub(super) fn end(self, payoff: f64, ply: usize) -> i32 {
        if !self.decisive {
            return (payoff * POINT).round() as i32;
        }
        if payoff > 0.0 {
            WON - ply as i32
        } else if payoff < 0.0 {
            ply as i32 - WON
        } else {
            0
        }
    }

    /// Returns the value for the seat to move of a position `ply` plies from the root, if a database knows its result.
    #[inline]
    pub(super) fn known(self, known: GameValue, evaluation: i32, ply: usize) -> i32 {
        match known {
            GameValue::Lost => evaluation / KNOWN_SHARE - KNOWN_WON + ply as i32,
            GameValue::Drawn => 0,
            GameValue::Won => evaluation / KNOWN_SHARE + KNOWN_WON - ply as i32,
        }
    }

    /// Returns whether a value is a certain win or loss.
    #[inline]
    pub(super) fn is_decided(self, value: i32) -> bool {
        self.decisive && value.abs() > MOST
    }

    /// Returns the best value that the seat to move can ensure_ply from a position `ply` plies from the root.
    #[inline]
    pub(super) fn best(self, ply: usize) -> i32 {
        if self.decisive { WON - ply as i32 - 1 } else { INFINITE }
    }

    /// Returns in how many plies the match ends, if the value says so.
    #[inline]
    pub(super) fn end_in(self, value: i32) -> Option<u32> {
        (self.decisive && value.abs() > WON - FURTHEST_END).then(|| (WON - value.abs()).max(0) as u32)
    }

    /// Converts a value for storage in the table, where distances count from the position instead of the root.
    #[inline]
    pub(super) fn stored(self, value: i32, ply: usize) -> i32 {
        if self.is_decided(value) { value + value.signum() * ply as i32 } else { value }
    }

    /// Converts a stored value back for use at `ply`.
    #[inline]
    pub(super) fn restored(self, value: i32, ply: usize) -> i32 {
        if self.is_decided(value) { value - value.signum() * ply as i32 } else { value }
    }
}
