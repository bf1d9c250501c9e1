//! The planner's settings.

use std::time::Duration;

use super::Planner;

/// How a total is divided.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Method {
    /// What is left, divided by the decisions that are left.
    #[default]
    Dynamic,
    /// The total, divided by the expected decisions, regardless of what was spent.
    Fixed,
}

/// The planner's settings, which may be wrong; [`check`](PlannerParams::check) makes a [`Planner`] of them.
///
/// No default was tuned. Those of `front`, `endgame_factor`, `fail_share`, `max_time` and `max_depth` are our own choice;
/// the others are values that the rules were published with.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct PlannerParams {
    /// Follow the published rules to the letter, cliffs included. Off by default: the smoothed form.
    pub literal: bool,
    /// How a total is divided.
    pub method: Method,
    /// How many decisions a seat has in a game, from played games. Do not be over-optimistic.
    pub expected: u32,
    /// No decision is planned shorter. The smoothed form never lets this take more than a hundredth of the hard limit.
    pub min_time: Duration,
    /// No decision is planned longer; `None`: any length.
    pub max_time: Option<Duration>,
    /// Kept back for everything that is slower than expected. The smoothed form keeps back no more than a tenth of
    /// the time that a period, or a single decision, is given, or ten milliseconds if that is more, but never more than half.
    pub margin: Duration,
    /// The smoothed form gives each decision this many even shares of what is left, so that plans fall slowly.
    pub front: f64,
    /// Factor for decisions that are dangerous or on which the search disagrees with itself.
    pub extra: f64,
    /// Less than this share of the total left is little …
    pub low_share: f64,
    /// … and plans are multiplied by this. The smoothed form comes down to it gradually.
    pub low_factor: f64,
    /// The opponent has little time if it has less than this. In the smoothed form also less than `low_share` of its
    /// total.
    pub opponent_low: Duration,
    /// Factor for when the opponent has little time, and less than we.
    pub opponent_factor: f64,
    /// Factor for calm decisions in the endgame. Critical ones get as much more as calm ones get less.
    pub endgame_factor: f64,
    /// No search ends of its own accord before this depth.
    pub min_depth: u32,
    /// No search goes deeper.
    pub max_depth: u32,
    /// How many of the last iterations must agree for an early stop.
    pub agreeing: u32,
    /// Values that lie within this of each other agree. In the search's units.
    pub tolerance: f64,
    /// Values of the last two iterations that lie further apart disagree. In the search's units.
    pub jump: f64,
    /// More than this share of failed searches is many.
    pub fail_share: f64,
}

impl Default for PlannerParams {
    fn default() -> Self {
        PlannerParams {
            literal: false,
            method: Method::Dynamic,
            expected: 60,
            min_time: Duration::from_millis(100),
            max_time: None,
            margin: Duration::from_millis(500),
            front: 1.2,
            extra: 1.5,
            low_share: 0.1,
            low_factor: 0.5,
            opponent_low: Duration::from_secs(10),
            opponent_factor: 0.5,
            endgame_factor: 0.5,
            min_depth: 4,
            max_depth: 64,
            agreeing: 3,
            tolerance: 10.0,
            jump: 50.0,
            fail_share: 0.5,
        }
    }
}

/// Why settings make no planner.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum PlannerError {
    /// A game without decisions.
    #[error("a game with 0 expected decisions needs no planner; expect at least 1")]
    NothingExpected,
    /// The shortest time is longer than the longest.
    #[error("the shortest time, {min:?}, is longer than the longest, {max:?}")]
    TimesCrossed {
        /// The shortest time.
        min: Duration,
        /// The longest.
        max: Duration,
    },
    /// The least depth is deeper than the greatest.
    #[error("the least depth, {min}, is deeper than the greatest, {max}")]
    DepthsCrossed {
        /// The least depth.
        min: u32,
        /// The greatest.
        max: u32,
    },
    /// One iteration always agrees with itself.
    #[error("{0} iterations that agree say nothing; ask for at least 2")]
    TooFewAgree(u32),
    /// A number outside what makes sense.
    #[error("{name} cannot be {value}; it takes {low} … {high}")]
    OutOfRange {
        /// The field.
        name: &'static str,
        /// Its value.
        value: f64,
        /// The least that makes sense.
        low: f64,
        /// The most.
        high: f64,
    },
}

impl PlannerParams {
    /// Makes a planner.
    ///
    /// # Errors
    /// If a number makes no sense, by itself or with another.
    pub fn check(self) -> Result<Planner, PlannerError> {
        if self.expected == 0 {
            return Err(PlannerError::NothingExpected);
        }
        if let Some(max) = self.max_time.filter(|max| self.min_time > *max) {
            return Err(PlannerError::TimesCrossed { min: self.min_time, max });
        }
        if self.min_depth > self.max_depth {
            return Err(PlannerError::DepthsCrossed { min: self.min_depth, max: self.max_depth });
        }
        if self.agreeing < 2 {
            return Err(PlannerError::TooFewAgree(self.agreeing));
        }
        // Below 0.05 the endgame's critical decisions would get more than thirty even shares.
        for (name, value, low, high) in [
            ("front", self.front, 1.0, 10.0),
            ("extra", self.extra, 1.0, 10.0),
            ("low_share", self.low_share, 0.0, 1.0),
            ("low_factor", self.low_factor, 0.0, 1.0),
            ("opponent_factor", self.opponent_factor, 0.0, 1.0),
            ("endgame_factor", self.endgame_factor, 0.05, 1.0),
            ("tolerance", self.tolerance, 0.0, f64::MAX),
            ("jump", self.jump, 0.0, f64::MAX),
            ("fail_share", self.fail_share, 0.0, 1.0),
        ] {
            if !(low..=high).contains(&value) {
                return Err(PlannerError::OutOfRange { name, value, low, high });
            }
        }
        Ok(Planner { params: self })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_settings_get_a_sentence() {
        let good = PlannerParams::default();
        let says = |params: PlannerParams| params.check().unwrap_err().to_string();
        assert!(good.check().is_ok());
        assert!(says(PlannerParams { expected: 0, ..good }).contains("expect at least 1"));
        assert!(
            says(PlannerParams { max_time: Some(Duration::ZERO), ..good }).contains("100ms, is longer than")
        );
        assert!(says(PlannerParams { max_depth: 3, ..good }).contains("4, is deeper than the greatest, 3"));
        assert!(says(PlannerParams { agreeing: 1, ..good }).contains("at least 2"));
        assert_eq!(says(PlannerParams { extra: 0.5, ..good }), "extra cannot be 0.5; it takes 1 … 10");
        assert!(says(PlannerParams { jump: f64::NAN, ..good }).contains("jump cannot be NaN"));
    }
}
