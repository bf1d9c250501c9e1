//! An agent's turn at the table, and the clocks.

use std::time::{Duration, Instant};

use parlor_core::api::{AnyTable, ApiError};
use parlor_core::text::protocol::Clocks;
use parlor_core::{BySeat, Cancel, Clock, Fault, Forfeit, Phase, Seat, TimeControl};

use crate::terminal::say;

/// Everybody's clock.
pub struct Timer {
    clocks: BySeat<Clock>,
    seats: u8,
}

impl Timer {
    pub fn new(control: TimeControl, seats: u8) -> Timer {
        Timer { clocks: BySeat::from_fn(|_| Clock::new(control)), seats }
    }

    /// Returns the clocks as the one in `seat` sees them.
    fn seen_by(&self, seat: Seat) -> Clocks {
        Clocks { own: self.clocks[seat], other: (self.seats > 1).then(|| self.clocks[seat.other()]) }
    }

    /// Returns when the time of a decision that begins now is over; `None` if it never is.
    pub fn deadline(&self, seat: Seat) -> Option<Instant> {
        Instant::now().checked_add(self.clocks[seat].patience()?)
    }

    /// Takes a decision's time off a clock. Returns `false` if its flag has fallen.
    pub fn spend(&mut self, seat: Seat, elapsed: Duration) -> bool {
        self.clocks[seat].spend(elapsed);
        !self.clocks[seat].has_fallen()
    }

    /// Returns what the clocks show, one after the other; `None` if there are none.
    pub fn in_words(&self, names: &[String]) -> Option<String> {
        let shown = |seat: Seat| {
            let allowance = self.clocks[seat].allowance()?;
            Some(format!("{} {}", names[seat.index()], minutes(allowance)))
        };
        let all: Option<Vec<String>> = Seat::all(self.seats).map(shown).collect();
        Some(format!("clocks: {}", all?.join(", ")))
    }
}

fn minutes(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}.{}", seconds / 60, seconds % 60, time.subsec_millis() / 100)
}

/// What came of an agent's turn.
pub enum AgentTurn {
    /// It has moved.
    Moved,
    /// The person left while it was thinking; nothing has happened.
    Left,
    /// It has lost by its own fault, which was told.
    Forfeit,
}

/// Lets the agent to move act by its clock.
pub fn agent_turn(
    table: &mut dyn AnyTable,
    seat: Seat,
    timer: &mut Timer,
    left: &Cancel,
    names: &[String],
) -> anyhow::Result<AgentTurn> {
    let started = Instant::now();
    let mut thinker = table.thinker(seat)?;
    thinker.decide(&timer.seen_by(seat), left, &mut |_| {});
    match table.commit(thinker) {
        Ok(None) => Ok(AgentTurn::Left),
        Ok(Some(_)) => {
            // A game that has ended by the rules has ended.
            if timer.spend(seat, started.elapsed()) || table.phase() == Phase::Over {
                return Ok(AgentTurn::Moved);
            }
            forfeit(table, seat, Fault::Overran, names)?;
            Ok(AgentTurn::Forfeit)
        }
        Err(ApiError::Forfeit(Forfeit { seat, why })) => {
            forfeit(table, seat, why, names)?;
            Ok(AgentTurn::Forfeit)
        }
        Err(other) => Err(other.into()),
    }
}

/// Ends the match against `seat`, and says so.
pub fn forfeit(table: &mut dyn AnyTable, seat: Seat, why: Fault, names: &[String]) -> anyhow::Result<()> {
    let name = &names[seat.index()];
    say(format!("{name} {}: {why}", if name == "you" { "forfeit" } else { "forfeits" }))?;
    table.forfeit(seat, why);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_run_down_and_are_shown() {
        let names = ["you".to_owned(), "expert".to_owned()];
        let mut timer = Timer::new(TimeControl::total(Duration::from_secs(125)), 2);
        assert!(timer.spend(Seat(1), Duration::from_millis(5_300)));
        assert_eq!(timer.in_words(&names).unwrap(), "clocks: you 2:05.0, expert 1:59.7");
        assert!(!timer.spend(Seat(0), Duration::from_secs(126)));
        assert_eq!(Timer::new(TimeControl::default(), 2).in_words(&names), None);
        assert!(Timer::new(TimeControl::default(), 2).deadline(Seat(0)).is_none());
    }
}
