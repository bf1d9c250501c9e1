//! What a run does, on a thread of its own.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parlor_core::api::AnyGame;
use parlor_core::{Cancel, SpecError};
use parlor_lab::experiment::Experiment;
use parlor_lab::run::experiments::Changes;
use parlor_lab::run::{
    Event, ExperimentRun, Keep, Lesson, LessonRun, LiveCurves, MatchRequest, MatchRun, RunError, RunOptions,
    StopReason, TournamentRun, Unit,
};
use serde_json::{Value, json};

use super::{Facts, Kind, Phase, Places, Run, Turn, lock};
use crate::http::problem::{Answer, Problem, sentence};

/// How often progress is reported.
const TELL: Duration = Duration::from_millis(250);

/// A run that is understood and can begin.
pub enum Prepared {
    /// Two agents in pairs.
    Match(Box<MatchRun>),
    /// Many agents.
    Tournament(Box<TournamentRun>),
    /// A learner: its game, what is done, and the file.
    Training(Box<(Box<dyn AnyGame>, Lesson)>),
    /// An experiment.
    Experiment(Box<ExperimentRun>),
}

/// Opens a game by its spec.
fn open(spec: &str) -> Result<Box<dyn AnyGame>, SpecError> {
    let game: Box<dyn AnyGame> = parlor_catalog::open(spec)?;
    Ok(game)
}

/// Refuses texts that name programs. The owner may use files, but nobody starts programs from the web.
///
/// Quotes, backslashes and white space are left out first: specs may have them anywhere.
fn check_programs(toml: &str) -> Answer<()> {
    let plain: String = toml.chars().filter(|c| !c.is_whitespace() && !"\"'\\".contains(*c)).collect();
    let plain = plain.to_ascii_lowercase();
    // TOML may write letters as numbers.
    let is_escaped = toml.contains("\\u") || toml.contains("\\U") || toml.contains("\\x");
    if is_escaped || plain.contains("cmd:") || plain.contains("cmd(") || plain.contains("carrier=processes") {
        return Err(Problem::forbidden(
            "runs from the web start no programs: leave out `cmd`, and write letters as they are",
        ));
    }
    Ok(())
}

impl From<RunError> for Problem {
    fn from(error: RunError) -> Problem {
        let text = sentence(&error);
        match error {
            RunError::File(error) => Problem::field(&error.at.to_string(), text),
            RunError::Spec(error) => error.into(),
            _ => Problem::bad(text),
        }
    }
}

/// Where the rows of a run are.
fn place(folder: &Path) -> PathBuf {
    folder.join("run")
}

/// Where a training is kept.
fn knowledge(folder: &Path) -> PathBuf {
    folder.join("learnt.parlor")
}

/// Understands what is to be run. Begins it anew, or goes on with what is in the folder. Games of matches and tournaments are recorded
/// in the store of `places`.
///
/// # Errors
/// If the text does not fit, or the folder cannot be written.
pub fn prepare(
    kind: Kind,
    toml: &str,
    folder: &Path,
    (threads, places): (usize, Places),
    again: bool,
) -> Answer<(Facts, Prepared, LiveCurves)> {
    check_programs(toml)?;
    let place = place(folder);
    let options = RunOptions {
        threads,
        keep: Keep::In(place.clone()),
        home: places.home,
        record: places.record,
        ..RunOptions::default()
    };
    let again = again && place.exists();
    let mut facts = Facts {
        kind,
        toml: toml.to_owned(),
        title: String::new(),
        game: String::new(),
        phase: Phase::Running,
        done: 0,
        total: 0,
        unit: "pairs".to_owned(),
        started: super::now(),
        error: None,
        result: None,
        report: None,
        axes: ["pairs".to_owned(), "score, per cent".to_owned()],
        published: json!([]),
    };
    Ok(match kind {
        Kind::Match => {
            let request = MatchRequest::read(toml).map_err(RunError::from)?;
            let run = if again {
                MatchRun::resume(&place, &open, options)?
            } else {
                MatchRun::new(&request, &open, options)?
            };
            let [first, second] = &request.agents;
            facts.title = format!("{first} – {second}");
            facts.game = run.manifest().game.clone();
            let curves = LiveCurves::of_match(first);
            (facts, Prepared::Match(Box::new(run)), curves)
        }
        Kind::Tournament => {
            let run = if again {
                TournamentRun::resume(&place, &open, options)?
            } else {
                TournamentRun::from_file(toml, |_| {}, &open, options)?
            };
            facts.title = run.names().join(", ");
            facts.game = run.plan().game.clone();
            (facts, Prepared::Tournament(Box::new(run)), LiveCurves::default())
        }
        Kind::Training => {
            let (game, mut lesson) = Lesson::read(toml, threads).map_err(RunError::from)?;
            let game = open(&game).map_err(RunError::from)?;
            lesson.command = format!("parlor train {} {}", game.spec(), lesson.training.learner);
            // What is wrong with the learner is said now.
            drop(LessonRun::new(&*game, lesson.clone(), &knowledge(folder))?);
            facts.title = lesson.training.learner.clone();
            facts.game = game.spec();
            facts.unit = "matches".to_owned();
            facts.axes = ["matches of training".to_owned(), "score in tests, per cent".to_owned()];
            let curves = LiveCurves::of_training(&lesson.training.testers);
            (facts, Prepared::Training(Box::new((game, lesson))), curves)
        }
        Kind::Experiment => {
            let experiment = Experiment::read(toml).map_err(RunError::from)?;
            let run = if again {
                ExperimentRun::resume(toml, false, &place, &open)?
            } else {
                ExperimentRun::new(toml, Changes::default(), &place, &open)?
            };
            facts.title = format!("{} · {}", experiment.id, experiment.title);
            facts.game = experiment.arms.first().map(|arm| arm.game.text.clone()).unwrap_or_default();
            facts.unit = "matches".to_owned();
            facts.axes = ["rounds of training".to_owned(), "won, per cent".to_owned()];
            facts.published = json!(LiveCurves::published(&experiment));
            let curves = LiveCurves::of_experiment(&experiment);
            (facts, Prepared::Experiment(Box::new(run)), curves)
        }
    })
}

/// Hears the events of a run.
struct Hearing<'a> {
    run: &'a Run,
    curves: LiveCurves,
    told: Instant,
}

impl Hearing<'_> {
    fn hear(&mut self, event: &Event<'_>) {
        let points = self.curves.hear(event);
        let changed = !points.is_empty();
        self.run.add_points(points.iter().map(|point| json!(point)));
        let mut facts = lock(&self.run.facts);
        match event {
            Event::Started { unit, done, total } => {
                (facts.done, facts.total) = (*done, *total);
                facts.unit = match unit {
                    Unit::Pairs => "pairs".to_owned(),
                    Unit::Matches => "matches".to_owned(),
                    Unit::MeasuringPairs { against } => format!("pairs against {against}"),
                    Unit::Deals => "deals".to_owned(),
                    Unit::Trainings => "trainings".to_owned(),
                };
            }
            Event::Progress { done } => facts.done = *done,
            Event::MatchPair { tally, .. } => facts.done = tally.pairs(),
            Event::TournamentPair { .. } => facts.done += 1,
            Event::Round { about, .. } => facts.done = about.matches,
            _ => {}
        }
        drop(facts);
        if changed || self.told.elapsed() >= TELL {
            self.told = Instant::now();
            self.run.tell();
        }
    }
}

/// Runs what was prepared, to its end or until it is stopped.
pub fn work(run: &Arc<Run>, prepared: Prepared, curves: LiveCurves, threads: usize, turn: Turn) {
    let cancel = lock(&run.cancel).clone();
    let mut hearing = Hearing { run, curves, told: Instant::now() };
    let done = carry_out(prepared, &run.folder, threads, &cancel, &mut |event| hearing.hear(event));
    run.change(|facts| match done {
        Ok(Outcome { stop, result, report }) => {
            facts.phase = if stop.is_early() { Phase::Stopped } else { Phase::Done };
            facts.result = Some(result);
            facts.report = report.filter(|file| run.folder.join(file).exists());
            if facts.phase == Phase::Done {
                facts.done = facts.done.max(facts.total);
            }
        }
        Err(error) => {
            facts.phase = Phase::Failed;
            facts.error = Some(sentence(&error));
        }
    });
    let _ = run.keep();
    drop(turn);
}

/// What a run came to.
struct Outcome {
    stop: StopReason,
    result: Value,
    /// The report's path in the folder.
    report: Option<String>,
}

fn carry_out(
    prepared: Prepared,
    folder: &Path,
    threads: usize,
    cancel: &Cancel,
    listener: &mut dyn FnMut(&Event<'_>),
) -> Result<Outcome, RunError> {
    let report = |file: &str| Some(file.to_owned());
    Ok(match prepared {
        Prepared::Match(run) => {
            let ended = run.run(cancel, listener)?;
            Outcome { stop: ended.stop, result: json!(ended.verdict), report: None }
        }
        Prepared::Tournament(run) => {
            let ended = run.run(cancel, listener)?;
            Outcome { stop: ended.stop, result: json!(ended.standings), report: report("run/report.html") }
        }
        Prepared::Training(lesson) => {
            let (game, lesson) = *lesson;
            let ended = LessonRun::new(&*game, lesson, &knowledge(folder))?.run(cancel, listener)?;
            let result = json!({
                "matches": ended.about.matches,
                "entries": ended.size.entries,
                "measured": ended.measured,
                "regret": ended.regret,
            });
            // A lesson that was stopped while it measured has no report yet.
            let stop = if ended.report.is_none() { StopReason::Cancelled } else { ended.stop };
            Outcome { stop, result, report: report("learnt.html") }
        }
        Prepared::Experiment(run) => {
            let ended = run.run(threads, cancel, listener)?;
            Outcome { stop: ended.stop, result: Value::Null, report: report("run/report.html") }
        }
    })
}
