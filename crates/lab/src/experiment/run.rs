//! Running an experiment: every arm is trained again and again, and tested on its way.
//!
//! A **unit** is one training of one arm, from nothing to its last round, with its tests. Units are independent, so
//! threads share them; the rows of a unit depend on the seed, the arm and the number of the training, and on nothing
//! else.

use std::ops::ControlFlow;

use parlor_core::api::{AnyGame, ApiError};
use parlor_core::files::knowledge::Stage;
use parlor_core::parallel::{Report, in_order_with_progress};
use parlor_core::rng::fork;
use parlor_core::{Cancel, KnowledgeSize, LearningReport, Spec, SpecError};

use super::study::{OpenedStudy, StudyUnit};
use super::{Experiment, Opponent, TestRow};
use crate::stages::{self, with_settings};
use crate::toml_reader::{FileError, Place, Placed};
use crate::trainee::{EXERCISES, FinishedLearner, Results, TestSetup, Trainee, TrainingError, TrainingSetup};

/// Branches of a training's seed: matches of training, and tests.
const TRAINING: u64 = 0;
const TESTS: u64 = 1;

/// How a second learner is written where an arm is written in full.
const SECOND_LEARNER: &str = "learner: ";

/// How a test is written that is the training itself.
const WHILE_TRAINING: &str = "training";

/// An experiment whose games are open and whose players can all be seated.
pub struct Opened {
    experiment: Experiment,
    /// The game of each arm.
    games: Vec<Box<dyn AnyGame>>,
    /// The study, in place of arms.
    study: Option<Box<dyn OpenedStudy>>,
    /// The full forms of each arm's game and learner, and of whom it is trained and tested against.
    specs: Vec<ArmSpecs>,
}

/// The rows of a finished unit.
#[derive(Clone, PartialEq, Debug)]
pub enum UnitRows {
    /// Of a training.
    Tests(Vec<TestRow>),
    /// Of a study.
    Study(StudyUnit),
}

impl UnitRows {
    /// Returns the rows of a training; none for a study.
    #[must_use]
    pub fn tests(&self) -> &[TestRow] {
        match self {
            UnitRows::Tests(rows) => rows,
            UnitRows::Study(_) => &[],
        }
    }
}

/// Errors of a unit.
#[derive(Debug, thiserror::Error)]
pub enum UnitError {
    /// Of a training.
    #[error(transparent)]
    Training(#[from] TrainingError),
    /// Of a study.
    #[error(transparent)]
    Study(#[from] ApiError),
}

/// What an arm is in full.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct ArmSpecs {
    /// The arm's name.
    pub name: String,
    /// The game's full form.
    pub game: String,
    /// The learner's.
    pub learner: String,
    /// Whom it is trained against.
    pub against: String,
    /// Whom it is tested against.
    pub tested: String,
}

/// Returns the full form that a full form of an older version has today; words that are no agents stay as they are.
fn in_full_form(game: &dyn AnyGame, then: &str) -> Result<String, SpecError> {
    let (prefix, agent) =
        then.strip_prefix(SECOND_LEARNER).map_or(("", then), |agent| (SECOND_LEARNER, agent));
    if !game.agents().iter().any(|known| known.name == Spec::bare_name(agent)) {
        return Ok(then.to_owned());
    }
    Ok(format!("{prefix}{}", game.agent_spec(agent)?))
}

impl Opened {
    /// Opens the games of an experiment with `open`, and seats everyone once.
    ///
    /// # Errors
    /// If a game cannot be opened or an agent cannot be seated, with the place in the file.
    pub fn new(
        experiment: Experiment,
        open: impl Fn(&str) -> Result<Box<dyn AnyGame>, SpecError>,
    ) -> Result<Opened, FileError> {
        if let Some(plan) = &experiment.study {
            let study = plan.open(experiment.seed, &open)?;
            let full =
                |(name, agent): (String, String)| ArmSpecs { name, learner: agent, ..ArmSpecs::default() };
            let specs = study.specs().into_iter().map(full).collect();
            return Ok(Opened { experiment, games: Vec::new(), study: Some(study), specs });
        }
        let mut games: Vec<Box<dyn AnyGame>> = Vec::new();
        for arm in &experiment.arms {
            games.push(open(&arm.game.text).map_err(|error| at(&arm.game, error))?);
        }
        let mut opened = Opened { experiment, games, study: None, specs: Vec::new() };
        for number in 0..opened.experiment.arms.len() {
            let specs = opened.in_full(number)?;
            opened.specs.push(specs);
        }
        Ok(opened)
    }

    fn in_full(&self, number: usize) -> Result<ArmSpecs, FileError> {
        let (arm, game) = (&self.experiment.arms[number], &*self.games[number]);
        let full = |placed: &Placed| game.agent_spec(&placed.text).map_err(|error| at(placed, error));
        let learner = full(&arm.learner)?;
        let fixed = |error: TrainingError| at(&arm.learner, error);
        let setup = TrainingSetup {
            learner: &arm.learner.text,
            rival: None,
            trained: None,
            partners: &[Opponent::Itself],
            testers: &[],
            seat: None,
            may_be_fixed: arm.test.while_training,
        };
        Trainee::new(game, setup, 0).map_err(fixed)?;
        if let Opponent::Trained { arm: teacher } = arm.against {
            let teacher = &self.experiment.arms[teacher].learner;
            let setup = TrainingSetup { learner: &teacher.text, may_be_fixed: false, ..setup };
            Trainee::new(game, setup, 0).map_err(|error| at(teacher, error))?;
        }
        if let Some(rival) = &arm.rival {
            let setup = TrainingSetup { learner: &rival.text, may_be_fixed: false, ..setup };
            Trainee::new(game, setup, 0).map_err(|error| at(rival, error))?;
        }
        let in_words = |opponent: &Opponent<Placed>| {
            Ok::<_, FileError>(match opponent {
                Opponent::Agent(agent) => full(agent)?,
                Opponent::Itself => "self".to_owned(),
                Opponent::Rival => "rival".to_owned(),
                Opponent::Empty => "empty".to_owned(),
                Opponent::Exercises => EXERCISES.to_owned(),
                Opponent::Trained { arm } => format!("trained: {}", self.experiment.arms[*arm].name),
            })
        };
        let stages: Vec<Stage> = arm
            .stages
            .iter()
            .map(|stage| {
                let opponents = stage.against.iter().map(&in_words);
                let settings = stage.settings.iter();
                Ok(Stage {
                    rounds: stage.rounds.into(),
                    round: stage.matches.into(),
                    against: opponents.collect::<Result<_, FileError>>()?,
                    settings: settings.map(|(key, value)| (key.clone(), value.text.clone())).collect(),
                })
            })
            .collect::<Result<_, FileError>>()?;
        for (stage, placed) in stages.iter().zip(&arm.stages) {
            let place = placed.settings.values().next().unwrap_or(&arm.learner);
            let fits = with_settings(&learner, &stage.settings).and_then(|spec| game.agent_spec(&spec));
            fits.map_err(|error| at(place, error))?;
        }
        let against = match &arm.rival {
            _ if !stages.is_empty() => stages::write(&stages),
            Some(rival) => format!("{SECOND_LEARNER}{}", full(rival)?),
            None => in_words(&arm.against)?,
        };
        let tested =
            if arm.test.while_training { WHILE_TRAINING.to_owned() } else { in_words(&arm.test.against)? };
        Ok(ArmSpecs { name: arm.name.clone(), game: game.spec(), learner, against, tested })
    }

    /// Returns the experiment.
    #[must_use]
    pub fn experiment(&self) -> &Experiment {
        &self.experiment
    }

    /// Returns every arm in full.
    #[must_use]
    pub fn specs(&self) -> &[ArmSpecs] {
        &self.specs
    }

    /// Returns whether a run that was written with these full forms can be resumed as this one. Names of keys may have changed since.
    ///
    /// # Errors
    /// If an agent of the run cannot be made any more, such as one whose file was replaced.
    pub fn is_run_of(&self, arms: &[ArmSpecs]) -> Result<bool, SpecError> {
        if self.specs.len() != arms.len() {
            return Ok(false);
        }
        if self.study.is_some() {
            return Ok(self.specs == arms);
        }
        for ((game, now), then) in self.games.iter().zip(&self.specs).zip(arms) {
            let agents =
                [(&now.learner, &then.learner), (&now.against, &then.against), (&now.tested, &then.tested)];
            for (now, then) in agents {
                if now != then && *now != in_full_form(&**game, then)? {
                    return Ok(false);
                }
            }
            if (&now.name, &now.game) != (&then.name, &then.game) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns how many units there are.
    #[must_use]
    pub fn units(&self) -> u64 {
        if let Some(study) = &self.study {
            return study.units();
        }
        u64::from(self.experiment.trainings) * self.experiment.arms.len() as u64
    }

    /// Returns how many steps there are in all: matches of trainings and tests, or the steps of a study.
    #[must_use]
    pub fn steps(&self) -> u64 {
        match &self.study {
            Some(study) => (0..study.units()).map(|unit| study.steps(unit)).sum(),
            None => self.experiment.matches().iter().sum(),
        }
    }

    /// Returns which arm and which training a unit is. The first units are the first training of every arm, so that a run
    /// that is interrupted has rows of all of them.
    #[must_use]
    pub fn unit(&self, unit: u64) -> (usize, u32) {
        let arms = self.experiment.arms.len() as u64;
        ((unit % arms) as usize, (unit / arms) as u32)
    }

    /// Returns how many rows a unit has.
    #[must_use]
    pub fn rows_of(&self, unit: u64) -> usize {
        let test = &self.experiment.arms[self.unit(unit).0].test;
        test.after.len() * test.repeats as usize
    }

    /// Runs units on several threads; hands the matches that were played and the rows of each unit to `on_report`, units in
    /// the order in which they are given.
    ///
    /// # Errors
    /// If an agent that could be seated cannot be any more.
    pub fn run(
        &self,
        units: impl Iterator<Item = u64> + Send,
        threads: usize,
        stop: &Cancel,
        mut on_report: impl FnMut(Report<(u64, UnitRows)>) -> ControlFlow<()>,
    ) -> Result<(), UnitError> {
        let mut trouble = None;
        let work = |(): &mut (), unit, progress: &mut dyn FnMut(u64)| {
            Some(self.play(unit, stop, progress).transpose()?.map(|rows| (unit, rows)))
        };
        in_order_with_progress(vec![(); threads.max(1)], units, stop, work, |report| match report {
            Report::Progress(matches) => on_report(Report::Progress(matches)),
            Report::Result(Ok(rows)) => on_report(Report::Result(rows)),
            Report::Result(Err(error)) => {
                trouble = Some(error);
                ControlFlow::Break(())
            }
        });
        trouble.map_or(Ok(()), Err)
    }

    /// Runs one unit and returns its rows; `None` if a raised `stop` broke it off. `progress` gets the number of matches that
    /// were played since it was called last.
    ///
    /// # Errors
    /// If an agent that could be seated cannot be any more.
    pub fn play(
        &self,
        unit: u64,
        stop: &Cancel,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Option<UnitRows>, UnitError> {
        let Some(study) = &self.study else {
            return Ok(self.train(unit, stop, progress)?.map(UnitRows::Tests));
        };
        let Some(mut played) = study.play(unit, stop, progress)? else { return Ok(None) };
        let of = played.rows.len() as u64;
        played.rows.iter_mut().for_each(|row| (row.unit, row.of) = (unit, of));
        played.times.iter_mut().for_each(|time| time.unit = unit);
        Ok(Some(UnitRows::Study(played)))
    }

    /// Trains and tests one unit of an arm.
    fn train(
        &self,
        unit: u64,
        stop: &Cancel,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Option<Vec<TestRow>>, TrainingError> {
        let (number, training) = self.unit(unit);
        let arm = &self.experiment.arms[number];
        let seed = fork(self.experiment.seed, u64::from(training));
        let mut trainee = self.trainee(number, training, stop)?;
        let mut rows = Vec::with_capacity(self.rows_of(unit));
        let last = arm.test.after.last().copied().unwrap_or(0);
        let mut stage = None;
        for round in 1..=arm.rounds.min(last) {
            self.enter(number, round, &mut stage, &mut trainee)?;
            let length = u64::from(arm.matches_of(round));
            let seed = fork(fork(seed, TESTS), u64::from(round));
            let matches = u64::from(arm.test.matches);
            let test = |repeat| TestSetup { tester: 0, seed: fork(seed, u64::from(repeat)), matches };
            let is_tested = arm.test.after.contains(&round);
            let repeats = if is_tested && !arm.test.while_training { arm.test.repeats } else { 0 };
            let tests: Vec<TestSetup> = (0..repeats).map(test).collect();
            let played = trainee.train_and_test(length, &tests, stop, |_| ());
            let Some((trained, mut tested)) = played else { return Ok(None) };
            progress(length + matches * tested.len() as u64);
            if is_tested && arm.test.while_training {
                tested.push(trained);
            }
            let (size, report) = (trainee.size(), trainee.report());
            let place = |repeat| [number as u32, training, round, repeat];
            rows.extend(
                (0..).zip(&tested).map(|(repeat, results)| row(place(repeat), results, size, report)),
            );
        }
        Ok(Some(rows))
    }

    /// Gives a learner the opponents and settings of a round's stage, if that is not the stage that it is in.
    fn enter(
        &self,
        number: usize,
        round: u32,
        stage: &mut Option<usize>,
        trainee: &mut Trainee,
    ) -> Result<(), TrainingError> {
        let arm = &self.experiment.arms[number];
        let next = arm.stage_of(round);
        if next == *stage {
            return Ok(());
        }
        let Some(place) = next else { return Ok(()) };
        let before: usize = arm.stages[..place].iter().map(|stage| stage.against.len()).sum();
        let partners: Vec<usize> = (before..before + arm.stages[place].against.len()).collect();
        trainee.meet_only(&partners);
        let settings = |place: usize| &arm.stages[place].settings;
        if stage.map_or(!settings(place).is_empty(), |old| settings(old) != settings(place)) {
            let settings = settings(place).iter().map(|(key, value)| (key.clone(), value.text.clone()));
            trainee.change_settings(&with_settings(&self.specs[number].learner, &settings.collect())?)?;
        }
        *stage = next;
        Ok(())
    }

    /// Seats the learner of an arm with everyone it meets.
    fn trainee(&self, number: usize, training: u32, stop: &Cancel) -> Result<Trainee, TrainingError> {
        let arm = &self.experiment.arms[number];
        let finished = match arm.against {
            Opponent::Trained { arm } => Some((arm, self.finished(arm, training, stop)?)),
            _ => None,
        };
        let trained = finished.as_ref().map(|(arm, payload)| FinishedLearner {
            spec: &self.experiment.arms[*arm].learner.text,
            payload,
        });
        let seed = fork(fork(self.experiment.seed, u64::from(training)), TRAINING);
        let partners: Vec<Opponent<&str>> = match &arm.stages[..] {
            [] => vec![arm.against.map(|agent| agent.text.as_str())],
            stages => {
                let all = stages.iter().flat_map(|stage| &stage.against);
                all.map(|opponent| opponent.map(|agent| agent.text.as_str())).collect()
            }
        };
        let testers = [arm.test.against.map(|agent| agent.text.as_str())];
        let setup = TrainingSetup {
            learner: &arm.learner.text,
            rival: arm.rival.as_ref().map(|rival| rival.text.as_str()),
            trained,
            partners: &partners,
            testers: if arm.test.while_training { &[] } else { &testers },
            seat: arm.seat,
            may_be_fixed: arm.test.while_training,
        };
        Trainee::new(&*self.games[number], setup, seed)
    }

    /// Trains the learner of another arm, without its tests, as that arm's own unit does; returns what it knows.
    fn finished(&self, number: usize, training: u32, stop: &Cancel) -> Result<Vec<u8>, TrainingError> {
        let arm = &self.experiment.arms[number];
        let mut trainee = self.trainee(number, training, stop)?;
        let mut stage = None;
        for round in 1..=arm.rounds {
            self.enter(number, round, &mut stage, &mut trainee)?;
            trainee.train(u64::from(arm.matches_of(round)), stop);
        }
        trainee.save()
    }
}

fn at(placed: &Placed, error: impl std::fmt::Display) -> FileError {
    let Placed { at: Place { line, column }, .. } = *placed;
    FileError { at: Place { line, column }, wrong: error.to_string() }
}

fn row(
    [arm, training, round, repeat]: [u32; 4],
    results: &Results,
    size: KnowledgeSize,
    report: LearningReport,
) -> TestRow {
    TestRow {
        arm,
        training,
        round,
        repeat,
        matches: results.matches.total() as u32,
        results: results.matches,
        stages: results.stages as u32,
        stages_won: results.stages_won as u32,
        stages_lost: results.stages_lost as u32,
        points: results.points,
        points_other: results.points_other,
        entries: size.entries,
        bytes: size.bytes,
        peak_bytes: size.peak_bytes,
        forgotten: size.forgotten,
        forfeits: results.forfeits as u32,
        report,
    }
}
