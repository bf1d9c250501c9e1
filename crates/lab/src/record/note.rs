//! The file of a run's folder that says where its games are recorded.

use std::io::ErrorKind;
use std::path::Path;

use parlor_core::files::reading::read_text;
use parlor_store::{Location, StoreError};
use serde::{Deserialize, Serialize};

use crate::run::{RunFolder, RunFolderError};

/// The name of the file.
const FILE: &str = "record.json";

/// Where the games of a run are recorded, for the run to go on there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RecordNote {
    /// The store, without a password.
    pub store: String,
    /// The name of the run in it.
    pub run: String,
}

impl RecordNote {
    /// Reads the note of a folder, if it has one.
    ///
    /// # Errors
    /// If the file is not one.
    pub fn read(folder: &Path) -> Result<Option<RecordNote>, RunFolderError> {
        let path = folder.join(FILE);
        match read_text(&path) {
            Ok(text) => serde_json::from_str(&text)
                .map(Some)
                .map_err(|error| RunFolderError::Damaged { path, wrong: error.to_string() }),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(cause) => Err(RunFolderError::Io { path, cause }),
        }
    }

    /// Writes the note into a folder.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, folder: &RunFolder) -> Result<(), RunFolderError> {
        folder.write_json(FILE, self)
    }

    /// Returns the store.
    ///
    /// # Errors
    /// If the text is not a store.
    pub fn location(&self) -> Result<Location, StoreError> {
        Location::parse(&self.store)
    }
}
