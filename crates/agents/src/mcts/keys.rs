//! The settings: what can be typed, and what it means.

use parlor_core::api::BuildContext;
use parlor_core::{Agent, Budget, Evaluate, Key, Kind, PerfectInfo, Settings, SpecError};

use super::judge::{ByEvaluation, NoJudge};
use super::worker::Style;
use super::{Mcts, Params};
use crate::limits::Limits;

/// The name in specs.
pub const NAME: &str = "mcts";

/// What it does, in one line.
pub const SUMMARY: &str = "simulates, most often what has done best (UCT), and proves what it can";

/// Simulations of a decision that nothing else limits.
const FALLBACK: Budget = Budget::nodes(10_000);

const EXPLORE: Key = Key {
    name: "explore",
    kind: Kind::Real { min: 0.001, max: 100.0 },
    default: "0.5",
    help: "how much is tried that looks worse, in units of the spread of payoffs",
};
const REUSE: Key = Key {
    name: "reuse",
    kind: Kind::Switch,
    default: "on",
    help: "keeps the part of the tree that the match has come to",
};
const SOLVER: Key = Key {
    name: "solver",
    kind: Kind::Switch,
    default: "on",
    help: "carries proven results up the tree and searches no further there",
};
const THREADS: Key = Key {
    name: "threads",
    kind: Kind::Whole { min: 1, max: 256 },
    default: "1",
    help: "trees that grow at once; their roots are added up",
};
const MEMORY_MB: Key = Key {
    name: "memory_mb",
    kind: Kind::Whole { min: 1, max: 1 << 20 },
    default: "256",
    help: "mebibytes that all trees may take together; full trees stop growing",
};
const EVAL_SCALE: Key = Key {
    name: "eval_scale",
    kind: Kind::Real { min: 1.0, max: 1e6 },
    default: "400",
    help: "the evaluation that counts as 0.7 of a win where a playout is cut",
};

/// Playouts go to the end.
const CUT: Key = Key {
    name: "cut",
    kind: Kind::WholeOrNone { min: 0, max: 10_000 },
    default: "none",
    help: "decisions after which a playout is cut and judged by the evaluation; none: playouts go to the end",
};

/// Random matches of the game are long and say little.
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

/// Returns the keys for a game with an evaluation whose random matches are long and say little: playouts are cut unless asked
/// for in full.
#[must_use]
pub const fn keys_with_cuts() -> &'static [Key] {
    KEYS_WITH_CUTS
}

/// Makes the agent for a game without an evaluation.
///
/// # Errors
/// If the game has two seats that do not always share the same sum.
pub fn build<G: PerfectInfo>(context: &BuildContext<'_, G>) -> Result<Box<dyn Agent<G>>, SpecError> {
    let &BuildContext { game, settings, .. } = context;
    let params = read(game, settings, None)?;
    Ok(Box::new(Mcts::new(game, params, NoJudge)))
}

/// Makes the agent for a game with an evaluation.
///
/// # Errors
/// If the game has two seats that do not always share the same sum.
pub fn build_with_evaluation<G: PerfectInfo + Evaluate>(
    context: &BuildContext<'_, G>,
) -> Result<Box<dyn Agent<G>>, SpecError> {
    let &BuildContext { game, settings, .. } = context;
    let cut = settings.whole_or_none(CUT.name).map(|decisions| decisions as u32);
    let params = read(game, settings, cut)?;
    let weights = game
        .read_weights(G::WEIGHTS)
        .map_err(|error| settings.together(format!("the weights of its evaluation: {error}")))?;
    let judge = ByEvaluation { weights, scale: settings.real(EVAL_SCALE.name) as f32 };
    Ok(Box::new(Mcts::new(game, params, judge)))
}

fn read<G: PerfectInfo>(game: &G, settings: &Settings, cut: Option<u32>) -> Result<Params, SpecError> {
    if game.seats() > 1 && game.range().sum.is_none() {
        return Err(settings.together("it plays games in which one seat gains what the other loses"));
    }
    Ok(Params {
        limits: Limits::read(settings, &Limits::SIMS, false, FALLBACK),
        style: Style { explore: settings.real("explore") as f32, solver: settings.switch("solver"), cut },
        reuse: settings.switch("reuse"),
        ponder: settings.switch(Limits::PONDER.name),
        threads: settings.whole("threads") as usize,
        tree_bytes: (settings.whole(MEMORY_MB.name) as usize) << 20,
    })
}
