//! How much a search may do: nodes, depth, time, and a flag that stops it from outside.
//!
//! Experiments limit **nodes**: the same search with the same seed then does the same on every machine, however busy. A
//! time limit gives results that cannot be repeated, and is for matches against people and outside engines.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::time::deadline::Cancel;

/// The limits of one search. The default has none.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Budget {
    /// How many nodes, simulations, or other units of work.
    pub nodes: Option<u64>,
    /// How many plies deep.
    pub depth: Option<u32>,
    /// How long, by the wall clock.
    pub time: Option<Duration>,
}

impl Budget {
    /// Returns a budget of nodes.
    #[must_use]
    pub const fn nodes(nodes: u64) -> Self {
        Budget { nodes: Some(nodes), depth: None, time: None }
    }

    /// Returns a budget of plies.
    #[must_use]
    pub const fn depth(depth: u32) -> Self {
        Budget { nodes: None, depth: Some(depth), time: None }
    }

    /// Returns a budget of time.
    #[must_use]
    pub const fn time(time: Duration) -> Self {
        Budget { nodes: None, depth: None, time: Some(time) }
    }

    /// Returns the tighter of both limits of each kind.
    #[must_use]
    pub fn and(self, other: Budget) -> Self {
        fn tighter<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
            match (one, other) {
                (Some(one), Some(other)) => Some(one.min(other)),
                (one, other) => one.or(other),
            }
        }
        Budget {
            nodes: tighter(self.nodes, other.nodes),
            depth: tighter(self.depth, other.depth),
            time: tighter(self.time, other.time),
        }
    }

    /// Returns whether a search within it ends and does the same every time: nodes or depth are limited, time is not.
    #[must_use]
    pub const fn is_repeatable(&self) -> bool {
        self.time.is_none() && (self.nodes.is_some() || self.depth.is_some())
    }

    /// Starts measuring. The time runs from now; `cancel`, where given, ends the search as soon as it is set.
    #[must_use]
    pub fn start<'a>(&self, cancel: Option<&'a Cancel>) -> Meter<'a> {
        let started = Instant::now();
        Meter {
            budget: *self,
            cancel: cancel.map(Cancel::flag),
            started,
            // A deadline beyond the range of the system's clock never comes.
            deadline: self.time.and_then(|time| started.checked_add(time)),
            used: 0,
            stride: 1,
            next_look: 1,
            last_look: started,
            end: None,
        }
    }
}

/// What ended a search.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Limit {
    /// The nodes were used up.
    Nodes,
    /// The time was.
    Time,
    /// It was cancelled.
    Cancelled,
}

/// Counts what a search does against its [`Budget`].
///
/// Asking is cheap: the system's clock is read only once in many nodes, and not at all without a time limit.
#[derive(Clone, Debug)]
pub struct Meter<'a> {
    budget: Budget,
    cancel: Option<&'a AtomicBool>,
    started: Instant,
    deadline: Option<Instant>,
    used: u64,
    /// Nodes between two looks at the clock.
    stride: u64,
    next_look: u64,
    last_look: Instant,
    end: Option<Limit>,
}

/// Looks at the clock should be about this far apart: late by so much is nothing to a match, and a look takes less than a
/// thousandth of it.
const BETWEEN_LOOKS: Duration = Duration::from_micros(100);

/// Never more nodes than this between two looks, since nodes can become slow all at once.
const LONGEST_STRIDE: u64 = 4096;

impl Meter<'_> {
    /// Asks for `nodes` more nodes. Returns whether they may be visited; once refused, always refused.
    ///
    /// With a limit of *n*, a search that asks before each node visits exactly *n*. The search should have an answer
    /// before it first asks: the first no can come at once.
    #[inline]
    pub fn tick(&mut self, nodes: u64) -> bool {
        let wanted = self.used.saturating_add(nodes);
        if self.end.is_some() {
            return false;
        }
        if self.budget.nodes.is_some_and(|limit| wanted > limit) {
            self.end = Some(Limit::Nodes);
            return false;
        }
        if self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            self.end = Some(Limit::Cancelled);
            return false;
        }
        if self.deadline.is_some() && wanted >= self.next_look && self.is_late(wanted) {
            self.end = Some(Limit::Time);
            return false;
        }
        self.used = wanted;
        true
    }

    /// Reads the clock, and chooses when to read it again: nodes take a nanosecond in one search and a second in
    /// another, so the stride begins at 1 and doubles while looks come too soon.
    #[cold]
    fn is_late(&mut self, wanted: u64) -> bool {
        let now = Instant::now();
        let since = now - self.last_look;
        if since < BETWEEN_LOOKS / 2 {
            self.stride = (self.stride * 2).min(LONGEST_STRIDE);
        } else if since > BETWEEN_LOOKS {
            let shrink = since.as_nanos() / BETWEEN_LOOKS.as_nanos() + 1;
            self.stride = u64::try_from(u128::from(self.stride) / shrink).unwrap_or(1).max(1);
        }
        self.last_look = now;
        self.next_look = wanted.saturating_add(self.stride);
        self.deadline.is_some_and(|deadline| now >= deadline)
    }

    /// Returns whether the search may look `depth` plies deep.
    #[inline]
    #[must_use]
    pub fn allows_depth(&self, depth: u32) -> bool {
        self.budget.depth.is_none_or(|limit| depth <= limit)
    }

    /// Returns how many nodes were granted.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        self.used
    }

    /// Returns how long ago measuring began. Reads the clock.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Returns what ended the search, if it was ended.
    #[must_use]
    pub const fn end(&self) -> Option<Limit> {
        self.end
    }
}

#[cfg(test)]
mod tests {
    use std::thread::sleep;

    use super::*;

    #[test]
    fn exactly_so_many_nodes() {
        for limit in [0, 1, 2, 1000, 100_000] {
            let mut meter = Budget::nodes(limit).start(None);
            let mut visited = 0;
            while meter.tick(1) {
                visited += 1;
            }
            assert_eq!((visited, meter.nodes(), meter.end()), (limit, limit, Some(Limit::Nodes)));
        }
    }

    #[test]
    fn a_handful_that_does_not_fit_is_refused_whole() {
        let mut meter = Budget::nodes(10).start(None);
        assert!(meter.tick(4) && meter.tick(4));
        assert!(!meter.tick(4));
        assert!(!meter.tick(1), "no is for ever");
        assert_eq!(meter.nodes(), 8);
        assert!(!Budget::nodes(10).start(None).tick(u64::MAX));
    }

    #[test]
    fn no_limit_is_no_limit() {
        let mut meter = Budget::default().start(None);
        assert!((0..100_000).all(|_| meter.tick(1)) && meter.tick(u64::MAX) && meter.tick(u64::MAX));
        assert!(meter.allows_depth(u32::MAX) && meter.end().is_none());
    }

    #[test]
    fn the_flag_stops_at_once() {
        let stop = Cancel::new();
        let mut meter = Budget::default().start(Some(&stop));
        assert!(meter.tick(1));
        stop.cancel();
        assert!(!meter.tick(1));
        assert!(!meter.tick(1));
        assert_eq!((meter.nodes(), meter.end()), (1, Some(Limit::Cancelled)));
    }

    #[test]
    fn time_runs_out_on_slow_and_fast_nodes() {
        let mut meter = Budget::time(Duration::ZERO).start(None);
        assert!(!meter.tick(1), "no time is no time");
        for nap in [Duration::ZERO, Duration::from_millis(2)] {
            let time = Duration::from_millis(10);
            let mut meter = Budget::time(time).start(None);
            while meter.tick(1) {
                if !nap.is_zero() {
                    sleep(nap);
                }
            }
            assert_eq!(meter.end(), Some(Limit::Time));
            assert!(meter.elapsed() >= time);
        }
    }

    #[test]
    fn slow_nodes_are_each_looked_at() {
        let mut meter = Budget::time(Duration::from_millis(20)).start(None);
        let mut visited = 0;
        while meter.tick(1) {
            sleep(Duration::from_millis(5));
            visited += 1;
        }
        assert!(visited <= 4, "{visited} nodes of 5 ms in 20 ms");
    }

    #[test]
    fn the_stride_shrinks_when_nodes_become_slow() {
        let mut meter = Budget::time(Duration::from_secs(3600)).start(None);
        for _ in 0..200_000 {
            assert!(meter.tick(1));
        }
        assert!(meter.stride > 1);
        // What a node of a second would do, without the wait.
        meter.last_look -= Duration::from_secs(1);
        meter.next_look = 0;
        assert!(meter.tick(1));
        assert_eq!(meter.stride, 1);
    }

    #[test]
    fn a_time_beyond_the_systems_clock_is_no_limit() {
        assert!(Budget::time(Duration::MAX).start(None).tick(1));
    }

    #[test]
    fn the_tighter_limit_of_each_kind() {
        let time = Duration::from_secs(1);
        let one = Budget { nodes: Some(10), depth: Some(3), time: None };
        let other = Budget { nodes: Some(20), depth: None, time: Some(time) };
        assert_eq!(one.and(other), Budget { nodes: Some(10), depth: Some(3), time: Some(time) });
        assert_eq!(one.and(other), other.and(one));
        assert!(one.is_repeatable() && !other.is_repeatable() && !Budget::default().is_repeatable());
    }

    #[test]
    fn depth_is_the_searchs_own_question() {
        let meter = Budget::depth(3).start(None);
        assert!(meter.allows_depth(3) && !meter.allows_depth(4));
    }
}
