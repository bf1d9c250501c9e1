//! The agent's keys.

use parlor_core::{Key, Kind, Settings};

use crate::limits::Limits;
use crate::table::Table;
use crate::weights;

const fn switch(name: &'static str, help: &'static str) -> Key {
    Key { name, kind: Kind::Switch, default: "on", help }
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
    switch("reductions", "look less deep at actions that come late in the order"),
    switch("aspiration", "expect about the value of the depth before"),
    switch("pvs", "only ask of later actions whether they are better (principal variation search)"),
    Limits::PONDER,
    weights::KEY,
];

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
    pub(super) fn read(settings: &Settings) -> Switches {
        Switches {
            table: Table::mebibytes(settings) > 0,
            ordering: settings.switch("ordering"),
            quiescence: settings.switch("quiescence"),
            reductions: settings.switch("reductions"),
            aspiration: settings.switch("aspiration"),
            pvs: settings.switch("pvs"),
            ponder: settings.switch(Limits::PONDER.name),
        }
    }
}
