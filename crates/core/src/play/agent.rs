//! Agents, the decisions they take, and the episodes they learn from.

use std::io;

use serde::{Deserialize, Serialize};

use crate::play::automaton::{Automaton, AutomatonQuery};
use crate::play::context::Context;
use crate::play::outcome::Actor;
use crate::play::thought::{Beliefs, Pondering, TypeOdds};
use crate::play::training::TrainingRow;
use crate::rng::Rng;
use crate::rules::game::Game;
use crate::rules::payoffs::Payoffs;
use crate::rules::seat::{BySeat, Seat};
use crate::time::deadline::Cancel;

/// A decision that a seat has to take: everything it may know about the game, and nothing else.
#[derive(Debug)]
pub struct Decision<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// The seat that decides.
    pub seat: Seat,
    /// What the seat knows.
    pub view: &'a G::View,
    /// What it may do; never empty.
    pub actions: &'a [G::Action],
}

impl<'a, G: Game> Decision<'a, G> {
    /// Puts a decision together.
    #[must_use]
    pub fn new(game: &'a G, seat: Seat, view: &'a G::View, actions: &'a [G::Action]) -> Self {
        Decision { game, seat, view, actions }
    }
}

/// Something that happened, as one seat saw it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Sight<A> {
    /// Who did it.
    pub actor: Actor,
    /// What was done, masked where the seat may not see it.
    pub action: A,
}

/// A player of `G`.
///
/// # Promises
/// - Equal decisions, equal sights before them and equal randomness give equal actions: an agent draws from the
///   context's `rng` and from nothing else, wall-clock searches excepted.
/// - An agent may keep what it saw between `begin` and `end`; `begin` starts afresh, except for what it is told to remember
///   from match to match. That lasts for a session, a series of matches in a fixed order: `begin_session` forgets it.
///
/// An answer that is not among the actions, a panic, or an answer after the clock has run out forfeits the match. An
/// agent in this process that never answers cannot be stopped: a separate program can.
pub trait Agent<G: Game>: Send {
    /// A new session begins: everything is forgotten that was seen in matches before. A match that continues no session is a session
    /// of its own.
    fn begin_session(&mut self) {}

    /// A new match begins in which this agent has `seat`.
    fn begin(&mut self, _game: &G, _seat: Seat) {}

    /// Something happened that this agent's seat could see, its own actions included.
    fn watch(&mut self, _game: &G, _sight: Sight<G::Action>) {}

    /// Returns one of `decision.actions`. A searching agent reports at least one thought to the context.
    fn act(&mut self, decision: &Decision<'_, G>, context: &mut Context<'_, G>) -> G::Action;

    /// Thinks on the other seat's time, until cancelled. Returns early if there is nothing to think about.
    fn ponder(&mut self, _pondering: &Pondering<'_, G>) {}

    /// Returns what it believes about what it cannot see; `None` for an agent that has no beliefs.
    fn beliefs(&mut self, _decision: &Decision<'_, G>, _context: &mut Context<'_, G>) -> Option<Beliefs> {
        None
    }

    /// Returns how likely the other seat is of each type by everything seen so far; `None` for an agent that does not tell types
    /// apart.
    fn opponent_types(&mut self, _game: &G) -> Option<Vec<TypeOdds>> {
        None
    }

    /// The match is over.
    fn end(&mut self, _game: &G, _payoffs: &Payoffs) {}
}

impl<G: Game, A: Agent<G> + ?Sized> Agent<G> for Box<A> {
    fn begin_session(&mut self) {
        (**self).begin_session();
    }
    fn begin(&mut self, game: &G, seat: Seat) {
        (**self).begin(game, seat);
    }
    fn watch(&mut self, game: &G, sight: Sight<G::Action>) {
        (**self).watch(game, sight);
    }
    fn act(&mut self, decision: &Decision<'_, G>, context: &mut Context<'_, G>) -> G::Action {
        (**self).act(decision, context)
    }
    fn ponder(&mut self, pondering: &Pondering<'_, G>) {
        (**self).ponder(pondering);
    }
    fn beliefs(&mut self, decision: &Decision<'_, G>, context: &mut Context<'_, G>) -> Option<Beliefs> {
        (**self).beliefs(decision, context)
    }
    fn opponent_types(&mut self, game: &G) -> Option<Vec<TypeOdds>> {
        (**self).opponent_types(game)
    }
    fn end(&mut self, game: &G, payoffs: &Payoffs) {
        (**self).end(game, payoffs);
    }
}

/// A way to choose whose probabilities are known.
pub trait Policy<G: Game>: Send {
    /// Writes into `weights` how likely each of `decision.actions` is, in their order; the weights add up to 1.
    fn weigh(&mut self, decision: &Decision<'_, G>, weights: &mut Vec<f64>);
}

/// One decision of a finished match, as the seat that took it knew it.
#[derive(Clone, PartialEq, Debug)]
pub struct Step<G: Game> {
    /// What the seat knew.
    pub view: G::View,
    /// What it could do.
    pub actions: Vec<G::Action>,
    /// What it did.
    pub action: G::Action,
}

/// How a stage came out.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct StageResult {
    /// Who won it; `None` for a draw.
    pub winner: Option<Seat>,
    /// What each seat scored in it.
    pub points: BySeat<f64>,
    /// What each seat has scored in the match so far.
    pub scores: BySeat<f64>,
}

/// A stage that has just ended, from one seat's side. Most games are one stage; a contest of dominoes is several.
#[derive(Debug)]
pub struct Episode<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// Whose side this is.
    pub seat: Seat,
    /// Who took the first decision of the match.
    pub first: Seat,
    /// The seat's decisions since the match began, first to last.
    pub steps: &'a [Step<G>],
    /// How many of the steps belong to earlier stages.
    pub earlier: usize,
    /// What the seat knew right after the stage.
    pub last: &'a G::View,
    /// How the stage came out.
    pub result: StageResult,
    /// What everyone got, if this was the last stage.
    pub payoffs: Option<Payoffs>,
}

impl<G: Game> Episode<'_, G> {
    /// Returns the seat's decisions in the stage.
    #[must_use]
    pub fn stage(&self) -> &[Step<G>] {
        &self.steps[self.earlier..]
    }
}

/// How large a learner's knowledge is.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct KnowledgeSize {
    /// How many things it knows: transitions, weights, positions.
    pub entries: u64,
    /// How many bytes they take now.
    pub bytes: u64,
    /// How many they have taken at the most.
    pub peak_bytes: u64,
    /// How many things it has dropped to stay within its memory.
    pub forgotten: u64,
}

/// What a learner reports about its learning since it was asked last. Numbers that it does not have are `None`.
#[derive(Copy, Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct LearningReport {
    /// The mean absolute difference between the result that it expected after a decision and what it learnt from there, in results of
    /// −1 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
    /// The mean relative change of its weights: 0.01 if they are 1 % larger or smaller than before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<f64>,
    /// The magnitude of its largest weight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub largest: Option<f64>,
}

impl LearningReport {
    /// Returns whether it has no number at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == LearningReport::default()
    }
}

/// A part of a learner's knowledge as a table for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnowledgeTable {
    /// What it shows.
    pub title: String,
    /// The names of the columns.
    pub columns: Vec<&'static str>,
    /// The rows, most informative first.
    pub rows: Vec<Vec<String>>,
    /// What the words in it mean.
    pub note: &'static str,
}

/// Matches that a learner plays against itself.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct SelfPlay {
    /// Match *i* draws from `fork(seed, i)`.
    pub seed: u64,
    /// The number of the first match.
    pub first: u64,
    /// How many matches.
    pub matches: u64,
    /// How many threads may play; the result does not depend on it.
    pub threads: usize,
}

/// An agent that gets better by looking at what happened.
///
/// A learner may sit in every seat of a match at once: it keeps nothing about a match between calls, all it learns from
/// is the episode.
pub trait Learner<G: Game>: Agent<G> {
    /// Learns from a stage that has just ended. Does nothing while frozen.
    fn learn(&mut self, episode: &Episode<'_, G>, rng: &mut Rng);

    /// A match is over in which it could learn, from one seat or from several.
    fn match_ended(&mut self) {}

    /// Plays matches against itself in all seats, learns from them and returns how they came out, in order; `None` for a learner that
    /// has no faster way to do so than the usual one.
    ///
    /// The result depends on the plan alone, the number of threads excepted. It may stop early when `cancel` is set.
    fn self_play(&mut self, _game: &G, _plan: &SelfPlay, _cancel: &Cancel) -> Option<Vec<TrainingRow>> {
        None
    }

    /// Switches learning off (`true`) or on again.
    fn freeze(&mut self, frozen: bool);

    /// Returns whether learning is switched off.
    fn is_frozen(&self) -> bool;

    /// Returns the learner's settings in the full form.
    fn spec(&self) -> String;

    /// Returns how large its knowledge is.
    fn size(&self) -> KnowledgeSize;

    /// Returns how its learning went since this was called last, or since it was loaded.
    fn report(&mut self) -> LearningReport {
        LearningReport::default()
    }

    /// Returns what it knows, for people: the first `rows` of each table.
    fn inspect(&self, game: &G, rows: usize) -> Vec<KnowledgeTable>;

    /// Returns the automaton that it has built, or the most used part; `None` for a learner that builds none.
    ///
    /// # Errors
    /// If it has no such model: the sentence that says which there are.
    fn automaton(&self, _query: &AutomatonQuery<'_>) -> Result<Option<Automaton>, String> {
        Ok(None)
    }

    /// Writes everything it has learnt in a form that a person can read, one thing a line, sorted.
    ///
    /// # Errors
    /// Errors of the writer.
    fn write_text(&self, game: &G, to: &mut dyn io::Write) -> io::Result<()>;

    /// Writes down everything it has learnt; equal knowledge gives equal bytes.
    ///
    /// # Errors
    /// Errors of the writer.
    fn save(&self, to: &mut dyn io::Write) -> io::Result<()>;

    /// Writes down what it needs to play, for files that come with the program; it may be rounded, and learning cannot go on from it as
    /// if it had never stopped.
    ///
    /// # Errors
    /// Errors of the writer.
    fn save_to_play(&self, to: &mut dyn io::Write) -> io::Result<()> {
        self.save(to)
    }

    /// Replaces what it has learnt by what was saved.
    ///
    /// # Errors
    /// Errors of the reader, and [`io::ErrorKind::InvalidData`] for bytes that `save` did not write.
    fn load(&mut self, from: &mut dyn io::Read) -> io::Result<()>;
}
