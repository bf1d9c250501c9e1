//! Agents that know no game by name. An agent's trait bounds say what it needs from a game.

pub mod alphabeta;
pub mod beliefs;
pub mod book;
pub mod classifier;
pub mod collective;
pub mod endgame;
pub mod equilibrium;
pub mod evaluation;
pub mod exact;
pub mod expectimax;
pub mod ismcts;
pub mod leaves;
pub mod limits;
pub mod mcts;
pub mod mstar;
pub mod net;
pub mod ntuple;
pub mod openhand;
pub mod outside;
pub mod pimc;
pub mod playout;
pub mod process;
pub mod random;
pub mod recognise;
pub mod star;
pub mod table;
mod thought_reporter;
pub mod weights;
mod worlds_question;

pub use limits::Limits;
pub use outside::Outside;
pub use random::Random;
