//! How questions reach the heuristics and answers come back: threads, child processes, or a mailbox in the store.
//!
//! Answers are combined in the order of the heuristics, never in the order of arrival, so that all carriers choose the same actions from
//! the same history and seed. Deadlines are relative and run on the agent's clock. Whatever is late, dead, for another question or not an
//! answer is ignored; what processes and workers sent is recorded in the store's mailbox.

mod mailbox;
mod processes;
mod threads;

use std::time::{Duration, Instant};

use parlor_core::Place;

use crate::decision::Answer;
use crate::engine::Question;

pub(crate) use mailbox::MailboxCarrier;
pub(crate) use processes::ProcessCarrier;
pub(crate) use threads::ThreadCarrier;

/// A question that can leave this thread.
#[derive(Clone, Debug)]
pub(crate) struct OwnedQuestion {
    pub(crate) seat: u8,
    pub(crate) cells: Vec<u8>,
    pub(crate) places: Vec<Place>,
}

impl OwnedQuestion {
    pub(crate) fn of(question: &Question<'_>) -> OwnedQuestion {
        OwnedQuestion {
            seat: question.seat,
            cells: question.cells.to_vec(),
            places: question.places.to_vec(),
        }
    }

    pub(crate) fn borrowed(&self) -> Question<'_> {
        Question { seat: self.seat, cells: &self.cells, places: &self.places }
    }
}

/// Brings questions to heuristics.
pub(crate) trait Carrier: Send {
    /// Asks every heuristic. Returns the answers of each that came in time, in the order of the families.
    fn ask(&mut self, question: &Question<'_>, deadline: Option<Duration>) -> Vec<Option<Vec<Answer>>>;
}

/// Collects answers until all are there or time is up.
pub(crate) struct Collector {
    answers: Vec<Option<Vec<Answer>>>,
    actions: usize,
    until: Option<Instant>,
}

impl Collector {
    pub(crate) fn new(families: usize, actions: usize, deadline: Option<Duration>) -> Collector {
        let until = deadline.map(|deadline| Instant::now() + deadline);
        Collector { answers: vec![None; families], actions, until }
    }

    /// Returns how long to wait for the next answer; `None` once there is nothing to wait for.
    pub(crate) fn patience(&self, alive: impl Fn(usize) -> bool) -> Option<Duration> {
        let waits = |(family, answer): (usize, &Option<Vec<Answer>>)| answer.is_none() && alive(family);
        if !self.answers.iter().enumerate().any(waits) {
            return None;
        }
        match self.until {
            None => Some(Duration::from_secs(3600)),
            Some(until) => until.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()),
        }
    }

    /// Takes the answers of a family. Returns `false` if they cannot be answers to the question.
    pub(crate) fn take(&mut self, family: usize, answers: Vec<Answer>) -> bool {
        let fits = answers.len() == self.actions && answers.iter().all(Answer::is_possible);
        if fits {
            self.answers[family].get_or_insert(answers);
        }
        fits
    }

    /// Returns the answers.
    pub(crate) fn finish(self) -> Vec<Option<Vec<Answer>>> {
        self.answers
    }
}
