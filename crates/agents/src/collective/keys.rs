//! The learner's keys.

use parlor_core::files::recall;
use parlor_core::text::spec::ANY_CHECKSUM;
use parlor_core::{CodecInfo, Key, Kind, Settings, Spec, SpecError, Stimulus};

use super::Parts;
use super::matrix::weight_of;
use super::policies::{Compensation, Draws, Evaluation, Judged, Policies, Selection, Update, Weighed};

/// The learner's name in specs.
pub const NAME: &str = "collective";

/// A one-line summary.
pub const SUMMARY: &str = "learns weights of transitions from what a seat knows to what its action leads to";

/// The maximum number of codecs per game.
const MOST_CODECS: usize = 16;

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
            help: "encoding of what a seat knows; see the game's page in the guide",
        },
        Key::choice(
            "weigh",
            &["transition", "respondent"],
            "what has a weight: a transition, or the state reached from any state",
        ),
        Key::choice(
            "select",
            &["muds", "random"],
            "choose the greatest weight (ties at random), or at random",
        ),
        Key::choice(
            "evaluate",
            &["constant", "polynomial", "linear"],
            "evaluation of a result: fixed, or by both scores",
        ),
        Key::real("win", [-1000.0, 1000.0], "1.06", "evaluation of a win with evaluate=constant"),
        Key::real("loss", [-1000.0, 1000.0], "0.98", "evaluation of a loss with evaluate=constant"),
        Key::real(
            "gamma",
            [0.001, 1e6],
            "30",
            "divisor of scores: g = (own² − other²)/(100·gamma) or (own − other)/gamma",
        ),
        Key::real("translate", [-100.0, 100.0], "0.775", "factor from scores: translate + scale·g"),
        Key::real("scale", [-100.0, 100.0], "0.081", "factor from scores: translate + scale·g"),
        Key::choice(
            "compensate",
            &["simple", "ramp", "growing"],
            "strength of an evaluation: full, rising to full, or rising beyond it",
        ),
        Key::whole("round", [1, 1_000_000_000], "50", "matches per round of the ramp"),
        Key::whole("rounds", [1, 1_000_000_000], "50", "rounds until the ramp reaches full strength"),
        Key::choice("update", &["multiplicative", "additive", "mean"], "how an evaluation changes a weight"),
        Key::whole(
            "prior",
            [0, 1_000_000_000],
            "0",
            "with update=mean, number of evaluations that the initial weight counts as",
        ),
        Key::choice(
            "result",
            &["stage", "points", "rest", "match"],
            "result: winner of the stage, points in it, points from the decision on, or winner of the match",
        ),
        Key::choice(
            "ties",
            &["second", "half", "skip"],
            "count a draw as a win of the second player, as half a win, or not at all",
        ),
        Key {
            name: "initial",
            kind: Kind::Text,
            default: "(1 or 0)",
            help: "weight of a new transition: 1 if weights are multiplied, else 0",
        },
        Key::real("epsilon", [0.0, 1.0], "0", "probability of a random action while learning"),
        Key {
            name: "memory_mb",
            kind: Kind::WholeOrNone { min: 1, max: 1 << 20 },
            default: "none",
            help: "maximum size in mebibytes; when full, the least used transitions are forgotten",
        },
        recall::FILE,
        recall::CHECKSUM,
        recall::LEARNING,
        recall::RECALL,
    ];
}

/// Returns the learner's keys for a game.
#[must_use]
pub fn keys<G: Stimulus>() -> &'static [Key] {
    Names::<G>::KEYS
}

/// Reads the parts of the learner from the settings.
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
