//! A training as a run: round by round, kept in a file after each.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use parlor_core::Cancel;
use parlor_core::Spec;
use parlor_core::api::AnyGame;
use parlor_core::files::knowledge::{About, Knowledge, Stage};

use super::lock::LockFile;
use super::{Event, Listener, Open, RunError, StopReason, Unit};
use crate::trainee::TrainingError;
use crate::training::{Request, Training, without_memory, without_use};

/// A training that is ready to begin, or to go on, and the place that it is kept in.
pub struct TrainingRun {
    training: Training,
    place: Place,
}

/// Where a training is kept after each round.
enum Place {
    File {
        path: PathBuf,
        /// Keeps other programs away from the file.
        _lock: LockFile,
    },
    /// In the learner's own store. What the last whole round knew is held here, to go back to it after an interrupted one.
    Store(Box<Knowledge>),
}

/// What a training took.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub struct Effort {
    /// Matches of training.
    pub matches: u64,
    /// Stages from which something could be learnt.
    pub stages: u64,
    /// The time they took, tests not counted.
    pub time: Duration,
}

impl Effort {
    /// Returns the matches and the stages a second, if there was enough to measure.
    #[must_use]
    pub fn a_second(&self) -> Option<[f64; 2]> {
        let seconds = self.time.as_secs_f64();
        (self.stages > 0 && seconds > 0.0)
            .then(|| [self.matches, self.stages].map(|count| count as f64 / seconds))
    }
}

impl TrainingRun {
    /// Begins a training. The file is written at once: a place that cannot be written to is noticed before anything is played.
    ///
    /// # Errors
    /// If the request is not understood, the file exists and is not to be overwritten, or it cannot be written.
    pub fn new(
        game: &dyn AnyGame,
        request: &Request,
        file: &Path,
        overwrite: bool,
    ) -> Result<TrainingRun, RunError> {
        must_learn(game, &request.learner)?;
        let training = Training::start(game, request)?;
        if file.exists() && !overwrite {
            return Err(RunError::Exists(file.to_owned()));
        }
        TrainingRun::begin(training, file, lock(file)?)
    }

    /// Resumes the same training if the file has it, else begins it and overwrites the file.
    ///
    /// # Errors
    /// If the request is not understood, or the file cannot be written.
    pub fn new_or_same(game: &dyn AnyGame, request: &Request, file: &Path) -> Result<TrainingRun, RunError> {
        let training = Training::start(game, request)?;
        let lock = lock(file)?;
        if let Ok(known) = Knowledge::open(file)
            && is_same_plan(game, &known.about, training.about())
            && let Ok(training) = Training::resume(game, known)
        {
            return Ok(TrainingRun { training, place: Place::File { path: file.to_owned(), _lock: lock } });
        }
        TrainingRun::begin(training, file, lock)
    }

    /// Resumes the same training if the file has it; else begins it as [`new`](TrainingRun::new) does.
    ///
    /// # Errors
    /// If the request is not understood, the file has another training and is not to be overwritten, or it cannot be written.
    pub fn new_or_continued(
        game: &dyn AnyGame,
        request: &Request,
        file: &Path,
        overwrite: bool,
    ) -> Result<TrainingRun, RunError> {
        must_learn(game, &request.learner)?;
        let same = |known: &Knowledge| {
            Training::start(game, request).is_ok_and(|fresh| is_same_plan(game, &known.about, fresh.about()))
        };
        match Knowledge::open(file) {
            Ok(known) if same(&known) => TrainingRun::new_or_same(game, request, file),
            _ => TrainingRun::new(game, request, file, overwrite),
        }
    }

    fn begin(training: Training, file: &Path, lock: LockFile) -> Result<TrainingRun, RunError> {
        let mut run = TrainingRun { training, place: Place::File { path: file.to_owned(), _lock: lock } };
        run.keep()?;
        Ok(run)
    }

    /// Begins a training that is kept in the learner's own store and in no file.
    ///
    /// # Errors
    /// If the request is not understood, or the store cannot be written.
    pub fn in_store(game: &dyn AnyGame, request: &Request) -> Result<TrainingRun, RunError> {
        must_learn(game, &request.learner)?;
        let mut training = Training::start(game, request)?;
        let kept = Box::new(training.knowledge()?);
        Ok(TrainingRun { training, place: Place::Store(kept) })
    }

    /// Resumes the training of a file.
    ///
    /// # Errors
    /// If the file cannot be read, or its training cannot go on here.
    pub fn resume(file: &Path, open: Open<'_>) -> Result<TrainingRun, RunError> {
        let path = || file.to_owned();
        // A file that is not there has no use for a lock.
        let lock = if file.exists() { Some(lock(file)?) } else { None };
        let knowledge = Knowledge::open(file).map_err(|cause| RunError::Knowledge { path: path(), cause })?;
        let about = &knowledge.about;
        if !Training::same_generator(about) {
            return Err(RunError::Generator { path: path(), generator: about.rng.clone() });
        }
        let game = open(&about.game)
            .map_err(|cause| RunError::UnknownGame { path: path(), cause: Box::new(cause) })?;
        let training = Training::resume(&*game, knowledge)
            .map_err(|cause| RunError::Resume { path: path(), cause: Box::new(cause) })?;
        let lock = lock.map_or_else(|| self::lock(file), Ok)?;
        Ok(TrainingRun { training, place: Place::File { path: path(), _lock: lock } })
    }

    /// Returns what is known about the training so far.
    #[must_use]
    pub fn about(&self) -> &About {
        self.training.about()
    }

    /// Returns the training.
    pub fn training(&mut self) -> &mut Training {
        &mut self.training
    }

    /// Returns the file that it is kept in; `None` for one that is kept in the learner's own store.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        match &self.place {
            Place::File { path, .. } => Some(path),
            Place::Store(_) => None,
        }
    }

    /// Plays all rounds that are left, and writes the file after each. Cancelling ends it with the last whole round.
    ///
    /// # Errors
    /// If the file cannot be written, or read again after an interrupted round.
    pub fn run(&mut self, cancel: &Cancel, listener: Listener<'_>) -> Result<(Effort, StopReason), RunError> {
        let (effort, stop) = self.play_rounds(cancel, listener)?;
        listener(&Event::Done(stop));
        Ok((effort, stop))
    }

    /// Plays all rounds that are left, as [`run`](TrainingRun::run) does; more may follow.
    pub(super) fn play_rounds(
        &mut self,
        cancel: &Cancel,
        listener: Listener<'_>,
    ) -> Result<(Effort, StopReason), RunError> {
        let about = self.about();
        let total = about.planned();
        listener(&Event::Started { unit: Unit::Matches, done: about.matches, total });
        let mut effort = Effort::default();
        let mut stop = StopReason::Finished;
        while self.training.has_more() {
            let begun = Instant::now();
            let mut trained_for = Duration::ZERO;
            let round = self.training.round(cancel, |results| {
                trained_for = begun.elapsed();
                listener(&Event::Trained { results });
            })?;
            let Some(round) = round else {
                let known = match &self.place {
                    Place::File { path, .. } => Knowledge::open(path)
                        .map_err(|cause| RunError::Knowledge { path: path.clone(), cause })?,
                    Place::Store(kept) => (**kept).clone(),
                };
                self.training.go_back(known)?;
                stop = StopReason::Cancelled;
                break;
            };
            effort.matches += round.trained.matches.total();
            effort.stages += round.trained.stages;
            effort.time += trained_for;
            self.keep()?;
            listener(&Event::Round { round: &round, about: self.training.about() });
        }
        Ok((effort, stop))
    }

    fn keep(&mut self) -> Result<(), RunError> {
        let knowledge = self.training.knowledge()?;
        match &mut self.place {
            Place::File { path, .. } => {
                knowledge.write(path).map_err(|cause| RunError::Write { path: path.clone(), cause })
            }
            Place::Store(kept) => {
                **kept = knowledge;
                Ok(())
            }
        }
    }
}

/// Takes the lock of the file that a training is kept in.
fn lock(file: &Path) -> Result<LockFile, RunError> {
    let lock = LockFile::take(file).map_err(|cause| RunError::Write { path: file.to_owned(), cause })?;
    lock.ok_or_else(|| RunError::Busy(file.to_owned()))
}

/// Returns whether the second training is the first one's continuation. Names of keys may have changed since, and trainings of an older
/// program have no limit of memory.
fn is_same_plan(game: &dyn AnyGame, known: &About, fresh: &About) -> bool {
    let now = |spec: &String| game.agent_spec(spec).unwrap_or_else(|_| spec.clone());
    let begun = About {
        learner: without_use(&now(&known.learner)).unwrap_or_default(),
        against: known.against.iter().map(now).collect(),
        testers: known.testers.iter().map(now).collect(),
        stages: known
            .stages
            .iter()
            .map(|stage| Stage { against: stage.against.iter().map(now).collect(), ..stage.clone() })
            .collect(),
        matches: 0,
        trained: Vec::new(),
        early: Vec::new(),
        curve: Vec::new(),
        regret: Vec::new(),
        reports: Vec::new(),
        ..known.clone()
    };
    let unlimited = |about: About| About { learner: without_memory(&about.learner), ..about };
    unlimited(begun) == unlimited(fresh.clone())
}

/// Refuses an agent that exists but does not learn, and names those that do.
fn must_learn(game: &dyn AnyGame, spec: &str) -> Result<(), TrainingError> {
    let name = Spec::bare_name(spec);
    let agents = game.agents();
    let is_learner = agents.iter().find(|agent| agent.name == name).map(|agent| agent.learns);
    if is_learner == Some(false) {
        let learners = agents.iter().filter(|agent| agent.learns).map(|agent| agent.name).collect();
        return Err(TrainingError::DoesNotLearn { name: name.to_owned(), game: game.name(), learners });
    }
    Ok(())
}
