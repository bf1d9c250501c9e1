//! What a training or a test counts.

use std::ops::AddAssign;

use parlor_core::play::training::TrainingRow;
use parlor_core::{Seat, WinDrawLoss};

/// Counts from the learner's side.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub struct Results {
    /// The matches.
    pub matches: WinDrawLoss,
    /// Stages played.
    pub stages: u64,
    /// Stages won.
    pub stages_won: u64,
    /// Stages lost.
    pub stages_lost: u64,
    /// Points of the learner.
    pub points: f64,
    /// Points of its opponents.
    pub points_other: f64,
    /// Matches that the learner forfeited.
    pub forfeits: u64,
}

impl Results {
    /// Adds a match in which the learner had `seat`; in a solitary game a win is the highest payoff.
    pub(super) fn add(&mut self, row: &TrainingRow, seat: Seat, seats: u8) {
        let other = seat.other();
        let (own, others) = match seats {
            1 => (f64::from(row.stages_won[seat]), 0.5),
            _ => (row.payoffs[seat], row.payoffs[other]),
        };
        self.matches.add(own.total_cmp(&others));
        self.stages += u64::from(row.stages);
        self.stages_won += u64::from(row.stages_won[seat]);
        self.stages_lost += u64::from(row.stages_won[other]);
        self.points += row.scores[seat];
        self.points_other += row.scores[other];
        self.forfeits += u64::from(row.forfeit == Some(seat));
    }
}

impl AddAssign for Results {
    fn add_assign(&mut self, more: Results) {
        self.matches += more.matches;
        self.stages += more.stages;
        self.stages_won += more.stages_won;
        self.stages_lost += more.stages_lost;
        self.points += more.points;
        self.points_other += more.points_other;
        self.forfeits += more.forfeits;
    }
}
