//! Counts the nodes of a solver, reports progress and polls for cancellation.

use std::time::{Duration, Instant};

use parlor_core::Deadline;
use parlor_core::play::solve::{Progress, ProgressUpdate, Unsolved};

/// Number of nodes between two polls of the clock and the cancellation flag: a few milliseconds.
const NODES_PER_POLL: u64 = 1 << 13;
const REPORT_INTERVAL: Duration = Duration::from_millis(250);

/// Node count, progress reports and cancellation of one computation.
pub(crate) struct NodeCounter<'a, 'p> {
    progress: &'a mut Progress<'p>,
    /// Nodes visited so far.
    pub nodes: u64,
    /// Whether the computation was cancelled; values that a search returns from then on are meaningless.
    pub cancelled: bool,
    /// Share of the computation that is done, from 0 to 1.
    pub done: f64,
    /// The maximum number of nodes, and what to say when it is reached; then the computation counts as cancelled.
    limit: Option<(u64, String)>,
    /// The moment at which the computation is given up.
    deadline: Deadline<'a>,
    last_report: Instant,
}

impl<'a, 'p> NodeCounter<'a, 'p> {
    pub fn new(progress: &'a mut Progress<'p>) -> Self {
        let last_report = Instant::now();
        NodeCounter {
            progress,
            nodes: 0,
            cancelled: false,
            done: 0.0,
            limit: None,
            deadline: Deadline::default(),
            last_report,
        }
    }

    /// Gives the computation up when the deadline passes.
    pub fn until(self, deadline: Deadline<'a>) -> Self {
        NodeCounter { deadline, ..self }
    }

    /// Limits the number of nodes; a computation that needs more is out of reach for the reason given.
    pub fn limited(self, nodes: u64, why: String) -> Self {
        NodeCounter { limit: Some((nodes, why)), ..self }
    }

    /// Counts a node.
    #[inline(always)]
    pub fn count(&mut self) {
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_PER_POLL) {
            self.poll();
        }
    }

    /// Returns `result`, or an error if the computation was cancelled or has reached its limit.
    pub fn unless_cancelled<T>(&self, result: T) -> Result<T, Unsolved> {
        match &self.limit {
            _ if !self.cancelled => Ok(result),
            Some((most, why)) if self.nodes >= *most => Err(Unsolved::OutOfReach(why.clone())),
            _ => Err(Unsolved::Cancelled),
        }
    }

    #[cold]
    fn poll(&mut self) {
        self.cancelled |= self.progress.cancel.is_cancelled() || self.deadline.has_passed();
        self.cancelled |= self.limit.as_ref().is_some_and(|(most, _)| self.nodes >= *most);
        if self.last_report.elapsed() >= REPORT_INTERVAL {
            self.last_report = Instant::now();
            let doing = "searching".to_owned();
            (self.progress.report)(&ProgressUpdate { doing, done: Some(self.done), nodes: self.nodes });
        }
    }
}
