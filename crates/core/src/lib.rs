//! The vocabulary every other room speaks: seats, phases, payoffs, random streams, clocks; the traits
//! [`Game`], [`Agent`], [`Policy`] and [`Learner`]; and the loop that plays a match.
//!
//! Arrows point here: games know nothing of agents, agents know nothing of games, both know this crate.
//! An agent is handed [`Game::View`]s only, so an agent that cannot name a game's state cannot peek into it.

pub mod abilities;
pub mod agent;
pub mod budget;
pub mod clock;
pub mod dynamic;
pub mod evaluate;
pub mod game;
pub mod knowledge;
pub mod lesson;
pub mod notation;
pub mod oracle;
pub mod payoffs;
pub mod perft;
pub mod planner;
pub mod play;
pub mod playout;
pub mod protocol;
pub mod recall;
pub mod reversible;
pub mod rng;
pub mod saved;
pub mod sealed;
pub mod seat;
pub mod solve;
pub mod spec;
pub mod staged;
pub mod suggest;
pub mod thought;
pub mod worlds;

pub use abilities::{CodecInfo, Imagine, Keyed, PerfectInfo, Stimulus, no_such_codec};
pub use agent::{
    Agent, Decision, Episode, KnowledgeSize, KnowledgeTable, Learner, Policy, Sight, StageResult, Step,
};
pub use budget::{Budget, Meter};
pub use clock::{Clock, Periods, TOLERANCE, TimeControl};
pub use evaluate::Evaluate;
pub use game::{Game, IllegalAction, Phase};
pub use lesson::{Lesson, LessonRow, Mind, School};
pub use notation::{Ink, Notation, Position, ReadError};
pub use oracle::{Oracle, Sighted};
pub use payoffs::{Payoffs, Range};
pub use planner::{Planner, PlannerParams};
pub use play::{Actor, Crowd, Ending, Fault, Match, Observer, Outcome};
pub use recall::Recall;
pub use reversible::{Reversible, Spot};
pub use rng::Rng;
pub use seat::{BySeat, MAX_SEATS, Seat};
pub use solve::{BuildSolver, Exact, Means, Patience, Progress, Solver, Unsolved};
pub use spec::{Entry, Key, Kind, Settings, Spec, SpecError};
pub use staged::Staged;
pub use thought::{Beliefs, Certainty, Considered, Pondering, Thought};
pub use worlds::{Modelled, Worlds};

/// The guide's page on clocks, so that its examples are compiled.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/clocks.md")]
struct GuideToClocks;
