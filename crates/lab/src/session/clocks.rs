//! The clocks of a table.

use std::time::Duration;

use parlor_core::text::protocol::Clocks;
use parlor_core::{BySeat, Clock, Seat, TimeControl};

/// Everyone's clock.
#[derive(Clone, Debug)]
pub struct TableClocks {
    clocks: BySeat<Clock>,
    seats: u8,
}

impl TableClocks {
    /// Returns the clocks at the start of a match.
    #[must_use]
    pub fn new(control: TimeControl, seats: u8) -> TableClocks {
        TableClocks { clocks: BySeat::from_fn(|_| Clock::new(control)), seats }
    }

    /// Returns the clocks as the player in `seat` sees them.
    #[must_use]
    pub fn seen_by(&self, seat: Seat) -> Clocks {
        Clocks { own: self.clocks[seat], other: (self.seats > 1).then(|| self.clocks[seat.other()]) }
    }

    /// Returns how long a decision of `seat` may take before its flag falls; `None` without a limit.
    #[must_use]
    pub fn allowance(&self, seat: Seat) -> Option<Duration> {
        self.clocks[seat].patience()
    }

    /// Returns what the clock of `seat` shows; `None` without a limit.
    #[must_use]
    pub fn shown(&self, seat: Seat) -> Option<Duration> {
        self.clocks[seat].allowance()
    }

    /// Takes a decision's time off a clock. Returns `false` if its flag has fallen.
    pub fn spend(&mut self, seat: Seat, elapsed: Duration) -> bool {
        self.clocks[seat].spend(elapsed);
        !self.clocks[seat].has_fallen()
    }
}
