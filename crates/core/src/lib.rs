//! The vocabulary of every other crate: seats, phases, payoffs, random streams, clocks; the traits
//! [`Game`], [`Agent`], [`Policy`] and [`Learner`]; and the loop that plays a match.
//!
//! Dependencies point here: games know nothing of agents, agents know nothing of games, both know this crate.
//! An agent gets [`Game::View`]s only, so an agent that cannot name a game's state cannot look into it.

pub mod api;
pub mod files;
pub mod parallel;
pub mod play;
pub mod rng;
pub mod rules;
pub mod small_sort;
pub mod text;
pub mod time;

pub use play::agent::{
    Agent, Decision, Episode, KnowledgeSize, KnowledgeTable, Learner, LearningReport, Policy, SelfPlay,
    Sight, StageResult, Step,
};
pub use play::context::{Context, Reporter};
pub use play::matches::{Match, Observer};
pub use play::oracle::Oracle;
pub use play::outcome::{Actor, Ending, Fault, Forfeit, Outcome};
pub use play::solve::{BuildSolver, Exact, Progress, ProgressUpdate, Resources, Solver, Unsolved};
pub use play::stepper::{Seated, Seats};
pub use play::thought::{Beliefs, Certainty, Considered, Pondering, Thought, TypeOdds};
pub use play::training::{Player, Team, TrainingMatch, TrainingRow};
pub use play::win_draw_loss::WinDrawLoss;
pub use rng::Rng;
pub use rules::abilities::{CodecInfo, Imagine, Keyed, PerfectInfo, Standing, Stimulus, no_such_codec};
pub use rules::afterstates::{Afterstates, Positions};
pub use rules::cells::{CellLayout, CellSymbol, Cells, Place};
pub use rules::evaluate::Evaluate;
pub use rules::exercise::{DrawExercise, Exercise};
pub use rules::features::{FeatureInfo, Features};
pub use rules::game::{Game, IllegalAction, Phase};
pub use rules::game_value::GameValue;
pub use rules::information_sets::InformationSets;
pub use rules::net_inputs::NetInputs;
pub use rules::numbered::Numbered;
pub use rules::payoffs::{Payoffs, Range};
pub use rules::reversible::{Reversible, Spot};
pub use rules::seat::{BySeat, MAX_SEATS, Seat};
pub use rules::staged::{Objective, Staged};
pub use rules::symmetry::Symmetry;
pub use rules::worlds::{BlindWorlds, HiddenThings, ListWorlds, Retrace};
pub use text::notation::{Ink, Notation, Position, ReadError};
pub use text::people::{Ended, Happening, Sketch, Told};
pub use text::spec::{Checksum, Entry, Form, Key, Kind, OnDisk, Settings, Spec, SpecError, Unusable};
pub use time::budget::{Budget, Meter};
pub use time::clock::{Clock, Periods, TOLERANCE, TimeControl};
pub use time::deadline::{Cancel, Deadline};
pub use time::planner::{Planner, PlannerParams};

/// The guide's page on clocks, so that its examples are compiled.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/clocks.md")]
struct GuideToClocks;
