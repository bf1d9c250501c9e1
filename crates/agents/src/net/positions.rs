//! Positions of finished matches, as files.

use std::io;
use std::path::Path;

use parlor_core::files::checksummed_file::{ChecksummedFileError, Form, read_file};
use parlor_core::files::write_atomically;
use parlor_core::rules::net_inputs::{Inputs, WORDS};
use serde::{Deserialize, Serialize};

const FORM: Form = Form { what: "file of positions", magic: b"parlor positions 1\n" };

/// Bytes of a position.
const BYTES: usize = 8 * WORDS + 4;

/// A position, seen by the side to move.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct KeptPosition {
    /// The inputs that are on.
    pub set: Inputs,
    /// The stage of the match.
    pub stage: u8,
    /// How the match ended for the side to move: 1, 0, −1.
    pub result: i8,
    /// What the search found it to be worth.
    pub value: i16,
}

/// Where positions come from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AboutPositions {
    /// The version of the program that wrote it.
    pub parlor: String,
    /// The game's full form.
    pub game: String,
    /// What the inputs mean.
    pub meaning: String,
    /// Who played against itself: the full form.
    pub agent: String,
    /// The number of matches.
    pub matches: u64,
    /// Match *i* draws from `fork(seed, i)`.
    pub seed: u64,
}

/// A file of positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Positions {
    /// Where they come from.
    pub about: AboutPositions,
    /// The positions, in the order of the matches.
    pub list: Vec<KeptPosition>,
}

impl Positions {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, is something else, or is damaged.
    pub fn open(path: &Path) -> Result<Positions, ChecksummedFileError> {
        Positions::parse(&read_file(path)?)
    }

    /// Reads the content of a file.
    ///
    /// # Errors
    /// If it is something else, or damaged.
    pub fn parse(bytes: &[u8]) -> Result<Positions, ChecksummedFileError> {
        let (about, content): (AboutPositions, &[u8]) = FORM.decode(bytes)?;
        let (records, rest) = content.as_chunks::<BYTES>();
        let wrong = |wrong| ChecksummedFileError::Content { what: FORM.what, wrong };
        if !rest.is_empty() {
            return Err(wrong("the last position is cut off"));
        }
        let list: Vec<KeptPosition> = records.iter().map(read).collect();
        if list.iter().any(|position| !(-1..=1).contains(&position.result)) {
            return Err(wrong("a result is neither a win, a draw nor a loss"));
        }
        Ok(Positions { about, list })
    }

    /// Writes the file, whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        write_atomically(path, &self.to_bytes())
    }

    /// Returns the content of the file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut content = Vec::with_capacity(self.list.len() * BYTES);
        for position in &self.list {
            content.extend(position.set.iter().flat_map(|word| word.to_le_bytes()));
            content.extend([position.stage, position.result.cast_unsigned()]);
            content.extend(position.value.to_le_bytes());
        }
        FORM.encode(&self.about, &content)
    }
}

fn read(bytes: &[u8; BYTES]) -> KeptPosition {
    let (words, rest) = bytes.as_chunks::<8>();
    KeptPosition {
        set: std::array::from_fn(|word| u64::from_le_bytes(words[word])),
        stage: rest[0],
        result: rest[1].cast_signed(),
        value: i16::from_le_bytes([rest[2], rest[3]]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_comes_back() {
        let about = AboutPositions {
            parlor: "0".into(),
            game: "checkers".into(),
            meaning: "squares".into(),
            agent: "alphabeta".into(),
            matches: 1,
            seed: 3,
        };
        let position = KeptPosition { set: [1, 2, u64::MAX, 0], stage: 3, result: -1, value: -300 };
        let positions = Positions { about, list: vec![position, KeptPosition { result: 1, ..position }] };
        let mut bytes = positions.to_bytes();
        assert_eq!(Positions::parse(&bytes).unwrap(), positions);
        bytes[60] ^= 1;
        assert!(Positions::parse(&bytes).is_err());
    }
}
