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
    auto_switch(
        "threats",
        "look one ply further where the other side threatens a capture; auto: where this won matches",
    ),
    auto_switch(
        "extensions",
        "do not count captures that follow a capture or lie on the principal variation; auto: where this won matches",
    ),
    auto_switch(
        "pruning",
        "cut where the evaluation is far above the window and a shallower search agrees; auto: where this won matches",
    ),
    auto_switch(
        "deepening",
        "search a position without a known best action less deeply first; auto: where this won matches",
    ),
    auto_switch(
        "replies",
        "order actions by what they refuted after the same action, too; auto: where this won matches",
    ),
    auto_switch(
        "repeats",
        "score a position that has occurred before as a draw, and let the table ignore counts towards a tie that is far; auto: where this won matches",
    ),
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
    /// What won matches in games of exchanges: extensions, pruning, replies, repeats.
    pub exchanges: bool,
}

impl Tuning {
    /// Both help at most games.
    pub const USUAL: Tuning = Tuning { reductions: true, aspiration: true, exchanges: false };
    /// Where captures are compulsory and pieces can go to and fro.
    pub const EXCHANGES: Tuning = Tuning { exchanges: true, ..Tuning::USUAL };
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
    /// One more ply under threat of a capture.
    pub threats: bool,
    /// Captures that are not counted.
    pub extensions: bool,
    /// Static pruning, verified by a shallower search.
    pub pruning: bool,
    /// Internal iterative deepening.
    pub deepening: bool,
    /// History by the action before.
    pub replies: bool,
    /// Repetitions as draws, and tables without counts.
    pub repeats: bool,
    /// Pondering.
    pub ponder: bool,
}

impl Switches {
    /// Returns those of a spec without settings, for a game with this tuning.
    #[must_use]
    pub const fn tuned(tuning: Tuning) -> Switches {
        Switches {
            table: true,
            ordering: true,
            quiescence: true,
            reductions: tuning.reductions,
            aspiration: tuning.aspiration,
            pvs: true,
            threats: false,
            extensions: tuning.exchanges,
            pruning: tuning.exchanges,
            deepening: false,
            replies: tuning.exchanges,
            repeats: tuning.exchanges,
            ponder: true,
        }
    }

    pub(super) fn read(settings: &Settings, tuning: Tuning) -> Switches {
        let auto = Switches::tuned(tuning);
        let pays = |key: &str, auto: bool| match settings.text(key) {
            "auto" => auto,
            text => text == "on",
        };
        Switches {
            table: Table::mebibytes(settings) > 0,
            ordering: settings.switch("ordering"),
            quiescence: settings.switch("quiescence"),
            reductions: pays("reductions", auto.reductions),
            aspiration: pays("aspiration", auto.aspiration),
            pvs: settings.switch("pvs"),
            threats: pays("threats", auto.threats),
            extensions: pays("extensions", auto.extensions),
            pruning: pays("pruning", auto.pruning),
            deepening: pays("deepening", auto.deepening),
            replies: pays("replies", auto.replies),
            repeats: pays("repeats", auto.repeats),
            ponder: settings.switch(Limits::PONDER.name),
        }
    }
}
