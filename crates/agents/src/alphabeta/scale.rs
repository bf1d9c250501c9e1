//! What values mean: evaluations in the middle, results of matches at the ends.

use parlor_core::rules::evaluate::MOST;
use parlor_core::{Game, GameValue, Range};

/// A match that is won here and now. Each ply until then takes one off: sooner is better, and a loss is better later.
pub const WON: i32 = 20_000;

/// A match that a database calls won, before the evaluation adds its part and each ply until then takes one off: better than
/// any judgement, not as good as the end itself.
const KNOWN_WON: i32 = 15_000;

/// By how much the evaluation of what a database calls won or lost is divided: among won positions, some are won sooner.
const KNOWN_SHARE: i32 = 16;

/// Ends that are further away than this are not counted.
const FURTHEST_END: i32 = 1_000;

/// Beyond every value.
pub(super) const INFINITE: i32 = 32_000;

/// What a point is in games that are played for points.
const POINT: f64 = 100.0;

/// How payoffs become values.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Scale {
    /// Matches are won, drawn or lost, and nothing else.
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

    /// Returns the value of a position `ply` plies from the root of which a database says how it ends, for the seat to move there.
    #[inline]
    pub(super) fn known(self, known: GameValue, judgement: i32, ply: usize) -> i32 {
        match known {
            GameValue::Lost => judgement / KNOWN_SHARE - KNOWN_WON + ply as i32,
            GameValue::Drawn => 0,
            GameValue::Won => judgement / KNOWN_SHARE + KNOWN_WON - ply as i32,
        }
    }

    /// Returns whether a value says who wins, for certain.
    #[inline]
    pub(super) fn is_decided(self, value: i32) -> bool {
        self.decisive && value.abs() > MOST
    }

    /// Returns the best value that can be reached from a position `ply` plies from the root where `seat` has still to move.
    #[inline]
    pub(super) fn best(self, ply: usize) -> i32 {
        if self.decisive { WON - ply as i32 - 1 } else { INFINITE }
    }

    /// Returns in how many plies the match is over, if the value says so.
    #[inline]
    pub(super) fn end_in(self, value: i32) -> Option<u32> {
        (self.decisive && value.abs() > WON - FURTHEST_END).then(|| (WON - value.abs()).max(0) as u32)
    }

    /// Returns a value as the table keeps it: counted from the position and not from the root.
    #[inline]
    pub(super) fn stored(self, value: i32, ply: usize) -> i32 {
        if self.is_decided(value) { value + value.signum() * ply as i32 } else { value }
    }

    /// Returns what the table keeps as a value at `ply`.
    #[inline]
    pub(super) fn restored(self, value: i32, ply: usize) -> i32 {
        if self.is_decided(value) { value - value.signum() * ply as i32 } else { value }
    }
}
