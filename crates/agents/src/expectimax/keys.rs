//! The agent's keys.

use parlor_core::{Key, Kind, Settings};

use super::Options;
use crate::endgame::probe;
use crate::limits::Limits;
use crate::star;
use crate::table::Table;
use crate::weights;

/// The agent's name in specs.
pub const NAME: &str = "expectimax";

/// A one-line summary.
pub const SUMMARY: &str = "expectimax search with Star1 and Star2 cuts at chance nodes";

/// The node budget of a decision if neither a key nor a clock sets a limit.
pub(super) const FALLBACK_NODES: u64 = 50_000;

/// The agent's keys.
pub const KEYS: &[Key] = &[
    Limits::NODES,
    Limits::DEPTH,
    Limits::TIME,
    star::KEY,
    Table::MEBIBYTES,
    Table::SWITCH,
    Key { name: "ordering", kind: Kind::Switch, default: "on", help: "search promising actions first" },
    Key {
        name: "quiescence",
        kind: Kind::Switch,
        default: "on",
        help: "resolve profitable captures before evaluating a position",
    },
    Key {
        name: "flips",
        kind: Kind::WholeOrNone { min: 1, max: 255 },
        default: "4",
        help: "maximum number of actions with a random outcome searched per position, most promising first; none: all",
    },
    Key {
        name: "repetitions",
        kind: Kind::Switch,
        default: "on",
        help: "score a repeated position as a draw",
    },
    Key {
        name: "contempt",
        kind: Kind::Whole { min: -5_000, max: 5_000 },
        default: "0",
        help: "penalty of a draw, in points of the evaluation",
    },
    Limits::PONDER,
    weights::KEY,
    weights::CHECKSUM,
];

/// Returns the keys for games with endgame databases.
#[must_use]
pub fn keys_with_endgames() -> Vec<Key> {
    [KEYS, &[probe::KEY, probe::CHECKSUM]].concat()
}

/// Reads the options of the search.
pub(super) fn options(settings: &Settings) -> Options {
    Options {
        star: settings.whole(star::KEY.name) as u8,
        ordering: settings.switch("ordering"),
        quiescence: settings.switch("quiescence"),
        chance_actions: settings.whole_or_none("flips").map(|flips| flips as u32),
        repetitions: settings.switch("repetitions"),
        contempt: settings.whole("contempt") as i32,
        ponder: settings.switch(Limits::PONDER.name),
    }
}
