//! The runner: matches, tournaments, trainings and experiments from their request to their report.
//!
//! A run is **prepared** (the game opened once, every agent built once a thread), **scheduled** (trials with stable numbers),
//! **resumed** from its folder, **recorded** row by row, **stopped** for one of a few [reasons](StopReason), **logged** and
//! **reported**. On its way it sends [events](Event) to a listener. Front ends (the command line, a server, Python) make a
//! request, listen and show what comes; they hold no logic of runs.
//!
//! | module | what it runs |
//! |---|---|
//! | [`mod@matches`] | two agents, in pairs, perhaps with a sequential test |
//! | [`tournaments`] | many agents, each pairing in pairs |
//! | [`trainings`] | a learner, round by round, kept in a file |
//! | [`series`] | trainings that differ in their seeds only, several at once |
//! | [`lessons`] | a training with measurements, a comparison with perfect play and a report |
//! | [`experiments`] | every arm of an experiment, and some of them again to compare |
//! | [`folder`] | where the rows are kept |
//! | [`shards`] | parts of a run that any machines play, and how they are merged |

pub mod experiments;
pub mod folder;
pub mod lessons;
mod live;
mod lock;
pub mod matches;
mod pair_rows;
mod requests;
pub mod series;
pub mod shards;
pub mod tournaments;
pub mod trainings;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use parlor_core::SpecError;
use parlor_core::api::{AnyGame, ApiError};
use parlor_core::files::checksummed_file::ChecksummedFileError;
use parlor_core::files::knowledge::About;
use parlor_store::Location;

use crate::experiment::TestRow;
use crate::experiment::report::ReportError;
use crate::log;
use crate::pairs::{PairRow, Tally};
use crate::record::RecordError;
use crate::toml_reader::FileError;
use crate::tournament::PlanError;
use crate::tournament::standings::Table;
use crate::trainee::{Results, TrainingError};
use crate::training::Round;

pub use experiments::{ExperimentRun, Verification};
pub use folder::{RunFolder, RunFolderError, RunKind, RunManifest};
pub use lessons::{Lesson, LessonRun};
pub use live::{LiveCurves, Point};
pub use lock::LockFile;
pub use matches::{MatchRequest, MatchRun};
pub use series::{SeriesReport, TrainingSeries};
pub use shards::{RunPlan, Shard, ShardError, ShardRun};
pub use tournaments::{TournamentRequest, TournamentRun};
pub use trainings::TrainingRun;

/// Opens a game by its spec. The laboratory knows no game by name; the front end hands this in.
pub type Open<'a> = &'a dyn Fn(&str) -> Result<Box<dyn AnyGame>, SpecError>;

/// Hears what happens in a run, on the thread that called it.
pub type Listener<'a> = &'a mut dyn FnMut(&Event<'_>);

/// What happens in a run, in the order in which it happens.
#[derive(Debug)]
pub enum Event<'a> {
    /// Something is wrong, but the run continues.
    Warning(&'a Warning),
    /// Work begins: `done` of `total` units are known already.
    Started {
        /// What the units are.
        unit: Unit<'a>,
        /// How many are done.
        done: u64,
        /// How many there are.
        total: u64,
    },
    /// Some more units are done.
    Progress {
        /// How many are done by now.
        done: u64,
    },
    /// A pair of a match was played and recorded.
    MatchPair {
        /// The pair.
        row: &'a PairRow,
        /// All pairs so far.
        tally: &'a Tally,
    },
    /// A pair of a tournament was played and recorded.
    TournamentPair {
        /// The pair.
        row: &'a PairRow,
        /// All pairs so far.
        table: &'a Table,
    },
    /// Some matches of a round of training were played.
    Trained {
        /// The round so far.
        results: &'a Results,
    },
    /// A round of training is over, tested and kept.
    Round {
        /// What it brought.
        round: &'a Round,
        /// The training so far.
        about: &'a About,
    },
    /// A training of an experiment is finished and recorded.
    ExperimentUnit {
        /// Its number, from 0.
        unit: u64,
        /// Its tests.
        rows: &'a [TestRow],
    },
    /// The run is over.
    Done(StopReason),
}

/// What the steps of a run are.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Unit<'a> {
    /// Pairs of a match or a tournament.
    Pairs,
    /// Matches of a training or an experiment.
    Matches,
    /// Pairs that measure a learner against an agent.
    MeasuringPairs {
        /// The agent's spec.
        against: &'a str,
    },
    /// Deals whose decisions are compared with perfect play.
    Deals,
    /// Trainings that are played again.
    Trainings,
}

/// How a run came to its end.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// Everything was played.
    Finished,
    /// The sequential test accepted a hypothesis: `H0` or `H1`.
    Decided(&'static str),
    /// The time limit was reached.
    TimeLimit,
    /// It was cancelled.
    Cancelled,
}

impl StopReason {
    /// Returns the word that the log has for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            StopReason::Finished => "pairs",
            StopReason::Decided(hypothesis) => hypothesis,
            StopReason::TimeLimit => "time",
            StopReason::Cancelled => "stopped",
        }
    }

    /// Returns why there is more to play; `None` if there is not.
    #[must_use]
    pub const fn early_word(self) -> Option<&'static str> {
        match self {
            StopReason::TimeLimit => Some("time limit"),
            StopReason::Cancelled => Some("interrupted"),
            StopReason::Finished | StopReason::Decided(_) => None,
        }
    }

    /// Returns whether there is more to play.
    #[must_use]
    pub const fn is_early(self) -> bool {
        self.early_word().is_some()
    }
}

/// A problem that does not stop a run.
#[derive(Debug, thiserror::Error)]
pub enum Warning {
    /// There is no place for the games; they are played all the same.
    #[error("the games are not kept")]
    NotKept(#[source] RunFolderError),
    /// The log cannot be written; the result stands.
    #[error("this is not in the log")]
    NotLogged(#[source] log::LogError),
}

/// Errors of runs.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A game or an agent is not understood.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A game or an agent in a file is not understood.
    #[error(transparent)]
    File(#[from] FileError),
    /// The run's folder cannot be used.
    #[error(transparent)]
    Folder(#[from] RunFolderError),
    /// A sequential test does not exist.
    #[error(transparent)]
    Statistics(#[from] parlor_stats::error::Unfit),
    /// The agents make no tournament.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// Pondering without any limit of time.
    #[error(
        "--ponder needs a limit of time: without one, thinking longer has no effect. Add --time 1m, or time_ms=… to an agent"
    )]
    PonderWithoutTime,
    /// Pondering in a solitary game.
    #[error("{game} has one player, so there is no opponent's time to ponder on")]
    PonderAlone {
        /// The game.
        game: &'static str,
    },
    /// A learner cannot be trained.
    #[error(transparent)]
    Training(#[from] TrainingError),
    /// A training would overwrite a file.
    #[error("{} exists", .0.display())]
    Exists(PathBuf),
    /// Another program trains a learner in the same file.
    #[error("{} is being trained by another program", .0.display())]
    Busy(PathBuf),
    /// A file of knowledge cannot be read.
    #[error("{}", path.display())]
    Knowledge {
        /// Which file.
        path: PathBuf,
        /// What is wrong.
        #[source]
        cause: ChecksummedFileError,
    },
    /// A file of knowledge does not go with this program.
    #[error("{}", path.display())]
    Resume {
        /// Which file.
        path: PathBuf,
        /// What is wrong.
        #[source]
        cause: Box<TrainingError>,
    },
    /// A file of knowledge was begun with another random generator.
    #[error("{} was begun with the generator {generator}, which is not ours", path.display())]
    Generator {
        /// Which file.
        path: PathBuf,
        /// The generator.
        generator: String,
    },
    /// A file of knowledge is of a game that cannot be opened.
    #[error("{} was learnt at a game that is not known here", path.display())]
    UnknownGame {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        cause: Box<SpecError>,
    },
    /// A file cannot be written.
    #[error("{} cannot be written", path.display())]
    Write {
        /// Which file.
        path: PathBuf,
        /// What the system says.
        #[source]
        cause: std::io::Error,
    },
    /// Decisions cannot be compared with perfect play.
    #[error(transparent)]
    Judging(#[from] ApiError),
    /// An agent of a study misbehaves, or its game is out of reach.
    #[error(transparent)]
    Study(ApiError),
    /// The report of an experiment cannot be made.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// A folder holds the other version of an experiment.
    #[error("{} holds the {} version", path.display(), if *quick { "--quick" } else { "full" })]
    OtherVersion {
        /// The folder.
        path: PathBuf,
        /// Which version it holds.
        quick: bool,
    },
    /// A folder holds a run of another text.
    #[error("{} holds a run of `{id}` with another text; it resumes only with its own", path.display())]
    OtherText {
        /// The folder.
        path: PathBuf,
        /// The experiment's short name.
        id: String,
    },
    /// A folder's agents have other settings here.
    #[error("{}: written by a program whose agents have other keys; it cannot go on", .0.display())]
    OtherKeys(PathBuf),
    /// There is nothing to play again.
    #[error("{} has no finished training yet", .0.display())]
    NothingFinished(PathBuf),
    /// Of shards.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// The games cannot be recorded in a store.
    #[error("the games cannot be recorded")]
    Record(#[from] RecordError),
    /// It was cancelled before it had an answer.
    #[error("stopped")]
    Cancelled,
}

/// Where a new run is kept.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Keep {
    /// Nowhere.
    #[default]
    Nowhere,
    /// In a new folder of the program's own place. A machine without such a place plays all the same.
    AtHome,
    /// In this folder.
    In(PathBuf),
}

/// How a run is carried out. None of it changes a row.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RunOptions {
    /// How many threads play.
    pub threads: usize,
    /// When to stop before everything is played.
    pub time_limit: Option<Duration>,
    /// Where a new run is kept.
    pub keep: Keep,
    /// The program's own place, for the log and for runs that are kept there; see [`log::home`].
    pub home: Option<PathBuf>,
    /// The store in which the games of a match or a tournament are recorded. A run that resumes goes on in the store in which it
    /// began if there is none here.
    pub record: Option<Location>,
}

impl RunOptions {
    /// Returns when the time is over, if it begins now. More time than a clock can hold never is.
    fn deadline(&self) -> Option<Instant> {
        Instant::now().checked_add(self.time_limit?)
    }

    /// Returns the folder of a new run, if the run keeps its games, and a warning if the folder cannot be made.
    fn new_folder<M: RunManifest>(
        &self,
        manifest: &M,
    ) -> Result<(Option<RunFolder>, Option<Warning>), RunFolderError> {
        match (&self.keep, &self.home) {
            (Keep::In(folder), _) => Ok((Some(RunFolder::create(folder, manifest)?), None)),
            (Keep::AtHome, Some(home)) => {
                let name = {
                    let now = since_1970();
                    format!("{}-{:09}-{}", now.as_secs(), now.subsec_nanos(), std::process::id())
                };
                Ok(match RunFolder::create(&home.join(M::KIND.home).join(name), manifest) {
                    Ok(folder) => (Some(folder), None),
                    Err(error) => (None, Some(Warning::NotKept(error))),
                })
            }
            (Keep::AtHome, None) | (Keep::Nowhere, _) => Ok((None, None)),
        }
    }

    /// Adds a run to the log. A log that cannot be written is no reason to lose the result.
    fn log(&self, played: log::Played, stop: StopReason, folder: Option<&Path>) -> Result<(), Warning> {
        let entry = log::Entry {
            ended: since_1970().as_secs(),
            ended_by: stop.word().to_owned(),
            folder: folder.map(|folder| folder.canonicalize().unwrap_or_else(|_| folder.to_owned())),
            played,
        };
        let home = self.home.as_ref().ok_or(Warning::NotLogged(log::LogError::NoHome))?;
        log::append(home, &entry).map_err(|error| Warning::NotLogged(error.into()))
    }
}

fn since_1970() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}
