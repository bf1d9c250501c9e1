//! Equilibria of games with hidden things: written out once, then solved by counterfactual regret minimisation.
//!
//! In an equilibrium neither side gains by playing otherwise. [`solve`](solve::solve) finds one to any precision, with bounds
//! that a best response proves. What an agent loses to its best response is its *exploitability*: 0 for an equilibrium.

pub mod exploit;
pub mod form;
mod hosted;
pub mod nash;
pub mod regret;
pub mod sequence_form;
pub mod solve;
pub mod strategy;

pub use hosted::{Answer, AnyEquilibrium, Rounds};

#[cfg(test)]
mod tests;
