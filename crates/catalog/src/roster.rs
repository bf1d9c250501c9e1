//! Which agents can play which game.

use parlor_agents::Random;
use parlor_core::Game;
use parlor_core::dynamic::AgentEntry;

/// The agents that play every game.
pub fn everywhere<G: Game>() -> Vec<AgentEntry<G>> {
    vec![AgentEntry {
        name: "random",
        summary: "chooses uniformly among the legal actions",
        keys: &[],
        build: |_, _| Ok(Box::new(Random)),
    }]
}
