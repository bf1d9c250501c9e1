//! Counts of won, drawn and lost games.

use std::cmp::Ordering;
use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

/// Won, drawn and lost games from one side.
///
/// In JSON it is meant to be flattened into what it belongs to: `"wins": 3, "draws": 0, "losses": 1`.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct WinDrawLoss {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl WinDrawLoss {
    /// Returns the number of games.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.wins.saturating_add(self.draws).saturating_add(self.losses)
    }

    /// Returns the points a game, 1 for a win and ½ for a draw; `None` without games.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        let total = self.total();
        (total > 0).then(|| (self.wins as f64 + 0.5 * self.draws as f64) / total as f64)
    }

    /// Returns the share of games that were won; `None` without games.
    #[must_use]
    pub fn win_rate(&self) -> Option<f64> {
        let total = self.total();
        (total > 0).then(|| self.wins as f64 / total as f64)
    }

    /// Returns the same games from the other side.
    #[must_use]
    pub const fn flipped(self) -> WinDrawLoss {
        WinDrawLoss { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// Counts a game: how the own result compares with the other side's.
    pub fn add(&mut self, own_against_other: Ordering) {
        match own_against_other {
            Ordering::Greater => self.wins += 1,
            Ordering::Equal => self.draws += 1,
            Ordering::Less => self.losses += 1,
        }
    }
}

impl AddAssign for WinDrawLoss {
    fn add_assign(&mut self, more: WinDrawLoss) {
        self.wins += more.wins;
        self.draws += more.draws;
        self.losses += more.losses;
    }
}

/// Wins, draws and losses, in this order.
impl From<[u64; 3]> for WinDrawLoss {
    fn from([wins, draws, losses]: [u64; 3]) -> WinDrawLoss {
        WinDrawLoss { wins, draws, losses }
    }
}

impl From<WinDrawLoss> for [u64; 3] {
    fn from(games: WinDrawLoss) -> [u64; 3] {
        [games.wins, games.draws, games.losses]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_counted_and_scored() {
        let mut games = WinDrawLoss::default();
        assert_eq!((games.score(), games.win_rate()), (None, None));
        for (own, other) in [(1, 0), (1, 0), (0, 0), (0, 1)] {
            games.add(own.cmp(&other));
        }
        assert_eq!(games, [2, 1, 1].into());
        assert_eq!((games.total(), games.score(), games.win_rate()), (4, Some(0.625), Some(0.5)));
        let other = games.flipped();
        assert_eq!(<[u64; 3]>::from(other), [1, 1, 2]);
        games += other;
        assert_eq!(games, [3, 2, 3].into());
    }

    #[test]
    fn json_has_one_field_a_count() {
        let games = WinDrawLoss { wins: 3, draws: 0, losses: 1 };
        assert_eq!(serde_json::to_string(&games).unwrap(), r#"{"wins":3,"draws":0,"losses":1}"#);
    }
}
