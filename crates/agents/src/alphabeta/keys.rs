//! The agent's keys.

use parlor_core::{Key, Kind, Settings};

use crate::endgame::judge;
use crate::limits::Limits;
use crate::table::Table;
use crate::weights;

const fn switch(name: &'static str, help: &'static str) -> Key {
    Key { name, kind: Kind::Switch, default: "on", help }
}

/// A part that helps in some games only.
const fn where_it_pays(name: &'static str, help: &'static str) -> Key {
    Key { name, kind: Kind::Choice(&["auto", "on", "off"]), default: "auto", help }
}

/// Every key.
pub const KEYS: &[Key] = &[
    Limits::NODES,
    Limits::DEPTH,
    Limits::TIME,
    Key {
        name: "threads",
        kind: Kind::Whole { min: 1, max: 64 },
        default: "1",
        help: "threads that search together through one table; with more than one, no two runs are equal",
    },
    Table::MEBIBYTES,
    Table::SWITCH,
    switch("ordering", "try actions first that refuted others nearby (killers, history)"),
    switch("quiescence", "look on along captures before a position is judged"),
    where_it_pays(
        "reductions",
        "look less deep at actions that come late in the order; auto: where that won matches",
    ),
    where_it_pays("aspiration", "expect about the value of the depth before; auto: where that won matches"),
    switch("pvs", "only ask of later actions whether they are better (principal variation search)"),
    Limits::PONDER,
    weights::KEY,
    weights::CHECKSUM,
];

/// The keys where there are endgame databases.
#[must_use]
pub fn keys_with_endgames() -> Vec<Key> {
    [KEYS, &[judge::KEY, judge::CHECKSUM]].concat()
}

/// What `auto` means at a game, by what won matches there.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Tuning {
    /// Looking less deep at late actions.
    pub reductions: bool,
    /// Windows around the value of the depth before.
    pub aspiration: bool,
}

impl Tuning {
    /// Both parts help at most games.
    pub const USUAL: Tuning = Tuning { reductions: true, aspiration: true };
}

/// The parts of the search that can be left out.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Switches {
    /// The table of positions.
    pub table: bool,
    /// Killers and history.
    pub ordering: bool,
    /// Looking on along loud actions.
    pub quiescence: bool,
    /// Looking less deep at late actions.
    pub reductions: bool,
    /// Windows around the value of the depth before.
    pub aspiration: bool,
    /// Principal variation search.
    pub pvs: bool,
    /// Thinking on the other seat's time.
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
