//! FABLE, a learning engine that builds finite automata from a history of games (after Jackson 2009).
//!
//! Every game that was played is a sequence of states and inputs. A model counts transitions and how often each led to which end.
//! [Heuristics](heuristics) decide what a state is: the view, a window of it, the view turned round. Asked about a decision, each
//! answers with a probability and a confidence for every action, and the [decision] combines the answers.
//!
//! No code here knows which game it plays: a game is a [board] of cells with symbols, and the places of its actions.

mod automaton;
pub mod board;
mod carrier;
pub mod counting;
pub mod decision;
pub mod engine;
pub mod evidence;
pub mod heuristics;
pub mod history;
mod inspect;
mod judge;
mod player;
mod settings;
pub mod state_keys;
mod stored;
pub mod worker;

pub use player::{Fable, build, build_policy};
pub use settings::{KEYS, NAME, SUMMARY};
