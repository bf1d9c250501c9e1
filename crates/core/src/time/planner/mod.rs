//! How long to think: numbers in, numbers out. Nothing here reads a clock.
//!
//! [`rules`] has the published formulas, each by itself. [`Planner::plan`] puts them together for one decision, and
//! [`Pace`] tells an iterative search after each iteration whether to begin another. The published rules have cliffs (one
//! ply before the ninth tenth of a game the plan is 15 s, one ply after it 5 s); by default a smoothed form is used, and
//! [`PlannerParams::literal`] brings the cliffs back. **The hard limit beats every other rule.**

mod pace;
mod params;
mod ponder;
pub mod rules;

use std::time::Duration;

use crate::time::budget::Budget;
use crate::time::clock::Clock;

pub use pace::{Fails, Iteration, Next, Outlook, Pace, Verdict, Why};
pub use params::{Method, PlannerError, PlannerParams};
pub use ponder::{Ponder, guess, ponder};

/// Where in the game a decision stands.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Stage {
    /// The opening book knows the answer.
    Book,
    /// Most of the time goes here.
    #[default]
    Middle,
    /// Little time, unless the decision is critical.
    Endgame,
}

/// What the planner must know about a decision.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Situation {
    /// The seat's own clock.
    pub clock: Clock,
    /// The opponent's, where there is one.
    pub opponent: Option<Clock>,
    /// How many actions are worth thinking about. With one there is nothing to decide.
    pub actions: usize,
    /// Where in the game this is.
    pub stage: Stage,
    /// Whether the seat is in danger.
    pub danger: bool,
}

impl Situation {
    /// A decision of the middle game between several actions, without danger.
    #[must_use]
    pub const fn new(clock: Clock, opponent: Option<Clock>, actions: usize) -> Self {
        Situation { clock, opponent, actions, stage: Stage::Middle, danger: false }
    }
}

/// How long one decision should take, may take, and must not exceed: `target ≤ most ≤ hard`.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Plan {
    /// What it should take. Zero: answer at once.
    pub target: Duration,
    /// What it may take if it turns out to be hard.
    pub most: Duration,
    /// What it must never exceed. At most what the clock allows.
    pub hard: Duration,
}

impl Plan {
    /// Returns the budget that stops a search at [`most`](Plan::most).
    #[must_use]
    pub const fn budget(&self) -> Budget {
        Budget::time(self.most)
    }
}

/// Time that is being used up. Seconds.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Bank {
    /// What there was in the beginning.
    pub total: f64,
    /// What is left.
    pub left: f64,
}

/// What makes a plan longer or shorter.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Pressure {
    /// The seat's own time.
    pub own: Bank,
    /// The opponent's, if it can run out.
    pub opponent: Option<Bank>,
    /// Whether the control says how many decisions the time is for. Little time before the end of a period is then as it
    /// should be, and the smoothed form does not hurry.
    pub counted: bool,
    /// Whether to stretch the plan: the decision is dangerous, or the search disagrees with itself.
    pub stretch: bool,
}

/// Divides a seat's time among its decisions. Made by [`PlannerParams::check`].
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Planner {
    params: PlannerParams,
}

impl Default for Planner {
    fn default() -> Self {
        PlannerParams::default().check().expect("the defaults make sense")
    }
}

/// The smoothed form keeps margins below this share of what they are taken from, so that a match of a second is planned as
/// one of an hour is.
const MARGIN_SHARE: f64 = 0.1;

/// But they are never shorter than this, or than half of what they are taken from: a machine that does other things too may
/// not run a search for ten milliseconds, however short a decision is.
const INTERRUPTION: Duration = Duration::from_millis(10);

/// So that a match of a second is planned as one of an hour is, the shortest time too takes no more than this share of the
/// hard limit.
const MIN_SHARE: f64 = 0.01;

/// The smoothed form spends no more than this share of a bank on one decision while the number of decisions to come is unknown.
const LARGEST_SHARE: f64 = 0.5;

impl Planner {
    /// Returns the settings.
    #[must_use]
    pub const fn params(&self) -> &PlannerParams {
        &self.params
    }

    /// Returns the plan for a decision, or `None` if its time is not limited: then nodes or depth must be.
    #[must_use]
    pub fn plan(&self, situation: &Situation) -> Option<Plan> {
        let Situation { clock, opponent, actions, stage, danger } = situation;
        let hard = self.hard_limit(clock)?;
        if *actions <= 1 || *stage == Stage::Book {
            return Some(Plan { hard, ..Plan::default() });
        }
        let base = self.base(clock)?.as_secs_f64();
        let pressure = |stretch| Pressure {
            own: bank(clock).unwrap_or(Bank { total: f64::INFINITY, left: f64::INFINITY }),
            opponent: opponent.as_ref().and_then(bank),
            counted: clock.decisions_left().is_some(),
            stretch,
        };
        // What cannot be saved for later is not worth saving.
        let thrift = if *stage == Stage::Endgame && !clock.is_use_or_lose() {
            self.params.endgame_factor
        } else {
            1.0
        };
        let calm = self.clamp(self.adjust(base * thrift, &pressure(false)), hard);
        let most = self.clamp(self.adjust(base / thrift, &pressure(true)), hard).max(calm);
        Some(Plan { target: if *danger { most } else { calm }, most, hard })
    }

    /// Returns an even share of the clock's time for the next decision, within the shortest and longest time and the hard
    /// limit, or `None` if there is no limit. This is the plan before anything is known about the decision.
    #[must_use]
    pub fn base(&self, clock: &Clock) -> Option<Duration> {
        let hard = self.hard_limit(clock)?;
        Some(self.clamp(self.share(clock)?, hard))
    }

    /// Returns what the planner never exceeds: what the clock allows, less the margin. The smoothed form also keeps half
    /// of a bank if the number of decisions it must last for is unknown. `None` if there is no limit.
    #[must_use]
    pub fn hard_limit(&self, clock: &Clock) -> Option<Duration> {
        let each = clock.control().per_move.map(|time| time.saturating_sub(self.margin(time)));
        let bank = clock.left().zip(clock.period()).map(|(left, period)| {
            let Some(ahead) = clock.overtime_ahead() else {
                let hard = left.saturating_sub(self.margin(period.time));
                let open = clock.decisions_left().is_none() && !self.params.literal;
                return if open { hard.min(left.mul_f64(LARGEST_SHARE)) } else { hard };
            };
            left.saturating_add(ahead.time).saturating_sub(self.margin(ahead.time))
        });
        match (each, bank) {
            (Some(each), Some(bank)) => Some(each.min(bank)),
            (each, bank) => each.or(bank),
        }
    }

    fn margin(&self, given: Duration) -> Duration {
        let margin = self.params.margin;
        if self.params.literal {
            return margin;
        }
        margin.min(given.mul_f64(MARGIN_SHARE).max(INTERRUPTION.min(given / 2)))
    }

    /// Returns the share of the next decision before all limits.
    fn share(&self, clock: &Clock) -> Option<f64> {
        let params = &self.params;
        let Some((left, period)) = clock.left().zip(clock.period()) else {
            return clock.control().per_move.map(|time| time.as_secs_f64());
        };
        let increment = clock.control().increment.as_secs_f64();
        let share = match params.method {
            Method::Fixed => {
                let plies = period.decisions.map_or(params.expected, Into::into);
                rules::fixed(period.time.as_secs_f64(), plies) + increment
            }
            Method::Dynamic => {
                let (expected, played) = (params.expected, clock.decisions());
                let plies = match clock.decisions_left() {
                    Some(counted) => f64::from(counted.get()),
                    None if params.literal => rules::plies_left_literal(expected, played),
                    None => rules::plies_left_smoothed(expected, played),
                };
                let front = if params.literal { 1.0 } else { params.front };
                // The last of these decisions does not profit from its own increment.
                front * rules::dynamic(left.as_secs_f64() + increment * (plies - 1.0), plies)
            }
        };
        // Overtime will give at least its own rate for as long as the match lasts.
        let rate = clock.overtime_ahead().map_or(0.0, |period| {
            rules::fixed(period.time.as_secs_f64(), period.decisions.map_or(1, Into::into))
        });
        Some(share.max(rate))
    }

    /// Returns `plan`, longer or shorter for what presses, before all limits. Seconds.
    #[must_use]
    pub fn adjust(&self, plan: f64, pressure: &Pressure) -> f64 {
        let stretch = if pressure.stretch { self.params.extra } else { 1.0 };
        rules::sane(plan * stretch * self.hurry(pressure) * self.starve(pressure))
    }

    /// The factor for having little time oneself.
    fn hurry(&self, pressure: &Pressure) -> f64 {
        let PlannerParams { literal, low_share, low_factor, .. } = self.params;
        let little = low_share * pressure.own.total;
        let low = pressure.own.left < little;
        match (low, literal) {
            (false, _) => 1.0,
            (true, true) => low_factor,
            (true, false) if pressure.counted => 1.0,
            // From 1 where time becomes little down to the factor where it ends.
            (true, false) => low_factor + (1.0 - low_factor) * rules::sane(pressure.own.left / little),
        }
    }

    /// The factor for an opponent with little time: it would think on ours.
    fn starve(&self, pressure: &Pressure) -> f64 {
        let Some(other) = pressure.opponent else { return 1.0 };
        let absolute = self.params.opponent_low.as_secs_f64();
        let little =
            if self.params.literal { absolute } else { absolute.min(self.params.low_share * other.total) };
        let starving = other.left < little && other.left < pressure.own.left;
        if starving { self.params.opponent_factor } else { 1.0 }
    }

    /// Returns `plan` within the shortest and longest time and, before all else, the hard limit.
    #[must_use]
    pub fn clamp(&self, plan: f64, hard: Duration) -> Duration {
        let PlannerParams { literal, min_time, max_time, .. } = self.params;
        let min = if literal { min_time } else { min_time.min(hard.mul_f64(MIN_SHARE)) };
        let plan = Duration::try_from_secs_f64(rules::sane(plan)).unwrap_or(Duration::MAX);
        plan.max(min).min(max_time.unwrap_or(Duration::MAX)).min(hard)
    }
}

/// Returns the time that can run out for good: none while overtime waits behind it.
fn bank(clock: &Clock) -> Option<Bank> {
    let (left, period) = clock.left().zip(clock.period())?;
    let bank = Bank { total: period.time.as_secs_f64(), left: left.as_secs_f64() };
    clock.overtime_ahead().is_none().then_some(bank)
}
