//! The experiments that come with the program: one for every published experiment that it reproduces.

use super::Experiment;
use crate::toml_reader::FileError;

/// Every published experiment: the file's name without its ending, and its text.
pub const PUBLISHED: &[(&str, &str)] = &[
    ("a1", include_str!("../../../../experiments/a1.toml")),
    ("a2.1.1", include_str!("../../../../experiments/a2.1.1.toml")),
    ("a2.1.2", include_str!("../../../../experiments/a2.1.2.toml")),
    ("a2.2", include_str!("../../../../experiments/a2.2.toml")),
    ("a2.3", include_str!("../../../../experiments/a2.3.toml")),
    ("a3.1.1", include_str!("../../../../experiments/a3.1.1.toml")),
    ("a3.1.2", include_str!("../../../../experiments/a3.1.2.toml")),
    ("g1.1", include_str!("../../../../experiments/g1.1.toml")),
    ("g2.1", include_str!("../../../../experiments/g2.1.toml")),
    ("g3.1", include_str!("../../../../experiments/g3.1.toml")),
    ("g4.1", include_str!("../../../../experiments/g4.1.toml")),
    ("g4.2", include_str!("../../../../experiments/g4.2.toml")),
    ("g4.3", include_str!("../../../../experiments/g4.3.toml")),
    ("m1", include_str!("../../../../experiments/m1.toml")),
    ("m2", include_str!("../../../../experiments/m2.toml")),
    ("m3", include_str!("../../../../experiments/m3.toml")),
    ("m4", include_str!("../../../../experiments/m4.toml")),
    ("m5", include_str!("../../../../experiments/m5.toml")),
    ("m6", include_str!("../../../../experiments/m6.toml")),
    ("m7", include_str!("../../../../experiments/m7.toml")),
    ("m8", include_str!("../../../../experiments/m8.toml")),
    ("m9", include_str!("../../../../experiments/m9.toml")),
    ("f1", include_str!("../../../../experiments/f1.toml")),
    ("f2", include_str!("../../../../experiments/f2.toml")),
    ("f3", include_str!("../../../../experiments/f3.toml")),
    ("f4", include_str!("../../../../experiments/f4.toml")),
    ("f5", include_str!("../../../../experiments/f5.toml")),
    ("f6", include_str!("../../../../experiments/f6.toml")),
    ("c1", include_str!("../../../../experiments/c1.toml")),
    ("c2", include_str!("../../../../experiments/c2.toml")),
    ("c3", include_str!("../../../../experiments/c3.toml")),
];

/// Names for several experiments at once.
const GROUPS: &[(&str, &[&str])] = &[
    (
        "collective",
        &[
            "a1", "a2.1.1", "a2.1.2", "a2.2", "a2.3", "a3.1.1", "a3.1.2", "g1.1", "g2.1", "g3.1", "g4.1",
            "g4.2", "g4.3",
        ],
    ),
    ("myers", &["m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9"]),
    ("fable", &["f1", "f2", "f3", "f4", "f5", "f6"]),
    ("columns", &["c1", "c2", "c3"]),
    ("quadrants", &["m2", "m3", "m4", "m5"]),
];

/// Returns the experiments of a group; `None` if there is no such group.
#[must_use]
pub fn group(name: &str) -> Option<&'static [&'static str]> {
    GROUPS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, members)| *members)
}

/// Returns the text of a published experiment by its id, in large or small letters.
#[must_use]
pub fn text_of(id: &str) -> Option<&'static str> {
    PUBLISHED.iter().find(|(name, _)| name.eq_ignore_ascii_case(id)).map(|(_, text)| *text)
}

/// Returns every published experiment, in the order of the list.
///
/// # Errors
/// If a file is wrong; a test keeps that from happening.
pub fn all() -> Result<Vec<Experiment>, FileError> {
    PUBLISHED.iter().map(|(_, text)| Experiment::read(text)).collect()
}
