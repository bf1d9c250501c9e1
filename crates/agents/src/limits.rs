//! Limits of a search: its keys, the clock, and the fallback where neither applies.

use std::time::Duration;

use parlor_core::time::planner::{Plan, Situation};
use parlor_core::{Budget, Context, Decision, Game, Key, Kind, Planner, Settings};

/// The limits that a spec sets for a search, and the planner that allots clock time.
#[derive(Clone, PartialEq, Debug)]
pub struct Limits {
    /// The limits of the spec.
    given: Budget,
    /// The limit where neither the spec nor a clock sets one.
    fallback: Budget,
    /// Allots the clock's time to decisions.
    pub planner: Planner,
}

impl Limits {
    /// `nodes=`: the maximum number of positions a decision may visit.
    pub const NODES: Key = Key {
        name: "nodes",
        kind: Kind::WholeOrNone { min: 1, max: 1_000_000_000_000 },
        default: "none",
        help: "maximum number of positions per decision; gives equal results on every machine",
    };
    /// `sims=`: the maximum number of simulations of a decision.
    pub const SIMS: Key = Key {
        name: "sims",
        kind: Kind::WholeOrNone { min: 1, max: 1_000_000_000_000 },
        default: "none",
        help: "maximum number of simulations per decision; gives equal results on every machine",
    };
    /// `depth=`: the maximum search depth.
    pub const DEPTH: Key = Key {
        name: "depth",
        kind: Kind::WholeOrNone { min: 1, max: 1_000 },
        default: "none",
        help: "maximum search depth in plies",
    };
    /// `time_ms=`: the maximum time of a decision.
    pub const TIME: Key = Key {
        name: "time_ms",
        kind: Kind::WholeOrNone { min: 1, max: 86_400_000 },
        default: "none",
        help: "maximum milliseconds per decision; results are then not reproducible",
    };

    /// `ponder=`: whether to search on the opponent's time.
    pub const PONDER: Key = Key {
        name: "ponder",
        kind: Kind::Switch,
        default: "on",
        help: "search on the opponent's time, if the match allows it",
    };

    /// Reads the limits from `settings`. `count` is [`NODES`](Limits::NODES) or [`SIMS`](Limits::SIMS); `fallback`
    /// applies if neither the spec nor a clock sets a limit.
    #[must_use]
    pub fn read(settings: &Settings, count: &Key, has_depth: bool, fallback: Budget) -> Limits {
        let given = Budget {
            nodes: settings.whole_or_none(count.name).map(|nodes| nodes as u64),
            depth: if has_depth { settings.whole_or_none("depth").map(|depth| depth as u32) } else { None },
            time: settings.whole_or_none("time_ms").map(|ms| Duration::from_millis(ms as u64)),
        };
        Limits { given, fallback, planner: Planner::default() }
    }

    /// Returns limits that need no spec.
    #[must_use]
    pub fn of(given: Budget) -> Limits {
        Limits { given, fallback: given, planner: Planner::default() }
    }

    /// Returns the budget of a decision, and the plan if a clock runs. Iterative searches pace themselves by the plan.
    #[must_use]
    pub fn for_decision<G: Game>(
        &self,
        decision: &Decision<'_, G>,
        context: &Context<'_, G>,
    ) -> (Budget, Option<Plan>) {
        self.for_situation(&context.situation(decision))
    }

    /// Returns the same as [`for_decision`](Limits::for_decision), from the clocks alone.
    #[must_use]
    pub fn for_situation(&self, situation: &Situation) -> (Budget, Option<Plan>) {
        match self.planner.plan(situation) {
            Some(plan) => (self.given.and(plan.budget()), Some(plan)),
            None if self.given == Budget::default() => (self.fallback, None),
            None => (self.given, None),
        }
    }

    /// Returns the budget for a search that can stop at any time: up to the plan's target, because such a search cannot
    /// tell whether more time would help.
    #[must_use]
    pub fn up_to_target(&self, situation: &Situation) -> Budget {
        let (budget, plan) = self.for_situation(situation);
        match plan {
            Some(plan) => budget.and(Budget { time: Some(plan.target), ..Budget::default() }),
            None => budget,
        }
    }
}

#[cfg(test)]
mod tests {
    use parlor_core::{Clock, Spec, TimeControl};

    use super::*;

    const KEYS: &[Key] = &[Limits::NODES, Limits::DEPTH, Limits::TIME];

    fn budget(spec: &str, clock: Clock) -> Budget {
        let settings = Settings::read(&Spec::parse(spec).unwrap(), KEYS).unwrap();
        let limits = Limits::read(&settings, &Limits::NODES, true, Budget::nodes(7));
        limits.for_situation(&Situation::new(clock, None, 2)).0
    }

    #[test]
    fn the_target_of_a_plan_is_below_its_maximum() {
        let limits = Limits::of(Budget::nodes(7));
        let clock = Clock::new("20s".parse::<TimeControl>().unwrap());
        let situation = Situation::new(clock, None, 2);
        let (most, plan) = limits.for_situation(&situation);
        let target = limits.up_to_target(&situation);
        assert_eq!((target.time, target.nodes), (plan.map(|plan| plan.target), Some(7)));
        assert!(target.time < most.time, "{target:?}, {most:?}");
    }

    #[test]
    fn limits_of_the_spec_and_the_clock_both_apply() {
        let none = Clock::default();
        assert_eq!(budget("x", none), Budget::nodes(7));
        assert_eq!(budget("x(nodes=9)", none), Budget::nodes(9));
        assert_eq!(budget("x(depth=3)", none), Budget::depth(3));
        let clock = Clock::new(TimeControl::total(Duration::from_secs(60)));
        let timed = budget("x", clock);
        assert!(timed.nodes.is_none() && timed.time.is_some(), "a clock needs no fallback");
        let both = budget("x(nodes=9, time_ms=1)", clock);
        assert_eq!((both.nodes, both.time), (Some(9), Some(Duration::from_millis(1))));
    }
}
