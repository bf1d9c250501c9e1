//! Running an experiment: every arm is trained again and again, and tested on its way.
//!
//! A **unit** is one training of one arm, from nothing to its last round, with its tests. Units are independent, so
//! threads share them; the rows of a unit depend on the seed, the arm and the number of the training, and on nothing
//! else.

use std::ops::ControlFlow;

use parlor_core::api::AnyGame;
use parlor_core::parallel::in_order;
use parlor_core::rng::fork;
use parlor_core::{Cancel, KnowledgeSize, SpecError};

use super::{Arm, Experiment, TestRow, Tester, Trainer};
use crate::toml_reader::{FileError, Place, Placed};
use crate::trainee::{Opponent, Results, Trainee, TrainingError, TrainingSetup};

/// Branches of a training's seed: matches of training, and tests.
const TRAINING: u64 = 0;
const TESTS: u64 = 1;

/// An experiment whose games are open and whose players can all be seated.
pub struct Opened {
    experiment: Experiment,
    /// The game of each arm.
    games: Vec<Box<dyn AnyGame>>,
    /// The full forms of each arm's game and learner, and of whom it is trained and tested against.
    specs: Vec<ArmSpecs>,
}

/// What an arm is in full.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
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

impl Opened {
    /// Opens the games of an experiment with `open`, and seats everyone once.
    ///
    /// # Errors
    /// If a game cannot be opened or someone cannot be seated, with the place in the file.
    pub fn new(
        experiment: Experiment,
        open: impl Fn(&str) -> Result<Box<dyn AnyGame>, SpecError>,
    ) -> Result<Opened, FileError> {
        let mut games: Vec<Box<dyn AnyGame>> = Vec::new();
        for arm in &experiment.arms {
            games.push(open(&arm.game.text).map_err(|error| at(&arm.game, error))?);
        }
        let mut opened = Opened { experiment, games, specs: Vec::new() };
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
            partners: &[Opponent::Itself],
            testers: &[],
        };
        Trainee::new(game, setup, 0).map_err(fixed)?;
        let against = match &arm.against {
            Trainer::Agent(agent) => full(agent)?,
            Trainer::Itself => "self".to_owned(),
            Trainer::Rival(rival) => {
                let setup = TrainingSetup { learner: &rival.text, ..setup };
                Trainee::new(game, setup, 0).map_err(|error| at(rival, error))?;
                format!("learner: {}", full(rival)?)
            }
            Trainer::Trained { arm } => format!("trained: {}", self.experiment.arms[*arm].name),
        };
        let tested = match &arm.test.against {
            Tester::Agent(agent) => full(agent)?,
            Tester::Empty => "empty".to_owned(),
            Tester::Itself => "self".to_owned(),
            Tester::Rival => "rival".to_owned(),
        };
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

    /// Returns how many units there are.
    #[must_use]
    pub fn units(&self) -> u64 {
        u64::from(self.experiment.trainings) * self.experiment.arms.len() as u64
    }

    /// Returns which arm and which training a unit is. The first units are the first training of every arm, so that a run
    /// that is broken off has something to say about all of them.
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

    /// Runs the units from number `from` on and hands the rows of each to `on_unit`, in order of their numbers.
    ///
    /// # Errors
    /// If someone who could be seated cannot be any more.
    pub fn run(
        &self,
        from: u64,
        threads: usize,
        stop: &Cancel,
        progress: &(dyn Fn(u64) + Sync),
        mut on_unit: impl FnMut(u64, Vec<TestRow>) -> ControlFlow<()>,
    ) -> Result<(), TrainingError> {
        let mut trouble = None;
        let work =
            |(): &mut (), unit| Some(self.play(unit, stop, progress).transpose()?.map(|rows| (unit, rows)));
        in_order(vec![(); threads.max(1)], from..self.units(), stop, work, |rows| match rows {
            Ok((unit, rows)) => on_unit(unit, rows),
            Err(error) => {
                trouble = Some(error);
                ControlFlow::Break(())
            }
        });
        trouble.map_or(Ok(()), Err)
    }

    /// Runs one unit and returns its rows; `None` if a raised `stop` broke it off. `progress` is told how many matches
    /// were played since it was told last.
    ///
    /// # Errors
    /// If someone who could be seated cannot be any more.
    pub fn play(
        &self,
        unit: u64,
        stop: &Cancel,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Option<Vec<TestRow>>, TrainingError> {
        let (number, training) = self.unit(unit);
        let arm = &self.experiment.arms[number];
        let seed = fork(self.experiment.seed, u64::from(training));
        let mut trainee = self.trainee(number, training, stop)?;
        let mut rows = Vec::with_capacity(self.rows_of(unit));
        let mut tested = arm.test.after.iter().peekable();
        for round in 1..=arm.rounds {
            trainee.train(u64::from(arm.matches), stop);
            progress(u64::from(arm.matches));
            if tested.next_if_eq(&&round).is_none() {
                continue;
            }
            let seed = fork(fork(seed, TESTS), u64::from(round));
            for repeat in 0..arm.test.repeats {
                let matches = u64::from(arm.test.matches);
                let results = trainee.test(0, fork(seed, u64::from(repeat)), matches, stop);
                rows.push(row([number as u32, training, round, repeat], &results, trainee.size()));
                progress(matches);
            }
            if stop.is_cancelled() {
                return Ok(None);
            }
            if tested.peek().is_none() {
                break;
            }
        }
        Ok((!stop.is_cancelled()).then_some(rows))
    }

    /// Seats the learner of an arm with everyone it meets.
    fn trainee(&self, number: usize, training: u32, stop: &Cancel) -> Result<Trainee, TrainingError> {
        let arm = &self.experiment.arms[number];
        let mut rival = None;
        let partner = match &arm.against {
            Trainer::Agent(agent) => Opponent::Agent(agent.text.clone()),
            Trainer::Itself => Opponent::Itself,
            Trainer::Rival(spec) => {
                rival = Some(spec.text.as_str());
                Opponent::Rival
            }
            Trainer::Trained { arm } => self.trained(*arm, training, stop)?,
        };
        let tester = match &arm.test.against {
            Tester::Agent(agent) => Opponent::Agent(agent.text.clone()),
            Tester::Empty => Opponent::Empty,
            Tester::Itself => Opponent::Itself,
            Tester::Rival => Opponent::Rival,
        };
        let seed = fork(fork(self.experiment.seed, u64::from(training)), TRAINING);
        let setup =
            TrainingSetup { learner: &arm.learner.text, rival, partners: &[partner], testers: &[tester] };
        Trainee::new(&*self.games[number], setup, seed)
    }

    /// Trains the learner of another arm, without its tests, as that arm's own unit does.
    fn trained(&self, number: usize, training: u32, stop: &Cancel) -> Result<Opponent, TrainingError> {
        let arm: &Arm = &self.experiment.arms[number];
        let mut trainee = self.trainee(number, training, stop)?;
        trainee.train(u64::from(arm.rounds) * u64::from(arm.matches), stop);
        Ok(Opponent::Trained { spec: arm.learner.text.clone(), payload: trainee.save() })
    }
}

fn at(placed: &Placed, error: impl std::fmt::Display) -> FileError {
    let Placed { at: Place { line, column }, .. } = *placed;
    FileError { at: Place { line, column }, wrong: error.to_string() }
}

fn row([arm, training, round, repeat]: [u32; 4], results: &Results, size: KnowledgeSize) -> TestRow {
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
    }
}
