//! An experiment as a run: every arm trained and tested, rows as they finish, a report; and some trainings again, to compare.

use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};

use parlor_core::Cancel;
use parlor_core::Rng;
use parlor_core::parallel::{Report as Heard, in_order};

use super::shards::{ShardSet, unit_of};
use super::{Event, Listener, Open, RunError, RunFolder, RunFolderError, StopReason, Unit};
use crate::experiment::folder::{ExperimentFolder, ExperimentManifest, rows_of_csv, unit_csv};
use crate::experiment::run::{Opened, UnitError, UnitRows};
use crate::experiment::study::rows::whole_units;
use crate::experiment::study::{StudyTime, StudyUnit};
use crate::experiment::{Experiment, Report, StudyRow, TestRow};
use crate::run::folder::EXPERIMENT;

/// What is changed about an experiment before it is run.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Changes {
    /// Whether the smaller version is run.
    pub quick: bool,
    /// How many trainings every arm gets.
    pub trainings: Option<u32>,
    /// The seed of everything.
    pub seed: Option<u64>,
}

impl From<UnitError> for RunError {
    fn from(error: UnitError) -> Self {
        match error {
            UnitError::Training(error) => error.into(),
            UnitError::Study(error) => RunError::Study(error),
        }
    }
}

/// An experiment that is ready to be run, or to go on.
pub struct ExperimentRun {
    opened: Opened,
    folder: ExperimentFolder,
    /// How many units are known already.
    known: u64,
    /// Where the units are that were played elsewhere; without it they are played.
    shards: Option<ShardSet>,
}

/// What an experiment came to.
#[derive(Debug)]
pub struct ExperimentReport {
    /// What the rows say.
    pub report: Report,
    /// Why it ended.
    pub stop: StopReason,
    /// Where everything is.
    pub folder: PathBuf,
}

impl ExperimentRun {
    /// Prepares a new run of the experiment with this text.
    ///
    /// # Errors
    /// If the text is not understood, or the folder cannot be written; nothing has been played then.
    pub fn new(
        text: &str,
        changes: Changes,
        folder: &Path,
        open: Open<'_>,
    ) -> Result<ExperimentRun, RunError> {
        let (opened, manifest) = prepare(text, changes, open)?;
        let folder = ExperimentFolder::create(folder, &manifest)?;
        Ok(ExperimentRun { opened, folder, known: 0, shards: None })
    }

    /// Prepares a run whose units were played in shards.
    pub(super) fn of_shards(
        manifest: &ExperimentManifest,
        shards: ShardSet,
        folder: &Path,
        open: Open<'_>,
    ) -> Result<ExperimentRun, RunError> {
        let opened = Opened::new(manifest.experiment()?, open)?;
        let shards = shards.with_units(opened.units());
        shards.check_whole()?;
        let (folder, known) = if ExperimentRun::is_in(folder) {
            if RunFolder::manifest::<ExperimentManifest>(folder)? != *manifest {
                let (path, what) = (folder.to_owned(), EXPERIMENT.name);
                return Err(RunFolderError::Taken { path, what }.into());
            }
            ExperimentFolder::resume(folder, &opened)?
        } else {
            (ExperimentFolder::create(folder, manifest)?, 0)
        };
        Ok(ExperimentRun { opened, folder, known, shards: Some(shards) })
    }

    /// Prepares to go on with a run of the experiment with this text.
    ///
    /// # Errors
    /// If the folder holds no run, one of another experiment or version, or one that cannot go on here.
    pub fn resume(text: &str, quick: bool, folder: &Path, open: Open<'_>) -> Result<ExperimentRun, RunError> {
        let manifest: ExperimentManifest = RunFolder::manifest(folder)?;
        if manifest.quick != quick {
            return Err(RunError::OtherVersion { path: folder.to_owned(), quick: manifest.quick });
        }
        // Keys may have been renamed since the run began.
        if manifest.text != text && in_full_forms(&manifest.text, open)? != in_full_forms(text, open)? {
            return Err(RunError::OtherText { path: folder.to_owned(), id: manifest.id });
        }
        let opened = Opened::new(manifest.experiment()?, open)?;
        if !opened.is_run_of(&manifest.arms)? {
            return Err(RunError::OtherKeys(folder.to_owned()));
        }
        let (folder, known) = ExperimentFolder::resume(folder, &opened)?;
        Ok(ExperimentRun { opened, folder, known, shards: None })
    }

    /// Returns whether a folder holds a run that can be resumed.
    #[must_use]
    pub fn is_in(folder: &Path) -> bool {
        folder.join(EXPERIMENT.manifest).exists()
    }

    /// Returns the experiment.
    #[must_use]
    pub fn experiment(&self) -> &Experiment {
        self.opened.experiment()
    }

    /// Returns how many units there are: trainings of all arms, or the parts of a study.
    #[must_use]
    pub fn units(&self) -> u64 {
        self.opened.units()
    }

    /// Returns how many matches there are to play, in training and in tests; in a study, how many steps.
    #[must_use]
    pub fn matches(&self) -> u64 {
        self.opened.steps()
    }

    /// Trains and tests every arm, records every unit, and writes the report. A run that is cancelled has a report, too.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn run(
        mut self,
        threads: usize,
        cancel: &Cancel,
        listener: Listener<'_>,
    ) -> Result<ExperimentReport, RunError> {
        let total = self.matches();
        let mut done = total * self.known / self.units().max(1);
        listener(&Event::Started { unit: Unit::Matches, done, total });
        let mut trouble = None;
        let folder = &mut self.folder;
        let opened = &self.opened;
        let mut each = |heard| {
            match heard {
                Heard::Progress(matches) => {
                    done += matches;
                    listener(&Event::Progress { done });
                }
                Heard::Result((unit, rows)) => {
                    if let Err(error) = folder.append(&rows) {
                        trouble = Some(error);
                        return ControlFlow::Break(());
                    }
                    listener(&Event::ExperimentUnit { unit, rows: rows.tests() });
                }
            }
            ControlFlow::Continue(())
        };
        match &self.shards {
            Some(shards) => shards.for_each(self.known, |unit, bytes, times| {
                let damaged = |wrong: String| unit_of(shards.folder(), unit, &wrong);
                let rows = read_unit(opened, unit, bytes, times).map_err(damaged)?;
                Ok(each(Heard::Result((unit, rows))).is_continue() && !cancel.is_cancelled())
            })?,
            None => opened.run(self.known..opened.units(), threads, cancel, each)?,
        }
        if let Some(error) = trouble {
            return Err(error.into());
        }
        self.folder.write_parquet()?;
        let place = self.folder.folder().to_owned();
        // From memory: on some systems not even its holder can read a locked file.
        let manifest = RunFolder::manifest(&place)?;
        let report = if self.opened.experiment().study.is_some() {
            Report::of_study(manifest, &self.folder.known_study(), self.folder.known_times())?
        } else {
            Report::of(manifest, &self.folder.known())?
        };
        report.write(&place)?;
        // A run that was cancelled when its last training was in is finished all the same.
        let complete = report.progress.is_complete();
        let stop = if complete { StopReason::Finished } else { StopReason::Cancelled };
        listener(&Event::Done(stop));
        Ok(ExperimentReport { report, stop, folder: place })
    }
}

/// Opens an experiment and returns what is run.
pub(super) fn prepare(
    text: &str,
    changes: Changes,
    open: Open<'_>,
) -> Result<(Opened, ExperimentManifest), RunError> {
    let mut experiment = Experiment::read(text)?;
    if changes.quick {
        experiment = experiment.quick();
    }
    experiment.trainings = changes.trainings.unwrap_or(experiment.trainings);
    experiment.seed = changes.seed.unwrap_or(experiment.seed);
    let opened = Opened::new(experiment, open)?;
    let manifest = ExperimentManifest::new(&opened, text, changes.quick);
    Ok((opened, manifest))
}

/// Plays some units and returns the bytes of each, fewer if it is cancelled, and how long they took where that is reported.
pub(super) fn play_units(
    opened: &Opened,
    units: Range<u64>,
    threads: usize,
    cancel: &Cancel,
    heard: &mut dyn FnMut(),
) -> Result<(Vec<Vec<u8>>, Vec<StudyTime>), RunError> {
    let (mut played, mut times) = (Vec::new(), Vec::new());
    opened.run(units, threads, cancel, |report| {
        if let Heard::Result((_, rows)) = report {
            played.push(unit_csv(&rows, opened.experiment()).into_bytes());
            if let UnitRows::Study(unit) = rows {
                times.extend(unit.times);
            }
            heard();
        }
        ControlFlow::Continue(())
    })?;
    Ok((played, times))
}

/// Reads a unit from the bytes of [`play_units`].
fn read_unit(opened: &Opened, unit: u64, bytes: &[u8], times: Vec<StudyTime>) -> Result<UnitRows, String> {
    let rows = rows_of_csv(bytes, opened.experiment()).map_err(|error| error.to_string())?;
    let fits = match &rows {
        UnitRows::Tests(rows) => {
            tests_of(opened, unit, rows).count() == rows.len() && rows.len() == opened.rows_of(unit)
        }
        UnitRows::Study(study) => {
            study.rows.iter().all(|row| row.unit == unit && row.of == study.rows.len() as u64)
        }
    };
    if !fits {
        return Err("these rows do not follow from the settings".to_owned());
    }
    Ok(match rows {
        UnitRows::Study(study) => UnitRows::Study(StudyUnit { times, ..study }),
        tests => tests,
    })
}

/// What came of playing some trainings again.
#[derive(Clone, PartialEq, Debug)]
pub struct Verification {
    /// How many trainings were played again.
    pub trainings: u64,
    /// How many trainings the experiment has.
    pub of: u64,
    /// How many rows were compared.
    pub rows: usize,
    /// Rows that came out otherwise.
    pub differences: Vec<Difference>,
}

/// A row that came out otherwise.
#[derive(Clone, PartialEq, Debug)]
pub struct Difference {
    /// Where it is: arm, training, round and repeat, or player, target and measure.
    pub place: String,
    /// The row as it was kept, in words.
    pub kept: String,
    /// The row as it came out now.
    pub replayed: String,
}

/// Plays some finished trainings of a run again, drawn with a fixed seed, and compares them row by row.
///
/// # Errors
/// If the folder holds no run that can be played here, nothing is finished, or it is cancelled.
pub fn verify(
    folder: &Path,
    trainings: u32,
    threads: usize,
    open: Open<'_>,
    cancel: &Cancel,
    listener: Listener<'_>,
) -> Result<Verification, RunError> {
    let manifest: ExperimentManifest = RunFolder::manifest(folder)?;
    let opened = Opened::new(manifest.experiment()?, open)?;
    let rows = if opened.experiment().study.is_some() {
        UnitRows::Study(ExperimentFolder::study_rows(folder)?.into())
    } else {
        UnitRows::Tests(ExperimentFolder::rows(folder, opened.experiment().has_reports())?)
    };
    let units = sample(&opened, &rows, trainings);
    if units.is_empty() {
        return Err(RunError::NothingFinished(folder.to_owned()));
    }
    listener(&Event::Started { unit: Unit::Trainings, done: 0, total: units.len() as u64 });
    let (mut differences, mut done, mut all, mut trouble) = (Vec::new(), 0, 0, None);
    let work = |(): &mut (), unit: u64| {
        Some(opened.play(unit, cancel, &mut |_| ()).transpose()?.map(|again| (unit, again)))
    };
    let workers = vec![(); threads.clamp(1, units.len())];
    in_order(workers, units.iter().copied(), cancel, work, |played| match played {
        Ok((unit, again)) => {
            let (compared, found) = compare(&opened, unit, &rows, &again);
            all += compared;
            differences.extend(found);
            done += 1;
            listener(&Event::Progress { done });
            ControlFlow::Continue(())
        }
        Err(error) => {
            trouble = Some(error);
            ControlFlow::Break(())
        }
    });
    if let Some(error) = trouble {
        return Err(error.into());
    }
    if done < units.len() as u64 {
        return Err(RunError::Cancelled);
    }
    listener(&Event::Done(StopReason::Finished));
    Ok(Verification { trainings: done, of: opened.units(), rows: all, differences })
}

/// Returns some of the finished units, drawn with a fixed seed.
fn sample(opened: &Opened, rows: &UnitRows, wanted: u32) -> Vec<u64> {
    let finished = |unit: &u64| match rows {
        UnitRows::Tests(rows) => tests_of(opened, *unit, rows).count() == opened.rows_of(*unit),
        UnitRows::Study(unit_rows) => *unit < whole_units(&unit_rows.rows).0,
    };
    let mut units: Vec<u64> = (0..opened.units()).filter(finished).collect();
    Rng::new(opened.experiment().seed).shuffle(&mut units);
    units.truncate(wanted as usize);
    units.sort_unstable();
    units
}

fn tests_of<'r>(opened: &Opened, unit: u64, rows: &'r [TestRow]) -> impl Iterator<Item = &'r TestRow> {
    let (arm, training) = opened.unit(unit);
    rows.iter().filter(move |row| (row.arm as usize, row.training) == (arm, training))
}

/// Returns how many rows were compared, and those that differ.
fn compare(opened: &Opened, unit: u64, rows: &UnitRows, again: &UnitRows) -> (usize, Vec<Difference>) {
    match (rows, again) {
        (UnitRows::Tests(rows), UnitRows::Tests(again)) => {
            let arms = &opened.experiment().arms;
            let pairs = tests_of(opened, unit, rows).zip(again);
            let different = pairs.filter(|(kept, replayed)| kept != replayed).map(|(kept, replayed)| {
                let TestRow { training, round, repeat, .. } = kept;
                let arm = &arms[kept.arm as usize].name;
                let words = |row: &TestRow| format!("{} wins and {} entries", row.results.wins, row.entries);
                Difference {
                    place: format!("arm {arm}, training {training}, round {round}, repeat {repeat}"),
                    kept: words(kept),
                    replayed: words(replayed),
                }
            });
            (opened.rows_of(unit), different.collect())
        }
        (UnitRows::Study(StudyUnit { rows, .. }), UnitRows::Study(StudyUnit { rows: again, .. })) => {
            let pairs = rows.iter().filter(|row| row.unit == unit).zip(again);
            let different = pairs.filter(|(kept, replayed)| kept != replayed).map(|(kept, replayed)| {
                let words = |row: &StudyRow| format!("{} over {} observations", row.mean, row.n);
                Difference {
                    place: format!("{} against {}, {}", kept.player, kept.target, kept.measure),
                    kept: words(kept),
                    replayed: words(replayed),
                }
            });
            (again.len(), different.collect())
        }
        _ => unreachable!("an experiment has rows of one kind"),
    }
}

/// Returns an experiment's text with every agent in its full form: texts that differ in the names of keys only are equal then.
fn in_full_forms(text: &str, open: Open<'_>) -> Result<String, RunError> {
    let mut full = text.to_owned();
    let experiment = Experiment::read(text)?;
    for arm in &experiment.arms {
        let game = open(&arm.game.text)?;
        let met = [arm.rival.as_ref(), arm.against.agent(), arm.test.against.agent()];
        for agent in std::iter::once(&arm.learner).chain(met.into_iter().flatten()) {
            full = full.replace(&agent.text, &game.agent_spec(&agent.text)?);
        }
    }
    Ok(full)
}
