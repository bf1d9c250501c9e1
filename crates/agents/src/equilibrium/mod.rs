//! Equilibria of games with hidden things: written out once, then solved by counterfactual regret minimisation.
//!
//! In an equilibrium neither side gains by playing otherwise. [`solve`](solve::solve) finds one to any precision, with bounds
//! that a best response proves. What an agent loses to its best response is its *exploitability*: 0 for an equilibrium.

mod desk;
pub mod exploit;
pub mod form;
pub mod leduc;
pub mod nash;
pub mod regret;
pub mod solve;
pub mod strategy;
pub mod write_out;

pub use desk::{Answer, AnyEquilibrium, Desk, Rounds};

#[cfg(test)]
mod tests;
