//! The frontier between gain and risk: restricted Nash responses to each target, and where the players stand.
//!
//! A unit is one response (a target and a weight) or one player, measured against every target.

use std::sync::OnceLock;

use parlor_core::api::{AnyGame, AnyStrategies, ApiError, ExpansionParams, StrategyPlan};
use parlor_core::{Cancel, Progress, Resources, Unsolved};

use super::{OpenedStudy, Participant, StudyRow, StudyUnit, at};
use crate::toml_reader::FileError;

/// What a strategy wins from the target.
pub const GAIN: &str = "gain";
/// What a strategy loses to its best response.
pub const EXPLOITABILITY: &str = "exploitability";
/// The name of the responses.
pub const RESPONSE: &str = "response";

/// The memory limit of the expanded game.
const MEMORY_MB: usize = 8192;

/// Targets, weights and players.
#[derive(Clone, PartialEq, Debug)]
pub struct Frontier {
    /// Whom the responses win from.
    pub targets: Vec<Participant>,
    /// The probabilities that the opponent is the target, ascending.
    pub weights: Vec<f64>,
    /// Who is measured beside them. In a player's spec `{target}` is the target.
    pub players: Vec<Participant>,
    /// How often players are asked where their answers vary.
    pub samples: u32,
    /// How close to the optimum responses are.
    pub precision: f64,
    /// Whether seats and mirror images are kept apart.
    pub full: bool,
    /// The weights of the smaller version, and whether it keeps seats and mirror images apart.
    pub smaller: (Option<Vec<f64>>, Option<bool>),
}

impl Frontier {
    pub(super) fn shrink(&mut self) {
        let (weights, full) = self.smaller.clone();
        self.weights = weights.unwrap_or_else(|| std::mem::take(&mut self.weights));
        self.full = full.unwrap_or(self.full);
    }
}

/// A frontier whose agents can all be made.
pub struct OpenedFrontier {
    plan: Frontier,
    game: Box<dyn AnyGame>,
    seed: u64,
    specs: Vec<(String, String)>,
    expanded: OnceLock<Expanded>,
}

/// The game with the plans of all targets.
struct Expanded {
    game: Box<dyn AnyStrategies>,
    targets: Vec<StrategyPlan>,
}

impl OpenedFrontier {
    pub(super) fn new(
        plan: &Frontier,
        game: Box<dyn AnyGame>,
        seed: u64,
    ) -> Result<OpenedFrontier, FileError> {
        let mut specs = Vec::new();
        for target in &plan.targets {
            let full = game.agent_spec(&target.agent.text).map_err(|error| at(&target.agent, error))?;
            specs.push((target.name.clone(), full));
        }
        for player in &plan.players {
            for target in plan.targets.iter().take(if is_for_targets(player) { usize::MAX } else { 1 }) {
                let full =
                    game.agent_spec(&player.against(target)).map_err(|error| at(&player.agent, error))?;
                specs.push((player.name.clone(), full));
            }
        }
        Ok(OpenedFrontier { plan: plan.clone(), game, seed, specs, expanded: OnceLock::new() })
    }

    /// Expands the game once, for all units.
    fn expanded(&self, cancel: &Cancel) -> Result<&Expanded, ApiError> {
        if let Some(expanded) = self.expanded.get() {
            return Ok(expanded);
        }
        let mut progress = Progress { cancel, report: &mut |_| {} };
        let resources = Resources { threads: 1, memory_mb: MEMORY_MB };
        let params = ExpansionParams { full: self.plan.full, resources };
        let game = self.game.strategies(&params, &mut progress)?;
        let mut targets = Vec::new();
        for target in &self.plan.targets {
            targets.push(game.agent(&target.agent.text, self.plan.samples, self.seed, 1, &mut progress)?);
        }
        // Another thread may have been faster; both have the same.
        Ok(self.expanded.get_or_init(|| Expanded { game, targets }))
    }

    fn rows(&self, unit: u64, cancel: &Cancel) -> Result<Vec<StudyRow>, ApiError> {
        let plan = &self.plan;
        let Expanded { game, targets } = self.expanded(cancel)?;
        let mut progress = Progress { cancel, report: &mut |_| {} };
        let responses = plan.targets.len() * plan.weights.len();
        let mut rows = Vec::new();
        if let Some(player) = (unit as usize).checked_sub(responses) {
            let player = &plan.players[player];
            let mut known: Option<StrategyPlan> = None;
            for (target, played) in plan.targets.iter().zip(targets) {
                let own = match known.take().filter(|_| !is_for_targets(player)) {
                    Some(own) => own,
                    None => game.agent(&player.against(target), plan.samples, self.seed, 1, &mut progress)?,
                };
                let mut add = |measure: &str, value: f64| {
                    rows.push(StudyRow::exact(&player.name, &target.name, measure, 1, value));
                };
                add(GAIN, game.gain(&own, played));
                add(EXPLOITABILITY, game.exploitability(&own));
                known = Some(own);
            }
            return Ok(rows);
        }
        let (target, weight) =
            (unit as usize % plan.targets.len(), plan.weights[unit as usize / plan.targets.len()]);
        let own = game.respond(&targets[target], weight, plan.precision, 1, &mut progress)?;
        let name = plan.targets[target].name.as_str();
        for (measure, value) in
            [(GAIN, game.gain(&own, &targets[target])), (EXPLOITABILITY, game.exploitability(&own))]
        {
            rows.push(StudyRow::exact(RESPONSE, name, measure, 1, value).at(weight));
        }
        Ok(rows)
    }
}

/// Returns whether a player knows its target.
fn is_for_targets(player: &Participant) -> bool {
    player.agent.text.contains("{target}")
}

impl OpenedStudy for OpenedFrontier {
    fn units(&self) -> u64 {
        (self.plan.targets.len() * self.plan.weights.len() + self.plan.players.len()) as u64
    }

    fn steps(&self, _unit: u64) -> u64 {
        1
    }

    fn specs(&self) -> Vec<(String, String)> {
        self.specs.clone()
    }

    fn play(
        &self,
        unit: u64,
        cancel: &Cancel,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Option<StudyUnit>, ApiError> {
        match self.rows(unit, cancel) {
            Err(ApiError::Unsolved(Unsolved::Cancelled)) => Ok(None),
            Err(error) => Err(error),
            Ok(rows) => {
                progress(1);
                Ok(Some(rows.into()))
            }
        }
    }
}
