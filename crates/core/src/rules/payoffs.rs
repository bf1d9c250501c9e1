//! What a finished match is worth to each seat.

use std::cmp::Ordering;

use crate::rules::seat::{BySeat, Seat};

/// What each seat got out of a match. Larger is better; the scale is the game's and lies in its [`Range`].
///
/// Seats that a game does not have hold 0.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub struct Payoffs(pub BySeat<f64>);

impl Payoffs {
    /// Payoffs of a two-seat game in which one seat gains what the other loses.
    #[inline]
    #[must_use]
    pub const fn zero_sum(first: f64) -> Self {
        // `0.0 - x` rather than `-x`: a draw is 0 for both, never -0.
        Payoffs(BySeat([first, 0.0 - first]))
    }

    /// Payoffs in which `winner` gets 1 and the other seat −1.
    #[inline]
    #[must_use]
    pub const fn won_by(winner: Seat) -> Self {
        Self::zero_sum(if winner.0 == 0 { 1.0 } else { -1.0 })
    }

    /// The payoff of a game with one seat.
    #[inline]
    #[must_use]
    pub const fn solitary(only: f64) -> Self {
        Payoffs(BySeat([only, 0.0]))
    }

    /// Returns what `seat` got.
    #[inline]
    #[must_use]
    pub fn of(&self, seat: Seat) -> f64 {
        self.0[seat]
    }

    /// Returns which of two seats got more, `None` if they got the same.
    #[must_use]
    pub fn winner(&self) -> Option<Seat> {
        let [first, second] = self.0.0;
        match first.partial_cmp(&second) {
            Some(Ordering::Greater) => Some(Seat::FIRST),
            Some(Ordering::Less) => Some(Seat::SECOND),
            _ => None,
        }
    }
}

/// What payoffs a game can give: each lies between `low` and `high`, and over all seats they add up to
/// `sum` where that is fixed.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Range {
    /// No payoff is below this.
    pub low: f64,
    /// No payoff is above this.
    pub high: f64,
    /// The sum over all seats, where it is the same for every end of the game.
    pub sum: Option<f64>,
}

impl Range {
    /// Win 1, draw 0, loss −1.
    pub const WIN_DRAW_LOSS: Range = Range { low: -1.0, high: 1.0, sum: Some(0.0) };
}
