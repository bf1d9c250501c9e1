//! The agent's keys.

use parlor_core::api::BuildContext;
use parlor_core::{Agent, Budget, Evaluate, Key, Kind, PerfectInfo, Settings, SpecError};

use super::leaf_evaluator::{ByEvaluation, NoEvaluation};
use super::worker::SimulationParams;
use super::{Mcts, Params};
use crate::evaluation::{BuildLearnt, Evaluation};
use crate::limits::Limits;

/// The agent's name in specs.
pub const NAME: &str = "mcts";

/// A one-line summary.
pub const SUMMARY: &str = "Monte-Carlo tree search (UCT) that backs up proven results";

/// The budget of a decision if neither a key nor a clock sets one.
const FALLBACK: Budget = Budget::nodes(10_000);

const EXPLORE: Key = Key {
    name: "explore",
    kind: Kind::Real { min: 0.001, max: 100.0 },
    default: "0.5",
    help: "exploration constant, in units of the observed spread of payoffs",
};
const REUSE: Key = Key {
    name: "reuse",
    kind: Kind::Switch,
    default: "on",
    help: "keep the subtree of the current position between decisions",
};
const SOLVER: Key = Key {
    name: "solver",
    kind: Kind::Switch,
    default: "on",
    help: "back up proven results and stop searching solved nodes",
};
const THREADS: Key = Key {
    name: "threads",
    kind: Kind::Whole { min: 1, max: 256 },
    default: "1",
    help: "number of trees searched in parallel; their root statistics are summed",
};
const MEMORY_MB: Key = Key {
    name: "memory_mb",
    kind: Kind::Whole { min: 1, max: 1 << 20 },
    default: "256",
    help: "mebibytes for all trees together; full trees stop growing",
};
const EVAL_SCALE: Key = Key {
    name: "eval_scale",
    kind: Kind::Real { min: 1.0, max: 1e6 },
    default: "400",
    help: "evaluation that counts as 0.7 of a win where a playout is cut",
};

/// `cut=` for games whose playouts go to the end by default.
const CUT: Key = Key {
    name: "cut",
    kind: Kind::WholeOrNone { min: 0, max: 10_000 },
    default: "none",
    help: "decisions after which a playout is cut and evaluated; none: playouts go to the end",
};

/// `cut=` for games whose random matches are long and uninformative.
const CUT_EARLY: Key = Key { default: "10", ..CUT };

const KEYS: &[Key] =
    &[Limits::SIMS, Limits::TIME, EXPLORE, REUSE, SOLVER, Limits::PONDER, THREADS, MEMORY_MB];

const KEYS_WITH_EVALUATION: &[Key] = &[
    Limits::SIMS,
    Limits::TIME,
    EXPLORE,
    REUSE,
    SOLVER,
    Limits::PONDER,
    CUT,
    EVAL_SCALE,
    THREADS,
    MEMORY_MB,
];

const KEYS_WITH_CUTS: &[Key] = &[
    Limits::SIMS,
    Limits::TIME,
    EXPLORE,
    REUSE,
    SOLVER,
    Limits::PONDER,
    CUT_EARLY,
    EVAL_SCALE,
    THREADS,
    MEMORY_MB,
];

/// Returns the keys for a game without an evaluation.
#[must_use]
pub const fn keys() -> &'static [Key] {
    KEYS
}

/// Returns the keys for a game with an evaluation.
#[must_use]
pub const fn keys_with_evaluation() -> &'static [Key] {
    KEYS_WITH_EVALUATION
}

/// Returns the keys for a game with an evaluation whose random matches are long and uninformative: playouts are cut by
/// default.
#[must_use]
pub const fn keys_with_cuts() -> &'static [Key] {
    KEYS_WITH_CUTS
}

/// Builds the agent for a game without an evaluation.
///
/// # Errors
/// If the game has two seats and its payoffs do not have a constant sum.
pub fn build<G: PerfectInfo>(context: &BuildContext<'_, G>) -> Result<Box<dyn Agent<G>>, SpecError> {
    let &BuildContext { game, settings, .. } = context;
    let params = read(game, settings, None)?;
    Ok(Box::new(Mcts::new(game, params, NoEvaluation)))
}

/// Builds the agent for a game with an evaluation, in which a learner may value positions. A learnt value takes the place of playouts
/// unless `cut` says otherwise.
///
/// # Errors
/// If the game has two seats and its payoffs do not have a constant sum, or a file cannot be used.
pub fn build_with_evaluation<G: PerfectInfo + Evaluate>(
    context: &BuildContext<'_, G>,
    learnt: Option<BuildLearnt<G>>,
) -> Result<Box<dyn Agent<G>>, SpecError> {
    let &BuildContext { game, settings, .. } = context;
    let learnt = learnt.map_or(Ok(None), |learnt| learnt(game, settings))?;
    let cut = settings.whole_or_none(CUT.name).map(|decisions| decisions as u32);
    let cut = cut.or(learnt.is_some().then_some(0));
    let params = read(game, settings, cut)?;
    let weights = game
        .read_weights(G::WEIGHTS)
        .map_err(|error| settings.together(format!("the weights of its evaluation: {error}")))?;
    let evaluation = Evaluation::new(weights).or_learnt(learnt);
    let evaluator = ByEvaluation { evaluation, scale: settings.real(EVAL_SCALE.name) as f32 };
    Ok(Box::new(Mcts::new(game, params, evaluator)))
}

fn read<G: PerfectInfo>(game: &G, settings: &Settings, cut: Option<u32>) -> Result<Params, SpecError> {
    if game.seats() > 1 && game.range().sum.is_none() {
        return Err(settings.together("payoffs of the two seats must have a constant sum"));
    }
    Ok(Params {
        limits: Limits::read(settings, &Limits::SIMS, false, FALLBACK),
        style: SimulationParams {
            explore: settings.real("explore") as f32,
            solver: settings.switch("solver"),
            cut,
        },
        reuse: settings.switch("reuse"),
        ponder: settings.switch(Limits::PONDER.name),
        threads: settings.whole("threads") as usize,
        tree_bytes: (settings.whole(MEMORY_MB.name) as usize) << 20,
    })
}
