//! Reports what a search thinks while it goes on: every new thought, and now and then the last one with fresh counts.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use parlor_core::{Certainty, Meter, Reporter, Thought};

/// After this long without a thought, the last one is told again with what it took until now.
pub(crate) const BETWEEN_THOUGHTS: Duration = Duration::from_millis(250);

/// Nodes between two looks at the clock.
const BETWEEN_LOOKS: u64 = 4096;

/// Tells thoughts.
pub(crate) struct ThoughtReporter<'a, A> {
    reporter: Reporter<'a, A>,
    /// What other threads have visited.
    elsewhere: Option<&'a AtomicU64>,
    /// What is thought at the moment; nodes and time are added when it is told.
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
        ThoughtReporter { reporter, elsewhere, thought, next_look: BETWEEN_LOOKS, last: Duration::ZERO }
    }

    /// Records that the search goes on. Called at every node.
    #[inline]
    pub(crate) fn pass(&mut self, meter: &Meter<'_>) {
        if meter.nodes() >= self.next_look {
            self.look(meter);
        }
    }

    #[cold]
    fn look(&mut self, meter: &Meter<'_>) {
        self.next_look = meter.nodes() + BETWEEN_LOOKS;
        if meter.elapsed() >= self.last + BETWEEN_THOUGHTS {
            self.report(meter);
        }
    }

    /// Tells what is thought at the moment.
    pub(crate) fn report(&mut self, meter: &Meter<'_>) {
        self.last = meter.elapsed();
        self.thought.elapsed = self.last;
        self.thought.nodes =
            meter.nodes() + self.elsewhere.map_or(0, |elsewhere| elsewhere.load(Ordering::Relaxed));
        self.reporter.report(&self.thought);
    }
}
