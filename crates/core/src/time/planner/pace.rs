//! Whether to begin another iteration.

use std::time::Duration;

use super::{Plan, Planner, rules};

/// How often the searches of an iteration left their windows.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Fails {
    /// How many searches there were.
    pub searches: u32,
    /// How many found less than their window allowed.
    pub low: u32,
    /// How many found more.
    pub high: u32,
}

/// What the failures say about the values a search expected.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Outlook {
    /// They were about right.
    Balanced,
    /// Many searches failed low: things are worse than expected.
    TooOptimistic,
    /// Many searches failed high: things are better than expected.
    TooPessimistic,
}

/// Shares of fewer searches than this say nothing.
const FEWEST_SEARCHES: u32 = 4;

/// What the last iterations say together.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// The same action and about the same value for long enough: more thinking will change nothing.
    Agree,
    /// Another action, or a value that jumped: worth more thinking.
    Disagree,
    /// Neither.
    Open,
}

/// What an iteration of a search found.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Iteration<M> {
    /// The best action.
    pub best: M,
    /// Its value, in the search's units.
    pub value: f64,
    /// Whether that is a proven win.
    pub won: bool,
    /// How its searches went.
    pub fails: Fails,
}

/// Why a search should end.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Why {
    /// A win was found.
    Won,
    /// The greatest depth is reached.
    Depth,
    /// The last iterations agree.
    Agreed,
    /// The next iteration could not be finished.
    Time,
}

/// What a search should do after an iteration.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Next {
    /// Look one ply deeper, and end at the latest when the decision has taken so long.
    Deeper(Duration),
    /// Answer.
    Stop(Why),
}

impl Planner {
    /// Returns what the failures of an iteration say.
    #[must_use]
    pub fn outlook(&self, fails: Fails) -> Outlook {
        let many = |count: u32| f64::from(count) > self.params.fail_share * f64::from(fails.searches);
        match (many(fails.low), many(fails.high)) {
            _ if fails.searches < FEWEST_SEARCHES => Outlook::Balanced,
            (true, _) if fails.low >= fails.high => Outlook::TooOptimistic,
            (_, true) => Outlook::TooPessimistic,
            _ => Outlook::Balanced,
        }
    }

    /// Returns what iterations say together, given the best action and its value of each, first to last.
    #[must_use]
    pub fn verdict<M: PartialEq>(&self, iterations: &[(M, f64)]) -> Verdict {
        let params = &self.params;
        if let [.., (one, before), (other, after)] = iterations
            && (one != other || !within(*before, *after, params.jump))
        {
            return Verdict::Disagree;
        }
        let deep = iterations.len() >= params.min_depth as usize;
        let Some(from) = iterations.len().checked_sub(params.agreeing as usize).filter(|_| deep) else {
            return Verdict::Open;
        };
        let last = &iterations[from..];
        let agree = last.iter().all(|(best, value)| {
            *best == last[0].0 && last.iter().all(|(_, other)| within(*value, *other, params.tolerance))
        });
        if agree { Verdict::Agree } else { Verdict::Open }
    }

    /// Returns whether to begin the next depth: `times` says how long each finished depth took, `used` how long the
    /// decision has taken so far, all in seconds.
    ///
    /// Below the least depth the budget does not count. The hard limit always does: what would overrun it, or has
    /// reached it, is not begun.
    #[must_use]
    pub fn starts_next(&self, times: &[f64], used: f64, budget: f64, hard: f64) -> bool {
        let depth = times.len();
        let done = used + rules::predict(times).unwrap_or(0.0);
        let limit = if depth < self.params.min_depth as usize { hard } else { budget.min(hard) };
        depth < self.params.max_depth as usize && used < hard && done <= limit
    }
}

/// Returns whether two values lie within `distance` of each other. Equal infinities do; NaN never does.
fn within(one: f64, other: f64, distance: f64) -> bool {
    one == other || (one - other).abs() <= distance
}

/// Follows one iterative search. Depth *n* is the *n*-th iteration.
#[derive(Clone, Debug)]
pub struct Pace<'a, M> {
    planner: &'a Planner,
    plan: Plan,
    times: Vec<f64>,
    used: f64,
    found: Vec<(M, f64)>,
}

impl<'a, M: PartialEq> Pace<'a, M> {
    /// Begins a search by a plan.
    #[must_use]
    pub fn new(planner: &'a Planner, plan: Plan) -> Self {
        Pace { planner, plan, times: Vec::new(), used: 0.0, found: Vec::new() }
    }

    /// Books an iteration after which the decision has taken `used` in all, and returns what to do next.
    pub fn finished(&mut self, iteration: Iteration<M>, used: Duration) -> Next {
        let used = used.as_secs_f64();
        self.times.push((used - self.used).max(0.0));
        self.used = used;
        self.found.push((iteration.best, iteration.value));

        if iteration.won {
            return Next::Stop(Why::Won);
        }
        if self.found.len() >= self.planner.params.max_depth as usize {
            return Next::Stop(Why::Depth);
        }
        let surprised = self.planner.outlook(iteration.fails) != Outlook::Balanced;
        let verdict = self.planner.verdict(&self.found);
        if verdict == Verdict::Agree && !surprised {
            return Next::Stop(Why::Agreed);
        }
        let budget =
            if verdict == Verdict::Disagree || surprised { self.plan.most } else { self.plan.target };
        let hard = self.plan.hard;
        if !self.planner.starts_next(&self.times, used, budget.as_secs_f64(), hard.as_secs_f64()) {
            return Next::Stop(Why::Time);
        }
        // Depths below the least one may take what the hard limit leaves.
        let shallow = self.found.len() < self.planner.params.min_depth as usize;
        Next::Deeper(if shallow { hard } else { self.plan.most })
    }
}
