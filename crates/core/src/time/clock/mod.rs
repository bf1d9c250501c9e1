//! How long a seat may think: the rules ([`TimeControl`]) and the clock that runs by them ([`Clock`]).

mod text;

use std::num::NonZeroU32;
use std::time::Duration;

/// How late a seat's decisions may be in a match, all together, before its flag falls; less where little time is given, see
/// [`TimeControl::tolerance`].
///
/// A busy machine may suspend a search for tens of milliseconds just before it would have ended. Such a pause must not decide
/// a match; an engine that exploits the tolerance gains a tenth of a second.
pub const TOLERANCE: Duration = Duration::from_millis(100);

/// The tolerance is at most the time of this many decisions.
const TOLERATED_DECISIONS: u32 = 5;

/// The tolerance is at most this part of the total.
const TOLERATED_PART: u32 = 3;

/// The time a seat is given for a match. The default does not limit thinking.
///
/// The text form is one word, see [`TimeControl::from_str`](std::str::FromStr::from_str): `5m`, `5m+2s`, `10s/move`,
/// `40/5m:20/2m`, `5m:20/2m`.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TimeControl {
    /// For all of the seat's decisions together, or for those before the first of the `periods`.
    pub total: Option<Duration>,
    /// For any single decision.
    pub per_move: Option<Duration>,
    /// Added to what is left after each decision. Means nothing without `total`.
    pub increment: Duration,
    /// What comes after `total`. Means nothing without it.
    pub periods: Option<Periods>,
}

/// Time that is given again and again for a number of decisions.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Periods {
    /// `40/5m:20/2m`, the rule of chess clubs: the total is for the first decisions, and each time that a period's
    /// decisions are done, the next period's time is *added*. What was saved is kept.
    Sessions {
        /// How many decisions the total is for.
        first: NonZeroU32,
        /// How many decisions each later period has.
        moves: NonZeroU32,
        /// What each later period adds.
        time: Duration,
    },
    /// `5m:20/2m`, the rule of Go clubs: when the total is used up, each period's decisions must be done in the
    /// period's time. What was saved in a period is *lost*. The decision in which the total runs out is the first of
    /// the first period.
    Overtime {
        /// How many decisions a period has.
        moves: NonZeroU32,
        /// How long they may take together.
        time: Duration,
    },
}

impl TimeControl {
    /// Returns the control that gives `total` for everything.
    #[must_use]
    pub const fn total(total: Duration) -> Self {
        TimeControl { total: Some(total), per_move: None, increment: Duration::ZERO, periods: None }
    }

    /// Returns the control that gives `time` for each decision.
    #[must_use]
    pub const fn per_move(time: Duration) -> Self {
        TimeControl { total: None, per_move: Some(time), increment: Duration::ZERO, periods: None }
    }

    /// Returns how late decisions may be, all together: the [`TOLERANCE`], but no more than five decisions are given, nor
    /// than a third of the total and the first period behind it.
    #[must_use]
    pub fn tolerance(&self) -> Duration {
        let decisions = self.per_move.map(|time| time.saturating_mul(TOLERATED_DECISIONS));
        let part = self.total.map(|total| {
            let period = match self.periods {
                Some(Periods::Sessions { time, .. } | Periods::Overtime { time, .. }) => time,
                None => Duration::ZERO,
            };
            total.saturating_add(period) / TOLERATED_PART
        });
        [decisions, part].into_iter().flatten().fold(TOLERANCE, Duration::min)
    }

    /// Returns whether thinking is limited at all.
    #[must_use]
    pub const fn is_limited(&self) -> bool {
        self.total.is_some() || self.per_move.is_some()
    }
}

/// A stretch of time and the decisions that it is for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Period {
    /// How long it is.
    pub time: Duration,
    /// How many decisions must be done in it, or `None` for as many as the match needs.
    pub decisions: Option<NonZeroU32>,
}

/// What a seat's clock shows when it is asked for a decision.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    control: TimeControl,
    used: Duration,
    decisions: u32,
    /// Of the total or of the period under way; zero without a total.
    left: Duration,
    /// Decisions that the period under way still has; 0 where nothing is counted.
    due: u32,
    /// Whether the total is used up and the periods of [`Periods::Overtime`] have begun.
    overtime: bool,
    /// By how much decisions have taken longer than allowed, all together.
    late: Duration,
}

impl Clock {
    /// Starts a clock.
    #[must_use]
    pub fn new(control: TimeControl) -> Self {
        let mut clock = Clock { control, left: control.total.unwrap_or_default(), ..Clock::default() };
        match clock.periods() {
            Some(Periods::Sessions { first, .. }) => clock.due = first.get(),
            _ if clock.left.is_zero() => clock.next_overtime(),
            _ => {}
        }
        clock
    }

    /// Returns a clock as it stands in the middle of a match, from what another one of the same control showed: time
    /// [`used`](Clock::used), [`decisions`](Clock::decisions), time [`left`](Clock::left) and
    /// [`decisions_left`](Clock::decisions_left). For programs that receive a clock's readings.
    #[must_use]
    pub fn resumed(
        control: TimeControl,
        used: Duration,
        decisions: u32,
        left: Duration,
        due: Option<NonZeroU32>,
    ) -> Self {
        let mut clock = Clock { control, used, decisions, left, ..Clock::default() };
        clock.due = due.map_or(0, NonZeroU32::get);
        clock.overtime = clock.due > 0 && matches!(clock.periods(), Some(Periods::Overtime { .. }));
        clock
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

    /// Returns how long all timed decisions took together.
    #[must_use]
    pub const fn used(&self) -> Duration {
        self.used
    }

    /// Returns whether thinking is limited at all. Where it is not, the time need not be read.
    #[must_use]
    pub const fn is_limited(&self) -> bool {
        self.control.is_limited()
    }

    /// Returns what is left of the total or of the period under way, or `None` if there is no total. Overtime that has
    /// not begun is not counted. Means nothing after an overrun.
    #[must_use]
    pub fn left(&self) -> Option<Duration> {
        self.control.total.map(|_| self.left)
    }

    /// Returns the stretch that [`left`](Clock::left) is a part of, as it was in the beginning: the total or the period
    /// under way. `None` if there is no total.
    #[must_use]
    pub fn period(&self) -> Option<Period> {
        let time = self.control.total?;
        Some(match self.periods() {
            Some(Periods::Sessions { first, .. }) if self.decisions < first.get() => {
                Period { time, decisions: Some(first) }
            }
            Some(Periods::Sessions { moves, time, .. }) => Period { time, decisions: Some(moves) },
            Some(Periods::Overtime { moves, time }) if self.overtime => {
                Period { time, decisions: Some(moves) }
            }
            _ => Period { time, decisions: None },
        })
    }

    /// Returns how many decisions, the next one included, must be done with what is left, or `None` for as many as
    /// the match needs.
    #[must_use]
    pub const fn decisions_left(&self) -> Option<NonZeroU32> {
        NonZeroU32::new(self.due)
    }

    /// Returns the first period of the overtime that waits behind the total; `None` once it has begun.
    #[must_use]
    pub fn overtime_ahead(&self) -> Option<Period> {
        match self.periods() {
            Some(Periods::Overtime { moves, time }) if !self.overtime => {
                Some(Period { time, decisions: Some(moves) })
            }
            _ => None,
        }
    }

    /// Returns whether time that the next decision does not use is lost to the later ones: with nothing but a time for
    /// each decision, and at the end of a period of overtime.
    #[must_use]
    pub const fn is_use_or_lose(&self) -> bool {
        match self.control.total {
            None => self.control.per_move.is_some(),
            Some(_) => self.overtime && self.due == 1,
        }
    }

    /// Returns how long the next decision may take at the most, or `None` if it may take for ever.
    #[must_use]
    pub fn allowance(&self) -> Option<Duration> {
        let ahead = self.overtime_ahead().map_or(Duration::ZERO, |period| period.time);
        let bank = self.left().map(|left| left.saturating_add(ahead));
        match (bank, self.control.per_move) {
            (Some(bank), Some(per_move)) => Some(bank.min(per_move)),
            (one, other) => one.or(other),
        }
    }

    /// Returns how long to wait for the next decision: until the flag falls. `None` if that is for ever.
    #[must_use]
    pub fn patience(&self) -> Option<Duration> {
        Some(self.allowance()?.saturating_add(self.control.tolerance().saturating_sub(self.late)))
    }

    /// Returns whether the flag has fallen: decisions were late by more than is [tolerated](TimeControl::tolerance).
    #[must_use]
    pub fn has_fallen(&self) -> bool {
        self.late > self.control.tolerance()
    }

    /// Books a decision that took `elapsed`. Returns `false` if that was longer than allowed, be it tolerated or not.
    pub fn spend(&mut self, elapsed: Duration) -> bool {
        let late = self.allowance().map_or(Duration::ZERO, |limit| elapsed.saturating_sub(limit));
        self.late = self.late.saturating_add(late);
        self.used = self.used.saturating_add(elapsed);
        self.decisions = self.decisions.saturating_add(1);
        if self.control.total.is_some() {
            self.run_down(elapsed);
        }
        late.is_zero()
    }

    fn run_down(&mut self, mut elapsed: Duration) {
        if self.overtime_ahead().is_some() && elapsed > self.left {
            elapsed -= self.left;
            self.next_overtime();
        }
        self.left = self.left.saturating_sub(elapsed).saturating_add(self.control.increment);
        let counted = self.due > 0;
        self.due = self.due.saturating_sub(1);
        if self.due > 0 {
            return;
        }
        match self.periods() {
            Some(Periods::Sessions { moves, time, .. }) => {
                self.left = self.left.saturating_add(time);
                self.due = moves.get();
            }
            Some(Periods::Overtime { .. }) if counted || self.left.is_zero() => self.next_overtime(),
            _ => {}
        }
    }

    /// Starts a period of overtime, if the control has any.
    fn next_overtime(&mut self) {
        if let Some(Periods::Overtime { moves, time }) = self.periods() {
            self.overtime = true;
            self.due = moves.get();
            self.left = time;
        }
    }

    fn periods(&self) -> Option<Periods> {
        self.control.total.and(self.control.periods)
    }
}

#[cfg(test)]
mod tests;
