//! A run on disk.
//!
//! ```text
//! FOLDER/run.json       what is run: the experiment's text, everyone in full, versions, the seed; written first
//! FOLDER/rows.csv       one row a test, appended when a unit is finished, in order of units
//! FOLDER/rows.parquet   the same rows, written when the run ends or is interrupted
//! FOLDER/times.json     how long the units of a study took, where that is reported; not the same in equal runs
//! FOLDER/report.html    and more: see [`super::report`]
//! ```
//!
//! Units are appended whole, so a killed run has the first units of an unbroken one and at most one truncated unit after
//! them. Resuming removes that and continues; the finished files have the same bytes as those of an uninterrupted run.

use std::path::Path;

use parlor_core::LearningReport;
use parlor_core::files::reading::{MAX_DATA, read_regular};
use parlor_core::rng::GENERATOR;
use serde::{Deserialize, Serialize};

use super::run::{ArmSpecs, Opened, UnitRows};
use super::study::{StudyTime, StudyUnit, rows as study};
use super::{Experiment, StudyRow, TestRow};
use crate::run::folder::{EXPERIMENT, RunFolder, RunFolderError, RunKind, RunManifest};
use crate::sheet::{Cell, Column, Kind, Sheet, SheetError};
use crate::toml_reader::FileError;

/// The version of the folder's format.
pub const VERSION: u32 = 1;

const PARQUET: &str = "rows.parquet";
const TIMES: &str = "times.json";

/// What is run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ExperimentManifest {
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
    /// The number of units of a study.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub units: Option<u64>,
}

impl RunManifest for ExperimentManifest {
    const KIND: &'static RunKind = &EXPERIMENT;

    fn is_supported(&self) -> bool {
        self.format == VERSION && self.rng == GENERATOR
    }
}

impl ExperimentManifest {
    /// Returns what is to be run.
    #[must_use]
    pub fn new(opened: &Opened, text: &str, quick: bool) -> Self {
        let experiment = opened.experiment();
        ExperimentManifest {
            format: VERSION,
            parlor: env!("CARGO_PKG_VERSION").to_owned(),
            rng: GENERATOR.to_owned(),
            id: experiment.id.clone(),
            quick,
            seed: experiment.seed,
            trainings: experiment.trainings,
            arms: opened.specs().to_vec(),
            text: text.to_owned(),
            units: experiment.study.is_some().then(|| opened.units()),
        }
    }

    /// Returns the experiment as it is run.
    ///
    /// # Errors
    /// If the text is not understood: another version of this program wrote it.
    pub fn experiment(&self) -> Result<Experiment, FileError> {
        let mut experiment = Experiment::read(&self.text)?;
        if self.quick {
            experiment = experiment.quick();
        }
        (experiment.seed, experiment.trainings) = (self.seed, self.trainings);
        Ok(experiment)
    }
}

/// The open folder of a run, with the rows so far. No other program can open it as long as this lives.
#[derive(Debug)]
pub struct ExperimentFolder {
    run: RunFolder,
    sheet: Sheet,
    /// Whether rows have what learners report.
    reports: bool,
    times: Vec<StudyTime>,
}

impl ExperimentFolder {
    /// Starts a folder for a new run.
    ///
    /// # Errors
    /// If there is one already, or the folder cannot be written.
    pub fn create(folder: &Path, manifest: &ExperimentManifest) -> Result<ExperimentFolder, RunFolderError> {
        let run = RunFolder::create(folder, manifest)?;
        let experiment = manifest.experiment().ok();
        let is_study = experiment.as_ref().is_some_and(|experiment| experiment.study.is_some());
        let reports = experiment.is_some_and(|experiment| experiment.has_reports());
        let sheet = if is_study { study_sheet(&[]) } else { sheet_of(&[], reports) };
        Ok(ExperimentFolder { run, sheet, reports, times: Vec::new() })
    }

    /// Opens the folder of an interrupted or finished run and returns the number of complete units. What was truncated
    /// is cut off.
    ///
    /// # Errors
    /// If the folder holds no run of this experiment.
    pub fn resume(folder: &Path, opened: &Opened) -> Result<(ExperimentFolder, u64), RunFolderError> {
        let (mut run, _) = RunFolder::resume::<ExperimentManifest>(folder)?;
        let path = run.rows_path();
        let rows = |cause| RunFolderError::Rows { path: path.clone(), cause };
        let is_study = opened.experiment().study.is_some();
        let reports = opened.experiment().has_reports();
        let columns = if is_study { study::columns() } else { columns(reports) };
        let known = Sheet::resume_csv(run.rows(), columns).map_err(rows)?;
        let count = known.rows();
        let (units, whole, sheet) = if is_study {
            let known = study::read(&known);
            let (units, whole) = study::whole_units(&known);
            (units, whole, study_sheet(&known[..whole]))
        } else {
            let known = read_rows(&known);
            let (units, whole) = whole_units(opened, &known);
            (units, whole, sheet_of(&known[..whole], reports))
        };
        if whole < count {
            // Written anew rather than cut: a row's length is not known.
            run.cut(0)?;
            sheet.append_csv(run.rows(), 0).map_err(rows)?;
        }
        let mut times = ExperimentFolder::times(folder);
        times.retain(|time| time.unit < units);
        Ok((ExperimentFolder { run, sheet, reports, times }, units))
    }

    /// Reads the rows of a run without taking hold of it; `reports` says whether they have what learners report.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn rows(folder: &Path, reports: bool) -> Result<Vec<TestRow>, RunFolderError> {
        Ok(read_rows(&read_sheet(folder, columns(reports))?))
    }

    /// Reads the rows of a study without taking hold of the run.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn study_rows(folder: &Path) -> Result<Vec<StudyRow>, RunFolderError> {
        Ok(study::read(&read_sheet(folder, study::columns())?))
    }

    /// Reads how long the units of a study took. Nothing depends on it, so what cannot be read counts as missing.
    #[must_use]
    pub fn times(folder: &Path) -> Vec<StudyTime> {
        let bytes = read_regular(&folder.join(TIMES), MAX_DATA).unwrap_or_default();
        serde_json::from_slice(&bytes).unwrap_or_default()
    }

    /// Returns how long the units of a study took so far.
    #[must_use]
    pub fn known_times(&self) -> &[StudyTime] {
        &self.times
    }

    /// Returns the rows so far; none for a study.
    #[must_use]
    pub fn known(&self) -> Vec<TestRow> {
        read_rows(&self.sheet)
    }

    /// Returns the rows of a study so far.
    #[must_use]
    pub fn known_study(&self) -> Vec<StudyRow> {
        study::read(&self.sheet)
    }

    /// Appends the rows of a finished unit. They are on their way to the disk when this returns.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn append(&mut self, rows: &UnitRows) -> Result<(), RunFolderError> {
        let first = self.sheet.rows();
        match rows {
            UnitRows::Tests(rows) => rows.iter().for_each(|row| push(&mut self.sheet, row, self.reports)),
            UnitRows::Study(unit) => unit.rows.iter().for_each(|row| study::push(&mut self.sheet, row)),
        }
        let path = self.run.rows_path();
        self.sheet
            .append_csv(self.run.rows(), first)
            .map_err(|cause| RunFolderError::Rows { path, cause })?;
        if let UnitRows::Study(StudyUnit { times, .. }) = rows
            && !times.is_empty()
        {
            self.times.extend_from_slice(times);
            self.run.write_json(TIMES, &self.times)?;
        }
        Ok(())
    }

    /// Writes the rows as Parquet.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write_parquet(&self) -> Result<(), RunFolderError> {
        let path = self.folder().join(PARQUET);
        self.sheet.write_parquet(&path).map_err(|cause| RunFolderError::Rows { path, cause })
    }

    /// Returns the folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.run.folder()
    }
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
fn columns(reports: bool) -> Vec<Column> {
    let whole = |name: &&str| Column::new(*name, Kind::Whole);
    let first = ["arm", "training", "round", "repeat", "matches", "wins", "draws", "losses", "stages"];
    let more = ["stages_won", "stages_lost"];
    let last = ["entries", "bytes", "peak_bytes", "forgotten", "forfeits"];
    let points = ["points", "points_other"].iter().map(|name| Column::new(*name, Kind::Real));
    let reported =
        REPORTED.iter().filter(|_| reports).map(|(name, _)| Column::new(*name, Kind::Real).optional());
    let counts = first.iter().chain(&more).map(whole).chain(points).chain(last.iter().map(whole));
    counts.chain(reported).collect()
}

/// A number that learners report.
type Reported = fn(&mut LearningReport) -> &mut Option<f64>;

/// The columns of what learners report. Only experiments that speak of these numbers have them.
const REPORTED: [(&str, Reported); 3] = [
    ("error", |report| &mut report.error),
    ("change", |report| &mut report.change),
    ("largest", |report| &mut report.largest),
];

fn push(sheet: &mut Sheet, row: &TestRow, reports: bool) {
    let whole = |number: u32| Cell::from(u64::from(number));
    let first = [row.arm, row.training, row.round, row.repeat, row.matches];
    let results = <[u64; 3]>::from(row.results);
    let stages = [row.stages, row.stages_won, row.stages_lost];
    let points = [Cell::from(row.points), Cell::from(row.points_other)];
    let last = [row.entries, row.bytes, row.peak_bytes, row.forgotten, u64::from(row.forfeits)];
    let stages = stages.into_iter().map(whole);
    let counts = first.into_iter().map(whole).chain(results.map(Cell::from)).chain(stages);
    let mut report = row.report;
    let reported = REPORTED
        .iter()
        .filter(|_| reports)
        .map(|(_, number)| (*number(&mut report)).map_or(Cell::Missing, Cell::from));
    let reported: Vec<Cell<'_>> = reported.collect();
    let cells = counts.chain(points).chain(last.map(Cell::from)).chain(reported);
    sheet.push(cells).expect("a row has a cell of the right kind for each column");
}

fn read_sheet(folder: &Path, columns: Vec<Column>) -> Result<Sheet, RunFolderError> {
    let path = folder.join(EXPERIMENT.rows);
    let bytes =
        read_regular(&path, MAX_DATA).map_err(|cause| RunFolderError::Io { path: path.clone(), cause })?;
    Sheet::read_csv(&bytes, columns).map_err(|cause| RunFolderError::Rows { path, cause })
}

/// Returns the rows of a unit as a file of its own.
pub(crate) fn unit_csv(rows: &UnitRows, experiment: &Experiment) -> String {
    match rows {
        UnitRows::Tests(rows) => sheet_of(rows, experiment.has_reports()).to_csv(),
        UnitRows::Study(unit) => study_sheet(&unit.rows).to_csv(),
    }
}

/// Reads the rows of [`unit_csv`].
pub(crate) fn rows_of_csv(bytes: &[u8], experiment: &Experiment) -> Result<UnitRows, SheetError> {
    Ok(if experiment.study.is_some() {
        UnitRows::Study(study::read(&Sheet::read_whole_csv(bytes, study::columns())?).into())
    } else {
        UnitRows::Tests(read_rows(&Sheet::read_whole_csv(bytes, columns(experiment.has_reports()))?))
    })
}

fn study_sheet(rows: &[StudyRow]) -> Sheet {
    let mut sheet = Sheet::new(study::columns()).expect("the columns have different names");
    rows.iter().for_each(|row| study::push(&mut sheet, row));
    sheet
}

fn sheet_of(rows: &[TestRow], reports: bool) -> Sheet {
    let mut sheet = Sheet::new(columns(reports)).expect("the columns have different names");
    for row in rows {
        push(&mut sheet, row, reports);
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
            report: {
                let mut report = LearningReport::default();
                for (name, number) in REPORTED {
                    *number(&mut report) = sheet.reals(name).and_then(|cells| cells[row]);
                }
                report
            },
        })
        .collect()
}
