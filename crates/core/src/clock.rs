//! How long a seat may think.

use std::time::Duration;

/// The time a seat is given for a match. The default gives all the time in the world.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct TimeControl {
    /// For all of the seat's decisions together.
    pub total: Option<Duration>,
    /// For any single decision.
    pub per_move: Option<Duration>,
    /// Added to what is left of `total` after each decision.
    pub increment: Duration,
}

/// What a seat's clock shows when it is asked for a decision.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    control: TimeControl,
    used: Duration,
    decisions: u32,
}

impl Clock {
    /// Starts a clock.
    #[must_use]
    pub const fn new(control: TimeControl) -> Self {
        Clock { control, used: Duration::ZERO, decisions: 0 }
    }

    /// Returns the rules that the clock runs by.
    #[must_use]
    pub const fn control(&self) -> TimeControl {
        self.control
    }

    /// Returns how many decisions the clock has timed.
    #[must_use]
    pub const fn decisions(&self) -> u32 {
        self.decisions
    }

    /// Returns whether thinking is limited at all. Where it is not, nobody needs to read the time.
    #[must_use]
    pub const fn is_limited(&self) -> bool {
        self.control.total.is_some() || self.control.per_move.is_some()
    }

    /// Returns how long the next decision may take at the most, or `None` if it may take for ever.
    #[must_use]
    pub fn allowance(&self) -> Option<Duration> {
        let left = self
            .control
            .total
            .map(|total| (total + self.control.increment * self.decisions).saturating_sub(self.used));
        match (left, self.control.per_move) {
            (Some(left), Some(per_move)) => Some(left.min(per_move)),
            (one, other) => one.or(other),
        }
    }

    /// Books a decision that took `elapsed`. Returns `false` if that was longer than allowed.
    pub fn spend(&mut self, elapsed: Duration) -> bool {
        let in_time = self.allowance().is_none_or(|limit| elapsed <= limit);
        self.used += elapsed;
        self.decisions += 1;
        in_time
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(s: u64) -> Duration {
        Duration::from_secs(s)
    }

    #[test]
    fn unlimited_by_default() {
        let mut clock = Clock::default();
        assert!(!clock.is_limited());
        assert!(clock.spend(seconds(1_000_000)));
        assert_eq!(clock.allowance(), None);
    }

    #[test]
    fn total_runs_down_and_increments_add() {
        let control = TimeControl { total: Some(seconds(10)), per_move: None, increment: seconds(2) };
        let mut clock = Clock::new(control);
        assert!(clock.spend(seconds(4)));
        assert_eq!(clock.allowance(), Some(seconds(8)));
        assert!(!clock.spend(seconds(9)));
    }

    #[test]
    fn the_tighter_limit_counts() {
        let control =
            TimeControl { total: Some(seconds(10)), per_move: Some(seconds(3)), increment: seconds(0) };
        let mut clock = Clock::new(control);
        assert_eq!(clock.allowance(), Some(seconds(3)));
        assert!(clock.spend(seconds(3)) && clock.spend(seconds(3)) && clock.spend(seconds(3)));
        assert_eq!(clock.allowance(), Some(seconds(1)));
    }
}
