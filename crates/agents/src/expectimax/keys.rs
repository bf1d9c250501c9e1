//! What a spec can say.

use parlor_core::{Key, Kind, Settings};

use super::Options;
use crate::limits::Limits;
use crate::star;
use crate::table::Table;
use crate::weights;

/// The agent's name.
pub const NAME: &str = "expectimax";

/// What it does, in one line.
pub const SUMMARY: &str = "looks ahead, averaging over chance, with Star1 and Star2 cuts";

/// How many positions a decision visits if nothing says otherwise.
pub(super) const FALLBACK_NODES: u64 = 50_000;

/// The agent's keys.
pub const KEYS: &[Key] = &[
    Limits::NODES,
    Limits::DEPTH,
    Limits::TIME,
    star::KEY,
    Table::MEBIBYTES,
    Table::SWITCH,
    Key { name: "ordering", kind: Kind::Switch, default: "on", help: "try promising actions first" },
    Key {
        name: "quiescence",
        kind: Kind::Switch,
        default: "on",
        help: "follow captures that pay to their end before judging a position",
    },
    Key {
        name: "flips",
        kind: Kind::WholeOrNone { min: 1, max: 255 },
        default: "4",
        help: "how many actions that leave things to chance are looked at in a position, the most promising; none: all",
    },
    Key {
        name: "repetitions",
        kind: Kind::Switch,
        default: "on",
        help: "take a position that has occurred before for a draw",
    },
    Key {
        name: "contempt",
        kind: Kind::Whole { min: -5_000, max: 5_000 },
        default: "0",
        help: "how much worse than an even position a draw is, in points of the evaluation",
    },
    Limits::PONDER,
    weights::KEY,
    weights::CHECKSUM,
];

/// Reads the keys that say how to search.
pub(super) fn options(settings: &Settings) -> Options {
    Options {
        star: settings.whole(star::KEY.name) as u8,
        ordering: settings.switch("ordering"),
        quiescence: settings.switch("quiescence"),
        gambles: settings.whole_or_none("flips").map(|flips| flips as u32),
        repetitions: settings.switch("repetitions"),
        contempt: settings.whole("contempt") as i32,
        ponder: settings.switch(Limits::PONDER.name),
    }
}
