//! What can be typed, and whom it makes.

use parlor_core::{
    Agent, Budget, Key, Kind, Modelled, Oracle, Seat, Settings, Spec, SpecError, Staged, Worlds,
};

use super::agent::{Mstar, MstarOracle};
use super::model_stack::{Model, ModelStack, Modeller};
use crate::beliefs::{Believer, MOST_WORLDS};
use crate::limits::Limits;
use crate::openhand::{Chance, DRAWS};
use crate::pimc::{Pimc, PimcOracle, Search};
use crate::playout::{PLAYOUT_OR_NOT, Playout};

/// The name in specs.
pub const NAME: &str = "mstar";

/// What it does, in one line.
pub const SUMMARY: &str = "the best reply to a model of the other seat, in every world that its view allows";

/// The name of the player that sees everything.
pub const ORACLE: &str = "mstar-oracle";

/// What that one does, in one line.
pub const ORACLE_SUMMARY: &str = "the best reply to a model of the other seat; sees what is hidden";

/// The model of a player that expects the worst.
const EXPECTIMAX: &str = "expectimax";

/// Enough to see the end of every stage of small dominoes, and a fraction of a second for large ones.
const FALLBACK: Budget = Budget::nodes(400_000);

/// Mebibytes for what is found out about positions where the other seat is expected to do its worst.
const TABLE_MB: usize = 4;

/// Nothing is left out there where everything that can be drawn is averaged: it does not pay.
const NO_CUTS: u8 = 0;

struct Keys<G>(G);

impl<G: Modelled> Keys<G> {
    const MODEL: Key = Key {
        name: "model",
        kind: Kind::Text,
        default: G::MODELS[0].0,
        help: "what the other seat is taken to be: a model of the game, expectimax, or mstar(model=…) again",
    };

    const SAMPLED: Key = Key {
        name: "sampled",
        kind: Kind::Switch,
        default: "off",
        help: "draws one action of a random model at each node instead of averaging over them",
    };

    const ALL: &'static [Key] = &[
        Self::MODEL,
        Self::SAMPLED,
        Key {
            name: "worlds",
            kind: Kind::WholeOrAll { min: 1, max: MOST_WORLDS },
            default: "200",
            help: "looks at all worlds if they are no more than this, else at so many drawn ones",
        },
        Key {
            name: "infer",
            kind: Kind::Switch,
            default: "off",
            help: "weighs worlds by how likely the model would have done there what the other seat did",
        },
        DRAWS,
        PLAYOUT_OR_NOT,
        Limits::NODES,
        Limits::DEPTH,
        Limits::TIME,
    ];

    const SIGHTED: &'static [Key] = &[Self::MODEL, Self::SAMPLED, Limits::NODES, Limits::DEPTH, Limits::TIME];

    /// What a player inside a player can be told: the search is the outer player's.
    const INNER: &'static [Key] = &[Self::MODEL, Self::SAMPLED];
}

/// Returns the keys of [`Mstar`] for a game.
#[must_use]
pub fn keys<G: Modelled>() -> &'static [Key] {
    Keys::<G>::ALL
}

/// Returns the keys of the oracle that has a model.
#[must_use]
pub fn oracle_keys<G: Modelled>() -> &'static [Key] {
    Keys::<G>::SIGHTED
}

/// Returns a player that counts by how far its seat is ahead when the stage has ended, or is likely to be.
fn player<G: Staged>(model: Model<G>) -> Modeller<G> {
    let lead = |game: &G, state: &G::State, seat: Seat, ended: bool| {
        let lead = game.lead(state) + if ended { 0.0 } else { game.outlook(state) };
        if seat == Seat::FIRST { lead } else { -lead }
    };
    Modeller { evaluation: Box::new(lead), model }
}

/// Reads what the other seat is taken to be, and whether a player inside wants the policy that ends the model_stack sampled.
fn model<G: Modelled + Staged>(game: &G, text: &str) -> Result<(Model<G>, bool), SpecError> {
    let spec = Spec::parse(text)?;
    match spec.name.as_str() {
        EXPECTIMAX => Settings::read(&spec, &[]).map(|_| (Model::Worst, false)),
        NAME => {
            let settings = Settings::read(&spec, Keys::<G>::INNER)?;
            let (inner, sampled) = model(game, settings.text("model"))?;
            Ok((Model::Modeller(Box::new(player(inner))), sampled || settings.switch("sampled")))
        }
        _ => match game.model(text) {
            Ok(policy) => Ok((Model::Policy(policy), false)),
            Err(SpecError::Name { kind, name, mut known }) => {
                known.extend([EXPECTIMAX.to_owned(), NAME.to_owned()]);
                Err(SpecError::Name { kind, name, known })
            }
            Err(error) => Err(error),
        },
    }
}

/// Makes the agent.
///
/// # Errors
/// If the model is not understood.
pub fn build<G: Modelled + Staged + Worlds>(
    game: &G,
    settings: &Settings,
) -> Result<Box<dyn Agent<G>>, SpecError> {
    let limits = Limits::read(settings, &Limits::NODES, true, FALLBACK);
    let worlds = settings.whole_or_all("worlds").unwrap_or(MOST_WORLDS) as usize;
    let chance = Chance::read(settings);
    let (model, sampled) = model(game, settings.text("model"))?;
    if let Model::Worst = model {
        // Best play against best play needs no model: it is searched with a table, and what cannot matter is left out.
        let believer = Believer::of_what_is_seen(game.model(G::MODELS[0].0)?, worlds);
        let search = Search::new(TABLE_MB, NO_CUTS, Playout::read(game, settings)?);
        return Ok(Box::new(Pimc::new(limits, believer, chance, search)));
    }
    let playout = playout(game, settings.text(PLAYOUT_OR_NOT.name), settings.text("model"), &model)?;
    let model_stack =
        ModelStack::new(player(model), sampled || settings.switch("sampled")).playing_out(playout);
    Ok(Box::new(Mstar::new(model_stack, limits, worlds, settings.switch("infer"), chance)))
}

/// Returns who plays on where the search stops: in the other seat the model, if it does not look ahead itself.
fn playout<G: Modelled>(
    game: &G,
    name: &str,
    modelled: &str,
    model: &Model<G>,
) -> Result<Option<[Playout<G>; 2]>, SpecError> {
    if name == "off" {
        return Ok(None);
    }
    let other = if let Model::Policy(_) = model { modelled } else { name };
    Ok(Some([Playout::of(game, name)?, Playout::of(game, other)?]))
}

/// Makes the oracle that has a model.
///
/// # Errors
/// If the model is not understood.
pub fn build_oracle<G: Modelled + Staged>(
    game: &G,
    settings: &Settings,
) -> Result<Box<dyn Oracle<G>>, SpecError> {
    let limits = Limits::read(settings, &Limits::NODES, true, FALLBACK);
    let (model, sampled) = model(game, settings.text("model"))?;
    if let Model::Worst = model {
        let playout = Playout::of(game, PLAYOUT_OR_NOT.default)?;
        let search = Search::new(TABLE_MB, NO_CUTS, Some(playout));
        return Ok(Box::new(PimcOracle::new(limits, Chance::Auto, search)));
    }
    let playout = playout(game, PLAYOUT_OR_NOT.default, settings.text("model"), &model)?;
    let model_stack =
        ModelStack::new(player(model), sampled || settings.switch("sampled")).playing_out(playout);
    Ok(Box::new(MstarOracle::new(model_stack, limits)))
}
