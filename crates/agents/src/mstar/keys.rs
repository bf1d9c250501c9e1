//! What can be typed, and whom it makes.

use parlor_core::api::BuildContext;
use parlor_core::{
    Agent, Budget, Entry, Features, Key, Kind, Objective, Oracle, Seat, Settings, Spec, SpecError, Staged,
};

use super::agent::{Mstar, MstarOracle};
use super::model_stack::{Counting, Model, ModelStack, Modeller};
use super::recognising::{Recognising, Style};
use super::types::Types;
use crate::beliefs::{Histories, MOST_WORLDS, ModelTrust, OpponentType, PossibleWorlds, WorldSampler};
use crate::classifier::ShippedClassifier;
use crate::leaves::Leaves;
use crate::limits::Limits;
use crate::openhand::{Chance, DRAWS};
use crate::pimc::{Pimc, PimcOracle, Search};
use crate::playout::{PLAYOUT_OR_NOT, Playout};
use crate::recognise::{GUESS, MIX, Worlds, read};

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

/// The model is what the search rests on, so it is trusted nearly always; no model is beyond doubt.
const TRUST: ModelTrust = ModelTrust::with_errors(0.02);

/// Mebibytes for what is found out about positions where the other seat is expected to do its worst.
const TABLE_MB: usize = 4;

/// Nothing is left out there where everything that can be drawn is averaged: it does not pay.
const NO_CUTS: u8 = 0;

/// `model=`: what the other seat is taken to be.
const MODEL: Key = Key {
    name: "model",
    kind: Kind::Agent { words: &[], forms: &[GUESS, MIX] },
    default: "scoring",
    help: "what the other seat is taken to be: an agent whose odds are known, expectimax, mstar(model=…) again, or one of several types: guess(types=…), mix(types=…)",
};

const SAMPLED: Key = Key {
    name: "sampled",
    kind: Kind::Switch,
    default: "off",
    help: "draws one action of a random model at each node instead of averaging over them",
};

/// The keys of [`Mstar`].
pub const KEYS: &[Key] = &[
    MODEL,
    SAMPLED,
    Key {
        name: "worlds",
        kind: Kind::WholeOrAll { min: 1, max: MOST_WORLDS },
        default: "200",
        help: "maximum number of worlds; samples this many if there are more",
    },
    Key {
        name: "infer",
        kind: Kind::Switch,
        default: "off",
        help: "weighs worlds by how likely the model would have done there what the other seat did",
    },
    DRAWS,
    PLAYOUT_OR_NOT,
    Objective::KEY,
    Limits::NODES,
    Limits::DEPTH,
    Limits::TIME,
];

/// The keys of the oracle that has a model.
pub const ORACLE_KEYS: &[Key] = &[MODEL, SAMPLED, Objective::KEY, Limits::NODES, Limits::DEPTH, Limits::TIME];

/// The keys of a player inside a player: the search is the outer player's.
const INNER: &[Key] = &[MODEL, SAMPLED];

/// Returns a player that counts by how far its seat is ahead when the stage has ended, or is likely to be.
fn player<G: Staged>(model: Model<G>, objective: Objective) -> Modeller<G> {
    let lead = move |game: &G, state: &G::State, seat: Seat, ended: bool| {
        let lead = game.lead(objective, state) + if ended { 0.0 } else { game.outlook(objective, state) };
        if seat == Seat::FIRST { lead } else { -lead }
    };
    Modeller { evaluation: Box::new(lead), model }
}

/// Returns what such a player counts.
fn counting<G: Staged>(game: &G, objective: Objective) -> Counting<G> {
    Counting { unit: game.unit(objective), prepare: Box::new(move |game: &G| game.prepare(objective)) }
}

/// A model as it was typed.
enum Typed<G: Entry> {
    /// It is known, and perhaps a player inside wants the policy that ends the stack sampled.
    Known(Model<G>, bool),
    /// It is one of several types.
    Recognised(Types<G>, Box<Recognising<G>>),
}

/// Reads what the other seat is taken to be: known, or one of several types.
fn typed<G: Entry + Staged + PossibleWorlds + Features>(
    context: &BuildContext<'_, G>,
    worlds: Worlds,
) -> Result<Typed<G>, SpecError> {
    let text = context.settings.text(MODEL.name);
    let spec = Spec::parse(text)?;
    let style = match spec.name.as_str() {
        name if name == GUESS.name => Style::Guess,
        name if name == MIX.name => Style::Mix,
        _ => return model(context, text).map(|(model, sampled)| Typed::Known(model, sampled)),
    };
    let found = read(context, &spec, worlds)?;
    let recognising = Recognising::new(found.recognition, style, worlds.inferred);
    Ok(Typed::Recognised(Types::new(found.policies), Box::new(recognising)))
}

/// Reads what the other seat is taken to be, and whether a player inside wants the policy that ends the stack sampled.
fn model<G: Entry + Staged>(
    context: &BuildContext<'_, G>,
    text: &str,
) -> Result<(Model<G>, bool), SpecError> {
    let spec = Spec::parse(text)?;
    match spec.name.as_str() {
        EXPECTIMAX => Settings::read(&spec, &[]).map(|_| (Model::Worst, false)),
        name if [GUESS.name, MIX.name].contains(&name) => Err(context
            .settings
            .together(format!("{name} recognises the other seat, so it cannot be the model of a model"))),
        NAME => {
            let settings = Settings::read(&spec, INNER)?;
            let (inner, sampled) = model(context, settings.text("model"))?;
            let objective = Objective::read(context.settings);
            Ok((Model::Modeller(Box::new(player(inner, objective))), sampled || settings.switch("sampled")))
        }
        _ => match context.policy(text) {
            Ok(policy) => Ok((Model::Policy(policy), false)),
            Err(SpecError::Name { kind, name, mut known }) => {
                known.extend([EXPECTIMAX, NAME, GUESS.name, MIX.name].map(str::to_owned));
                Err(SpecError::Name { kind, name, known })
            }
            Err(error) => Err(error),
        },
    }
}

/// Makes the agent. `classifiers` are those that come with the program.
///
/// # Errors
/// If the model is not understood.
pub fn build<G: Entry + Staged + PossibleWorlds + Features>(
    context: &BuildContext<'_, G>,
    classifiers: &'static [ShippedClassifier],
) -> Result<Box<dyn Agent<G>>, SpecError> {
    let settings = context.settings;
    let limits = Limits::read(settings, &Limits::NODES, true, FALLBACK);
    let objective = Objective::read(settings);
    let worlds = settings.whole_or_all("worlds").unwrap_or(MOST_WORLDS) as usize;
    let chance = Chance::read(settings);
    let inferred = settings.switch("infer");
    let (model, sampled) = match typed(context, Worlds { most: worlds, inferred, trust: TRUST, classifiers })?
    {
        Typed::Known(model, sampled) => (model, sampled),
        Typed::Recognised(types, recognising) => {
            let model = Model::Types(types);
            let playout =
                playout(context, settings.text(PLAYOUT_OR_NOT.name), settings.text("model"), &model)?;
            let model_stack =
                ModelStack::new(player(model, objective), settings.switch("sampled")).playing_out(playout);
            return Ok(Box::new(
                Mstar::recognising(model_stack, limits, *recognising, chance)
                    .counting(counting(context.game, objective)),
            ));
        }
    };
    if let Model::Worst = model {
        // Best play against best play needs no model: it is searched with a table, and what cannot matter is left out.
        let search = Search::new(TABLE_MB, NO_CUTS, Leaves::read(context, None, objective)?, objective);
        return Ok(Box::new(Pimc::new(limits, WorldSampler::by_events(worlds), chance, search)));
    }
    let sampler = match model {
        Model::Policy(_) if inferred => {
            let types = vec![OpponentType::only(context.policy(settings.text("model"))?)];
            WorldSampler::by_choices(types, TRUST, Histories::One, worlds)
        }
        _ => WorldSampler::by_events(worlds),
    };
    let playout = playout(context, settings.text(PLAYOUT_OR_NOT.name), settings.text("model"), &model)?;
    let model_stack =
        ModelStack::new(player(model, objective), sampled || settings.switch("sampled")).playing_out(playout);
    Ok(Box::new(Mstar::new(model_stack, limits, sampler, chance).counting(counting(context.game, objective))))
}

/// Returns who plays on where the search stops: in the other seat the model, if it does not look ahead itself.
fn playout<G: Entry>(
    context: &BuildContext<'_, G>,
    name: &str,
    modelled: &str,
    model: &Model<G>,
) -> Result<Option<[Playout<G>; 2]>, SpecError> {
    if name == "off" {
        return Ok(None);
    }
    let other = if let Model::Policy(_) = model { modelled } else { name };
    Ok(Some([Playout::of(context, name)?, Playout::of(context, other)?]))
}

/// Makes the oracle that has a model. `classifiers` are those that come with the program.
///
/// # Errors
/// If the model is not understood.
pub fn build_oracle<G: Entry + Staged + PossibleWorlds + Features>(
    context: &BuildContext<'_, G>,
    classifiers: &'static [ShippedClassifier],
) -> Result<Box<dyn Oracle<G>>, SpecError> {
    let settings = context.settings;
    let limits = Limits::read(settings, &Limits::NODES, true, FALLBACK);
    let objective = Objective::read(settings);
    // It sees the world: there is nothing to infer about that.
    let (model, sampled, recognising) =
        match typed(context, Worlds { most: 1, inferred: false, trust: TRUST, classifiers })? {
            Typed::Known(model, sampled) => (model, sampled, None),
            Typed::Recognised(types, recognising) => (Model::Types(types), false, Some(*recognising)),
        };
    if let Model::Worst = model {
        let playout = Playout::of(context, PLAYOUT_OR_NOT.default)?;
        let search = Search::new(TABLE_MB, NO_CUTS, Some(Leaves::Playout(playout)), objective);
        return Ok(Box::new(PimcOracle::new(limits, Chance::Auto, search)));
    }
    let playout = playout(context, PLAYOUT_OR_NOT.default, settings.text("model"), &model)?;
    let model_stack =
        ModelStack::new(player(model, objective), sampled || settings.switch("sampled")).playing_out(playout);
    Ok(Box::new(
        MstarOracle::new(model_stack, limits, recognising).counting(counting(context.game, objective)),
    ))
}
