//! Reports thoughts during a search: every new one and, at intervals, the last one with updated counts.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use parlor_core::{Certainty, Meter, Reporter, Thought};

/// After this long without a new thought, the last one is reported again with updated node count and time.
pub(crate) const BETWEEN_THOUGHTS: Duration = Duration::from_millis(250);

/// Nodes between two checks of the clock.
const CHECK_INTERVAL: u64 = 4096;

/// Reports the thoughts of one search.
pub(crate) struct ThoughtReporter<'a, A> {
    reporter: Reporter<'a, A>,
    /// Nodes visited by the other threads.
    elsewhere: Option<&'a AtomicU64>,
    /// The current thought; `report` fills in nodes and time.
    pub(crate) thought: Thought<A>,
    next_look: u64,
    last: Duration,
}

impl<'a, A> ThoughtReporter<'a, A> {
    pub(crate) fn new(
        reporter: Reporter<'a, A>,
        elsewhere: Option<&'a AtomicU64>,
        unit: &'static str,
    ) -> Self {
        let thought = Thought {
            depth: 0,
            nodes: 0,
            counts: "nodes",
            elapsed: Duration::ZERO,
            value: 0.0,
            unit,
            certainty: Certainty::Guess,
            end_in: None,
            line: Vec::new(),
            moves: Vec::new(),
        };
        ThoughtReporter { reporter, elsewhere, thought, next_look: CHECK_INTERVAL, last: Duration::ZERO }
    }

    /// Repeats the last thought if the interval has passed. Called at every node.
    #[inline]
    pub(crate) fn pass(&mut self, meter: &Meter<'_>) {
        if meter.nodes() >= self.next_look {
            self.look(meter);
        }
    }

    #[cold]
    fn look(&mut self, meter: &Meter<'_>) {
        self.next_look = meter.nodes() + CHECK_INTERVAL;
        if meter.elapsed() >= self.last + BETWEEN_THOUGHTS {
            self.report(meter);
        }
    }

    /// Reports the current thought.
    pub(crate) fn report(&mut self, meter: &Meter<'_>) {
        self.last = meter.elapsed();
        self.thought.elapsed = self.last;
        self.thought.nodes =
            meter.nodes() + self.elsewhere.map_or(0, |elsewhere| elsewhere.load(Ordering::Relaxed));
        self.reporter.report(&self.thought);
    }
}
