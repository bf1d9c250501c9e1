//! Keys, and what values they take.

use std::path::Path;

use super::error::{Checksum, Unusable};
use crate::text::suggest::closest;

/// The value of a checksum key that accepts every file.
pub const ANY_CHECKSUM: &str = "any";

/// The value of a store key for no store.
pub const NO_STORE: &str = "none";

/// What values a key takes.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Kind {
    /// A whole number within bounds.
    Whole {
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// A whole number within bounds, or the word `none`.
    WholeOrNone {
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// A whole number within bounds, or the word `all`.
    WholeOrAll {
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// One of these words.
    Choice(&'static [&'static str]),
    /// `on` or `off`.
    Switch,
    /// A number within bounds.
    Real {
        /// The smallest.
        min: f64,
        /// The largest.
        max: f64,
    },
    /// The path of a file.
    File(OnDisk),
    /// The path of a folder.
    Folder(OnDisk),
    /// A store of games: a folder or the URL of a database, or the word `none`. It changes while it is used, so it has no checksum.
    Store,
    /// The checksum of what another key names. Full forms have it, so that a file that was replaced is noticed.
    Checksum {
        /// The key that names the file or folder.
        of: &'static str,
    },
    /// A program and its arguments.
    Command,
    /// The folder in which a program runs. Full forms have it, so that a run resumes from any folder.
    WorkingFolder,
    /// The spec of another agent of the same game, or one of these words.
    Agent {
        /// Words that are not agents.
        words: &'static [&'static str],
        /// Forms that are not agents but have keys of their own.
        forms: &'static [Form],
    },
    /// The specs of other agents of the same game with `+` between them: `scoring+mstar(model=random)`.
    Agents,
    /// Anything.
    Text,
}

/// A text with a name and keys that stands where the spec of an agent could stand: `guess(by=bayes)`.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Form {
    /// The name in specs.
    pub name: &'static str,
    /// Every key.
    pub keys: &'static [Key],
}

/// What a key that names a file or a folder takes.
#[derive(Copy, Clone, Debug)]
pub struct OnDisk {
    /// Words that do not name anything on the disk, such as `none`.
    pub words: &'static [&'static str],
    /// Returns the checksum of a file or folder. It should be quick: agents are made often.
    pub checksum: fn(&Path) -> Result<Checksum, Unusable>,
}

impl PartialEq for OnDisk {
    fn eq(&self, other: &Self) -> bool {
        self.words == other.words
    }
}

impl Kind {
    /// Returns what fits, for help and errors.
    #[must_use]
    pub fn describe(&self) -> String {
        let or = |words: &[&str], what: &str| [words, &[what]].concat().join(" / ");
        match self {
            Kind::Whole { min, max } => format!("{min} … {max}"),
            Kind::WholeOrNone { min, max } => format!("{min} … {max} or none"),
            Kind::WholeOrAll { min, max } => format!("{min} … {max} or all"),
            Kind::Choice(words) => words.join(" / "),
            Kind::Switch => "on / off".to_owned(),
            Kind::Real { min, max } => format!("{min} … {max}"),
            Kind::File(OnDisk { words, .. }) => or(words, "file"),
            Kind::Folder(OnDisk { words, .. }) => or(words, "folder"),
            Kind::Store => "none / folder / postgres://…".to_owned(),
            Kind::Checksum { .. } => or(&[ANY_CHECKSUM], "eight hexadecimal digits"),
            Kind::Command => "command".to_owned(),
            Kind::WorkingFolder => "folder".to_owned(),
            Kind::Agent { words, .. } => or(words, "agent"),
            Kind::Agents => "agents with + between them".to_owned(),
            Kind::Text => "text".to_owned(),
        }
    }

    pub(super) fn fits(&self, value: &str) -> bool {
        match *self {
            Kind::Whole { min, max } => value.parse::<i64>().is_ok_and(|v| (min..=max).contains(&v)),
            Kind::WholeOrNone { min, max } => {
                value == "none" || value.parse::<i64>().is_ok_and(|v| (min..=max).contains(&v))
            }
            Kind::WholeOrAll { min, max } => {
                value == "all" || value.parse::<i64>().is_ok_and(|v| (min..=max).contains(&v))
            }
            Kind::Choice(words) => words.contains(&value),
            Kind::Switch => matches!(value, "on" | "off"),
            Kind::Real { min, max } => value.parse::<f64>().is_ok_and(|v| (min..=max).contains(&v)),
            Kind::Checksum { .. } => {
                value == ANY_CHECKSUM || (value.len() == 8 && value.chars().all(|c| c.is_ascii_hexdigit()))
            }
            // The agent that uses the value checks it, and can say what is wrong with it.
            Kind::File(_)
            | Kind::Folder(_)
            | Kind::Store
            | Kind::Command
            | Kind::WorkingFolder
            | Kind::Agent { .. }
            | Kind::Agents
            | Kind::Text => true,
        }
    }
}

/// One key of a game or an agent.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// Its value when it is not given; words in parentheses where that depends on other keys.
    pub default: &'static str,
    /// What it does, in one line.
    pub help: &'static str,
}

impl Key {
    /// Returns the key for the checksum of what `of` names.
    #[must_use]
    pub const fn checksum(name: &'static str, of: &'static str) -> Key {
        Key {
            name,
            kind: Kind::Checksum { of },
            default: ANY_CHECKSUM,
            help: "refuses a file with another checksum; full forms have it, so that a replaced file is noticed",
        }
    }

    /// Returns a key that takes one of these words, the first by default.
    #[must_use]
    pub const fn choice(name: &'static str, words: &'static [&'static str], help: &'static str) -> Key {
        Key { name, kind: Kind::Choice(words), default: words[0], help }
    }

    /// Returns a key that takes numbers within bounds.
    #[must_use]
    pub const fn real(
        name: &'static str,
        [min, max]: [f64; 2],
        default: &'static str,
        help: &'static str,
    ) -> Key {
        Key { name, kind: Kind::Real { min, max }, default, help }
    }

    /// Returns a key that takes whole numbers within bounds.
    #[must_use]
    pub const fn whole(
        name: &'static str,
        [min, max]: [i64; 2],
        default: &'static str,
        help: &'static str,
    ) -> Key {
        Key { name, kind: Kind::Whole { min, max }, default, help }
    }

    /// Returns a key that is `on` or `off`.
    #[must_use]
    pub const fn switch(name: &'static str, default: &'static str, help: &'static str) -> Key {
        Key { name, kind: Kind::Switch, default, help }
    }

    pub(super) fn closest_word(&self, value: &str) -> Option<&'static str> {
        match self.kind {
            Kind::Choice(words) => closest(value, words.iter().copied()),
            Kind::Switch => closest(value, ["on", "off"]),
            _ => None,
        }
    }
}
