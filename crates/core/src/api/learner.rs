//! A learner behind the dynamic API, for as long as it is looked at.

use std::io;

use crate::play::agent::{KnowledgeSize, KnowledgeTable, Learner};
use crate::play::automaton::{Automaton, AutomatonQuery};
use crate::rules::game::Game;

use super::AnyLearner;

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

    fn size(&self) -> KnowledgeSize {
        self.learner.size()
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

    fn load(&mut self, from: &mut dyn io::Read) -> io::Result<()> {
        self.learner.load(from)
    }
}
