//! M*: best replies to a model of the opponent.
//!
//! [`model_stack`] is the general search: players inside players, to any depth. [`Mstar`] plays games that hide things by it: the
//! hands are laid open in every world that its view allows, its own nodes take the best, the other seat's nodes follow
//! the model, chance is averaged, and so are the worlds. [`MstarOracle`] sees the true state instead: only
//! the laboratory seats it. Where the model is one of several types, a [`Recognising`] player finds out which while it plays.

mod agent;
mod deepening;
mod keys;
pub mod model_stack;
mod recognising;
mod types;

pub use agent::{Mstar, MstarOracle};
pub use keys::{KEYS, NAME, ORACLE, ORACLE_KEYS, ORACLE_SUMMARY, SUMMARY, build, build_oracle};
pub use recognising::{Recognising, Style};
pub use types::Types;

#[cfg(test)]
mod tests;
