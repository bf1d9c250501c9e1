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

use serde::{Deserialize, Serialize};

use crate::files::checksummed_file::{ChecksummedFileError, decode, encode, read_file, write_atomically};
use crate::rng::GENERATOR;

const MAGIC: &[u8] = b"parlor knowledge 1\n";

/// How a learner did in a test on its way.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Milestone {
    /// After how many matches of training.
    pub matches: u64,
    /// Against whom it was tested.
    pub against: String,
    /// Matches it won.
    pub wins: u64,
    /// Matches that were drawn.
    pub draws: u64,
    /// Matches it lost.
    pub losses: u64,
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
    /// Won, drawn and lost matches of each round, while it learnt.
    pub trained: Vec<[u64; 3]>,
    /// How it did before the first round was over: where a curve is steepest.
    pub early: Vec<Milestone>,
    /// How it did after each round.
    pub curve: Vec<Milestone>,
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

    /// Returns whether its training was broken off.
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

/// Why a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KnowledgeError {
    /// The system says no.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It does not begin as it should.
    #[error("this is no file of knowledge, or one of a version that this program does not know")]
    Foreign,
    /// Its bytes have changed since it was written.
    #[error("the file is damaged: its checksum does not fit")]
    Damaged,
    /// The line about it is not understood.
    #[error("the line about it is not understood: {0}")]
    About(String),
}

impl From<ChecksummedFileError> for KnowledgeError {
    fn from(broken: ChecksummedFileError) -> Self {
        match broken {
            ChecksummedFileError::Foreign => KnowledgeError::Foreign,
            ChecksummedFileError::Damaged => KnowledgeError::Damaged,
            ChecksummedFileError::About(wrong) => KnowledgeError::About(wrong),
        }
    }
}

impl Knowledge {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, is no such file, or is damaged.
    pub fn open(path: &Path) -> Result<Knowledge, KnowledgeError> {
        Knowledge::parse(&read_file(path)?)
    }

    /// Reads a file's bytes.
    ///
    /// # Errors
    /// If they are not what [`to_bytes`](Knowledge::to_bytes) makes.
    pub fn parse(bytes: &[u8]) -> Result<Knowledge, KnowledgeError> {
        let (about, payload) = decode(MAGIC, bytes)?;
        Ok(Knowledge { about, payload: payload.to_vec() })
    }

    /// Returns the file's bytes; equal knowledge gives equal bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        encode(MAGIC, &self.about, &self.payload)
    }

    /// Returns the checksum of the learner's own bytes: equal knowledge has equal ones.
    #[must_use]
    pub fn checksum(&self) -> u32 {
        crc32fast::hash(&self.payload)
    }

    /// Writes the file, whole or not at all: beside it first, then under its name.
    ///
    /// # Errors
    /// Whatever writing gives.
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
        assert!(matches!(Knowledge::parse(b"{}"), Err(KnowledgeError::Foreign)));
    }
}
