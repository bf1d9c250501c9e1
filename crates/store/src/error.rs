//! Errors of the store.

use std::path::PathBuf;

use crate::history::GameId;
use crate::mailbox::RequestId;

/// Errors of the store. Every one names the store or its file, passwords masked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The text names neither a folder nor a database.
    #[error("`{text}` is not a store: {wrong}; a store is a folder, or postgres://USER@HOST/DATABASE")]
    Location {
        /// The text, passwords masked.
        text: String,
        /// What is wrong with it.
        wrong: String,
    },
    /// There is nothing to read.
    #[error("there is no {part} in {at}")]
    Missing {
        /// The store.
        at: String,
        /// What was looked for: `history`.
        part: String,
    },
    /// It was written by a later version of the program.
    #[error("{at} has version {found} of the {part}, this program reads up to {known}; use a newer parlor")]
    Newer {
        /// The file or database.
        at: String,
        /// Which part.
        part: String,
        /// Its version.
        found: u64,
        /// The latest version that this program knows.
        known: u64,
    },
    /// It is older than this program, and may only be read.
    #[error(
        "{at} has version {found} of the {part}, which must be brought to version {known} first, but cannot be written"
    )]
    Older {
        /// The file or database.
        at: String,
        /// Which part.
        part: String,
        /// Its version.
        found: u64,
        /// The version that this program needs.
        known: u64,
    },
    /// A file is not a part of a store.
    #[error("{at} is not a {part} of parlor: {wrong}")]
    Foreign {
        /// The file or database.
        at: String,
        /// What it should be.
        part: String,
        /// What is wrong with it.
        wrong: String,
    },
    /// Another program holds it for too long.
    #[error("{at} is locked by another program; it did not become free in {seconds} seconds")]
    Busy {
        /// The file.
        at: String,
        /// How long we waited.
        seconds: u64,
    },
    /// It cannot be written.
    #[error("{at} cannot be written: the file, its folder or the disk is read-only for this user")]
    ReadOnly {
        /// The file or database.
        at: String,
    },
    /// There is no space left.
    #[error(
        "{at} cannot grow: no space is left on the disk; free some and run again, nothing that was written is lost"
    )]
    Full {
        /// The file or database.
        at: String,
    },
    /// A file cannot be opened.
    #[error("{at} cannot be opened: this user may not read it, or may not write to its folder")]
    CannotOpen {
        /// The file.
        at: String,
    },
    /// The database does not answer.
    #[error("{at} cannot be reached")]
    Connect {
        /// The database, password masked.
        at: String,
        /// What the system says.
        #[source]
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A game was counted before.
    #[error("game {game} was counted before in the model `{model}`; nothing was changed")]
    Processed {
        /// The game.
        game: GameId,
        /// The model.
        model: String,
    },
    /// A row is not what this program writes.
    #[error("{at}: {wrong}")]
    Damaged {
        /// The file or database.
        at: String,
        /// What is wrong.
        wrong: String,
    },
    /// A request that is not in the mailbox.
    #[error("there is no request {0} in the mailbox")]
    NoRequest(RequestId),
    /// The folder cannot be made.
    #[error("{}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        #[source]
        cause: std::io::Error,
    },
    /// Anything else that a database says.
    #[error("{at}")]
    Database {
        /// The file or database.
        at: String,
        /// What it says.
        #[source]
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl StoreError {
    /// Returns whether the same call may succeed later: the store was locked or could not be reached.
    #[must_use]
    pub const fn is_passing(&self) -> bool {
        matches!(self, StoreError::Busy { .. } | StoreError::Connect { .. })
    }
}
