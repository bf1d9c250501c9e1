//! The agent's keys.

use parlor_core::{Key, Kind, Settings};

use crate::endgame::probe;
use crate::limits::Limits;
use crate::table::Table;
use crate::weights;

const fn switch(name: &'static str, help: &'static str) -> Key {
    Key { name, kind: Kind::Switch, default: "on", help }
}

/// A key for a technique that helps in some games only.
const fn auto_switch(name: &'static str, help: &'static str) -> Key {
    Key { name, kind: Kind::Choice(&["auto", "on", "off"]), default: "auto", help }
}

/// All keys of the agent.
pub const KEYS: &[Key] = &[
    Limits::NODES,
    Limits::DEPTH,
    Limits::TIME,
    Key {
        name: "threads",
        kind: Kind::Whole { min: 1, max: 64 },
        default: "1",
        help: "threads that share one transposition table; with more than one, results are not reproducible",
    },
    Table::MEBIBYTES,
    Table::SWITCH,
    switch("ordering", "order actions by the killer and history heuristics"),
    switch("quiescence", "resolve captures before evaluating a position"),
    auto_switch(
        "reductions",
        "search late actions less deeply (late move reductions); auto: where this won matches",
    ),
    auto_switch("aspiration", "search a window around the last depth's value; auto: where this won matches"),
    switch("pvs", "use principal variation search: null windows after the first action"),
    Limits::PONDER,
    weights::KEY,
    weights::CHECKSUM,
];

/// Returns the keys for games with endgame databases.
#[must_use]
pub fn keys_with_endgames() -> Vec<Key> {
    [KEYS, &[probe::KEY, probe::CHECKSUM]].concat()
}

/// What `auto` means for a game, by what won matches there.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Tuning {
    /// Late move reductions.
    pub reductions: bool,
    /// Aspiration windows.
    pub aspiration: bool,
}

impl Tuning {
    /// Both help at most games.
    pub const USUAL: Tuning = Tuning { reductions: true, aspiration: true };
}

/// The techniques of the search that can be switched off.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Switches {
    /// The transposition table.
    pub table: bool,
    /// The killer and history heuristics.
    pub ordering: bool,
    /// Quiescence search along loud actions.
    pub quiescence: bool,
    /// Late move reductions.
    pub reductions: bool,
    /// Aspiration windows around the value of the previous depth.
    pub aspiration: bool,
    /// Principal variation search.
    pub pvs: bool,
    /// Pondering.
    pub ponder: bool,
}

impl Switches {
    pub(super) fn read(settings: &Settings, tuning: Tuning) -> Switches {
        let pays = |key: &str, auto: bool| match settings.text(key) {
            "auto" => auto,
            text => text == "on",
        };
        Switches {
            table: Table::mebibytes(settings) > 0,
            ordering: settings.switch("ordering"),
            quiescence: settings.switch("quiescence"),
            reductions: pays("reductions", tuning.reductions),
            aspiration: pays("aspiration", tuning.aspiration),
            pvs: settings.switch("pvs"),
            ponder: settings.switch(Limits::PONDER.name),
        }
    }
}
