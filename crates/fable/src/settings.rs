//! The keys of `fable`.

use parlor_core::files::recall;
use parlor_core::text::spec::NO_STORE;
use parlor_core::{Key, Kind, Settings, SpecError};

use crate::decision::{Choice, Confidence, Pooling, Probability, Rules};
use crate::evidence::Credit;
use crate::heuristics::{Chosen, families};

/// The learner's name in specs.
pub const NAME: &str = "fable";

/// A one-line summary.
pub const SUMMARY: &str = "learns finite automata from a history of games; heuristics answer side by side";

/// Every key. Defaults are the readings of the source that fit its tables best.
pub static KEYS: &[Key] = &[
    Key {
        name: "heuristics",
        kind: Kind::Text,
        default: "observed+neighbour+locality+rotation",
        help: "heuristics with + between them: observed, neighbour, locality (or locality1 to locality4), rotation, reflection",
    },
    Key::choice(
        "probability",
        &["decided", "half", "all", "signed"],
        "of reaching the goal: wins in decided games; ties as half a win; wins in all games; (wins - losses) in decided games",
    ),
    Key::choice(
        "confidence",
        &["count", "root", "full"],
        "by n games of evidence: n/(n+1), its square root, or 1",
    ),
    Key::choice(
        "pooling",
        &["sum", "best"],
        "evidence of several states within a heuristic: add it up, or take the strongest",
    ),
    Key::choice(
        "credit",
        &["end", "survival"],
        "credit of an action: the end of its game, or a win if the seat had another decision to take",
    ),
    Key::switch(
        "discount",
        "on",
        "multiply the confidence of neighbour by 1/2 and of locality with k×k windows by k/5",
    ),
    Key::choice(
        "mover",
        &["input", "ignored"],
        "whether evidence of the other seat's actions is kept apart, or counts too",
    ),
    Key::real("unseen", [-1.0, 1.0], "0", "value of an action about which nothing is known"),
    Key {
        name: "loops",
        kind: Kind::Whole { min: 0, max: 1_000_000 },
        default: "10",
        help: "rounds of the walk down the list of actions before one is chosen at random",
    },
    Key::choice(
        "choice",
        &["walk", "greatest"],
        "walk down the list and take an action with its value as probability, or take the greatest value",
    ),
    Key {
        name: "budget",
        kind: Kind::WholeOrNone { min: 1, max: 100 },
        default: "none",
        help: "percentage of the work of all heuristics that may be spent while learning; the poorest are switched off and tried again later",
    },
    Key {
        name: "store",
        kind: Kind::Store,
        default: NO_STORE,
        help: "store with the history and the models: a folder, as parlor train makes it, or postgres://USER@HOST/DATABASE",
    },
    Key::choice(
        "carrier",
        &["direct", "threads", "processes", "mailbox"],
        "how heuristics are asked: in this thread, in threads, child processes, or workers on the store's mailbox",
    ),
    Key {
        name: "deadline_ms",
        kind: Kind::WholeOrNone { min: 1, max: 3_600_000 },
        default: "none",
        help: "milliseconds after which answers of threads, processes and workers are ignored; results are then not reproducible",
    },
    recall::FILE,
    recall::CHECKSUM,
    recall::LEARNING,
    recall::RECALL,
];

/// Returns the heuristics that the settings name.
///
/// # Errors
/// If one is not known.
pub fn heuristics(settings: &Settings) -> Result<Chosen, SpecError> {
    Chosen::parse(settings.text("heuristics")).map_err(|unknown| {
        let known = families().join(", ");
        settings
            .unfit("heuristics", format!("names with + between them, of {known}; `{unknown}` is not known"))
    })
}

/// Returns how the settings turn evidence into a decision.
#[must_use]
pub fn rules(settings: &Settings) -> Rules {
    Rules {
        probability: match settings.text("probability") {
            "decided" => Probability::Decided,
            "half" => Probability::Half,
            "all" => Probability::All,
            _ => Probability::Signed,
        },
        confidence: match settings.text("confidence") {
            "count" => Confidence::Count,
            "root" => Confidence::Root,
            _ => Confidence::Full,
        },
        pooling: if settings.text("pooling") == "sum" { Pooling::Sum } else { Pooling::Best },
        credit: if settings.text("credit") == "end" { Credit::End } else { Credit::Survival },
        discount: settings.switch("discount"),
        by_mover: settings.text("mover") == "input",
        unseen: settings.real("unseen"),
        loops: settings.whole("loops") as u32,
        choice: if settings.text("choice") == "walk" { Choice::Walk } else { Choice::Greatest },
    }
}
