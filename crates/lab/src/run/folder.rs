//! The folder of a run: what is run, every row as it finishes, and what the rows say.
//!
//! ```text
//! FOLDER/match.json          what is run, written first; also tournament.json, run.json (an experiment)
//! FOLDER/games.jsonl         the rows of a match or a tournament; an experiment has rows.csv
//! FOLDER/result.json, …      what they say, written at the end
//! ```
//!
//! Rows are appended whole and in order, so a killed run has the first rows of an unbroken one and at most one truncated row after
//! them. Resuming removes that and continues; the finished file has the same bytes as that of an uninterrupted run.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use parlor_core::files::reading::{MAX_STREAM, make_folder, open_regular_with, read_text};
use parlor_core::files::write_atomically;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::lock::try_hold;
use crate::sheet::SheetError;

/// What is run: everything that decides the rows. Written to the folder before anything is played.
pub trait RunManifest: Serialize + DeserializeOwned {
    /// Which files the folder has.
    const KIND: &'static RunKind;

    /// Returns whether this program has the format and the random generator that the manifest names.
    fn is_supported(&self) -> bool;
}

/// A kind of run, by its files.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct RunKind {
    /// What it is called: `match`.
    pub name: &'static str,
    /// The file of the manifest.
    pub manifest: &'static str,
    /// The file of the rows.
    pub rows: &'static str,
    /// The folder that holds such runs in the program's own place.
    pub home: &'static str,
}

/// The files of a match.
pub const MATCH: RunKind =
    RunKind { name: "match", manifest: "match.json", rows: "games.jsonl", home: "matches" };
/// The files of a tournament.
pub const TOURNAMENT: RunKind =
    RunKind { name: "tournament", manifest: "tournament.json", rows: "games.jsonl", home: "tournaments" };
/// The files of an experiment.
pub const EXPERIMENT: RunKind =
    RunKind { name: "run", manifest: "run.json", rows: "rows.csv", home: "experiments" };

/// Every kind: a folder holds one run.
const KINDS: [RunKind; 3] = [MATCH, TOURNAMENT, EXPERIMENT];

/// Errors of a run's folder.
#[derive(Debug, thiserror::Error)]
pub enum RunFolderError {
    /// A file or the folder cannot be read or written.
    #[error("{}", path.display())]
    Io {
        /// Which one.
        path: PathBuf,
        /// What the system says.
        #[source]
        cause: io::Error,
    },
    /// The folder of a new run has one already.
    #[error("{} holds a {what} already; --resume continues it", path.display())]
    Taken {
        /// The folder.
        path: PathBuf,
        /// What it holds.
        what: &'static str,
    },
    /// There is no run to go on with.
    #[error("{} holds no {}: there is no {} in it", path.display(), kind.name, kind.manifest)]
    Missing {
        /// The folder.
        path: PathBuf,
        /// What was looked for.
        kind: &'static RunKind,
    },
    /// Another program has the folder open.
    #[error("{} is in use by another program", .0.display())]
    Busy(PathBuf),
    /// A file is not what this program writes.
    #[error("{}: {wrong}", path.display())]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        wrong: String,
    },
    /// The rows of an experiment are not what this program writes.
    #[error("{}", path.display())]
    Rows {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        cause: SheetError,
    },
}

/// An open folder. No other program can open it as long as this lives.
#[derive(Debug)]
pub struct RunFolder {
    folder: PathBuf,
    kind: &'static RunKind,
    rows: File,
}

impl RunFolder {
    /// Starts a folder for a new run.
    ///
    /// # Errors
    /// If it holds a run already, or cannot be written.
    pub fn create<M: RunManifest>(folder: &Path, manifest: &M) -> Result<RunFolder, RunFolderError> {
        make_folder(folder).map_err(|cause| RunFolderError::Io { path: folder.to_owned(), cause })?;
        if let Some(kind) = KINDS.iter().find(|kind| folder.join(kind.manifest).exists()) {
            return Err(RunFolderError::Taken { path: folder.to_owned(), what: kind.name });
        }
        let run = RunFolder::open(folder, M::KIND)?;
        let path = run.rows_path();
        let bytes =
            run.rows.metadata().map_err(|cause| RunFolderError::Io { path: path.clone(), cause })?.len();
        if bytes > 0 {
            let wrong = format!("there are rows already, but no {}", M::KIND.manifest);
            return Err(RunFolderError::Damaged { path, wrong });
        }
        run.write_json(M::KIND.manifest, manifest)?;
        Ok(run)
    }

    /// Reads what is run in a folder, without taking hold of it.
    ///
    /// # Errors
    /// If the folder holds no such run, or one that this program does not understand.
    pub fn manifest<M: RunManifest>(folder: &Path) -> Result<M, RunFolderError> {
        let path = folder.join(M::KIND.manifest);
        let text = read_text(&path).map_err(|cause| match cause.kind() {
            io::ErrorKind::NotFound => RunFolderError::Missing { path: folder.to_owned(), kind: M::KIND },
            _ => RunFolderError::Io { path: path.clone(), cause },
        })?;
        let damaged = |wrong: String| RunFolderError::Damaged { path: path.clone(), wrong };
        let manifest: M = serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))?;
        if !manifest.is_supported() {
            return Err(damaged("written by a program with another format or generator".to_owned()));
        }
        Ok(manifest)
    }

    /// Opens the folder of an interrupted or finished run. Next, the rows must be read and the truncated end
    /// [cut off](RunFolder::cut).
    ///
    /// # Errors
    /// As those of [`manifest`](RunFolder::manifest), and if another program has it open.
    pub fn resume<M: RunManifest>(folder: &Path) -> Result<(RunFolder, M), RunFolderError> {
        let manifest = RunFolder::manifest(folder)?;
        Ok((RunFolder::open(folder, M::KIND)?, manifest))
    }

    /// Opens the file of rows for this program alone.
    fn open(folder: &Path, kind: &'static RunKind) -> Result<RunFolder, RunFolderError> {
        let path = folder.join(kind.rows);
        let mut options = File::options();
        options.create(true).truncate(false).read(true).write(true);
        let rows = open_regular_with(&options, &path, MAX_STREAM);
        let rows = rows.map_err(|cause| RunFolderError::Io { path, cause })?;
        if !try_hold(&rows) {
            return Err(RunFolderError::Busy(folder.to_owned()));
        }
        Ok(RunFolder { folder: folder.to_owned(), kind, rows })
    }

    /// Returns the folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns where the rows are.
    #[must_use]
    pub fn rows_path(&self) -> PathBuf {
        self.folder.join(self.kind.rows)
    }

    /// Returns the file of rows, to be read.
    pub fn rows(&mut self) -> &mut File {
        &mut self.rows
    }

    /// Cuts the file of rows off behind its first `bytes`; what is appended next comes there.
    ///
    /// # Errors
    /// If the file cannot be changed.
    pub fn cut(&mut self, bytes: u64) -> Result<(), RunFolderError> {
        let cut = self.rows.set_len(bytes).and_then(|()| self.rows.seek(SeekFrom::End(0)));
        cut.map(drop).map_err(|cause| RunFolderError::Io { path: self.rows_path(), cause })
    }

    /// Appends a row. It is on its way to the disk when this returns.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, row: &[u8]) -> Result<(), RunFolderError> {
        self.rows.write_all(row).map_err(|cause| RunFolderError::Io { path: self.rows_path(), cause })
    }

    /// Writes a file of the folder as a whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), RunFolderError> {
        write_file(&self.folder.join(name), bytes)
    }

    /// Writes a file of JSON.
    ///
    /// # Errors
    /// If it cannot be written.
    #[expect(clippy::missing_panics_doc, reason = "plain data always becomes JSON")]
    pub fn write_json(&self, name: &str, value: &impl Serialize) -> Result<(), RunFolderError> {
        let text = serde_json::to_string_pretty(value).expect("plain data always becomes JSON");
        self.write(name, (text + "\n").as_bytes())
    }
}

/// Writes a file as a whole or not at all; the error names it.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), RunFolderError> {
    write_atomically(path, bytes).map_err(|cause| RunFolderError::Io { path: path.to_owned(), cause })
}
