//! Nets behind the dynamic API.

use parlor_core::api::Hosted;
use parlor_core::files::knowledge::{About, Knowledge};
use parlor_core::{Cancel, Entry, Evaluate, NetInputs, Notation, PerfectInfo, Spec, SpecError};
use parlor_ml::net::{Epoch, Samples, TrainParams, train};

use super::self_play::self_play;
use super::value::payload;
use super::workload::{NetWorkload, workload};
use super::{AboutPositions, NAME, Positions, SelfPlayPlan, TrainPlan, UNIT, meaning};

/// Errors of making a net.
#[derive(Debug, thiserror::Error)]
pub enum NetError {
    /// The agent cannot be built.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The board is too large for a set of inputs.
    #[error("{0} is too large a board for a net")]
    TooLarge(String),
    /// The positions are of other boards.
    #[error("the positions are of {found}, not of {game}")]
    OtherGame {
        /// Their game.
        found: String,
        /// The game.
        game: String,
    },
    /// There is nothing to learn from.
    #[error("there are no positions to learn from")]
    Nothing,
}

/// A game whose positions a net can value.
pub trait AnyNets: Send + Sync {
    /// Plays matches and returns the positions in them. `on_match` receives the number of matches and of positions so far; a set
    /// `cancel` ends it early.
    ///
    /// # Errors
    /// If the agent cannot be built.
    fn self_play(
        &self,
        plan: &SelfPlayPlan<'_>,
        cancel: &Cancel,
        on_match: &mut dyn FnMut(u64, usize),
    ) -> Result<Positions, NetError>;

    /// Trains a net. `each_epoch` is called after every epoch; `false` ends the training there.
    ///
    /// # Errors
    /// If the positions are of another game, or none.
    fn train(
        &self,
        positions: &[Positions],
        plan: &TrainPlan,
        each_epoch: &mut dyn FnMut(&Epoch) -> bool,
    ) -> Result<Knowledge, NetError>;

    /// Draws positions of random matches, to time a net that comes with the program; `None` if it was trained for other boards.
    fn workload(&self, net: &[u8], seed: u64, positions: usize) -> Option<Box<dyn NetWorkload>>;
}

impl<G: Entry + Notation + PerfectInfo + Evaluate + NetInputs> AnyNets for Hosted<G> {
    fn self_play(
        &self,
        plan: &SelfPlayPlan<'_>,
        cancel: &Cancel,
        on_match: &mut dyn FnMut(u64, usize),
    ) -> Result<Positions, NetError> {
        let game = self.game();
        let meaning = meaning(game).ok_or_else(|| NetError::TooLarge(game.spec().to_string()))?;
        let (first, agent) = self.honest_agent(plan.agent)?;
        let mut agents = vec![first];
        for _ in 1..plan.threads.max(1) {
            agents.push(self.honest_agent(plan.agent)?.0);
        }
        let (matches, list) = self_play(game, agents, plan, cancel, on_match);
        let about = AboutPositions {
            parlor: env!("CARGO_PKG_VERSION").to_owned(),
            game: game.spec().to_string(),
            meaning,
            agent,
            matches,
            seed: plan.seed,
        };
        Ok(Positions { about, list })
    }

    fn train(
        &self,
        positions: &[Positions],
        plan: &TrainPlan,
        each_epoch: &mut dyn FnMut(&Epoch) -> bool,
    ) -> Result<Knowledge, NetError> {
        let game = self.game();
        let spec = game.spec().to_string();
        let meaning = meaning(game).ok_or_else(|| NetError::TooLarge(spec.clone()))?;
        let mut samples = Samples::default();
        for file in positions {
            if file.about.meaning != meaning {
                return Err(NetError::OtherGame { found: file.about.game.clone(), game: spec });
            }
            for position in file.list.iter().filter(|position| usize::from(position.stage) < G::STAGES) {
                let found = 1.0 / (1.0 + libm::expf(-f32::from(position.value) / UNIT as f32));
                let result = 0.5 + 0.5 * f32::from(position.result);
                samples.sets.push(position.set);
                samples.stages.push(position.stage);
                samples.targets.push(found + plan.results * (result - found));
            }
        }
        if samples.sets.is_empty() {
            return Err(NetError::Nothing);
        }
        let params = TrainParams {
            inputs: game.inputs(),
            stages: G::STAGES,
            epochs: plan.epochs,
            step: plan.step,
            seed: plan.seed,
        };
        let net = train(&samples, &params, each_epoch);
        let pairs = [
            ("positions", samples.sets.len().to_string()),
            ("epochs", plan.epochs.to_string()),
            ("step", plan.step.to_string()),
            ("results", plan.results.to_string()),
        ];
        let pairs = pairs.map(|(key, value)| (key.to_owned(), value)).to_vec();
        let learner = Spec { name: NAME.to_owned(), pairs }.to_string();
        let mut about = About::new(spec, learner, plan.seed);
        about.matches = positions.iter().map(|file| file.about.matches).sum();
        Ok(Knowledge { about, payload: payload(&meaning, &net) })
    }

    fn workload(&self, net: &[u8], seed: u64, positions: usize) -> Option<Box<dyn NetWorkload>> {
        workload(self.game(), net, seed, positions)
    }
}
