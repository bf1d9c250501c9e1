//! Keys that have a new name. The old ones are read for one version, so that scripts and old files go on working.
//!
//! One table for all agents, because a key means one thing everywhere: an owner that has the new key understands the old one. With
//! the next version the table becomes empty.

use std::fmt;

use super::key::Key;

struct Renamed {
    old: &'static str,
    new: &'static str,
    /// Words that have a new name, too.
    words: &'static [(&'static str, &'static str)],
}

const fn renamed(old: &'static str, new: &'static str) -> Renamed {
    Renamed { old, new, words: &[] }
}

const RENAMED: &[Renamed] = &[
    // Drawn matches for a learner, and what chance brings for a search.
    renamed("draws", "ties"),
    renamed("draws", "chance"),
    // Which of several equally good actions is played.
    renamed("ties", "tie_break"),
    // After how many decisions a playout is judged; `playout` names the players of one.
    Renamed { old: "playout", new: "cut", words: &[("full", "none")] },
    // Mebibytes of everything that an agent remembers.
    renamed("memory", "memory_mb"),
    renamed("table_mb", "memory_mb"),
    renamed("tree_mb", "memory_mb"),
    renamed("memory", "remember"),
    renamed("faith", "model_trust"),
    renamed("patience", "timeout_s"),
    // How often a learner tries something at random; `explore` is the constant of a tree search.
    renamed("explore", "epsilon"),
    renamed("schedule", "epsilon"),
    renamed("schedule_matches", "epsilon_matches"),
    // The evaluation that counts as 0.7 of a win; `scale` is a factor of a learner.
    renamed("scale", "eval_scale"),
];

/// A key that was given under its old name.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct OldKey {
    /// The agent.
    pub owner: String,
    /// The name that was given.
    pub old: String,
    /// The name it has now.
    pub new: &'static str,
}

impl fmt::Display for OldKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OldKey { owner, old, new } = self;
        write!(f, "{owner}: the key `{old}` is now named `{new}`; the old name is read in this version only")
    }
}

/// Returns the key that `old` is an old name of, if one of `keys` is, and the value in today's words.
pub(super) fn find<'v>(keys: &'static [Key], old: &str, value: &'v str) -> Option<(&'static Key, &'v str)> {
    RENAMED.iter().filter(|renamed| renamed.old == old).find_map(|renamed| {
        let key = keys.iter().find(|key| key.name == renamed.new)?;
        let word = renamed.words.iter().find(|(old, _)| *old == value);
        Some((key, word.map_or(value, |(_, new)| new)))
    })
}
