//! A rule system in the spirit of the expert player of "Dominating Dominoes": every rule scores a move, and the move
//! with the highest sum is played. It looks one move ahead.

mod rules;
mod weights;

use parlor_core::{Agent, Context, Decision, Key, Kind, Policy, Settings};

use rules::{Outlook, RULES};
pub use weights::Weights;

use crate::dominoes::holdings::Odds;
use crate::dominoes::{Action, Dominoes, View};

/// The key of the memory, which is not a rule itself; the rules use it.
const REMEMBER: Key = Key {
    name: "remember",
    kind: Kind::Switch,
    default: "on",
    help: "remember on which ends the other seat drew or passed",
};

/// A rule-based player; each rule can be switched off.
#[derive(Clone, PartialEq, Debug)]
pub struct Expert {
    /// The active rules, in the order of the keys.
    follows: [bool; RULES.len()],
    /// Whether it remembers the tiles that the other seat lacked.
    memory: bool,
    /// Weights of the rules under scoring boards.
    pub fives: Weights,
    /// Weights of the rules without scoring boards.
    pub plain: Weights,
}

impl Default for Expert {
    fn default() -> Self {
        Expert { follows: [true; RULES.len()], memory: true, fives: Weights::FIVES, plain: Weights::PLAIN }
    }
}

impl Expert {
    /// A switch for every rule, and one for the memory.
    pub const KEYS: &'static [Key] = &{
        let mut keys = [REMEMBER; RULES.len() + 1];
        let mut i = 0;
        while i < RULES.len() {
            keys[i] = RULES[i].key;
            i += 1;
        }
        keys
    };

    /// Returns the player with the settings of its keys.
    #[must_use]
    pub fn read(settings: &Settings) -> Expert {
        Expert {
            follows: std::array::from_fn(|i| settings.switch(RULES[i].key.name)),
            memory: settings.switch(REMEMBER.name),
            ..Expert::default()
        }
    }

    /// Returns the play with the most points; among equal ones the first in the game's order.
    pub(in crate::dominoes) fn choose(&self, game: &Dominoes, view: &View, actions: &[Action]) -> Action {
        if let &[only] = actions {
            return only;
        }
        let odds = Odds::new(game, view, self.memory);
        let weights = if game.rules().fives { &self.fives } else { &self.plain };
        let mut best = (f64::NEG_INFINITY, actions[0]);
        for &action in actions {
            let Some(outlook) = Outlook::new(game, view, &odds, weights, action) else { continue };
            let followed = RULES.iter().zip(self.follows).filter(|&(_, follows)| follows);
            let worth: f64 = followed.map(|(rule, _)| (rule.worth)(&outlook)).sum();
            if worth > best.0 {
                best = (worth, action);
            }
        }
        best.1
    }
}

impl Agent<Dominoes> for Expert {
    fn act(&mut self, decision: &Decision<'_, Dominoes>, _: &mut Context<'_, Dominoes>) -> Action {
        self.choose(decision.game, decision.view, decision.actions)
    }
}

impl Policy<Dominoes> for Expert {
    fn weigh(&mut self, decision: &Decision<'_, Dominoes>, weights: &mut Vec<f64>) {
        let choice = self.choose(decision.game, decision.view, decision.actions);
        weights.clear();
        weights.extend(decision.actions.iter().map(|&action| f64::from(u8::from(action == choice))));
    }
}

#[cfg(test)]
mod tests;
