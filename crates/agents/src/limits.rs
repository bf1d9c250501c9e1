//! How far a search looks: its own keys, the clock, and what it does when neither says anything.

use std::time::Duration;

use parlor_core::time::planner::{Plan, Situation};
use parlor_core::{Budget, Context, Decision, Game, Key, Kind, Planner, Settings};

/// The limits that a spec gives a search, and the planner that divides its time.
#[derive(Clone, PartialEq, Debug)]
pub struct Limits {
    /// What the spec says.
    given: Budget,
    /// What holds if neither the spec nor a clock limits anything.
    fallback: Budget,
    /// Divides the clock's time.
    pub planner: Planner,
}

impl Limits {
    /// `nodes=`: how many positions a decision may visit.
    pub const NODES: Key = Key {
        name: "nodes",
        kind: Kind::WholeOrNone { min: 1, max: 1_000_000_000_000 },
        default: "none",
        help: "positions that a decision may visit: equal on every machine",
    };
    /// `sims=`: how many simulations a decision may make.
    pub const SIMS: Key = Key {
        name: "sims",
        kind: Kind::WholeOrNone { min: 1, max: 1_000_000_000_000 },
        default: "none",
        help: "simulations that a decision may make: equal on every machine",
    };
    /// `depth=`: how many plies a decision may look ahead.
    pub const DEPTH: Key = Key {
        name: "depth",
        kind: Kind::WholeOrNone { min: 1, max: 1_000 },
        default: "none",
        help: "plies that a decision may look ahead",
    };
    /// `time_ms=`: how long a decision may take.
    pub const TIME: Key = Key {
        name: "time_ms",
        kind: Kind::WholeOrNone { min: 1, max: 86_400_000 },
        default: "none",
        help: "milliseconds that a decision may take; no two runs are equal then",
    };

    /// `ponder=`: whether the other seat's time is used.
    pub const PONDER: Key = Key {
        name: "ponder",
        kind: Kind::Switch,
        default: "on",
        help: "think on the other seat's time, where the match allows it",
    };

    /// Reads the keys that `settings` has among these; `count` is [`NODES`](Limits::NODES) or [`SIMS`](Limits::SIMS).
    /// `fallback` holds if nothing else does.
    #[must_use]
    pub fn read(settings: &Settings, count: &Key, has_depth: bool, fallback: Budget) -> Limits {
        let given = Budget {
            nodes: settings.whole_or_none(count.name).map(|nodes| nodes as u64),
            depth: if has_depth { settings.whole_or_none("depth").map(|depth| depth as u32) } else { None },
            time: settings.whole_or_none("time_ms").map(|ms| Duration::from_millis(ms as u64)),
        };
        Limits { given, fallback, planner: Planner::default() }
    }

    /// Limits that are known without a spec.
    #[must_use]
    pub fn of(given: Budget) -> Limits {
        Limits { given, fallback: given, planner: Planner::default() }
    }

    /// Returns what a decision may use, and the plan if a clock runs: iterative searches pace themselves by it.
    #[must_use]
    pub fn for_decision<G: Game>(
        &self,
        decision: &Decision<'_, G>,
        context: &Context<'_, G>,
    ) -> (Budget, Option<Plan>) {
        self.for_situation(&context.situation(decision))
    }

    /// Does the same for a decision that is known by its clocks.
    #[must_use]
    pub fn for_situation(&self, situation: &Situation) -> (Budget, Option<Plan>) {
        match self.planner.plan(situation) {
            Some(plan) => (self.given.and(plan.budget()), Some(plan)),
            None if self.given == Budget::default() => (self.fallback, None),
            None => (self.given, None),
        }
    }

    /// Returns what a decision may use by a search that can break off anywhere: up to the target of the plan, for it cannot tell
    /// whether more would help.
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
    fn the_target_of_a_plan_is_less_than_its_most() {
        let limits = Limits::of(Budget::nodes(7));
        let clock = Clock::new("20s".parse::<TimeControl>().unwrap());
        let situation = Situation::new(clock, None, 2);
        let (most, plan) = limits.for_situation(&situation);
        let target = limits.up_to_target(&situation);
        assert_eq!((target.time, target.nodes), (plan.map(|plan| plan.target), Some(7)));
        assert!(target.time < most.time, "{target:?}, {most:?}");
    }

    #[test]
    fn the_spec_and_the_clock_hold_together() {
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
