//! A thread for each heuristic, on the evidence of the agent itself.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, PoisonError, RwLock};
use std::thread;
use std::time::Duration;

use super::{Carrier, Collector, OwnedQuestion};
use crate::decision::Answer;
use crate::engine::{Engine, Question, Scratch};

/// A question with its number.
type Numbered = (u64, Arc<OwnedQuestion>);

/// Threads that end when it is dropped: their channels close.
pub(crate) struct ThreadCarrier {
    questions: Vec<Sender<Numbered>>,
    answers: Receiver<(u64, usize, Vec<Answer>)>,
    number: u64,
}

impl ThreadCarrier {
    pub(crate) fn start(engine: &Arc<RwLock<Engine>>, families: &[&'static str]) -> ThreadCarrier {
        let (to_agent, answers) = channel();
        let start = |(at, &family): (usize, &&'static str)| {
            let (to_thread, questions) = channel::<Numbered>();
            let (engine, to_agent) = (Arc::clone(engine), to_agent.clone());
            thread::spawn(move || {
                let mut scratch = Scratch::default();
                while let Ok((number, question)) = questions.recv() {
                    let engine = engine.read().unwrap_or_else(PoisonError::into_inner);
                    let mut answers = Vec::new();
                    let members = engine.heuristics.of_family(family);
                    engine.strongest(members, &question.borrowed(), &mut scratch, &mut answers);
                    drop(engine);
                    if to_agent.send((number, at, answers)).is_err() {
                        return;
                    }
                }
            });
            to_thread
        };
        let questions = families.iter().enumerate().map(start).collect();
        ThreadCarrier { questions, answers, number: 0 }
    }
}

impl Carrier for ThreadCarrier {
    fn ask(&mut self, question: &Question<'_>, deadline: Option<Duration>) -> Vec<Option<Vec<Answer>>> {
        self.number += 1;
        let shared = Arc::new(OwnedQuestion::of(question));
        let mut collector = Collector::new(self.questions.len(), question.places.len(), deadline);
        let alive: Vec<bool> =
            self.questions.iter().map(|to| to.send((self.number, Arc::clone(&shared))).is_ok()).collect();
        while let Some(longest) = collector.patience(|family| alive[family]) {
            let Ok((number, family, answers)) = self.answers.recv_timeout(longest) else { break };
            // An answer to a question before this one came too late for it.
            if number == self.number {
                collector.take(family, answers);
            }
        }
        collector.finish()
    }
}
