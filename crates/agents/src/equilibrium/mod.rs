//! Equilibria of games with hidden information, by counterfactual regret minimisation on the sequence form.
//!
//! In an equilibrium neither side gains by deviating. [`solve`](solve::solve) approximates one to any precision, with
//! bounds proven by best responses. The *exploitability* of an agent is what it loses to its best response: 0 in an
//! equilibrium. A *response* to an agent wins from it and limits its own exploitability.

pub mod exploit;
pub mod form;
mod hosted;
pub mod nash;
pub mod regret;
pub mod respond;
pub mod sequence_form;
pub mod solve;
mod strategies;
pub mod strategy;

pub use hosted::{AnyEquilibrium, EquilibriumResult, Rounds};

#[cfg(test)]
mod tests;
