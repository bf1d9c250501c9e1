//! What a learner has learnt, as a file: a line that says what it is, a line about it, the knowledge, a checksum.
//!
//! ```text
//! parlor knowledge 1
//! {"parlor":"0.1.0","game":"dominoes(…)","learner":"collective(…)","matches":2500,…}
//! … the learner's own bytes …
//! four bytes: the CRC-32 of everything before, lowest byte first
//! ```

use std::io;
use std::path::Path;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::files::checksummed_file::{ChecksummedFileError, Form, checksum, read_file};
use crate::files::write_atomically;
use crate::play::win_draw_loss::WinDrawLoss;
use crate::rng::GENERATOR;

const FORM: Form = Form { what: "knowledge file", magic: b"parlor knowledge 1\n" };

/// How a learner did in a test on its way.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Milestone {
    /// After how many matches of training.
    pub matches: u64,
    /// Against whom it was tested.
    pub against: String,
    /// The matches of the test, from the learner's side.
    #[serde(flatten)]
    pub results: WinDrawLoss,
    /// How many things it knew.
    pub entries: u64,
}

/// Where knowledge comes from.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct About {
    /// The version of the program that wrote it.
    pub parlor: String,
    /// The game's full form.
    pub game: String,
    /// The learner's full form.
    pub learner: String,
    /// Whom it is trained against: full forms, or `self`.
    pub against: Vec<String>,
    /// How many rounds it is to be trained for.
    pub rounds: u64,
    /// How many matches a round has.
    pub round: u64,
    /// Whom it is tested against after each round: full forms.
    pub testers: Vec<String>,
    /// How many matches each test has.
    pub test_matches: u64,
    /// How many matches it has been trained for.
    pub matches: u64,
    /// Match *i* draws from `fork(seed, i)`.
    pub seed: u64,
    /// The random generator.
    pub rng: String,
    /// The matches of each round of training, from the learner's side; in the file each is an array of three.
    #[serde(serialize_with = "write_arrays", deserialize_with = "read_arrays")]
    pub trained: Vec<WinDrawLoss>,
    /// How it did before the first round was over: where a curve is steepest.
    pub early: Vec<Milestone>,
    /// How it did after each round.
    pub curve: Vec<Milestone>,
}

fn write_arrays<S: Serializer>(rounds: &[WinDrawLoss], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(rounds.iter().map(|&round| <[u64; 3]>::from(round)))
}

fn read_arrays<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<WinDrawLoss>, D::Error> {
    Ok(Vec::<[u64; 3]>::deserialize(from)?.into_iter().map(WinDrawLoss::from).collect())
}

impl About {
    /// Something that has not been trained yet and has no plan.
    #[must_use]
    pub fn new(game: String, learner: String, seed: u64) -> Self {
        About {
            parlor: env!("CARGO_PKG_VERSION").to_owned(),
            game,
            learner,
            against: Vec::new(),
            rounds: 0,
            round: 0,
            testers: Vec::new(),
            test_matches: 0,
            matches: 0,
            seed,
            rng: GENERATOR.to_owned(),
            trained: Vec::new(),
            early: Vec::new(),
            curve: Vec::new(),
        }
    }

    /// Returns whether its training was interrupted.
    #[must_use]
    pub fn is_unfinished(&self) -> bool {
        self.matches < self.rounds.saturating_mul(self.round)
    }
}

/// A file's content.
#[derive(Clone, PartialEq, Debug)]
pub struct Knowledge {
    /// Where it comes from.
    pub about: About,
    /// The learner's own bytes.
    pub payload: Vec<u8>,
}

impl Knowledge {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, is not a knowledge file, or is damaged.
    pub fn open(path: &Path) -> Result<Knowledge, ChecksummedFileError> {
        Knowledge::parse(&read_file(path)?)
    }

    /// Reads a file's bytes.
    ///
    /// # Errors
    /// If they are not what [`to_bytes`](Knowledge::to_bytes) makes.
    pub fn parse(bytes: &[u8]) -> Result<Knowledge, ChecksummedFileError> {
        let (about, payload) = FORM.decode(bytes)?;
        Ok(Knowledge { about, payload: payload.to_vec() })
    }

    /// Returns the file's bytes; equal knowledge gives equal bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        FORM.encode(&self.about, &self.payload)
    }

    /// Returns the checksum of the learner's own bytes: equal knowledge has equal ones.
    #[must_use]
    pub fn checksum(&self) -> u32 {
        checksum(&self.payload)
    }

    /// Writes the file, whole or not at all: beside it first, then under its name.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        write_atomically(path, &self.to_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Knowledge {
        let mut about = About::new("tictactoe".into(), "collective".into(), 7);
        about.matches = 50;
        Knowledge { about, payload: (0..=255).collect() }
    }

    #[test]
    fn what_is_written_comes_back() {
        let knowledge = example();
        assert_eq!(Knowledge::parse(&knowledge.to_bytes()).unwrap(), knowledge);
    }

    #[test]
    fn every_flipped_bit_and_every_cut_is_noticed() {
        let bytes = example().to_bytes();
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1 << bit;
                assert!(Knowledge::parse(&damaged).is_err(), "bit {bit} of byte {at}");
            }
            assert!(Knowledge::parse(&bytes[..at]).is_err(), "cut at {at}");
        }
        assert!(matches!(Knowledge::parse(b"{}"), Err(ChecksummedFileError::Foreign { .. })));
    }
}
