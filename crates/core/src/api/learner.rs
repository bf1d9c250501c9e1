//! A learner behind the dynamic API, for as long as it is looked at.

use std::io;

use crate::play::agent::{KnowledgeSize, KnowledgeTable, Learner, LearningReport, SelfPlay};
use crate::play::automaton::{Automaton, AutomatonQuery};
use crate::play::training::TrainingRow;
use crate::rules::game::Game;
use crate::time::deadline::Cancel;

/// A member of a team that learns.
pub trait AnyLearner {
    /// Switches learning off (`true`) or on again.
    fn freeze(&mut self, frozen: bool);

    /// Returns whether learning is switched off.
    fn is_frozen(&self) -> bool;

    /// Plays matches against itself in all seats, learns from them and returns how they came out; `None` for a learner that has no
    /// faster way to do so than [`AnyTeam::train_match`](super::AnyTeam::train_match).
    fn self_play(&mut self, plan: &SelfPlay, cancel: &Cancel) -> Option<Vec<TrainingRow>>;

    /// Returns how large its knowledge is.
    fn size(&self) -> KnowledgeSize;

    /// Returns how its learning went since this was called last, or since it was loaded.
    fn report(&mut self) -> LearningReport;

    /// Returns what it knows, for people: the first `rows` of each table.
    fn inspect(&self, rows: usize) -> Vec<KnowledgeTable>;

    /// Returns the automaton that it has built, or the most used part; `None` for a learner that builds none.
    ///
    /// # Errors
    /// If it has no such model: the sentence that says which there are.
    fn automaton(&self, query: &AutomatonQuery<'_>) -> Result<Option<Automaton>, String>;

    /// Writes everything it has learnt in a form that a person can read, one thing a line, sorted.
    ///
    /// # Errors
    /// Errors of the writer.
    fn write_text(&self, to: &mut dyn io::Write) -> io::Result<()>;

    /// Writes down everything it has learnt; equal knowledge gives equal bytes.
    ///
    /// # Errors
    /// Errors of the writer.
    fn save(&self, to: &mut dyn io::Write) -> io::Result<()>;

    /// Writes down what it needs to play; learning cannot go on from it as if it had never stopped.
    ///
    /// # Errors
    /// Errors of the writer.
    fn save_to_play(&self, to: &mut dyn io::Write) -> io::Result<()>;

    /// Replaces what it has learnt by what was saved.
    ///
    /// # Errors
    /// Errors of the reader, and [`io::ErrorKind::InvalidData`] for bytes that `save` did not write.
    fn load(&mut self, from: &mut dyn io::Read) -> io::Result<()>;
}

pub(super) struct HostedLearner<'a, G: Game> {
    pub(super) game: &'a G,
    pub(super) learner: &'a mut dyn Learner<G>,
}

impl<G: Game> AnyLearner for HostedLearner<'_, G> {
    fn freeze(&mut self, frozen: bool) {
        self.learner.freeze(frozen);
    }

    fn is_frozen(&self) -> bool {
        self.learner.is_frozen()
    }

    fn self_play(&mut self, plan: &SelfPlay, cancel: &Cancel) -> Option<Vec<TrainingRow>> {
        self.learner.self_play(self.game, plan, cancel)
    }

    fn size(&self) -> KnowledgeSize {
        self.learner.size()
    }

    fn report(&mut self) -> LearningReport {
        self.learner.report()
    }

    fn inspect(&self, rows: usize) -> Vec<KnowledgeTable> {
        self.learner.inspect(self.game, rows)
    }

    fn automaton(&self, query: &AutomatonQuery<'_>) -> Result<Option<Automaton>, String> {
        self.learner.automaton(query)
    }

    fn write_text(&self, to: &mut dyn io::Write) -> io::Result<()> {
        self.learner.write_text(self.game, to)
    }

    fn save(&self, to: &mut dyn io::Write) -> io::Result<()> {
        self.learner.save(to)
    }

    fn save_to_play(&self, to: &mut dyn io::Write) -> io::Result<()> {
        self.learner.save_to_play(to)
    }

    fn load(&mut self, from: &mut dyn io::Read) -> io::Result<()> {
        self.learner.load(from)
    }
}
