//! A run on disk.
//!
//! ```text
//! FOLDER/run.json       what is run: the experiment's text, everyone in full, versions, the seed; written first
//! FOLDER/rows.csv       one row a test, appended when a unit is finished, in order of units
//! FOLDER/rows.parquet   the same rows, written when the run ends or is broken off
//! FOLDER/report.html    and more: see [`super::report`]
//! ```
//!
//! Units are appended whole, so a killed run has the first units of an unbroken one and at most one torn unit behind
//! them. Resuming cuts that off and goes on; the finished files have the same bytes as if nothing had happened.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use parlor_core::rng::GENERATOR;
use serde::{Deserialize, Serialize};

use super::run::{ArmSpecs, Opened};
use super::{Experiment, TestRow};
use crate::sheet::{Cell, Column, Kind, Sheet, SheetError};

/// The version of the folder's format.
pub const VERSION: u32 = 1;

const RUN: &str = "run.json";
const ROWS: &str = "rows.csv";
const PARQUET: &str = "rows.parquet";

/// What is run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RunManifest {
    /// The folder's format.
    pub format: u32,
    /// The version of the program.
    pub parlor: String,
    /// The random generator.
    pub rng: String,
    /// The experiment's short name.
    pub id: String,
    /// Whether this is the smaller version.
    pub quick: bool,
    /// The seed of everything.
    pub seed: u64,
    /// How many times every arm is trained.
    pub trainings: u32,
    /// Every arm in full, defaults included.
    pub arms: Vec<ArmSpecs>,
    /// The experiment's own text.
    pub text: String,
}

impl RunManifest {
    /// Returns what is to be run.
    #[must_use]
    pub fn new(opened: &Opened, text: &str, quick: bool) -> Self {
        let experiment = opened.experiment();
        RunManifest {
            format: VERSION,
            parlor: env!("CARGO_PKG_VERSION").to_owned(),
            rng: GENERATOR.to_owned(),
            id: experiment.id.clone(),
            quick,
            seed: experiment.seed,
            trainings: experiment.trainings,
            arms: opened.specs().to_vec(),
            text: text.to_owned(),
        }
    }

    /// Returns the experiment as it is run.
    ///
    /// # Errors
    /// If the text is none: another version of this program wrote it.
    pub fn experiment(&self) -> Result<Experiment, FolderError> {
        let wrong = |error: crate::toml_reader::FileError| FolderError::Text(error.to_string());
        let mut experiment = Experiment::read(&self.text).map_err(wrong)?;
        if self.quick {
            experiment = experiment.quick();
        }
        (experiment.seed, experiment.trainings) = (self.seed, self.trainings);
        Ok(experiment)
    }
}

/// Why a folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The system says no.
    #[error("{}: {cause}", path.display())]
    Io {
        /// Where.
        path: PathBuf,
        /// What it says.
        #[source]
        cause: io::Error,
    },
    /// There is something already.
    #[error("{} holds a run already; --resume goes on with it", .0.display())]
    Taken(PathBuf),
    /// There is nothing to go on with.
    #[error("{} holds no run: there is no {RUN} in it", .0.display())]
    Missing(PathBuf),
    /// Another program is at it.
    #[error("another program is working in {} just now", .0.display())]
    Busy(PathBuf),
    /// The settings are not what this program writes.
    #[error("{}: {wrong}", path.display())]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        wrong: String,
    },
    /// The rows are not what this program writes.
    #[error("{}: {cause}", path.display())]
    Rows {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        cause: SheetError,
    },
    /// The experiment's text is not understood.
    #[error("the experiment in {RUN}: {0}")]
    Text(String),
}

/// An open folder. Nobody else can open it as long as this lives.
#[derive(Debug)]
pub struct RunFolder {
    folder: PathBuf,
    file: File,
    sheet: Sheet,
}

impl RunFolder {
    /// Starts a folder for a new run.
    ///
    /// # Errors
    /// If there is one already, or the folder cannot be written.
    pub fn create(folder: &Path, manifest: &RunManifest) -> Result<RunFolder, FolderError> {
        let io = |cause| FolderError::Io { path: folder.to_owned(), cause };
        fs::create_dir_all(folder).map_err(io)?;
        if folder.join(RUN).exists() {
            return Err(FolderError::Taken(folder.to_owned()));
        }
        let run = RunFolder::open(folder)?;
        let text = serde_json::to_string_pretty(manifest).expect("plain data always becomes JSON");
        run.write(RUN, (text + "\n").as_bytes())?;
        Ok(run)
    }

    /// Reads what is run in a folder.
    ///
    /// # Errors
    /// If it holds no run, or one of another version.
    pub fn manifest(folder: &Path) -> Result<RunManifest, FolderError> {
        let path = folder.join(RUN);
        let text = fs::read_to_string(&path).map_err(|cause| match cause.kind() {
            io::ErrorKind::NotFound => FolderError::Missing(folder.to_owned()),
            _ => FolderError::Io { path: path.clone(), cause },
        })?;
        let damaged = |wrong: String| FolderError::Damaged { path: path.clone(), wrong };
        let manifest: RunManifest =
            serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))?;
        if manifest.format != VERSION || manifest.rng != GENERATOR {
            return Err(damaged("written by a program with another format or generator".to_owned()));
        }
        Ok(manifest)
    }

    /// Opens the folder of a run that was broken off, or is finished, and returns how many units are known. What was torn
    /// is cut off.
    ///
    /// # Errors
    /// If the folder holds no run of this experiment.
    pub fn resume(folder: &Path, opened: &Opened) -> Result<(RunFolder, u64), FolderError> {
        let mut run = RunFolder::open(folder)?;
        let rows = |cause| FolderError::Rows { path: folder.join(ROWS), cause };
        let known = Sheet::resume_csv(&mut run.file, columns()).map_err(rows)?;
        let known = read_rows(&known);
        let (units, whole) = whole_units(opened, &known);
        run.sheet = sheet_of(&known[..whole]);
        if whole < known.len() {
            // Written anew rather than cut: a row's length is not known.
            run.file.set_len(0).map_err(|cause| FolderError::Io { path: folder.join(ROWS), cause })?;
            run.sheet.append_csv(&mut run.file, 0).map_err(rows)?;
        }
        Ok((run, units))
    }

    fn open(folder: &Path) -> Result<RunFolder, FolderError> {
        let path = folder.join(ROWS);
        let file = File::options().create(true).truncate(false).read(true).write(true).open(&path);
        let file = file.map_err(|cause| FolderError::Io { path, cause })?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(FolderError::Busy(folder.to_owned())),
            // Some file systems have no locks; that is no reason not to work.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        Ok(RunFolder { folder: folder.to_owned(), file, sheet: sheet_of(&[]) })
    }

    /// Reads the rows of a run without taking hold of it.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn rows(folder: &Path) -> Result<Vec<TestRow>, FolderError> {
        let path = folder.join(ROWS);
        let bytes = fs::read(&path).map_err(|cause| FolderError::Io { path: path.clone(), cause })?;
        let sheet = Sheet::read_csv(&bytes, columns()).map_err(|cause| FolderError::Rows { path, cause })?;
        Ok(read_rows(&sheet))
    }

    /// Returns the rows so far.
    #[must_use]
    pub fn known(&self) -> Vec<TestRow> {
        read_rows(&self.sheet)
    }

    /// Appends the rows of a finished unit. They are on their way to the disk when this returns.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn append(&mut self, rows: &[TestRow]) -> Result<(), FolderError> {
        let first = self.sheet.rows();
        for row in rows {
            push(&mut self.sheet, row);
        }
        self.sheet
            .append_csv(&mut self.file, first)
            .map_err(|cause| FolderError::Rows { path: self.folder.join(ROWS), cause })
    }

    /// Writes the rows as Parquet.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write_parquet(&self) -> Result<(), FolderError> {
        let path = self.folder.join(PARQUET);
        self.sheet.write_parquet(&path).map_err(|cause| FolderError::Rows { path, cause })
    }

    /// Writes a file of the folder so that it is either there as a whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), FolderError> {
        write_atomically(&self.folder.join(name), bytes)
    }

    /// Returns the folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

/// Writes a file so that it is either there as a whole or not at all.
pub(super) fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), FolderError> {
    parlor_core::files::write_atomically(path, bytes)
        .map_err(|cause| FolderError::Io { path: path.to_owned(), cause })
}

/// Returns how many units are whole, and how many rows they have.
fn whole_units(opened: &Opened, rows: &[TestRow]) -> (u64, usize) {
    let mut whole = 0;
    for unit in 0..opened.units() {
        let end = whole + opened.rows_of(unit);
        let (arm, training) = opened.unit(unit);
        let fits = |row: &TestRow| (row.arm as usize, row.training) == (arm, training);
        if !rows.get(whole..end).is_some_and(|rows| rows.iter().all(fits)) {
            return (unit, whole);
        }
        whole = end;
    }
    (opened.units(), whole)
}

/// One list of names and kinds, in the order of [`push`].
fn columns() -> Vec<Column> {
    let whole = |name: &&str| Column::new(*name, Kind::Whole);
    let first = ["arm", "training", "round", "repeat", "matches", "wins", "draws", "losses", "stages"];
    let more = ["stages_won", "stages_lost"];
    let last = ["entries", "bytes", "peak_bytes", "forgotten", "forfeits"];
    let points = ["points", "points_other"].iter().map(|name| Column::new(*name, Kind::Real));
    first.iter().chain(&more).map(whole).chain(points).chain(last.iter().map(whole)).collect()
}

fn push(sheet: &mut Sheet, row: &TestRow) {
    let whole = |number: u32| Cell::from(u64::from(number));
    let first = [row.arm, row.training, row.round, row.repeat, row.matches];
    let results = <[u64; 3]>::from(row.results);
    let stages = [row.stages, row.stages_won, row.stages_lost];
    let points = [Cell::from(row.points), Cell::from(row.points_other)];
    let last = [row.entries, row.bytes, row.peak_bytes, row.forgotten, u64::from(row.forfeits)];
    let stages = stages.into_iter().map(whole);
    let counts = first.into_iter().map(whole).chain(results.map(Cell::from)).chain(stages);
    let cells = counts.chain(points).chain(last.map(Cell::from));
    sheet.push(cells).expect("a row has a cell of the right kind for each column");
}

fn sheet_of(rows: &[TestRow]) -> Sheet {
    let mut sheet = Sheet::new(columns()).expect("the columns have different names");
    for row in rows {
        push(&mut sheet, row);
    }
    sheet
}

fn read_rows(sheet: &Sheet) -> Vec<TestRow> {
    let whole = |name: &str, row: usize| sheet.wholes(name).and_then(|cells| cells[row]).unwrap_or_default();
    let real = |name: &str, row: usize| sheet.reals(name).and_then(|cells| cells[row]).unwrap_or_default();
    let count = |name: &str, row: usize| u32::try_from(whole(name, row)).unwrap_or(u32::MAX);
    (0..sheet.rows())
        .map(|row| TestRow {
            arm: count("arm", row),
            training: count("training", row),
            round: count("round", row),
            repeat: count("repeat", row),
            matches: count("matches", row),
            results: ["wins", "draws", "losses"].map(|name| u64::from(count(name, row))).into(),
            stages: count("stages", row),
            stages_won: count("stages_won", row),
            stages_lost: count("stages_lost", row),
            points: real("points", row),
            points_other: real("points_other", row),
            entries: whole("entries", row),
            bytes: whole("bytes", row),
            peak_bytes: whole("peak_bytes", row),
            forgotten: whole("forgotten", row),
            forfeits: count("forfeits", row),
        })
        .collect()
}
