//! The report of a run: one HTML file that needs nothing else, all numbers as JSON, and the charts as files.
//!
//! ```text
//! FOLDER/report.html      everything, in light and dark
//! FOLDER/findings.json    the same numbers for programs
//! FOLDER/plots/*.svg      the charts, and as *.png
//! ```
//!
//! Nothing in them depends on time, place or threads: equal rows give equal bytes. A run that is not finished has a report, too,
//! and it says so.

mod levels;
mod page;
pub mod plots;
pub mod summary;
mod summary_page;
mod tables;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use parlor_core::files::reading::{make_folder, read_folder};
use serde::Serialize;

use super::estimate::Estimate;
use super::evidence::{Evidence, StrangeRow};
use super::findings::{Findings, curve};
use super::folder::{ExperimentFolder, ExperimentManifest};
use super::study::StudyTime;
use super::study::evidence::StudyEvidence;
use super::study::findings::verdicts;
use super::study::report::{StudyReport, plots as study_plots};
use super::study::rows::whole_units;
use super::{Experiment, Measure, StudyRow, SweepFinding, TestRow, Verdict};
use crate::run::folder::{RunFolder, RunFolderError, write_file};
use crate::toml_reader::FileError;
use plots::Plot;

/// The name of the page.
pub const PAGE: &str = "report.html";
/// The name of the file with all numbers.
pub const FINDINGS: &str = "findings.json";
/// The folder of the charts.
pub const PLOTS: &str = "plots";

/// How many pixels a unit of a chart has in PNG files.
#[cfg(feature = "png")]
const PIXELS: f32 = 2.0;

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The folder cannot be read or written.
    #[error(transparent)]
    Folder(#[from] RunFolderError),
    /// The experiment's text is not understood.
    #[error("the experiment in run.json")]
    Text(#[from] FileError),
    /// A row cannot be of this experiment.
    #[error("the rows are not those of this experiment")]
    Rows(#[from] StrangeRow),
    /// A chart cannot be drawn.
    #[cfg(feature = "png")]
    #[error("a chart cannot be drawn")]
    Chart(#[from] crate::chart::ChartError),
}

/// How far a run has come.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Trainings {
    /// Trainings whose last test is known.
    pub finished: u64,
    /// Trainings in all.
    pub planned: u64,
}

impl Trainings {
    /// Returns whether nothing is missing.
    #[must_use]
    pub fn is_complete(self) -> bool {
        self.finished == self.planned
    }
}

/// What the learners of an arm held at its last tested round.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Memory {
    /// The arm's name.
    pub name: String,
    /// Entries, such as transitions.
    pub entries: Estimate,
    /// Memory in bytes.
    pub bytes: Estimate,
    /// The most memory so far.
    pub peak_bytes: Estimate,
    /// Entries that had to be forgotten.
    pub forgotten: Estimate,
}

/// Counts of verdicts and printed figures.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Score {
    /// Hypotheses that hold.
    pub hold: usize,
    /// Hypotheses that do not.
    pub fail: usize,
    /// Undecided ones.
    pub undecided: usize,
    /// Hypotheses with the same verdict as the source's.
    pub agree: usize,
    /// Hypotheses of which the source has a verdict.
    pub of_source: usize,
    /// Printed figures that could be one more training of ours.
    pub reproduced: usize,
    /// Printed figures that can be compared.
    pub printed: usize,
}

/// A run and all that is found.
#[derive(Debug)]
pub struct Report {
    /// What was run.
    pub manifest: ExperimentManifest,
    /// The experiment.
    pub experiment: Experiment,
    /// What is found.
    pub findings: Findings,
    /// How far the run has come.
    pub progress: Trainings,
    /// What the learners held in the end, by arm.
    pub memory: Vec<Memory>,
    /// Matches that ended by misbehaviour.
    pub forfeits: u64,
    /// The charts.
    pub plots: Vec<Plot>,
    /// What a sweep has found.
    pub sweep: Option<SweepFinding>,
    /// The numbers of a study.
    pub study: Option<StudyReport>,
}

/// What `findings.json` has.
#[derive(Serialize)]
struct Document<'a> {
    parlor: &'a str,
    rng: &'a str,
    seed: u64,
    quick: bool,
    complete: bool,
    trainings: Trainings,
    score: Score,
    #[serde(flatten)]
    findings: &'a Findings,
    memory: &'a [Memory],
    forfeits: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    sweep: &'a Option<SweepFinding>,
    #[serde(skip_serializing_if = "Option::is_none")]
    study: &'a Option<StudyReport>,
}

impl Report {
    /// Returns the report of some rows, in any order; some may be missing.
    ///
    /// # Errors
    /// If the settings or a row are not understood.
    pub fn of(manifest: ExperimentManifest, rows: &[TestRow]) -> Result<Report, ReportError> {
        let experiment = manifest.experiment()?;
        let evidence = Evidence::new(&experiment, rows)?;
        let findings = Findings::of(&evidence);
        let spoken: Vec<(usize, Measure)> =
            findings.curves.iter().map(|curve| (curve.arm, curve.measure)).collect();
        let sweep = experiment.sweep.as_ref().and_then(|sweep| sweep.finding(&evidence));
        let mut plots = plots::plots(&evidence, &spoken);
        if let Some(finding) = &sweep {
            plots.insert(0, plots::of_sweep(finding));
        }
        let memory = (0..experiment.arms.len()).filter_map(|arm| memory(&evidence, arm)).collect::<Vec<_>>();
        let progress = progress(&experiment, rows);
        let forfeits = rows.iter().map(|row| u64::from(row.forfeits)).sum();
        Ok(Report { findings, progress, memory, forfeits, plots, sweep, study: None, manifest, experiment })
    }

    /// Returns the report of a study's rows and times; the last ones may be missing.
    ///
    /// # Errors
    /// If the settings are not understood.
    pub fn of_study(
        manifest: ExperimentManifest,
        rows: &[StudyRow],
        times: &[StudyTime],
    ) -> Result<Report, ReportError> {
        let experiment = manifest.experiment()?;
        let evidence = StudyEvidence::new(rows);
        let study = experiment.study.as_ref();
        let findings = Findings {
            id: experiment.id.clone(),
            hypotheses: study.map_or_else(Vec::new, |study| verdicts(&study.hypotheses, &evidence)),
            published: Vec::new(),
            facts: Vec::new(),
            summaries: Vec::new(),
            curves: Vec::new(),
            references: Vec::new(),
            fits: Vec::new(),
        };
        let plots = study.map_or_else(Vec::new, |study| study_plots(study, &evidence));
        let report = study.map(|study| StudyReport::of(study, &evidence, times));
        let (finished, _) = whole_units(rows);
        let progress = Trainings { finished, planned: manifest.units.unwrap_or(finished) };
        Ok(Report {
            findings,
            progress,
            memory: Vec::new(),
            forfeits: 0,
            plots,
            sweep: None,
            study: report,
            manifest,
            experiment,
        })
    }

    /// Returns the report of a run's folder. Nothing in it is changed, and the run may still be going on.
    ///
    /// # Errors
    /// If it holds no run, or one that is not understood.
    pub fn read(folder: &Path) -> Result<Report, ReportError> {
        let manifest: ExperimentManifest = RunFolder::manifest(folder)?;
        if manifest.units.is_some() {
            let times = ExperimentFolder::times(folder);
            return Report::of_study(manifest, &ExperimentFolder::study_rows(folder)?, &times);
        }
        let reports = manifest.experiment()?.has_reports();
        Report::of(manifest, &ExperimentFolder::rows(folder, reports)?)
    }

    /// Returns what the units of the run are called.
    #[must_use]
    pub fn units(&self) -> &'static str {
        if self.study.is_some() { "parts" } else { "trainings" }
    }

    /// Returns the page.
    #[must_use]
    pub fn page(&self) -> String {
        page::page(self)
    }

    /// Returns all numbers as JSON.
    #[must_use]
    pub fn json(&self) -> serde_json::Value {
        serde_json::to_value(self.document()).expect("plain data always becomes JSON")
    }

    fn document(&self) -> Document<'_> {
        Document {
            parlor: &self.manifest.parlor,
            rng: &self.manifest.rng,
            seed: self.manifest.seed,
            quick: self.manifest.quick,
            complete: self.progress.is_complete(),
            trainings: self.progress,
            score: self.score(),
            findings: &self.findings,
            memory: &self.memory,
            forfeits: self.forfeits,
            sweep: &self.sweep,
            study: &self.study,
        }
    }

    /// Writes everything into the run's folder. Charts of an earlier report that there are no more are removed.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), ReportError> {
        let json = serde_json::to_string_pretty(&self.document()).expect("plain data always becomes JSON");
        write_file(&folder.join(FINDINGS), (json + "\n").as_bytes())?;
        let place = folder.join(PLOTS);
        let charts = self.plots.iter().map(|plot| (plot.name.as_str(), plot.chart.svg()));
        write_charts(&place, charts)?;
        Ok(write_file(&folder.join(PAGE), self.page().as_bytes())?)
    }

    /// Returns how many hypotheses hold and how many printed figures are reproduced.
    ///
    /// Wins, their percentage and the confidence that is computed from them are one figure, however often it is printed.
    #[must_use]
    pub fn score(&self) -> Score {
        use Measure::{ConfidencePercent, WinPercent, Wins};
        let mut score = Score::default();
        for finding in &self.findings.hypotheses {
            match finding.verdict {
                Verdict::Holds => score.hold += 1,
                Verdict::DoesNotHold => score.fail += 1,
                Verdict::Undecided => score.undecided += 1,
            }
            // Without an estimate there is no verdict of ours that could be the source's.
            let found = finding.found.filter(|_| finding.estimate.is_some());
            score.of_source += usize::from(found.is_some());
            score.agree += usize::from(found == Some(finding.verdict));
        }
        let mut seen = BTreeSet::new();
        let mut count = |reproduced: bool| {
            score.printed += 1;
            score.reproduced += usize::from(reproduced);
        };
        for column in &self.findings.published {
            let of_wins = matches!(column.measure, Wins | WinPercent | ConfidencePercent);
            for point in &column.points {
                let Some(reproduced) = point.reproduced else { continue };
                if !of_wins || seen.insert((column.arm, point.round)) {
                    count(reproduced);
                }
            }
        }
        self.findings.facts.iter().filter_map(|fact| fact.reproduced).for_each(&mut count);
        let figures = self.study.iter().flat_map(|study| &study.figures);
        figures.filter_map(|figure| figure.reproduced).for_each(count);
        score
    }
}

impl Score {
    /// Returns the score in a sentence.
    #[must_use]
    pub fn words(&self) -> String {
        let total = self.hold + self.fail + self.undecided;
        let verb =
            |count: usize, one: &str, more: &str| format!("{count} {}", if count == 1 { one } else { more });
        let mut text = match total {
            0 => "There are no hypotheses".to_owned(),
            total => format!(
                "{} of {total} {} {}, {} not, {} undecided",
                self.hold,
                if total == 1 { "hypothesis" } else { "hypotheses" },
                if self.hold == 1 { "holds" } else { "hold" },
                verb(self.fail, "does", "do"),
                verb(self.undecided, "is", "are"),
            ),
        };
        if self.printed > 0 {
            text += &format!(
                "; {} of {} printed figures {} within what one training can give",
                self.reproduced,
                self.printed,
                if self.reproduced == 1 { "lies" } else { "lie" }
            );
        }
        text + "."
    }
}

/// Returns how many trainings have all their rows.
fn progress(experiment: &Experiment, rows: &[TestRow]) -> Trainings {
    let mut counts: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    for row in rows {
        *counts.entry((row.arm, row.training)).or_default() += 1;
    }
    let whole = |arm: u32| {
        experiment.arms.get(arm as usize).map(|arm| arm.test.after.len() * arm.test.repeats as usize)
    };
    Trainings {
        finished: counts.iter().filter(|((arm, _), rows)| whole(*arm) == Some(**rows)).count() as u64,
        planned: u64::from(experiment.trainings) * experiment.arms.len() as u64,
    }
}

fn memory(evidence: &Evidence<'_>, arm: usize) -> Option<Memory> {
    let last = |measure: Measure| Some(curve(evidence, arm, measure).points.pop()?.estimate);
    Some(Memory {
        name: evidence.experiment.arms.get(arm)?.name.clone(),
        entries: last(Measure::Transitions)?,
        bytes: last(Measure::Bytes)?,
        peak_bytes: last(Measure::PeakBytes)?,
        forgotten: last(Measure::Forgotten)?,
    })
}

/// Writes charts as SVG and PNG and removes those that a former report left there.
fn write_charts<'a>(
    place: &Path,
    charts: impl Iterator<Item = (&'a str, String)>,
) -> Result<(), ReportError> {
    let io = |cause| RunFolderError::Io { path: place.to_owned(), cause };
    make_folder(place).map_err(io)?;
    let mut written = BTreeSet::new();
    for (name, svg) in charts {
        write_file(&place.join(format!("{name}.svg")), svg.as_bytes())?;
        #[cfg(feature = "png")]
        write_file(&place.join(format!("{name}.png")), &crate::chart::png(&svg, PIXELS)?)?;
        written.insert(name.to_owned());
    }
    for path in read_folder(place).map_err(io)? {
        let of_charts = path.extension().is_some_and(|ending| ending == "svg" || ending == "png");
        let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        if of_charts && !written.contains(name) {
            fs::remove_file(&path).map_err(io)?;
        }
    }
    Ok(())
}
