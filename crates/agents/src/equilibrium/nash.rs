//! `nash(file=…)`: plays a stored equilibrium or response.

use std::sync::Arc;

use parlor_core::api::BuildContext;
use parlor_core::files::fingerprint;
use parlor_core::{
    Agent, Context, Decision, Entry, InformationSets, Key, Kind, OnDisk, Policy, Settings, SpecError,
};

use super::sequence_form::{choices, remember};
use super::strategy::Strategy;

/// The agent's name in specs.
pub const NAME: &str = "nash";

/// A one-line summary.
pub const SUMMARY: &str =
    "plays a strategy of a small game, as `parlor solve --hidden` or `parlor respond` found it";

/// The agent's keys.
pub const KEYS: &[Key] = &[
    Key {
        name: "file",
        kind: Kind::File(OnDisk { words: &[], checksum: fingerprint::stored }),
        default: "",
        help: "strategy file, as `parlor solve GAME --hidden` and `parlor respond` write it with `--out FILE`; required",
    },
    Key::checksum("checksum", "file"),
];

/// Plays a strategy; chooses uniformly in information sets it does not know.
#[derive(Clone)]
pub struct Nash {
    strategy: Arc<Strategy>,
    memory: Vec<u8>,
    weights: Vec<f64>,
}

impl Nash {
    /// Returns an agent that plays `strategy`.
    #[must_use]
    pub fn new(strategy: Arc<Strategy>) -> Nash {
        Nash { strategy, memory: Vec::new(), weights: Vec::new() }
    }

    /// Reads the strategy file of the settings.
    ///
    /// # Errors
    /// If no file is given, or it cannot be used.
    pub fn read<G: Entry + InformationSets>(game: &G, settings: &Settings) -> Result<Nash, SpecError> {
        let file = settings.text("file");
        let full = game.spec().to_string();
        if file.is_empty() {
            let how = format!("it plays a strategy, made by parlor solve '{full}' --hidden --out FILE");
            return Err(settings.missing("file", how));
        }
        let strategy =
            Strategy::open(file.as_ref(), &full).map_err(|error| settings.unusable("file", error))?;
        Ok(Nash::new(Arc::new(strategy)))
    }
}

/// Builds the agent.
///
/// # Errors
/// If no file is given, or it cannot be used.
pub fn build<G: Entry + InformationSets>(
    context: &BuildContext<'_, G>,
) -> Result<Box<dyn Agent<G>>, SpecError> {
    Ok(Box::new(Nash::read(context.game, context.settings)?))
}

/// Builds the agent's policy.
///
/// # Errors
/// If no file is given, or it cannot be used.
pub fn build_policy<G: Entry + InformationSets>(
    context: &BuildContext<'_, G>,
) -> Result<Box<dyn Policy<G>>, SpecError> {
    Ok(Box::new(Nash::read(context.game, context.settings)?))
}

impl<G: InformationSets> Policy<G> for Nash {
    fn weigh(&mut self, decision: &Decision<'_, G>, weights: &mut Vec<f64>) {
        let Decision { game, view, actions, .. } = *decision;
        weights.clear();
        let detail = self.strategy.detail();
        let choices = choices(game, detail, view, actions.iter().copied());
        self.memory.clear();
        remember(game, detail, view, &mut self.memory);
        let known = self.strategy.odds(&self.memory).filter(|odds| odds.len() == choices.len());
        let even = 1.0 / choices.len() as f64;
        let total: f64 = known.map_or(1.0, |odds| odds.iter().copied().map(f64::from).sum());
        // Of equivalent actions always take the first. Taking another one when nothing else fits would reveal the hand.
        weights.extend(actions.iter().map(|action| {
            match (choices.iter().position(|(_, first)| first == action), known) {
                (None, _) => 0.0,
                (Some(_), None) => even,
                (Some(choice), Some(odds)) => f64::from(odds[choice]) / total,
            }
        }));
    }
}

impl<G: InformationSets> Agent<G> for Nash {
    fn act(&mut self, decision: &Decision<'_, G>, context: &mut Context<'_, G>) -> G::Action {
        if let [only] = *decision.actions {
            return only;
        }
        let mut weights = std::mem::take(&mut self.weights);
        self.weigh(decision, &mut weights);
        let odds = decision.actions.iter().copied().zip(weights.iter().copied());
        let chosen = context.rng.by_weight(1.0, odds);
        self.weights = weights;
        chosen.unwrap_or(decision.actions[0])
    }
}
