//! What a solver does besides solving: it counts nodes, says how it goes, and stops when nobody wants the answer.

use std::time::{Duration, Instant};

use parlor_core::play::solve::{Progress, ProgressUpdate, Unsolved};

/// So many nodes pass between looks at the clock and at the stop flag: a few milliseconds.
const NODES_BETWEEN_LOOKS: u64 = 1 << 13;
const BETWEEN_TELLS: Duration = Duration::from_millis(250);

/// Counts the nodes of one question and watches the one who asked it.
pub(crate) struct Watch<'a, 'p> {
    progress: &'a mut Progress<'p>,
    /// How many nodes were visited.
    pub nodes: u64,
    /// The answer is no longer wanted: what a search returns now means nothing.
    pub stopped: bool,
    /// How much of the question is answered.
    pub done: f64,
    told: Instant,
}

impl<'a, 'p> Watch<'a, 'p> {
    pub fn new(progress: &'a mut Progress<'p>) -> Self {
        Watch { progress, nodes: 0, stopped: false, done: 0.0, told: Instant::now() }
    }

    /// Counts a node.
    #[inline(always)]
    pub fn count(&mut self) {
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_BETWEEN_LOOKS) {
            self.look();
        }
    }

    /// Returns what was found, unless the search was stopped before it was.
    pub fn found<T>(&self, what: T) -> Result<T, Unsolved> {
        if self.stopped { Err(Unsolved::Cancelled) } else { Ok(what) }
    }

    #[cold]
    fn look(&mut self) {
        self.stopped |= self.progress.cancel.is_cancelled();
        if self.told.elapsed() >= BETWEEN_TELLS {
            self.told = Instant::now();
            let doing = "searching".to_owned();
            (self.progress.report)(&ProgressUpdate { doing, done: Some(self.done), nodes: self.nodes });
        }
    }
}
