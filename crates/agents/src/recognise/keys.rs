//! What can be typed for a model that is recognised while playing: `guess(…)` and `mix(…)`.

use std::path::Path;

use parlor_core::api::BuildContext;
use parlor_core::files::fingerprint;
use parlor_core::text::spec::FileProblem;
use parlor_core::{
    Entry, Features, Form, Key, Kind, OnDisk, Policy, Settings, Spec, SpecError, TypeOdds, Unusable,
};

use super::{Acting, Bayes, Classified, Memory, Recogniser, Recognition};
use crate::Random;
use crate::beliefs::{Histories, ModelTrust, OpponentType, PossibleWorlds, WorldSampler};
use crate::classifier::{ClassifierError, ShippedClassifier, StyleClassifier};

/// The name of the unknown type.
const NONE_OF_THESE: &str = "none of these";

const BY: Key = Key {
    name: "by",
    kind: Kind::Choice(&["bayes", MDA, FOREST]),
    default: "bayes",
    help: "how the type of the other seat is recognised: by the likelihood of every choice under each type, or by features of its turns (discriminant analysis, random forest)",
};

const MDA: &str = "mda";
const FOREST: &str = "forest";

/// The classifier that comes with the program.
const SHIPPED: &str = "shipped";

const FILE: Key = Key {
    name: "file",
    kind: Kind::File(OnDisk { words: &[SHIPPED], checksum: fingerprint::stored }),
    default: SHIPPED,
    help: "with by=mda and by=forest: the classifier, as parlor classify writes it; shipped: the one embedded in the program",
};

const TYPES: Key = Key {
    name: "types",
    kind: Kind::Agents,
    default: "scoring+defense+random",
    help: "the types that the other seat may be of: agents with + between them; those that search are asked what they would do",
};

const PRIOR: Key = Key {
    name: "priors",
    kind: Kind::Text,
    default: "equal",
    help: "how likely each type is before anything was seen: equal, or numbers in the order of the types, 0.5+0.3+0.2",
};

const UNKNOWN: Key = Key {
    name: "unknown",
    kind: Kind::Real { min: 0.0, max: 0.99 },
    default: "0",
    help: "prior probability of an unknown type, which is assumed to have chosen at random so far and to do its worst from now on",
};

const MEMORY: Key = Key {
    name: "memory",
    kind: Kind::Choice(&["stage", "contest", "session"]),
    default: "contest",
    help: "how long evidence about the type is kept: until the stage, the match or the session ends",
};

const KEYS: &[Key] = &[BY, FILE, Key::checksum("checksum", "file"), TYPES, PRIOR, UNKNOWN, MEMORY];

/// The model of the type that is likeliest.
pub(crate) const GUESS: Form = Form { name: "guess", keys: KEYS };

/// The model that weighs what each type would do.
pub(crate) const MIX: Form = Form { name: "mix", keys: KEYS };

/// What a form makes.
pub(crate) struct Recognised<G: Entry> {
    /// How each type plays, without the unknown type.
    pub policies: Vec<Box<dyn Policy<G>>>,
    pub recognition: Recognition<G>,
}

/// What the player that has the model decides about the worlds.
#[derive(Copy, Clone)]
pub(crate) struct Worlds {
    /// The most worlds.
    pub most: usize,
    /// Whether worlds are weighed by choices, whoever recognises the type.
    pub inferred: bool,
    pub trust: ModelTrust,
    /// The classifiers that come with the program.
    pub classifiers: &'static [ShippedClassifier],
}

/// Makes what a spec of [`GUESS`] or [`MIX`] describes.
///
/// # Errors
/// If the settings do not fit, or a type is not understood.
pub(crate) fn read<G: Entry + PossibleWorlds + Features>(
    context: &BuildContext<'_, G>,
    spec: &Spec,
    worlds: Worlds,
) -> Result<Recognised<G>, SpecError> {
    let settings = Settings::read(spec, KEYS)?;
    let specs = Spec::parse_list(settings.text(TYPES.name))?;
    let unknown = settings.real(UNKNOWN.name);
    let shares = priors(&settings, specs.len())?;
    let mut types: Vec<TypeOdds> = Vec::with_capacity(specs.len() + 1);
    for (spec, share) in specs.iter().zip(shares) {
        let agent = Some(context.full_form(spec)?);
        if types.iter().any(|kind| kind.agent == agent) {
            return Err(settings.unfit(TYPES.name, format!("different types: {spec} is there twice")));
        }
        types.push(TypeOdds { name: spec.to_string(), agent, probability: (1.0 - unknown) * share });
    }
    if unknown > 0.0 {
        types.push(TypeOdds { name: NONE_OF_THESE.to_owned(), agent: None, probability: unknown });
    }
    let policies = || specs.iter().map(|spec| policy(context, spec)).collect::<Result<Vec<_>, _>>();
    let memory = match settings.text(MEMORY.name) {
        "stage" => Memory::Stage,
        "session" => Memory::Session,
        _ => Memory::Contest,
    };
    let recogniser = recogniser(context, &settings, worlds.classifiers, &types, memory)?;
    let sampler = if worlds.inferred || recogniser.weighs_choices() {
        let mut all = policies()?;
        if unknown > 0.0 {
            all.push(Box::new(Random));
        }
        let kinds = all.into_iter().zip(&types);
        let kinds = kinds.map(|(policy, kind)| OpponentType { policy, prior: kind.probability });
        WorldSampler::by_choices(kinds.collect(), worlds.trust, Histories::All, worlds.most)
    } else {
        WorldSampler::by_events(worlds.most)
    };
    let recognition = Recognition::new(recogniser, sampler, types, memory);
    Ok(Recognised { policies: policies()?, recognition })
}

/// Returns what recognises the types.
fn recogniser<G: Entry + Features>(
    context: &BuildContext<'_, G>,
    settings: &Settings,
    shipped: &[ShippedClassifier],
    types: &[TypeOdds],
    memory: Memory,
) -> Result<Box<dyn Recogniser<G>>, SpecError> {
    let by = settings.text(BY.name);
    if ![MDA, FOREST].contains(&by) {
        if settings.given(FILE.name).is_some() {
            return Err(settings.together("file is for by=mda and by=forest"));
        }
        return Ok(Box::new(Bayes));
    }
    let file = settings.text(FILE.name);
    let classifier = if file == SHIPPED {
        let found = shipped.iter().find(|classifier| classifier.name == by);
        let found = found.ok_or_else(|| {
            settings.unfit(FILE.name, format!("the program has no {by} for {}: name a file", G::NAME))
        })?;
        StyleClassifier::parse::<G>(found.bytes)
    } else {
        StyleClassifier::open::<G>(Path::new(file))
    };
    let classifier = classifier.map_err(|error| settings.unusable(FILE.name, unusable(error)))?;
    if classifier.about.kind != by {
        let wrong = format!("{file} is a {}, not a {by}", classifier.about.kind);
        return Err(settings.together(wrong));
    }
    let class = |kind: &TypeOdds| -> Result<Option<usize>, SpecError> {
        let Some(agent) = &kind.agent else { return Ok(None) };
        for (class, style) in G::STYLES.iter().enumerate() {
            if context.full_form(&Spec::parse(style)?)? == *agent {
                return Ok(Some(class));
            }
        }
        let wanted = format!(
            "by={by} tells {} apart, and {} is not one of them; by=bayes takes any agent",
            G::STYLES.join(", "),
            kind.name
        );
        Err(settings.unfit(TYPES.name, wanted))
    };
    let classes = types.iter().map(class).collect::<Result<Vec<_>, _>>()?;
    Ok(Box::new(Classified::new(classifier, classes, memory)))
}

fn unusable(error: ClassifierError) -> Unusable {
    match error {
        ClassifierError::File(error) => error.into(),
        ClassifierError::Other(error) => Unusable::new(FileProblem::Elsewhere, error),
    }
}

/// Returns how a type plays: by the policy of its roster entry, or as the agent answers.
fn policy<G: Entry>(context: &BuildContext<'_, G>, spec: &Spec) -> Result<Box<dyn Policy<G>>, SpecError> {
    let text = spec.to_string();
    if context.has_policy(&spec.name) {
        context.policy(&text)
    } else {
        Ok(Box::new(Acting::new(context.agent(&text)?)))
    }
}

/// Reads how likely each of `count` types is; the numbers add up to 1.
fn priors(settings: &Settings, count: usize) -> Result<Vec<f64>, SpecError> {
    let text = settings.text(PRIOR.name);
    if text == PRIOR.default {
        return Ok(vec![1.0 / count as f64; count]);
    }
    let wanted = || {
        let example = ["0.5", "0.3", "0.2"].iter().cycle().take(count).copied().collect::<Vec<_>>().join("+");
        settings
            .unfit(PRIOR.name, format!("equal, or {count} numbers from 0 on with + between them: {example}"))
    };
    let numbers = text.split('+').map(|number| number.trim().parse::<f64>().ok());
    let numbers = numbers.map(|number| number.filter(|number| number.is_finite() && *number >= 0.0));
    let numbers: Vec<f64> = numbers.collect::<Option<_>>().ok_or_else(wanted)?;
    let total: f64 = numbers.iter().sum();
    if numbers.len() != count || total <= 0.0 || !total.is_finite() {
        return Err(wanted());
    }
    Ok(numbers.into_iter().map(|number| number / total).collect())
}
