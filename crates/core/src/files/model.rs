//! A fitted classifier as a file: a line that says what it is, a line about it, the model, a checksum.
//!
//! ```text
//! parlor model 1
//! {"parlor":"0.1.0","kind":"mda","game":"dominoes(…)","features":["points_per_turn",…],"classes":["random",…],…}
//! … the model's own bytes …
//! four bytes: the CRC-32 of everything before, lowest byte first
//! ```
//!
//! The bytes of the model are those of `parlor-ml`, which this crate does not know.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::files::checksummed_file::{ChecksummedFileError, Form, checksum, read_file};
use crate::files::write_atomically;

const FORM: Form = Form { what: "model file", magic: b"parlor model 1\n" };

/// Where a model comes from, and what it is for.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct AboutModel {
    /// The version of the program that wrote it.
    pub parlor: String,
    /// The kind of classifier: `mda` or `forest`.
    pub kind: String,
    /// The full form of the game whose turns it classifies; `None` if that was not said.
    pub game: Option<String>,
    /// The names of the features, in the order of a row.
    pub features: Vec<String>,
    /// The names of the classes, in the order of their numbers.
    pub classes: Vec<String>,
    /// The number of rows of each class that it was fitted to.
    pub rows: Vec<u64>,
    /// How it was fitted, such as `trees=100, min_leaf=1`; empty where nothing can be chosen.
    pub settings: String,
    /// The seed of its random numbers; `None` if it needs none.
    pub seed: Option<u64>,
}

impl AboutModel {
    /// Returns an error unless the model is for rows of these features and these classes.
    ///
    /// # Errors
    /// The names that differ.
    pub fn check<'a>(
        &self,
        features: impl IntoIterator<Item = &'a str>,
        classes: impl IntoIterator<Item = &'a str>,
    ) -> Result<(), OtherModel> {
        let same = |found: &[String], expected: Vec<&str>, what: &'static str| {
            if found.iter().map(String::as_str).eq(expected.iter().copied()) {
                return Ok(());
            }
            Err(OtherModel { what, found: found.join(", "), expected: expected.join(", ") })
        };
        same(&self.features, features.into_iter().collect(), "features")?;
        same(&self.classes, classes.into_iter().collect(), "classes")
    }
}

/// Error of a model that is for other rows.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the model is for the {what} {found}, not for {expected}")]
pub struct OtherModel {
    /// `features` or `classes`.
    pub what: &'static str,
    /// Those of the model.
    pub found: String,
    /// Those that are wanted.
    pub expected: String,
}

/// A file's content.
#[derive(Clone, PartialEq, Debug)]
pub struct ModelFile {
    /// Where the model comes from.
    pub about: AboutModel,
    /// The model's own bytes.
    pub model: Vec<u8>,
}

impl ModelFile {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, is not a model file, or is damaged.
    pub fn open(path: &Path) -> Result<ModelFile, ChecksummedFileError> {
        ModelFile::parse(&read_file(path)?)
    }

    /// Reads a file's bytes.
    ///
    /// # Errors
    /// If they are not what [`to_bytes`](ModelFile::to_bytes) makes.
    pub fn parse(bytes: &[u8]) -> Result<ModelFile, ChecksummedFileError> {
        let (about, model) = FORM.decode(bytes)?;
        Ok(ModelFile { about, model: model.to_vec() })
    }

    /// Returns the file's bytes; equal models give equal bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        FORM.encode(&self.about, &self.model)
    }

    /// Returns the checksum of the model's own bytes: equal models have equal ones.
    #[must_use]
    pub fn checksum(&self) -> u32 {
        checksum(&self.model)
    }

    /// Writes the file, whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        write_atomically(path, &self.to_bytes())
    }

    /// Returns the model itself, made by `decode` from its kind, its numbers of features and of classes, and its bytes.
    ///
    /// # Errors
    /// If the bytes are not understood; `decode` says why.
    pub fn decode<M>(
        &self,
        decode: impl FnOnce(&str, usize, usize, &[u8]) -> Result<M, &'static str>,
    ) -> Result<M, ChecksummedFileError> {
        let AboutModel { kind, features, classes, .. } = &self.about;
        decode(kind, features.len(), classes.len(), &self.model)
            .map_err(|wrong| ChecksummedFileError::Content { what: FORM.what, wrong })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_come_back_and_damage_is_noticed() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let about = AboutModel {
            parlor: "0.1.0".into(),
            kind: "mda".into(),
            game: None,
            features: names(&["a", "b"]),
            classes: names(&["x", "y"]),
            rows: vec![3, 4],
            settings: String::new(),
            seed: None,
        };
        about.check(["a", "b"], ["x", "y"]).unwrap();
        let other = about.check(["a"], ["x", "y"]).unwrap_err();
        assert_eq!(other.to_string(), "the model is for the features a, b, not for a");
        assert_eq!(about.check(["a", "b"], ["y", "x"]).unwrap_err().what, "classes");

        let file = ModelFile { about, model: vec![1, 2, 3] };
        let bytes = file.to_bytes();
        assert_eq!(ModelFile::parse(&bytes).unwrap(), file);
        assert_eq!(
            file.decode(|kind, features, classes, bytes| Ok((kind.len(), features, classes, bytes.len())))
                .unwrap(),
            (3, 2, 2, 3)
        );
        let error = file.decode(|_, _, _, _| Err::<(), _>("it is nonsense")).unwrap_err();
        assert_eq!(error.to_string(), "the content of the model file is not understood: it is nonsense");
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert!(ModelFile::parse(&damaged).is_err(), "byte {at}");
            assert!(ModelFile::parse(&bytes[..at]).is_err(), "cut at {at}");
        }
        assert!(matches!(ModelFile::parse(b"game,turn"), Err(ChecksummedFileError::Foreign { .. })));
    }
}
