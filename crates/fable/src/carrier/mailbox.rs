//! Workers on this or other machines, asked through the mailbox of the store.

use std::time::{Duration, Instant};

use parlor_core::Seat;
use parlor_store::{Mailbox, Store, StoreError};

use super::{Carrier, Collector};
use crate::decision::Answer;
use crate::engine::Question;

/// A worker that was seen within this time is alive; it tells so every second.
const ALIVE: Duration = Duration::from_secs(10);

/// The longest wait before looking again.
const LONGEST_WAIT: Duration = Duration::from_millis(100);

/// The agent's side of the mailbox.
pub(crate) struct MailboxCarrier {
    mailbox: Box<dyn Mailbox>,
    families: Vec<&'static str>,
    agent: String,
    game: String,
}

impl MailboxCarrier {
    pub(crate) fn open(
        at: &str,
        families: Vec<&'static str>,
        agent: String,
        game: String,
    ) -> Result<Self, StoreError> {
        let mailbox = Store::create(at)?.mailbox()?;
        Ok(MailboxCarrier { mailbox, families, agent, game })
    }

    /// Returns for each family whether one of its workers was seen lately. Without a deadline, the agent waits only for these.
    fn alive(&mut self) -> Result<Vec<bool>, StoreError> {
        let workers = self.mailbox.workers()?;
        let is_alive = |family: &&str| {
            workers.iter().any(|worker| worker.state.heuristic == *family && worker.ago < ALIVE)
        };
        Ok(self.families.iter().map(is_alive).collect())
    }

    /// Asks, and collects what comes in time.
    fn exchange(
        &mut self,
        question: &Question<'_>,
        collector: &mut Collector,
        deadline: Option<Duration>,
    ) -> Result<(), StoreError> {
        let asked = letter(&self.agent, &self.game, question, deadline);
        let request = self.mailbox.ask(&asked)?;
        let mut seen = 0;
        let (mut alive, mut looked) = (self.alive()?, Instant::now());
        while let Some(longest) = collector.patience(|family| deadline.is_some() || alive[family]) {
            let replies = self.mailbox.replies(request)?;
            for reply in &replies {
                let Some(family) = self.families.iter().position(|family| *family == reply.heuristic) else {
                    continue;
                };
                let pair = |answer: &parlor_store::Answer| Answer {
                    probability: answer.probability,
                    confidence: answer.confidence,
                };
                collector.take(family, reply.answers.iter().map(pair).collect());
            }
            if replies.len() == seen {
                self.mailbox.wait(longest.min(LONGEST_WAIT))?;
            }
            if looked.elapsed() > ALIVE / 4 {
                (alive, looked) = (self.alive()?, Instant::now());
            }
            seen = replies.len();
        }
        self.mailbox.close(request)
    }
}

impl Carrier for MailboxCarrier {
    fn ask(&mut self, question: &Question<'_>, deadline: Option<Duration>) -> Vec<Option<Vec<Answer>>> {
        let mut collector = Collector::new(self.families.len(), question.places.len(), deadline);
        // A mailbox that cannot be reached is one without answers: the agent decides without them.
        let _ = self.exchange(question, &mut collector, deadline);
        collector.finish()
    }
}

/// Returns a question as the mailbox keeps it.
pub(super) fn letter(
    agent: &str,
    game: &str,
    question: &Question<'_>,
    deadline: Option<Duration>,
) -> parlor_store::Question {
    parlor_store::Question {
        agent: agent.to_owned(),
        game: game.to_owned(),
        seat: Seat(question.seat),
        cells: question.cells.to_vec(),
        actions: question.places.iter().map(|place| (String::new(), place.clone())).collect(),
        goal: "win".to_owned(),
        deadline,
    }
}
