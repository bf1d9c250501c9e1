//! Both clocks on one line.

use std::fmt;
use std::num::NonZeroU32;
use std::time::Duration;

use crate::time::clock::{Clock, TimeControl};

/// What both clocks show when a decision is due.
///
/// ```text
/// clock own=250000 other=240000 control=5m+2s left=250000 done=20 used=90000 other_left=240000 other_done=20 …
/// ```
///
/// `own` is the longest that this decision may take, `other` the longest that the opponent's next one may; the rest is
/// for programs that plan. Times are whole milliseconds, rounded down.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Clocks {
    /// The engine's own clock.
    pub own: Clock,
    /// The opponent's, where there is one.
    pub other: Option<Clock>,
}

impl Clocks {
    /// Returns whether any clock is limited.
    #[must_use]
    pub fn is_limited(&self) -> bool {
        self.own.is_limited() || self.other.is_some_and(|clock| clock.is_limited())
    }

    /// Reads the words behind `clock`. What is missing or not understood is left out.
    pub(super) fn read(words: &str) -> Clocks {
        let word =
            |key: &str| words.split_whitespace().find_map(|word| word.strip_prefix(key)?.strip_prefix('='));
        let control = |key: &str| word(key).and_then(|text| text.parse::<TimeControl>().ok());
        let own = read_clock(control("control"), "own", "", word);
        let other = read_clock(control("other_control").or(control("control")), "other", "other_", word);
        Clocks { own: own.unwrap_or_default(), other }
    }
}

/// Reads one clock; `None` if nothing is said about it.
fn read_clock<'a>(
    control: Option<TimeControl>,
    allowance: &str,
    prefix: &str,
    word: impl Fn(&str) -> Option<&'a str>,
) -> Option<Clock> {
    let time = |key: &str| word(key)?.parse().ok().map(Duration::from_millis);
    let most = time(allowance)?;
    let Some(control) = control else {
        return Some(Clock::new(TimeControl::per_move(most)));
    };
    let number = |key: &str| word(&format!("{prefix}{key}"))?.parse().ok();
    let used = time(&format!("{prefix}used")).unwrap_or_default();
    let left = time(&format!("{prefix}left")).unwrap_or_default();
    Some(Clock::resumed(
        control,
        used,
        number("done").unwrap_or(0),
        left,
        number("moves").and_then(NonZeroU32::new),
    ))
}

impl fmt::Display for Clocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("clock")?;
        let other = self.other.filter(Clock::is_limited);
        for (name, clock) in [("own", Some(self.own)), ("other", other)] {
            if let Some(most) = clock.and_then(|clock| clock.allowance()) {
                write!(f, " {name}={}", most.as_millis())?;
            }
        }
        if self.own.is_limited() {
            write!(f, " control={}", self.own.control())?;
            write_clock(f, "", &self.own)?;
        }
        if let Some(other) = other {
            if other.control() != self.own.control() {
                write!(f, " other_control={}", other.control())?;
            }
            write_clock(f, "other_", &other)?;
        }
        Ok(())
    }
}

fn write_clock(f: &mut fmt::Formatter<'_>, prefix: &str, clock: &Clock) -> fmt::Result {
    if let Some(left) = clock.left() {
        write!(f, " {prefix}left={}", left.as_millis())?;
    }
    if let Some(moves) = clock.decisions_left() {
        write!(f, " {prefix}moves={moves}")?;
    }
    write!(f, " {prefix}done={} {prefix}used={}", clock.decisions(), clock.used().as_millis())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(control: &str, moves: &[u64]) -> Clock {
        let mut clock = Clock::new(control.parse().unwrap());
        for &millis in moves {
            assert!(clock.spend(Duration::from_millis(millis)));
        }
        clock
    }

    fn read(line: &str) -> Clocks {
        Clocks::read(line.strip_prefix("clock").unwrap())
    }

    #[test]
    fn clocks_of_every_kind_come_through_whole() {
        for control in ["10s", "10s+1s", "3s/move", "10s@3s/move", "3/10s:2/4s", "10s:2/4s", "40/5m"] {
            for moves in [&[][..], &[1500], &[2900, 2900, 2900], &[3000, 3000, 3000, 500], &[2500; 4]] {
                for other in
                    [None, Some(clock("1m", &[900])), Some(clock(control, &moves[..moves.len().min(1)]))]
                {
                    let said = Clocks { own: clock(control, moves), other: other.filter(Clock::is_limited) };
                    assert_eq!(read(&said.to_string()), said, "{said}");
                }
            }
        }
    }

    #[test]
    fn lines() {
        let own = clock("5m+2s", &[10_000]);
        assert_eq!(
            Clocks { own, other: Some(clock("5m+2s", &[])) }.to_string(),
            "clock own=292000 other=300000 control=5m+2s left=292000 done=1 used=10000 other_left=300000 other_done=0 other_used=0"
        );
        let only_other = Clocks { own: Clock::default(), other: Some(clock("1m", &[900])) };
        assert_eq!(
            only_other.to_string(),
            "clock other=59100 other_control=1m other_left=59100 other_done=1 other_used=900"
        );
        assert_eq!(read(&only_other.to_string()), only_other);
        assert_eq!(Clocks::default().to_string(), "clock");
        assert!(!Clocks::default().is_limited());
    }

    #[test]
    fn a_referee_may_say_less_and_talk_nonsense() {
        assert_eq!(read("clock own=250 other=9").own.allowance(), Some(Duration::from_millis(250)));
        assert_eq!(read("clock own=250 other=9").other.unwrap().allowance(), Some(Duration::from_millis(9)));
        for nonsense in
            ["clock", "clock own", "clock own=x", "clock own=-3", "clock control=5m left=9", "clock = =="]
        {
            assert_eq!(read(nonsense), Clocks::default(), "{nonsense}");
        }
        let odd = read(
            "clock own=5 control=5m:3/1m left=99999999999999 moves=4294967295 done=x used=18446744073709551615",
        );
        assert!(odd.own.allowance().is_some());
    }
}
