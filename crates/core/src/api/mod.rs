//! The dynamic API: games and agents by name, as text and JSON, for front ends and for the laboratory.
//!
//! Inside, everything is generic; here it is `dyn`. An [`AnyGame`] plays whole matches ([`AnyTeam`]) or opens a table
//! ([`AnyTable`]) for stepping. There is no way to get a state out: only views of seats.

mod analysis;
mod batch;
mod batch_against;
mod candidates;
mod cells;
mod duel;
mod engine;
mod error;
mod guest;
mod hosted;
mod learner;
mod people;
mod recognising;
mod referee;
mod roster;
mod sampling;
mod search;
mod solving;
mod strategies;
mod table;
mod team;
mod thinker;
mod worlds;

use std::fmt;
use std::ops::AddAssign;
use std::time::Duration;

use serde_json::Value;

use crate::files::saved::SavedGame;

use crate::play::outcome::{Actor, Fault};
use crate::play::solve::{Progress, Resources};
use crate::play::thought::{Thought, TypeOdds};
use crate::play::training::{TrainingMatch, TrainingRow};
use crate::rng::Rng;
use crate::rules::game::Phase;
use crate::rules::payoffs::Range;
use crate::rules::seat::Seat;
use crate::text::notation::Ink;
use crate::text::spec::{Key, SpecError, Survey};
use crate::time::clock::TimeControl;
use crate::time::deadline::Cancel;

pub use analysis::{Analysis, Question};
pub use batch::{AnyBatch, BatchArrays, BatchError, BatchForfeits, BatchResults};
pub use batch_against::BatchOpponent;
pub use cells::{AnyCells, CellsShown, CellsWorkload, PlacedAction, TableCells};
pub use duel::{AnyDuel, DuelGame, Expectation, Recognised};
pub use engine::AnyEngine;
pub use error::{ApiError, ErrorKind};
pub use guest::{AnyDecision, Guest, GuestChoice, GuestEntry, GuestQuery, MakeGuest};
pub use hosted::{ExpandStrategies, Hosted, ShowFeatures};
pub use learner::AnyLearner;
pub use people::{ExactValues, PeopleTable, TableEvent};
pub use referee::{AnyReferee, Blunder, Judged, MOST_POSITIONS};
pub use roster::{AgentEntry, Build, BuildContext, BuildLearner, BuildOracle, BuildPolicy, Make};
pub use sampling::{AnyFeatures, AnySampler, SampleRow, SampledGame};
pub use solving::{AnySolver, Solved};
pub use strategies::{AnyStrategies, ExpansionParams, StrategyPlan};
pub use thinker::AnyThinker;
pub use worlds::TableWorlds;

/// The version of the JSON envelope around a view.
pub const VIEW_VERSION: u32 = 1;

/// An agent as a list shows it.
#[derive(Clone, Debug)]
pub struct AgentInfo {
    /// The name in specs.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// Every key.
    pub keys: &'static [Key],
    /// Whether it can be trained.
    pub learns: bool,
    /// Whether it sees what is hidden: only the laboratory seats it.
    pub sees_all: bool,
}

/// Random play on one thread, for measuring.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Playouts {
    /// How many games were played.
    pub games: u64,
    /// How many actions that took, those of chance included.
    pub plies: u64,
}

/// What the searches of a match did, for measuring.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Searched {
    /// How many decisions were searched; those without a thought do not count, nor does their time.
    pub decisions: u64,
    /// How many nodes, or simulations, by the last thought of each.
    pub nodes: u64,
    /// How long the decisions took.
    pub time: Duration,
}

impl AddAssign for Searched {
    fn add_assign(&mut self, more: Self) {
        self.decisions += more.decisions;
        self.nodes += more.nodes;
        self.time += more.time;
    }
}

/// A game that was opened by name, its options fixed.
pub trait AnyGame: Send + Sync {
    /// Returns the name in specs.
    fn name(&self) -> &'static str;

    /// Returns the full form, defaults included.
    fn spec(&self) -> String;

    /// Returns the number of seats.
    fn seats(&self) -> u8;

    /// Returns the rules for a person who has never played; empty if none are written.
    fn rules(&self) -> String;

    /// Returns whether nothing is hidden from any seat.
    fn is_open(&self) -> bool;

    /// Returns what payoffs can be.
    fn range(&self) -> Range;

    /// Returns the agents that can play it.
    fn agents(&self) -> Vec<AgentInfo>;

    /// Makes an agent known by name that lives elsewhere: a seat with that name is taken by that agent from now on. Lists of agents do not
    /// show it, and other agents cannot name it.
    ///
    /// # Errors
    /// If an agent of the game has that name, or it is no name.
    fn add_guest(&mut self, guest: GuestEntry) -> Result<(), SpecError>;

    /// Returns an agent's full form.
    ///
    /// # Errors
    /// If there is no such agent for this game, or its settings do not fit.
    fn agent_spec(&self, spec: &str) -> Result<String, SpecError>;

    /// Returns which files and programs an agent's spec names and which of its keys have old names, nested specs included. Nothing is
    /// opened or started: a server can ask this before it makes an agent for a stranger.
    ///
    /// # Errors
    /// If the spec is not understood.
    fn survey(&self, spec: &str) -> Result<Survey, SpecError>;

    /// Returns what the seat to move may do in a position (`None`: the start), one text an action, sorted; nothing where
    /// chance acts first or the match is over.
    ///
    /// # Errors
    /// If the position is not understood.
    fn moves(&self, position: Option<&str>) -> Result<Vec<String>, ApiError>;

    /// Returns for each length 1 … `depth` the number of action sequences.
    ///
    /// # Errors
    /// If the position is not understood or leaves hidden things open.
    fn perft(&self, depth: usize, position: Option<&str>) -> Result<Vec<u64>, ApiError>;

    /// Seats agents for whole matches; agent *i* is the *i*-th of `specs`.
    ///
    /// # Errors
    /// If there is no such agent, or its settings do not fit.
    fn team(&self, specs: &[&str]) -> Result<Box<dyn AnyTeam>, SpecError>;

    /// Lays a table for a match that is played step by step.
    ///
    /// # Errors
    /// If the position is not understood or leaves hidden things open.
    fn table(&self, seed: u64, position: Option<&str>) -> Result<Box<dyn AnyTable>, ApiError>;

    /// Makes an agent that is spoken to in texts, for the far side of a pipe.
    ///
    /// # Errors
    /// If there is no such agent, or its settings do not fit.
    fn engine(&self, spec: &str) -> Result<Box<dyn AnyEngine>, SpecError>;

    /// Lets an agent think about a position and reports its thoughts meanwhile. Only the view of the seat that is asked is
    /// used.
    ///
    /// # Errors
    /// If the agent or the position is not understood, no seat is to decide there, or the agent misbehaves.
    fn analyse(
        &self,
        question: &Question<'_>,
        report: &mut dyn FnMut(&Thought<String>),
    ) -> Result<Analysis, ApiError>;

    /// Returns the exact solver.
    ///
    /// # Errors
    /// If the game has none under these rules.
    fn solver(&self, means: &Resources) -> Result<Box<dyn AnySolver>, ApiError>;

    /// Seats agents as [`team`](AnyGame::team) does, beside a solver that judges their decisions.
    ///
    /// # Errors
    /// As those of [`team`](AnyGame::team) and [`solver`](AnyGame::solver).
    fn referee(&self, specs: &[&str], means: &Resources) -> Result<Box<dyn AnyReferee>, ApiError>;

    /// Returns what shows views as cells and actions as numbers.
    ///
    /// # Errors
    /// If the game cannot.
    fn cells(&self) -> Result<&dyn AnyCells, ApiError>;

    /// Returns the features and styles of play that classifiers tell apart.
    ///
    /// # Errors
    /// If the game has none.
    fn sampling(&self) -> Result<&dyn AnyFeatures, ApiError>;

    /// Seats two agents that play from every deal of the game, `first` in seat 0.
    ///
    /// # Errors
    /// If there is no such agent, its settings do not fit, or the game has too many deals.
    fn duel(&self, first: &str, second: &str) -> Result<Box<dyn AnyDuel>, ApiError>;

    /// Expands a small hidden game, for exact numbers about strategies.
    ///
    /// # Errors
    /// If the game is too large or hides nothing, or the work is cancelled.
    fn strategies(
        &self,
        params: &ExpansionParams,
        progress: &mut Progress<'_>,
    ) -> Result<Box<dyn AnyStrategies>, ApiError>;

    /// Plays `games` uniformly random games on this thread.
    fn playouts(&self, seed: u64, games: u64) -> Playouts;
}

impl fmt::Debug for dyn AnyGame + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.spec())
    }
}

/// One match of a team, as it is asked for.
#[derive(Clone, Debug)]
pub struct MatchSetup<'a> {
    /// The number of the agent in each seat.
    pub seating: &'a [usize],
    /// The seed of deals, draws, flips and of random openings.
    pub chance: u64,
    /// The seed of the agents' random streams.
    pub agent_seed: u64,
    /// Each seat's time.
    pub time: TimeControl,
    /// How many decisions are taken at random first.
    pub opening: u32,
    /// Whether agents think on each other's time.
    pub ponder: bool,
    /// Whether it continues the session of the team's match before: then agents keep what they remember from match to match.
    pub continues: bool,
    /// Set to abandon the match.
    pub cancel: Option<Cancel>,
}

impl<'a> MatchSetup<'a> {
    /// A match from the start, a session of its own, without clocks and without a flag to cancel it.
    #[must_use]
    pub fn new(seating: &'a [usize], chance: u64, agent_seed: u64) -> Self {
        MatchSetup {
            seating,
            chance,
            agent_seed,
            time: TimeControl::default(),
            opening: 0,
            ponder: false,
            continues: false,
            cancel: None,
        }
    }
}

/// Agents that play whole matches with each other.
pub trait AnyTeam: Send {
    /// Plays one match; `None` if it was abandoned.
    fn play(&mut self, setup: &MatchSetup<'_>) -> Option<SavedGame>;

    /// Plays one match, without pondering, and returns what its searches did.
    fn search(&mut self, setup: &MatchSetup<'_>) -> Searched;

    /// Plays one match of which nothing is kept but the numbers; learners that are not frozen learn from it.
    fn train_match(&mut self, setup: &TrainingMatch<'_>) -> TrainingRow;

    /// Returns a member's full form.
    fn spec(&self, member: usize) -> &str;

    /// Sets the name that a member has in saved games from now on, in place of its full form. A resumed run keeps the names with
    /// which it began, though keys may have other names by now.
    fn set_name(&mut self, member: usize, name: &str);

    /// Seats another player in the place of a member.
    ///
    /// # Errors
    /// If there is no such agent, or its settings do not fit; then the member stays.
    fn reseat(&mut self, member: usize, spec: &str) -> Result<(), SpecError>;

    /// Asks a member about a position with known right actions: whether its answer is one of them; `None` if the game has no such
    /// positions. Equal seeds draw equal positions.
    fn exercise(&mut self, member: usize, seed: u64) -> Option<bool>;

    /// Returns a member that learns; `None` for one that does not.
    fn learner(&mut self, member: usize) -> Option<Box<dyn AnyLearner + '_>>;
}

/// One match, step by step, as text and JSON. Seats without an agent are played from outside.
pub trait AnyTable: PeopleTable + TableWorlds + Send {
    /// Returns the game's full form.
    fn game(&self) -> String;

    /// Returns who is to act.
    fn phase(&self) -> Phase;

    /// Returns what the seat to move may do, in the game's order; empty unless a seat is to move.
    fn actions(&self) -> Vec<String>;

    /// Carries out what `seat` chooses, and returns the action's exact text.
    ///
    /// # Errors
    /// If it is not the seat's turn, or the text is not a legal action.
    fn act(&mut self, seat: Seat, text: &str) -> Result<String, ApiError>;

    /// Lets chance act once. Returns `false` if chance is not to act.
    ///
    /// # Errors
    /// If an agent is thinking elsewhere.
    fn chance(&mut self) -> Result<bool, ApiError>;

    /// Carries out the next action of a recorded game, of a seat or of chance. Where chance acts, its stream moves on as if it had
    /// been asked.
    ///
    /// # Errors
    /// If the text is not an action that is possible here.
    fn replay(&mut self, text: &str) -> Result<(), ApiError>;

    /// Returns the random stream of each seat's agent, for a match that will be resumed.
    fn streams(&self) -> Vec<Rng>;

    /// Sets the random streams of the agents to what [`streams`](AnyTable::streams) returned.
    fn set_streams(&mut self, streams: &[Rng]);

    /// Seats an agent and returns its full form. The agent is shown everything that the seat has seen so far.
    ///
    /// # Errors
    /// If there is no such agent, or its settings do not fit.
    fn seat_agent(&mut self, seat: Seat, spec: &str) -> Result<String, SpecError>;

    /// Makes an agent known to the table that lives elsewhere.
    ///
    /// # Errors
    /// As those of [`AnyGame::add_guest`].
    fn add_guest(&mut self, guest: GuestEntry) -> Result<(), SpecError>;

    /// Takes the agent of `seat` from the table so that it can decide or ponder, on any thread; the table can be looked at
    /// meanwhile. [`commit`](AnyTable::commit) brings it back.
    ///
    /// # Errors
    /// If no agent sits there, or it is thinking already.
    fn thinker(&mut self, seat: Seat) -> Result<Box<dyn AnyThinker>, ApiError>;

    /// Brings an agent back and carries out what it has decided. Returns the action's text; `None` if it has not decided or
    /// was cancelled: then nothing has happened at the table.
    ///
    /// # Errors
    /// If the agent forfeits: the match has ended against it. If the agent came from another table, or pondering failed: the
    /// match goes on.
    fn commit(&mut self, thinker: Box<dyn AnyThinker>) -> Result<Option<String>, ApiError>;

    /// Lets the agent in the seat to move decide and carries that out: [`thinker`](AnyTable::thinker) and
    /// [`commit`](AnyTable::commit) in one. Returns the action's text.
    ///
    /// # Errors
    /// If no agent sits there, or it forfeits.
    fn agent_act(&mut self) -> Result<String, ApiError>;

    /// Ends the match against `seat`, for something that happened away from the table, such as a fallen flag.
    fn forfeit(&mut self, seat: Seat, why: Fault);

    /// Takes back the last action and the chance before it, so that a seat is to move again. Returns `false` if there
    /// is nothing to take back.
    ///
    /// # Errors
    /// If the game hides things: taking back would show what was not to be known.
    fn undo(&mut self) -> Result<bool, ApiError>;

    /// Returns the learner in `seat`, if one sits there. One whose learning is on learns from what is played here, unless
    /// something was taken back.
    fn learner(&mut self, seat: Seat) -> Option<Box<dyn AnyLearner + '_>>;

    /// Returns how many stages of the match have ended.
    fn stages(&self) -> u32;

    /// Returns whom the agent in `seat` takes its opponent for, by everything that it has seen so far; `None` if no agent sits there, it is
    /// thinking elsewhere, or it does not tell types of opponents apart.
    fn opponent_types(&mut self, seat: Seat) -> Option<Vec<TypeOdds>>;

    /// Returns what `seat` has seen happen, first to last, with who did it.
    fn sights(&self, seat: Seat) -> Vec<(Actor, String)>;

    /// Returns a drawing of what `seat` sees.
    fn draw(&self, seat: Seat, ink: Ink) -> String;

    /// Returns the score and other facts that a player wants beside the board, in one line.
    fn status(&self, seat: Seat) -> String;

    /// Returns what `seat` sees as JSON, in a versioned envelope.
    fn view_json(&self, seat: Seat) -> Value;

    /// Returns the match as cells and numbers.
    ///
    /// # Errors
    /// If the game cannot show them.
    fn cells(&self) -> Result<&dyn TableCells, ApiError>;

    /// Returns the match as cells and numbers, to act in it by number.
    ///
    /// # Errors
    /// If the game cannot show them.
    fn cells_mut(&mut self) -> Result<&mut dyn TableCells, ApiError>;

    /// Returns what everyone got, once the match is over.
    fn payoffs(&self) -> Option<Vec<f64>>;

    /// Returns the match so far; `names` says who sits where.
    fn saved(&self, names: &[String]) -> SavedGame;
}
