//! A model that is one of several policies.

use parlor_core::{Decision, Game, Policy};

/// Types that the other seat may be of.
///
/// H. Donkers, *Nosce Hostem: Searching with Opponent Models*, 2003, chapter 6 (PrOM search): at the other seat's nodes the value is the
/// mean over the types of what each would do, by the probabilities of the types at the root. An unknown type does what is
/// worst for the player.
pub struct Types<G: Game> {
    policies: Vec<Box<dyn Policy<G>>>,
    /// How likely each is.
    shares: Vec<f64>,
    /// The probability that the other seat is of an unknown type.
    pub(super) worst: f64,
    /// What one type does.
    one: Vec<f64>,
}

impl<G: Game> Types<G> {
    /// Takes the policies of the types, all equally likely.
    #[must_use]
    pub fn new(policies: Vec<Box<dyn Policy<G>>>) -> Self {
        let shares = vec![1.0 / policies.len() as f64; policies.len()];
        Types { policies, shares, worst: 0.0, one: Vec::new() }
    }

    /// Sets the probability of each type and, if there is one more number, of an unknown type; the numbers add up to 1.
    pub(super) fn set(&mut self, shares: &[f64]) {
        let (shares, rest) = shares.split_at(self.policies.len());
        self.shares.copy_from_slice(shares);
        self.worst = rest.first().copied().unwrap_or(0.0);
    }

    /// Writes how likely each action is and that the other seat is of one of the types.
    pub(super) fn weigh(&mut self, decision: &Decision<'_, G>, weights: &mut Vec<f64>) {
        // A type that is certain needs no mean.
        if let Some(certain) = self.shares.iter().position(|&share| share == 1.0) {
            return self.policies[certain].weigh(decision, weights);
        }
        weights.clear();
        weights.resize(decision.actions.len(), 0.0);
        for (policy, &share) in self.policies.iter_mut().zip(&self.shares).filter(|(_, share)| **share > 0.0)
        {
            policy.weigh(decision, &mut self.one);
            weights.iter_mut().zip(&self.one).for_each(|(sum, weight)| *sum += share * weight);
        }
    }
}
