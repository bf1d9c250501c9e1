//! The player of an equilibrium: `nash(file=…)`.

use std::sync::Arc;

use parlor_core::api::BuildContext;
use parlor_core::files::fingerprint;
use parlor_core::{
    Agent, Context, Decision, Entry, InformationSets, Key, Kind, OnDisk, Policy, Settings, SpecError,
};

use super::sequence_form::{Detail, choices};
use super::strategy::Strategy;

/// The name in specs.
pub const NAME: &str = "nash";

/// What it does, in one line.
pub const SUMMARY: &str = "plays an equilibrium of a small game, as `parlor solve --hidden` found it";

/// Its keys.
pub const KEYS: &[Key] = &[
    Key {
        name: "file",
        kind: Kind::File(OnDisk { words: &[], checksum: fingerprint::stored }),
        default: "",
        help: "the strategy, the file that `parlor solve GAME --hidden --out FILE` writes; it must be given",
    },
    Key::checksum("checksum", "file"),
];

/// Plays by a strategy. What the strategy does not know is chosen uniformly.
#[derive(Clone)]
pub struct Nash {
    strategy: Arc<Strategy>,
    memory: Vec<u8>,
    weights: Vec<f64>,
}

impl Nash {
    /// Plays by a strategy for the game at hand.
    #[must_use]
    pub fn new(strategy: Arc<Strategy>) -> Nash {
        Nash { strategy, memory: Vec::new(), weights: Vec::new() }
    }

    /// Reads the file that the settings name.
    ///
    /// # Errors
    /// If none is named, or it cannot be used.
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

/// Makes the agent.
///
/// # Errors
/// If no file is named, or it cannot be used.
pub fn build<G: Entry + InformationSets>(
    context: &BuildContext<'_, G>,
) -> Result<Box<dyn Agent<G>>, SpecError> {
    Ok(Box::new(Nash::read(context.game, context.settings)?))
}

/// Makes its policy.
///
/// # Errors
/// If no file is named, or it cannot be used.
pub fn build_policy<G: Entry + InformationSets>(
    context: &BuildContext<'_, G>,
) -> Result<Box<dyn Policy<G>>, SpecError> {
    Ok(Box::new(Nash::read(context.game, context.settings)?))
}

impl<G: InformationSets> Policy<G> for Nash {
    fn weigh(&mut self, decision: &Decision<'_, G>, weights: &mut Vec<f64>) {
        let Decision { game, view, actions, .. } = *decision;
        weights.clear();
        let choices = choices(game, Detail::Essential, view, actions.iter().copied());
        self.memory.clear();
        game.recall(view, &mut self.memory);
        let known = self.strategy.odds(&self.memory).filter(|odds| odds.len() == choices.len());
        let even = 1.0 / choices.len() as f64;
        let total: f64 = known.map_or(1.0, |odds| odds.iter().copied().map(f64::from).sum());
        // Of actions that are alike the first is taken, always: taking another now and then, such as where nothing else fits, would
        // tell what is in the hand.
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
