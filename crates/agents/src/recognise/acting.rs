//! An agent that searches, as a policy.

use std::collections::HashMap;

use parlor_core::{Agent, Context, Decision, Game, Policy, Rng, Seat};

/// The most answers that are remembered. A view takes about a kilobyte.
const MOST_ANSWERS: usize = 4_096;

/// The policy of an agent whose probabilities are not known: it is asked, with the same random stream every time, and its answer is
/// taken for certain.
pub struct Acting<G: Game> {
    agent: Box<dyn Agent<G>>,
    /// The place of the answer among the actions. Equal views offer equal actions.
    answers: HashMap<(Seat, G::View), usize>,
}

impl<G: Game> Acting<G> {
    /// Makes the policy of an agent.
    #[must_use]
    pub fn new(agent: Box<dyn Agent<G>>) -> Self {
        Acting { agent, answers: HashMap::new() }
    }

    fn answer(&mut self, decision: &Decision<'_, G>) -> usize {
        if decision.actions.len() == 1 {
            return 0;
        }
        let key = (decision.seat, decision.view.clone());
        if let Some(&at) = self.answers.get(&key) {
            return at;
        }
        // It is asked as if the match began here: what it answers depends on the view alone.
        self.agent.begin_session();
        self.agent.begin(decision.game, decision.seat);
        let action = self.agent.act(decision, &mut Context::new(&mut Rng::new(0)));
        let at = decision.actions.iter().position(|&one| one == action).unwrap_or(0);
        if self.answers.len() >= MOST_ANSWERS {
            self.answers.clear();
        }
        self.answers.insert(key, at);
        at
    }
}

impl<G: Game> Policy<G> for Acting<G> {
    fn weigh(&mut self, decision: &Decision<'_, G>, weights: &mut Vec<f64>) {
        let at = self.answer(decision);
        weights.clear();
        weights.resize(decision.actions.len(), 0.0);
        weights[at] = 1.0;
    }
}
