//! A lesson: a learner is trained, measured in pairs, compared with perfect play, and all of that is reported.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use parlor_core::api::{AnyGame, ApiError};
use parlor_core::files::knowledge::About;
use parlor_core::files::write_atomically;
use parlor_core::rng::fork;
use parlor_core::{Cancel, KnowledgeSize, Phase, Resources, Seat, Spec};

use super::trainings::TrainingRun;
use super::{Event, Listener, RunError, StopReason, Unit};
use crate::pairs::{PairMatch, Terms};
use crate::regret::{Plan, Regret};
use crate::training::{JUDGED_AGAINST, JUDGING, JUDGING_MEMORY_MB, Request};
use crate::training_report::{self, Learnt, Measured};
use crate::verdict::Verdict;

/// Measurements draw from a branch of their own: matches are numbered from 0, tests are the last branch.
const MEASURING: u64 = u64::MAX - 1;
/// This many deals are tried before all of them: they show whether anything can be judged at all.
const FIRST_DEALS: u64 = 2;
/// How many random matches show how much work a match is.
const SAMPLED_MATCHES: u64 = 8;
/// Rows of each table of knowledge in the report.
const ROWS: usize = 12;

/// What is trained, and how it is measured afterwards.
#[derive(Clone, PartialEq, Debug)]
pub struct Lesson {
    /// The training.
    pub training: Request,
    /// Whom the learner is measured against: specs.
    pub opponents: Vec<String>,
    /// The pairs of each measurement.
    pub pairs: u64,
    /// The deals of the comparison with perfect play.
    pub deals: u64,
    /// How many threads measure, and play for a learner that plays itself in batches; others learn on one.
    pub threads: usize,
    /// The call that does the same again, for the report.
    pub command: String,
}

/// A lesson that is ready to begin, or to go on.
pub struct LessonRun<'g> {
    game: &'g dyn AnyGame,
    lesson: Lesson,
    run: TrainingRun,
    /// Where it is kept.
    file: PathBuf,
}

/// What a lesson came to.
#[derive(Clone, PartialEq, Debug)]
pub struct LessonReport {
    /// How it was trained.
    pub about: About,
    /// How large its knowledge is.
    pub size: KnowledgeSize,
    /// How it did against each opponent; shorter if it was cancelled.
    pub measured: Vec<Measured>,
    /// What its decisions lose against perfect play, where that can be found out.
    pub regret: Option<Regret>,
    /// Where the report is; `None` if it was cancelled before that.
    pub report: Option<PathBuf>,
    /// Why it ended.
    pub stop: StopReason,
}

impl<'g> LessonRun<'g> {
    /// Begins a lesson that is kept in `file`, or resumes the same one.
    ///
    /// # Errors
    /// If the request is not understood, or the file cannot be written.
    pub fn new(game: &'g dyn AnyGame, lesson: Lesson, file: &Path) -> Result<LessonRun<'g>, RunError> {
        // A path that a spec cannot hold is noticed now rather than when all is learnt.
        Spec::parse(&learner_from_file(&lesson.training.learner, file))?;
        let run = TrainingRun::new_or_same(game, &lesson.training, file)?;
        Ok(LessonRun { game, lesson, run, file: file.to_owned() })
    }

    /// Returns what is known about the training so far.
    #[must_use]
    pub fn about(&self) -> &About {
        self.run.about()
    }

    /// Trains, measures, compares and writes the report beside the file. Cancelling leaves out what was not measured to the end.
    ///
    /// # Errors
    /// If an agent cannot be seated, or a file cannot be written.
    pub fn run(mut self, cancel: &Cancel, listener: Listener<'_>) -> Result<LessonReport, RunError> {
        self.run.training().trainee().use_threads(self.lesson.threads);
        self.run.play_rounds(cancel, listener)?;
        let learner = learner_from_file(&self.lesson.training.learner, &self.file);
        let measured = self.measure(&learner, cancel, listener)?;
        let is_measured = measured.len() == self.lesson.opponents.len();
        let regret = if is_measured { self.compare(&learner, cancel, listener)? } else { None };
        let report = self.file.with_extension("html");
        let trainee = self.run.training().trainee();
        let (size, tables) = (trainee.size(), trainee.inspect(ROWS));
        let about = self.run.about().clone();
        if is_measured {
            let page = training_report::page(&Learnt {
                about: &about,
                measured: &measured,
                regret: regret.as_ref(),
                size,
                tables: &tables,
                command: &self.lesson.command,
            });
            write_atomically(&report, page.as_bytes())
                .map_err(|cause| RunError::Write { path: report.clone(), cause })?;
        }
        let stop = if is_measured { StopReason::Finished } else { StopReason::Cancelled };
        listener(&Event::Done(stop));
        Ok(LessonReport { about, size, measured, regret, report: is_measured.then_some(report), stop })
    }

    /// Lets the learner meet its opponents in pairs.
    fn measure(
        &self,
        learner: &str,
        cancel: &Cancel,
        listener: Listener<'_>,
    ) -> Result<Vec<Measured>, RunError> {
        let Lesson { training, opponents, pairs, threads, .. } = &self.lesson;
        let mut measured = Vec::new();
        for (number, against) in opponents.iter().enumerate() {
            if cancel.is_cancelled() {
                break;
            }
            listener(&Event::Started { unit: Unit::MeasuringPairs { against }, done: 0, total: *pairs });
            let plan = PairMatch {
                game: self.game,
                agents: [learner, against],
                from: 0,
                pairs: *pairs,
                seed: fork(fork(training.seed, MEASURING), number as u64),
                threads: *threads,
                terms: Terms::default(),
            };
            let tally = plan.run(cancel, |row| {
                listener(&Event::Progress { done: row.pair + 1 });
                ControlFlow::Continue(())
            })?;
            if tally.pairs() == *pairs {
                measured.push(Measured::new(self.game.agent_spec(against)?, Verdict::of(&tally, None)));
            }
        }
        Ok(measured)
    }

    /// Compares the learner's decisions with perfect play; `None` where that is out of reach.
    fn compare(
        &self,
        learner: &str,
        cancel: &Cancel,
        listener: Listener<'_>,
    ) -> Result<Option<Regret>, RunError> {
        let plan = |deals: u64| Plan {
            game: self.game,
            agent: learner,
            against: JUDGED_AGAINST,
            deals,
            seed: fork(self.lesson.training.seed, JUDGING),
            opening: 0,
            threads: self.lesson.threads,
            means: Resources { threads: 1, memory_mb: JUDGING_MEMORY_MB },
        };
        if plan(FIRST_DEALS).run(cancel, |_| {})?.judged == 0 {
            return Ok(None);
        }
        let deals = self.lesson.deals;
        listener(&Event::Started { unit: Unit::Deals, done: 0, total: deals });
        let regret = plan(deals).run(cancel, |done| listener(&Event::Progress { done }))?;
        Ok(Some(regret).filter(|regret| regret.judged > 0))
    }
}

/// Returns how much work a match of a game is, in some unit: how many actions there are to choose from in random matches, times how long
/// these are. The same in every run, because equal calls must give equal learners: it looks at no clock.
///
/// # Errors
/// If the game has no player that plays at random.
pub fn work_of_a_match(game: &dyn AnyGame) -> Result<f64, ApiError> {
    let (mut actions, mut decisions) = (0, 0);
    for number in 0..SAMPLED_MATCHES {
        let mut table = game.table(fork(1, number), None)?;
        for seat in Seat::all(game.seats()) {
            table.seat_agent(seat, "random")?;
        }
        loop {
            match table.phase() {
                Phase::Chance => drop(table.chance()?),
                Phase::Decide(_) => {
                    actions += table.actions().len();
                    decisions += 1;
                    table.agent_act()?;
                }
                Phase::Over => break,
            }
        }
    }
    Ok(actions as f64 * f64::from(decisions))
}

/// Returns the spec that seats a learner with what is in its file.
#[must_use]
pub fn learner_from_file(learner: &str, file: &Path) -> String {
    let name = Spec::bare_name(learner).to_owned();
    Spec { name, pairs: vec![("file".to_owned(), file.display().to_string())] }.to_string()
}
