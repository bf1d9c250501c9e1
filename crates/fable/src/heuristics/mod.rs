//! Heuristics: which states of a model speak about a position.
//!
//! # How to add a heuristic
//! 1. Write a type in a file of its own and implement [`Heuristic`]: a name, a line about it, the model whose evidence it reads, and
//!    [`readings`](Heuristic::readings), which lists the states to look up, each with the frame that turns an action into an input.
//! 2. Add one entry to [`HEURISTICS`].
//!
//! That is all: it can then be named in the key `heuristics`, runs as a process of its own, and appears in `parlor inspect` and in
//! `parlor fable status`. `Reflection` in `turned.rs` is an example: it has thirty lines.

mod locality;
mod neighbour;
mod observed;
mod turned;

use crate::board::{Board, Frame, Model};
use crate::evidence::EvidenceTable;

/// A state of a model that speaks about a position.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Reading {
    /// The key of the state.
    pub state: u64,
    /// How an action looks in that state.
    pub frame: Frame,
}

/// What a seat sees, for heuristics.
#[derive(Copy, Clone, Debug)]
pub struct Position<'a> {
    /// The kind of grid.
    pub board: &'a Board,
    /// The symbol of each cell.
    pub cells: &'a [u8],
    /// The key of the whole view.
    pub key: u64,
}

/// A heuristic: it reads the evidence of a model about a position.
///
/// Whatever it lists comes from the position and from the states that the model knows, so that equal histories give equal answers in
/// every process.
pub trait Heuristic: Sync {
    /// Its name in specs and in the store.
    fn name(&self) -> &'static str;

    /// The heuristic to which it belongs: the sizes of windows are one heuristic, in one process.
    fn family(&self) -> &'static str {
        self.name()
    }

    /// What it assumes, in one line.
    fn summary(&self) -> &'static str;

    /// The model whose evidence it reads.
    fn model(&self) -> Model;

    /// The factor of its confidence with `discount=on`: evidence from similar states counts less than evidence from the state itself.
    fn discount(&self) -> f64 {
        1.0
    }

    /// Returns about how many states it looks at for one position, for the key `budget`.
    fn effort(&self, board: &Board) -> u64;

    /// Adds to `readings` the states of the model that speak about a position. `table` is what the model knows; a heuristic may leave out
    /// states that it does not know.
    fn readings(&self, position: &Position<'_>, table: &EvidenceTable, readings: &mut Vec<Reading>);
}

/// Every heuristic, in the order in which answers are combined. The first seven are those of the source.
pub static HEURISTICS: &[&dyn Heuristic] = &[
    &observed::Observed,
    &neighbour::Neighbour,
    &locality::Locality { size: 1 },
    &locality::Locality { size: 2 },
    &locality::Locality { size: 3 },
    &locality::Locality { size: 4 },
    &turned::Rotation,
    &turned::Reflection,
];

/// Returns the names of the families, in the order of the list.
#[must_use]
pub fn families() -> Vec<&'static str> {
    let mut names: Vec<&str> = HEURISTICS.iter().map(|heuristic| heuristic.family()).collect();
    names.dedup();
    names
}

/// A set of heuristics, by their places in [`HEURISTICS`].
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Chosen(u32);

impl Chosen {
    /// Reads names with `+` between them; a family's name stands for all its members.
    ///
    /// # Errors
    /// The name that is not known.
    pub fn parse(text: &str) -> Result<Chosen, String> {
        let mut set = 0;
        for name in text.split('+').map(str::trim) {
            let named = |heuristic: &&dyn Heuristic| name == heuristic.name() || name == heuristic.family();
            let members = HEURISTICS.iter().enumerate().filter(|(_, heuristic)| named(heuristic));
            let bits = members.fold(0, |bits, (at, _)| bits | 1 << at);
            if bits == 0 {
                return Err(name.to_owned());
            }
            set |= bits;
        }
        Ok(Chosen(set))
    }

    /// Returns no heuristic.
    #[must_use]
    pub const fn none() -> Chosen {
        Chosen(0)
    }

    /// Returns these and the heuristic at a place.
    #[must_use]
    pub const fn with(self, at: usize) -> Chosen {
        Chosen(self.0 | 1 << at)
    }

    /// Returns the places of the heuristics, in order.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..HEURISTICS.len()).filter(move |&at| self.has(at))
    }

    /// Returns whether the heuristic at this place is chosen.
    #[must_use]
    pub fn has(self, at: usize) -> bool {
        self.0 & 1 << at != 0
    }

    /// Returns the models that the heuristics read.
    #[must_use]
    pub fn models(self) -> Vec<Model> {
        let is_read = |model: &Model| self.iter().any(|at| HEURISTICS[at].model() == *model);
        Model::ALL.into_iter().filter(is_read).collect()
    }

    /// Returns those that belong to a family.
    #[must_use]
    pub fn of_family(self, family: &str) -> Chosen {
        let members = self.iter().filter(|&at| HEURISTICS[at].family() == family);
        Chosen(members.fold(0, |bits, at| bits | 1 << at))
    }

    /// Returns the families, in order.
    #[must_use]
    pub fn families(self) -> Vec<&'static str> {
        let mut names: Vec<&str> = self.iter().map(|at| HEURISTICS[at].family()).collect();
        names.dedup();
        names
    }

    /// Returns whether none is chosen.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl std::fmt::Display for Chosen {
    /// Writes the names with `+` between them; a family that is chosen as a whole has one name.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let whole = |family: &str| {
            let mut members = (0..HEURISTICS.len()).filter(|&at| HEURISTICS[at].family() == family);
            members.all(|at| self.has(at))
        };
        let mut names: Vec<&str> = Vec::new();
        for at in self.iter() {
            let heuristic = HEURISTICS[at];
            let name = if whole(heuristic.family()) { heuristic.family() } else { heuristic.name() };
            if names.last() != Some(&name) {
                names.push(name);
            }
        }
        f.write_str(&names.join("+"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_and_members_are_read_and_written() {
        for text in ["observed", "observed+neighbour+locality+rotation", "locality1+locality3+reflection"] {
            assert_eq!(Chosen::parse(text).unwrap().to_string(), text);
        }
        let all = Chosen::parse("locality4+locality3+locality2+locality1").unwrap();
        assert_eq!(all.to_string(), "locality");
        assert_eq!(all.models().len(), 4);
        assert_eq!(Chosen::parse("observed+nieghbour"), Err("nieghbour".to_owned()));
        assert_eq!(families(), ["observed", "neighbour", "locality", "rotation", "reflection"]);
    }
}
