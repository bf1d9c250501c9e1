//! Equilibria of games with hidden things: written out once, then solved by counterfactual regret minimisation.
//!
//! In an equilibrium neither side gains by playing otherwise. [`solve`](solve::solve) finds one to any precision, with bounds
//! that a best response proves. What an agent loses to its best response is its *exploitability*: 0 for an equilibrium.

pub mod form;
pub mod leduc;
pub mod regret;
pub mod solve;
pub mod write_out;

#[cfg(test)]
mod tests;
