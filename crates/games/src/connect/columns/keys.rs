//! The keys of the column learner.

use std::path::Path;
use std::sync::LazyLock;

use parlor_core::files::fingerprint;
use parlor_core::files::reading::read_text;
use parlor_core::files::recall;
use parlor_core::text::spec::{ANY_CHECKSUM, FileProblem};
use parlor_core::{Key, Kind, OnDisk, Settings, Spec, SpecError, Unusable};

use super::saved::{self, START};
use super::td::TdRule;
use super::update::{Caps, PrintedRule};
use super::value::{LookAhead, Weights};

/// The learner's name in specs.
pub const NAME: &str = "columns";

/// A one-line summary.
pub const SUMMARY: &str = "learns weights of 17 features of each column, and looks ahead with them";

/// The name of the learner's earlier form.
pub const EARLIER: &str = "earlier";

/// A one-line summary of the earlier form.
pub const EARLIER_SUMMARY: &str =
    "columns without look-ahead and without exploration: the learner's earlier form";

/// Words that stand for weights.
const START_WORD: &str = "start";
const ZERO_WORD: &str = "zero";

/// The defaults for the place and the spread of the draw, which depend on the board.
const BY_BOARD: &str = "(by the board)";

const WEIGHTS: Key = Key {
    name: "weights",
    kind: Kind::File(OnDisk { words: &[START_WORD, ZERO_WORD], checksum: fingerprint::of_bytes }),
    default: START_WORD,
    help: "weights at the start: start (8, 4, 0.5, 0.4 and -2), zero, or a TOML file as parlor inspect --text prints it",
};

/// The keys of the learner.
pub const KEYS: &[Key] = &[
    Key::choice(
        "rule",
        &["printed", "td"],
        "how it learns: the rule as printed, or temporal differences of judged boards",
    ),
    WEIGHTS,
    Key::checksum("weights_checksum", WEIGHTS.name),
    Key::whole(
        "lookahead",
        [0, 16],
        "4",
        "own moves to look ahead, each with its predicted reply; with rule=td plies after its move, when it does not learn",
    ),
    Key::choice(
        "line",
        &["greedy", "branching"],
        "own moves looked ahead at: the one with the best sum, or all",
    ),
    Key::real("gamma", [0.0, 1.0], "0.05", "discount of each own move ahead"),
    Key::real(
        "loss",
        [-1e6, 0.0],
        "-10",
        "what a predicted loss adds before it is discounted; the text has 0",
    ),
    Key::real("tie", [0.0, 1e6], "0.01", "columns this close to the best value are drawn from"),
    Key::choice(
        "draw",
        &["normal", "uniform"],
        "draw among close columns: a rounded normal number until it is one of them, or any",
    ),
    Key {
        name: "mean",
        kind: Kind::Text,
        default: BY_BOARD,
        help: "mean of the normal draw; 5 on 11 columns",
    },
    Key {
        name: "deviation",
        kind: Kind::Text,
        default: BY_BOARD,
        help: "standard deviation of the normal draw; 5/3 on 11 columns",
    },
    Key::whole("draws", [0, 1_000_000], "100", "normal draws before any of the close columns is taken"),
    Key::real("lambda", [0.0, 1.0], "0.9", "decay of changes, and of traces with rule=td, for each own move"),
    Key::real("beta", [1e-6, 1e9], "100", "divisor of changes with rule=printed"),
    Key::choice(
        "caps",
        &["loose", "text", "none"],
        "bounds of weights with rule=printed: on all, on those in the text, on none",
    ),
    Key::real("cap", [0.0, 1e9], "10", "upper bound of the weights of own threats of three"),
    Key::real(
        "margin",
        [0.0, 1e6],
        "0.1",
        "how far the weight of a threat above stays below those of threats of three",
    ),
    Key::real("step", [0.0, 100.0], "0.02", "step size of the weights with rule=td"),
    Key::real(
        "scale",
        [1e-9, 1e3],
        "0.05",
        "what turns sums into expected results with rule=td: tanh(scale × sum)",
    ),
    Key::choice(
        "exploration",
        &["epsilon", "softmax"],
        "exploration in training: now and then any close column, or by soft-max",
    ),
    Key {
        name: "epsilon",
        kind: Kind::Text,
        default: "0.5+0.25+0.1+0.01",
        help: "probabilities of a random column in training, one after the other",
    },
    Key::whole(
        "epsilon_matches",
        [1, 1_000_000_000],
        "1000",
        "matches before the next of these probabilities",
    ),
    Key::real("window", [0.0, 1e9], "1", "a random column in training is within this of the best value"),
    Key::real("temperature", [1e-6, 1e9], "1", "temperature of exploration=softmax"),
    Key::choice(
        "keep",
        &["alternate", "first", "both"],
        "whose changes are kept when it plays itself: in turn, the first player's, or both",
    ),
    Key::whole("epoch", [1, 1_000_000_000], "50", "matches of an epoch; weights are noted after each"),
    recall::FILE,
    recall::CHECKSUM,
    recall::LEARNING,
    recall::RECALL,
];

/// The keys of the earlier form.
pub static EARLIER_KEYS: LazyLock<Vec<Key>> = LazyLock::new(|| {
    let kept = ["weights", "weights_checksum", "tie", "draw", "mean", "deviation", "draws"];
    KEYS.iter().filter(|key| kept.contains(&key.name)).copied().collect()
});

/// How it learns.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Rule {
    /// As printed.
    Printed(PrintedRule),
    /// By temporal differences.
    Td(TdRule),
}

/// Whose changes are kept when the learner plays itself.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Keep {
    /// The first player's and the second's in turn.
    Alternate,
    /// The first player's.
    First,
    /// Both.
    Both,
}

/// How a column is drawn among close ones.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Draw {
    /// How close to the best value.
    pub tie: f64,
    /// Mean and standard deviation of a rounded normal number; `None` for any close column.
    pub normal: Option<(f64, f64)>,
    /// How many such numbers are drawn before any close column is taken.
    pub draws: u32,
}

/// Exploration in training.
#[derive(Clone, PartialEq, Debug)]
pub struct Explore {
    /// The temperature of soft-max; `None` for now and then any column within the window.
    pub temperature: Option<f64>,
    /// The probabilities of a random column, one after the other.
    pub epsilon: Vec<f64>,
    /// The matches before the next probability.
    pub matches: u64,
    /// How close to the best value a random column is.
    pub window: f64,
}

/// The checked parts of a learner.
#[derive(Clone, PartialEq, Debug)]
pub struct Parts {
    /// How it learns.
    pub rule: Rule,
    /// The weights at the start.
    pub weights: Weights,
    /// How columns are judged.
    pub ahead: LookAhead,
    /// How a column is drawn among those with nearly the best value.
    pub draw: Draw,
    /// Exploration in training.
    pub explore: Explore,
    /// Whose changes are kept in self-play.
    pub keep: Keep,
    /// The matches of an epoch.
    pub epoch: u64,
    /// The full form.
    pub spec: String,
}

/// Reads the parts of the learner.
pub(super) fn read(settings: &Settings, width: u8) -> Result<Parts, SpecError> {
    let rule = if settings.text("rule") == "td" {
        Rule::Td(TdRule {
            step: settings.real("step"),
            lambda: settings.real("lambda"),
            scale: settings.real("scale"),
        })
    } else {
        Rule::Printed(PrintedRule {
            lambda: settings.real("lambda"),
            beta: settings.real("beta"),
            cap: settings.real("cap"),
            margin: settings.real("margin"),
            caps: match settings.text("caps") {
                "loose" => Caps::Loose,
                "text" => Caps::Text,
                _ => Caps::Off,
            },
        })
    };
    let ahead = LookAhead {
        moves: settings.whole("lookahead") as u32,
        branching: settings.text("line") == "branching",
        gamma: settings.real("gamma"),
        loss: settings.real("loss"),
    };
    // The full form repeats the defaults.
    let changed = |name: &&str| {
        KEYS.iter()
            .any(|key| key.name == *name && settings.given(name).is_some_and(|value| value != key.default))
    };
    if matches!(rule, Rule::Td(_)) && ["line", "gamma", "loss"].iter().any(changed) {
        return Err(settings.together(
            "rule=td looks at every move ahead and discounts none; leave out line, gamma and loss",
        ));
    }
    let softmax = settings.text("exploration") == "softmax";
    Ok(Parts {
        rule,
        weights: read_weights(settings)?,
        ahead,
        draw: read_draw(settings, width)?,
        explore: Explore {
            temperature: softmax.then(|| settings.real("temperature")),
            epsilon: read_epsilon(settings)?,
            matches: settings.whole("epsilon_matches") as u64,
            window: settings.real("window"),
        },
        keep: match settings.text("keep") {
            "alternate" => Keep::Alternate,
            "first" => Keep::First,
            _ => Keep::Both,
        },
        epoch: settings.whole("epoch") as u64,
        spec: full_form(settings),
    })
}

/// Reads the parts of the earlier form, which is the learner without look-ahead.
pub(super) fn read_earlier(settings: &Settings, width: u8) -> Result<Parts, SpecError> {
    let spec = Spec { name: NAME.to_owned(), pairs: Vec::new() };
    let mut parts = read(&Settings::read(&spec, KEYS)?, width)?;
    parts.weights = read_weights(settings)?;
    parts.draw = read_draw(settings, width)?;
    parts.ahead.moves = 0;
    parts.spec = full_form(settings);
    Ok(parts)
}

/// Returns the full form, without a checksum that nothing has.
fn full_form(settings: &Settings) -> String {
    let mut full = settings.full_form();
    full.pairs.retain(|(key, value)| key != "checksum" || value != ANY_CHECKSUM);
    full.to_string()
}

/// Returns the weights at the start.
pub(super) fn read_weights(settings: &Settings) -> Result<Weights, SpecError> {
    match settings.text(WEIGHTS.name) {
        START_WORD => Ok(START),
        ZERO_WORD => Ok(Weights::default()),
        path => {
            let unusable = |why: Unusable| settings.unusable(WEIGHTS.name, why);
            let text = read_text(Path::new(path)).map_err(|error| unusable(error.into()))?;
            let saved = saved::parse(&text);
            Ok(saved.map_err(|error| unusable(Unusable::new(FileProblem::Damaged, error)))?.weights)
        }
    }
}

/// Returns how a column is drawn among close ones.
pub(super) fn read_draw(settings: &Settings, width: u8) -> Result<Draw, SpecError> {
    let number = |key: &str, by_board: f64| match settings.text(key) {
        BY_BOARD => Ok(by_board),
        text => match text.parse::<f64>() {
            Ok(number) if number.is_finite() && number >= 0.0 => Ok(number),
            _ => Err(settings.unfit(key, "it takes a number from 0 on")),
        },
    };
    // Normal(5, 25/9) on 11 columns: the middle, and three deviations to the edge.
    let middle = f64::from(width - 1) / 2.0;
    let (mean, deviation) = (number("mean", middle)?, number("deviation", middle / 3.0)?);
    Ok(Draw {
        tie: settings.real("tie"),
        normal: (settings.text("draw") == "normal").then_some((mean, deviation)),
        draws: settings.whole("draws") as u32,
    })
}

fn read_epsilon(settings: &Settings) -> Result<Vec<f64>, SpecError> {
    let all = settings
        .text("epsilon")
        .split('+')
        .map(|text| text.trim().parse::<f64>().ok().filter(|epsilon| (0.0..=1.0).contains(epsilon)));
    all.collect::<Option<Vec<f64>>>().ok_or_else(|| {
        settings.unfit("epsilon", "it takes numbers from 0 to 1 with + between them, such as 0.5+0.1")
    })
}
