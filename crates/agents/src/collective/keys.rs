//! The learner's settings: what can be typed, and what it means.

use std::path::Path;

use parlor_core::files::knowledge::Knowledge;
use parlor_core::text::spec::{ANY_CHECKSUM, FileProblem, Unusable};
use parlor_core::{Checksum, CodecInfo, Key, Kind, OnDisk, Settings, Spec, SpecError, Stimulus};

use super::Parts;
use super::matrix::weight_of;
use super::policies::{Compensation, Draws, Evaluation, Judged, Policies, Selection, Update, Weighed};

/// The name in specs.
pub const NAME: &str = "collective";

/// What it does, in one line.
pub const SUMMARY: &str = "learns weights of transitions from what it knows to what its action leads to";

/// The file that is inside the program.
pub const SHIPPED: &str = "shipped";

/// No file.
const NO_FILE: &str = "none";

/// At most so many codecs a game.
const MOST_CODECS: usize = 16;

/// Returns the checksum of what was learnt, not of the file: equal knowledge has equal ones.
fn checksum_of(path: &Path) -> Result<Checksum, Unusable> {
    Ok(Checksum(Knowledge::open(path)?.checksum()))
}

/// Reasons why a file of knowledge is not for this learner at this game.
#[derive(Debug, thiserror::Error)]
enum Misfit {
    #[error("no knowledge of this game came with the program; train a learner with `parlor learn`")]
    NotShipped,
    #[error("it holds what `{0}` has learnt")]
    OtherLearner(String),
    #[error("it was learnt at {origin}")]
    OtherGame {
        origin: String,
        #[source]
        source: SpecError,
    },
}

struct Names<G>(G);

impl<G: Stimulus> Names<G> {
    const LIST: [&'static str; MOST_CODECS] = {
        let codecs: &[CodecInfo] = G::CODECS;
        let mut names = [""; MOST_CODECS];
        let mut at = 0;
        while at < codecs.len() {
            names[at] = codecs[at].name;
            at += 1;
        }
        names
    };

    const KEYS: &'static [Key] = &[
        Key {
            name: "state",
            kind: Kind::Choice(Self::LIST.split_at(G::CODECS.len()).0),
            default: G::CODECS[0].name,
            help: "how what it knows is coded, see the game's page in the guide",
        },
        choice(
            "weigh",
            &["transition", "respondent"],
            "what weights belong to: a transition, or what is reached, from wherever",
        ),
        choice("select", &["muds", "random"], "the greatest weight with ties at random, or anything"),
        choice(
            "evaluate",
            &["constant", "polynomial", "linear"],
            "what a result is worth: fixed, or by both scores",
        ),
        real("win", -1000.0, 1000.0, "1.06", "what a win is worth with evaluate=constant"),
        real("loss", -1000.0, 1000.0, "0.98", "what a loss is worth with evaluate=constant"),
        real(
            "gamma",
            0.001,
            1e6,
            "30",
            "scores are divided by it: (own² − other²)/(100·gamma), (own − other)/gamma",
        ),
        real("translate", -100.0, 100.0, "0.775", "a factor by scores is translate + scale·g"),
        real("scale", -100.0, 100.0, "0.081", "a factor by scores is translate + scale·g"),
        choice(
            "compensate",
            &["simple", "ramp", "growing"],
            "at face value, rising to it, or rising beyond it",
        ),
        whole("round", 1, 1_000_000_000, "50", "how many matches make a round of the ramp"),
        whole("rounds", 1, 1_000_000_000, "50", "how many rounds the ramp rises to face value"),
        choice("update", &["multiplicative", "additive", "mean"], "what an evaluation does to a weight"),
        whole(
            "prior",
            0,
            1_000_000_000,
            "0",
            "with update=mean, how many evaluations the initial weight counts as",
        ),
        choice(
            "result",
            &["stage", "points", "rest", "match"],
            "who won the stage, who scored more in it, or from the decision on, or who won the match",
        ),
        choice("ties", &["second", "half", "skip"], "a draw is the second player's, half a win, or nothing"),
        Key {
            name: "initial",
            kind: Kind::Text,
            default: "(1 or 0)",
            help: "the weight of a transition that was never met: 1 where weights are multiplied, else 0",
        },
        real("epsilon", 0.0, 1.0, "0", "how often it tries something at random while it learns"),
        Key {
            name: "memory_mb",
            kind: Kind::WholeOrNone { min: 1, max: 1 << 20 },
            default: "none",
            help: "mebibytes; when they are full, the least used transitions are forgotten",
        },
        Key {
            name: "file",
            kind: Kind::File(OnDisk { words: &[NO_FILE, SHIPPED], checksum: checksum_of }),
            default: NO_FILE,
            help: "what it has learnt, from parlor train or learn; shipped: what came with the program",
        },
        Key {
            name: "checksum",
            kind: Kind::Checksum { of: "file" },
            default: ANY_CHECKSUM,
            help: "refuses a file with another one; full forms tell it, so that results say whose they are",
        },
        Key { name: "learning", kind: Kind::Switch, default: "off", help: "goes on learning where it can" },
        Key {
            name: "recall",
            kind: Kind::Switch,
            default: "on",
            help: "off: the file's settings, but none of its knowledge",
        },
    ];
}

const fn choice(name: &'static str, words: &'static [&'static str], help: &'static str) -> Key {
    Key { name, kind: Kind::Choice(words), default: words[0], help }
}

const fn real(name: &'static str, min: f64, max: f64, default: &'static str, help: &'static str) -> Key {
    Key { name, kind: Kind::Real { min, max }, default, help }
}

const fn whole(name: &'static str, min: i64, max: i64, default: &'static str, help: &'static str) -> Key {
    Key { name, kind: Kind::Whole { min, max }, default, help }
}

/// Returns the learner's keys for a game.
#[must_use]
pub fn keys<G: Stimulus>() -> &'static [Key] {
    Names::<G>::KEYS
}

/// These say how the learner is used, not what it is; the others come from its file.
const OF_USE: [&str; 5] = ["file", "checksum", "learning", "recall", "memory_mb"];

/// Settings, and what was learnt under them.
pub(super) struct Recalled {
    /// The settings, those of the file where there is one.
    pub settings: Settings,
    /// What the file holds, unless it is not to be recalled.
    pub payload: Option<Vec<u8>>,
}

/// Reads the file that the settings name, if they do.
pub(super) fn recall<G: Stimulus>(
    settings: &Settings,
    shipped: Option<&[u8]>,
) -> Result<Recalled, SpecError> {
    let file = settings.text("file");
    if file == NO_FILE {
        return Ok(Recalled { settings: settings.clone(), payload: None });
    }
    let unusable = |why: Unusable| settings.unusable("file", why);
    let knowledge = match shipped {
        Some(bytes) if file == SHIPPED => Knowledge::parse(bytes).map_err(|error| unusable(error.into()))?,
        None if file == SHIPPED => {
            return Err(unusable(Unusable::new(FileProblem::Missing, Misfit::NotShipped)));
        }
        _ => Knowledge::open(file.as_ref()).map_err(|error| unusable(error.into()))?,
    };
    let found = Checksum(knowledge.checksum());
    let (given, checksum) = (settings.text("checksum"), found.to_string());
    if given != ANY_CHECKSUM && !given.eq_ignore_ascii_case(&checksum) {
        let owner = settings.owner().to_owned();
        return Err(SpecError::Changed {
            owner,
            key: "file",
            path: file.into(),
            found,
            given: given.to_owned(),
        });
    }
    // Files of older versions have the names that keys had then.
    let mut spec = Spec::parse(&knowledge.about.learner)?.with_new_keys(keys::<G>());
    if spec.name != NAME {
        return Err(unusable(Unusable::new(FileProblem::Elsewhere, Misfit::OtherLearner(spec.name))));
    }
    for key in keys::<G>() {
        let Some(value) = settings.given(key.name) else { continue };
        if !OF_USE.contains(&key.name) {
            // The full form repeats what the file says, and must be readable again.
            if spec.pairs.iter().any(|(name, known)| name == key.name && known == value) {
                continue;
            }
            return Err(
                settings.together(format!("`{}` comes from the file `{file}`, leave it out", key.name))
            );
        }
        spec.pairs.retain(|(name, _)| name != key.name);
        spec.pairs.push((key.name.to_owned(), value.to_owned()));
    }
    spec.pairs.retain(|(name, _)| name != "checksum");
    spec.pairs.push(("checksum".to_owned(), checksum));
    let origin = Spec::bare_name(&knowledge.about.game).to_owned();
    let elsewhere =
        |source| unusable(Unusable::new(FileProblem::Elsewhere, Misfit::OtherGame { origin, source }));
    let payload = settings.switch("recall").then_some(knowledge.payload);
    Ok(Recalled { settings: Settings::read(&spec, keys::<G>()).map_err(elsewhere)?, payload })
}

/// Makes sense of the settings.
pub(super) fn read<G: Stimulus>(game: &G, settings: &Settings) -> Result<Parts<G::Codec>, SpecError> {
    let state = settings.text("state");
    let codec = game.codec(state).map_err(|wrong| settings.no_codec("state", wrong))?;
    let update = match settings.text("update") {
        "multiplicative" => Update::Multiplicative,
        "additive" => Update::Additive,
        _ => Update::Mean { prior: settings.whole("prior") as u32 },
    };
    let (win, loss) = (settings.real("win"), settings.real("loss"));
    let evaluation = match settings.text("evaluate") {
        "constant" => Evaluation::Constant { win, loss },
        "polynomial" => Evaluation::Polynomial,
        _ => Evaluation::Linear,
    };
    let multiplied = update == Update::Multiplicative;
    if multiplied && evaluation == (Evaluation::Constant { win, loss }) && (win <= 0.0 || loss <= 0.0) {
        return Err(settings.together("weights are multiplied by `win` and `loss`, so both must be above 0"));
    }
    let initial = settings.given("initial").filter(|text| !text.starts_with('('));
    let initial = match initial.map(str::parse::<f64>) {
        None => 0,
        Some(Ok(number)) if number.is_finite() && (!multiplied || number > 0.0) => {
            weight_of(if multiplied { libm::log(number) } else { number })
        }
        Some(_) => {
            let range = if multiplied { "a number above 0" } else { "a number" };
            return Err(settings.unfit("initial", format!("it takes {range}")));
        }
    };
    let full = settings.full_form();
    let told = full.pairs.into_iter().filter(|(key, value)| key != "checksum" || value != ANY_CHECKSUM);
    let pairs = told.map(|(key, value)| match key.as_str() {
        "initial" if value.starts_with('(') => (key, if multiplied { "1" } else { "0" }.to_owned()),
        _ => (key, value),
    });
    Ok(Parts {
        codec,
        meaning: game.meaning(codec),
        policies: Policies {
            weighed: match settings.text("weigh") {
                "transition" => Weighed::Transition,
                _ => Weighed::Respondent,
            },
            selection: if settings.text("select") == "muds" {
                Selection::Greatest
            } else {
                Selection::Random
            },
            judged: match settings.text("result") {
                "stage" => Judged::Stage,
                "points" => Judged::Points,
                "rest" => Judged::Rest,
                _ => Judged::Match,
            },
            evaluation,
            gamma: settings.real("gamma"),
            translate: settings.real("translate"),
            scale: settings.real("scale"),
            compensation: match settings.text("compensate") {
                "simple" => Compensation::Simple,
                "ramp" => Compensation::Ramp,
                _ => Compensation::Growing,
            },
            round: settings.whole("round") as u64,
            rounds: settings.whole("rounds") as u64,
            update,
            draws: match settings.text("ties") {
                "second" => Draws::Second,
                "half" => Draws::Half,
                _ => Draws::Skip,
            },
            explore: settings.real("epsilon"),
        },
        initial,
        budget: settings.whole_or_none("memory_mb").map(|mebibytes| mebibytes as u64 * 1024 * 1024),
        spec: Spec { name: full.name, pairs: pairs.collect() }.to_string(),
    })
}
