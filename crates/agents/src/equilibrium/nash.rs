//! `nash(file=…)`: plays a stored equilibrium or response, or an equilibrium that it computes itself.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use parlor_core::api::BuildContext;
use parlor_core::files::fingerprint;
use parlor_core::{
    Agent, Cancel, Context, Decision, Entry, InformationSets, Key, Kind, OnDisk, Policy, Progress, Resources,
    Settings, SpecError, Unsolved,
};

use super::sequence_form::{choices, remember};
use super::solve::{SolveParams, solve};
use super::strategy::Strategy;

/// The agent's name in specs.
pub const NAME: &str = "nash";

/// A one-line summary.
pub const SUMMARY: &str =
    "plays a strategy of a small game, as `parlor solve --hidden` or `parlor respond` found it";

/// The word for an equilibrium that is computed when the agent is made.
const SOLVED: &str = "solved";

/// How exactly, and within which limits. Double-three takes half a second; what is much larger is refused.
const PARAMS: SolveParams =
    SolveParams { precision: 1e-5, rounds: 10_000, resources: Resources { threads: 1, memory_mb: 256 } };

/// The agent's keys.
pub const KEYS: &[Key] = &[
    Key {
        name: "file",
        kind: Kind::File(OnDisk { words: &[SOLVED], checksum: fingerprint::stored }),
        default: "",
        help: "strategy file, as `parlor solve GAME --hidden` and `parlor respond` write it with `--out FILE`; solved: an equilibrium, computed when the agent is made (small games); required",
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
            let how = format!(
                "it plays a strategy, made by parlor solve '{full}' --hidden --out FILE; file=solved computes one"
            );
            return Err(settings.missing("file", how));
        }
        if file == SOLVED {
            let strategy = solved(game, full).map_err(|error| {
                settings.unfit(
                    "file",
                    format!("a strategy file: this game is not solved when an agent is made ({error})"),
                )
            })?;
            return Ok(Nash::new(strategy));
        }
        let strategy =
            Strategy::open(file.as_ref(), &full).map_err(|error| settings.unusable("file", error))?;
        Ok(Nash::new(Arc::new(strategy)))
    }
}

/// Returns the equilibrium of a game with the full form `full`. Agents are made often, so games are solved once a process.
fn solved<G: InformationSets>(game: &G, full: String) -> Result<Arc<Strategy>, Unsolved> {
    static KNOWN: Mutex<BTreeMap<String, Arc<Strategy>>> = Mutex::new(BTreeMap::new());
    // Held while solving: other threads that make the same agent wait for the result.
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(strategy) = known.get(&full) {
        return Ok(strategy.clone());
    }
    let mut progress = Progress { cancel: &Cancel::new(), report: &mut |_| {} };
    let strategy = Arc::new(Strategy::new(full.clone(), &solve(game, &PARAMS, &mut progress)?)?);
    known.insert(full, strategy.clone());
    Ok(strategy)
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
