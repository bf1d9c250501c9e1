//! Several trainings that differ in nothing but their seeds, on several threads: a file each, and what they say together.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use parlor_core::Cancel;
use parlor_core::api::AnyGame;
use parlor_core::files::knowledge::{About, Milestone};
use parlor_core::parallel::{Report, in_order_with_progress};
use serde::Serialize;

use super::trainings::TrainingRun;
use super::{Event, Listener, RunError, StopReason, Unit};
use crate::chart::{Band, LineChart, Point, Scale, Series};
use crate::experiment::estimate::Estimate;
use crate::training::Request;
use crate::training_report::opponent;

/// Trainings with seeds that follow each other.
#[derive(Clone, PartialEq, Debug)]
pub struct TrainingSeries {
    /// The first training; the next ones have the next seeds.
    pub training: Request,
    /// How many there are.
    pub trainings: u32,
    /// The name from which the files get theirs: `td.parlor` leads to `td-1.parlor`, `td-2.parlor`, …
    pub out: PathBuf,
    /// Whether files of other trainings are overwritten. Those of the same trainings are continued.
    pub overwrite: bool,
    /// How many threads train.
    pub threads: usize,
}

/// How a series stands.
#[derive(Clone, PartialEq, Debug)]
pub struct SeriesReport {
    /// The trainings with their files, as far as they have come.
    pub trainings: Vec<(PathBuf, About)>,
    /// What their tests say together.
    pub curve: Vec<SeriesPoint>,
    /// Why it ended.
    pub stop: StopReason,
}

/// The tests of all trainings at one point.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SeriesPoint {
    /// After how many matches of training.
    pub matches: u64,
    /// Whom the tests were against.
    pub against: String,
    /// The score in percent, a draw as half a win: mean, interval and deviation over the trainings.
    pub score: Estimate,
}

impl TrainingSeries {
    /// Returns the file of a training, numbered from 1.
    #[must_use]
    pub fn file(&self, number: u32) -> PathBuf {
        let stem = self.out.file_stem().unwrap_or_default().to_string_lossy();
        let ending = self.out.extension().map(|ending| format!(".{}", ending.to_string_lossy()));
        self.out.with_file_name(format!("{stem}-{number}{}", ending.unwrap_or_default()))
    }

    /// Trains. Cancelling ends every training with its last whole round; the same call continues.
    ///
    /// # Errors
    /// If the request is not understood, a file is of another training, or a file cannot be read or written.
    pub fn run(
        &self,
        game: &dyn AnyGame,
        cancel: &Cancel,
        listener: Listener<'_>,
    ) -> Result<SeriesReport, RunError> {
        let mut runs = Vec::new();
        // Everything that can be wrong is found out before anything is played.
        for number in 1..=self.trainings {
            let seed = self.training.seed.wrapping_add(u64::from(number - 1));
            let request = Request { seed, ..self.training.clone() };
            runs.push(TrainingRun::new_or_continued(game, &request, &self.file(number), self.overwrite)?);
        }
        let done: u64 = runs.iter().map(|run| run.about().matches).sum();
        let total = runs.iter().map(|run| run.about().planned()).sum();
        listener(&Event::Started { unit: Unit::Matches, done, total });
        let mut played = done;
        let (mut trainings, mut trouble) = (Vec::new(), None);
        let work = |(): &mut (), (number, mut run): (u32, TrainingRun), progress: &mut dyn FnMut(u64)| {
            let mut known = run.about().matches;
            let ended = run.run(cancel, &mut |event| {
                if let Event::Round { about, .. } = event {
                    progress(about.matches - known);
                    known = about.matches;
                }
            });
            Some(ended.map(|_| (self.file(number), run.about().clone())))
        };
        let jobs = (1..=self.trainings).zip(runs);
        let threads = vec![(); self.threads.clamp(1, self.trainings as usize)];
        in_order_with_progress(threads, jobs, cancel, work, |report| match report {
            Report::Progress(matches) => {
                played += matches;
                listener(&Event::Progress { done: played });
                ControlFlow::Continue(())
            }
            Report::Result(Ok(ended)) => {
                trainings.push(ended);
                ControlFlow::Continue(())
            }
            Report::Result(Err(error)) => {
                trouble = Some(error);
                ControlFlow::Break(())
            }
        });
        if let Some(trouble) = trouble {
            return Err(trouble);
        }
        let is_whole = trainings.len() == self.trainings as usize
            && trainings.iter().all(|(_, about)| !about.is_unfinished());
        let stop = if is_whole { StopReason::Finished } else { StopReason::Cancelled };
        listener(&Event::Done(stop));
        let curve = curve(trainings.iter().map(|(_, about)| about));
        Ok(SeriesReport { trainings, curve, stop })
    }
}

/// Returns what the tests of trainings with the same plan say together, in the order of the tests. Trainings that have ended early are
/// left out where they have no test.
pub fn curve<'a>(trainings: impl Iterator<Item = &'a About>) -> Vec<SeriesPoint> {
    let tests = |about: &'a About| about.early.iter().chain(&about.curve).collect::<Vec<&Milestone>>();
    let all: Vec<Vec<&Milestone>> = trainings.map(tests).collect();
    let longest = all.iter().map(Vec::len).max().unwrap_or(0);
    let point = |place: usize| {
        let tests: Vec<&Milestone> = all.iter().filter_map(|tests| tests.get(place).copied()).collect();
        let scores = tests.iter().filter_map(|test| test.results.score());
        let scores: Vec<f64> = scores.map(|score| 100.0 * score).collect();
        let first = tests.first()?;
        let score = Estimate::of(&scores)?;
        Some(SeriesPoint { matches: first.matches, against: first.against.clone(), score })
    };
    (0..longest).filter_map(point).collect()
}

/// Returns the chart of a series: the mean against each tester, with its interval over the trainings.
#[must_use]
pub fn chart(curve: &[SeriesPoint]) -> LineChart {
    let mut testers: Vec<&str> = Vec::new();
    for point in curve {
        if !testers.contains(&point.against.as_str()) {
            testers.push(&point.against);
        }
    }
    let series = testers.into_iter().map(|tester| {
        let points = || curve.iter().filter(|point| point.against == tester);
        // What a learner did before its first match stands at 1.
        let place = |point: &SeriesPoint| point.matches.max(1) as f64;
        Series {
            name: opponent(tester),
            points: points().map(|at| Point { x: place(at), y: at.score.mean / 100.0 }).collect(),
            band: points()
                .filter_map(|at| {
                    let ends = at.score.interval?;
                    let within = |end: f64| (end / 100.0).clamp(0.0, 1.0);
                    Some(Band { x: place(at), low: within(ends.low), high: within(ends.high) })
                })
                .collect(),
        }
    });
    LineChart {
        x: Scale::new("matches of training").log(),
        y: Scale::percent("score, mean over trainings"),
        series: series.collect(),
        ..LineChart::default()
    }
}

/// Returns the other file that belongs to a chart's: `curve.svg` leads to `curve-regret.svg`.
#[must_use]
pub fn beside(file: &Path, what: &str) -> PathBuf {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    file.with_file_name(format!("{stem}-{what}.svg"))
}
