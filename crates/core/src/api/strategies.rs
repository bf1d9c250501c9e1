//! What agents do in every information set of a small hidden game, and exact numbers about it.

use crate::play::solve::{Progress, Resources};

use super::ApiError;

/// A strategy as plain numbers: the probability of each sequence of choices, for the role that decides first and the other.
#[derive(Clone, PartialEq, Debug)]
pub struct StrategyPlan {
    /// The agent's full form, or what it is a response to.
    pub name: String,
    /// The probabilities of the sequences of both roles.
    pub plans: [Vec<f64>; 2],
    /// Whether the probabilities are known; otherwise they are estimates from samples.
    pub exact: bool,
}

/// A small game with hidden information whose information sets are all known.
///
/// Payoffs are averages over deciding first and second.
pub trait AnyStrategies: Send + Sync {
    /// Returns the number of information sets.
    fn information_sets(&self) -> usize;

    /// Queries an agent in every information set; `samples` times where its answers vary and its probabilities are not known.
    ///
    /// # Errors
    /// If there is no such agent, it misbehaves, or the work is cancelled.
    fn agent(
        &self,
        spec: &str,
        samples: u32,
        seed: u64,
        threads: usize,
        progress: &mut Progress<'_>,
    ) -> Result<StrategyPlan, ApiError>;

    /// Returns the restricted Nash response to a strategy: the best reply to an opponent that follows it with probability
    /// `weight`, and plays freely otherwise.
    ///
    /// # Errors
    /// If the work is cancelled.
    fn respond(
        &self,
        to: &StrategyPlan,
        weight: f64,
        precision: f64,
        threads: usize,
        progress: &mut Progress<'_>,
    ) -> Result<StrategyPlan, ApiError>;

    /// Returns what one strategy wins from another.
    fn gain(&self, own: &StrategyPlan, other: &StrategyPlan) -> f64;

    /// Returns what a strategy loses to its best response.
    fn exploitability(&self, plan: &StrategyPlan) -> f64;
}

/// How a game is expanded.
#[derive(Clone, PartialEq, Debug)]
pub struct ExpansionParams {
    /// Whether each seat and each mirror image has information sets of its own.
    pub full: bool,
    /// Threads, and the memory limit.
    pub resources: Resources,
}
