//! Shards: a run in parts that any machines play in any order, with the bytes of one run.
//!
//! A run is a [plan](RunPlan) and a list of units with stable numbers: the pairs of a match or a tournament, the trainings or parts of an
//! experiment. Unit *i* depends on the plan and on *i* only. So [`ShardRun::play`] plays any part of the list and returns the
//! bytes of a shard file, and [`merge`] reads the files of all parts in order through the same runner that plays: rows, result and report are
//! those of a run on one machine.
//!
//! A shard file is there as a whole or not at all. A scheduler that runs every shard again until its file exists needs no other memory.

mod file;
mod merging;

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use parlor_core::Cancel;
use parlor_core::files::checksummed_file::ChecksummedFileError;
use serde::{Deserialize, Serialize};

use super::experiments::{self, Changes};
use super::folder::write_file;
use super::matches::limits_itself;
use super::pair_rows::PairRun;
use super::{
    Event, Listener, MatchRun, Open, RunError, RunFolderError, RunManifest, RunOptions, TournamentRun, Unit,
};
use crate::experiment::folder::ExperimentManifest;
use crate::experiment::run::Opened;
use crate::manifest::Manifest;
use crate::pairs::PairPlan;
use crate::tournament::Plan;

pub use file::{About, FORM};
pub(super) use file::{ShardSet, unit_of};
pub use merging::{Merged, merge};

/// The largest number of shards.
pub const MOST_SHARDS: u64 = 1_000_000;

/// One of the nearly equal parts of a run, written `I/N`: number I of the parts 0 … N − 1.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Shard {
    number: u64,
    of: u64,
}

impl Shard {
    /// Returns part `number` of `of` parts; `None` if there is no such part.
    #[must_use]
    pub const fn new(number: u64, of: u64) -> Option<Shard> {
        if number < of && of <= MOST_SHARDS { Some(Shard { number, of }) } else { None }
    }

    /// Returns its number, from 0.
    #[must_use]
    pub const fn number(self) -> u64 {
        self.number
    }

    /// Returns how many parts there are.
    #[must_use]
    pub const fn of(self) -> u64 {
        self.of
    }

    /// Returns the name of its file.
    #[must_use]
    pub fn file_name(self) -> String {
        format!("{}-of-{}.{}", self.number, self.of, file::EXTENSION)
    }

    /// Returns its units. `start` returns the first unit of the group that a unit belongs to; groups are not divided.
    fn range(self, units: u64, start: impl Fn(u64) -> u64) -> Range<u64> {
        let bound = |part: u64| {
            let at = (u128::from(units) * u128::from(part) / u128::from(self.of)) as u64;
            if at < units { start(at) } else { units }
        };
        bound(self.number)..bound(self.number + 1)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let wrong = || "a number and the number of shards, such as 0/4, …, 3/4".to_owned();
        let (number, of) = text.split_once('/').ok_or_else(wrong)?;
        let [number, of] = [number.parse::<u64>(), of.parse()].map(|part| part.map_err(|_| wrong()));
        let (number, of) = (number?, of?);
        if !(1..=MOST_SHARDS).contains(&of) {
            return Err(format!("the number of shards is from 1 to {MOST_SHARDS}"));
        }
        Shard::new(number, of).ok_or_else(|| format!("{of} shards have the numbers 0 to {}", of - 1))
    }
}

/// Everything that decides the rows of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", content = "manifest", rename_all = "kebab-case")]
pub enum RunPlan {
    /// A match.
    Match(Manifest),
    /// A tournament.
    Tournament(Plan),
    /// An experiment.
    Experiment(Box<ExperimentManifest>),
}

impl RunPlan {
    /// Returns what it is called.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            RunPlan::Match(_) => "match",
            RunPlan::Tournament(_) => "tournament",
            RunPlan::Experiment(_) => "experiment",
        }
    }

    /// Returns what its units are called.
    const fn units_name(&self) -> &'static str {
        match self {
            RunPlan::Match(_) | RunPlan::Tournament(_) => "pairs",
            RunPlan::Experiment(_) => "units",
        }
    }

    /// Returns whether this program has its format and its random generator.
    fn is_supported(&self) -> bool {
        match self {
            RunPlan::Match(plan) => plan.is_supported(),
            RunPlan::Tournament(plan) => plan.is_supported(),
            RunPlan::Experiment(plan) => plan.is_supported(),
        }
    }

    /// Checks that no result depends on a clock.
    fn check(&self) -> Result<(), ShardError> {
        let (terms, agents) = match self {
            RunPlan::Match(plan) => (plan.terms(), plan.agents()),
            RunPlan::Tournament(plan) => (plan.terms(), plan.agents()),
            RunPlan::Experiment(_) => return Ok(()),
        };
        if terms.ponder {
            return Err(ShardError::Ponder);
        }
        if terms.time.is_limited() {
            return Err(ShardError::Time);
        }
        match agents.iter().find(|agent| limits_itself(agent)) {
            Some(agent) => Err(ShardError::TimedAgent(agent.clone())),
            None => Ok(()),
        }
    }
}

/// Errors of shards.
#[derive(Debug, thiserror::Error)]
pub enum ShardError {
    /// Clocks differ between machines.
    #[error(
        "--time cannot be divided into shards: no two machines are equally fast. Limit agents by nodes, simulations or depth"
    )]
    Time,
    /// Pondering depends on clocks.
    #[error("--ponder cannot be divided into shards: no two machines are equally fast")]
    Ponder,
    /// An agent has a limit of time.
    #[error(
        "{0} limits its time, and no two machines are equally fast; in shards, limit nodes, simulations or depth"
    )]
    TimedAgent(String),
    /// A folder without shards.
    #[error("{} holds no shards: no file I-of-N.{}", .0.display(), file::EXTENSION)]
    None(PathBuf),
    /// Shards of two runs.
    #[error("{} is a shard of another run than {}: their settings or versions differ", path.display(), other.display())]
    Foreign {
        /// The one.
        path: PathBuf,
        /// The other.
        other: PathBuf,
    },
    /// Some units were not played.
    #[error("{} {} to {} are missing in {}{hint}", units, range.start, range.end - 1, path.display())]
    Missing {
        /// The folder.
        path: PathBuf,
        /// What the units are called.
        units: &'static str,
        /// Which are missing.
        range: Range<u64>,
        /// Which shards would have them.
        hint: String,
    },
    /// Two files have the same unit with different rows.
    #[error("{} and {} have different rows of unit {unit}", path.display(), other.display())]
    Different {
        /// The one.
        path: PathBuf,
        /// The other.
        other: PathBuf,
        /// The unit.
        unit: u64,
    },
    /// A shard file cannot be read.
    #[error("{}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        cause: ChecksummedFileError,
    },
    /// A shard file of another program.
    #[error("{}: written by a program with another format or generator", .0.display())]
    Unsupported(PathBuf),
}

/// A run of which any part can be played.
pub struct ShardRun {
    plan: RunPlan,
    work: Work,
}

/// What plays the units.
enum Work {
    Match(Box<PairRun<Manifest>>),
    Tournament(Box<PairRun<Plan>>),
    Experiment(Box<Opened>, usize),
}

impl ShardRun {
    /// Prepares the parts of a match. What the match would keep or record is of no concern here.
    ///
    /// # Errors
    /// If the result of a game depends on a clock.
    pub fn of_match(run: MatchRun) -> Result<ShardRun, RunError> {
        let plan = RunPlan::Match(run.manifest().clone());
        ShardRun::checked(plan, Work::Match(Box::new(run.into_pairs())))
    }

    /// Prepares the parts of a tournament.
    ///
    /// # Errors
    /// As those of [`of_match`](ShardRun::of_match).
    pub fn of_tournament(run: TournamentRun) -> Result<ShardRun, RunError> {
        let plan = RunPlan::Tournament(run.plan().clone());
        ShardRun::checked(plan, Work::Tournament(Box::new(run.into_pairs())))
    }

    /// Prepares the parts of the experiment with this text.
    ///
    /// # Errors
    /// If the text is not understood.
    pub fn of_experiment(
        text: &str,
        changes: Changes,
        threads: usize,
        open: Open<'_>,
    ) -> Result<ShardRun, RunError> {
        let (opened, manifest) = experiments::prepare(text, changes, open)?;
        ShardRun::checked(
            RunPlan::Experiment(Box::new(manifest)),
            Work::Experiment(Box::new(opened), threads),
        )
    }

    /// Prepares the parts of a run from its plan: what another machine does.
    ///
    /// # Errors
    /// If this program does not support the plan, or a game or an agent cannot be made here.
    pub fn of_plan(plan: RunPlan, threads: usize, open: Open<'_>) -> Result<ShardRun, RunError> {
        if !plan.is_supported() {
            return Err(ShardError::Unsupported(PathBuf::from(plan.kind())).into());
        }
        let options = RunOptions { threads, ..RunOptions::default() };
        let work = match &plan {
            RunPlan::Match(plan) => Work::Match(Box::new(PairRun::of_plan(plan.clone(), open, options)?)),
            RunPlan::Tournament(plan) => {
                Work::Tournament(Box::new(PairRun::of_plan(plan.clone(), open, options)?))
            }
            RunPlan::Experiment(manifest) => {
                Work::Experiment(Box::new(Opened::new(manifest.experiment()?, open)?), threads)
            }
        };
        ShardRun::checked(plan, work)
    }

    fn checked(plan: RunPlan, work: Work) -> Result<ShardRun, RunError> {
        plan.check()?;
        Ok(ShardRun { plan, work })
    }

    /// Returns what is run.
    #[must_use]
    pub fn plan(&self) -> &RunPlan {
        &self.plan
    }

    /// Returns the number of units.
    #[must_use]
    pub fn units(&self) -> u64 {
        match &self.work {
            Work::Match(run) => run.plan.rows(),
            Work::Tournament(run) => run.plan.rows(),
            Work::Experiment(opened, _) => opened.units(),
        }
    }

    /// Returns the units of a shard. The pairs of a session stay together.
    #[must_use]
    pub fn range(&self, shard: Shard) -> Range<u64> {
        match &self.work {
            Work::Match(run) => shard.range(run.plan.rows(), |row| run.plan.trial(row).session),
            Work::Tournament(run) => shard.range(run.plan.rows(), |row| run.plan.trial(row).session),
            Work::Experiment(opened, _) => shard.range(opened.units(), |unit| unit),
        }
    }

    /// Plays a shard and returns the bytes of its file. They depend on the plan and the shard only, but for the times that some experiments
    /// report.
    ///
    /// # Errors
    /// If it is cancelled, or a unit of an experiment cannot be played.
    pub fn play(
        &mut self,
        shard: Shard,
        cancel: &Cancel,
        listener: Listener<'_>,
    ) -> Result<Vec<u8>, RunError> {
        let range = self.range(shard);
        let total = range.end - range.start;
        let unit = if matches!(self.work, Work::Experiment(..)) { Unit::Trainings } else { Unit::Pairs };
        listener(&Event::Started { unit, done: 0, total });
        let mut done = 0;
        let mut heard = || {
            done += 1;
            listener(&Event::Progress { done });
        };
        let (units, times) = match &mut self.work {
            Work::Match(run) => (run.play_rows(range.clone(), cancel, &mut heard), Vec::new()),
            Work::Tournament(run) => (run.play_rows(range.clone(), cancel, &mut heard), Vec::new()),
            Work::Experiment(opened, threads) => {
                experiments::play_units(opened, range.clone(), *threads, cancel, &mut heard)?
            }
        };
        if (units.len() as u64) < total {
            return Err(RunError::Cancelled);
        }
        Ok(file::encode(&self.plan, shard, range, times, &units))
    }

    /// Returns whether a folder holds a shard already, whole and of this run.
    ///
    /// # Errors
    /// If the folder holds shards of another run, or cannot be read.
    pub fn is_in(&self, folder: &Path, shard: Shard) -> Result<bool, RunError> {
        file::is_in(folder, &self.plan, shard)
    }
}

/// Writes a shard's bytes to its file in a folder, as a whole or not at all; returns the file.
///
/// # Errors
/// If it cannot be written.
pub fn write(folder: &Path, shard: Shard, bytes: &[u8]) -> Result<PathBuf, RunError> {
    parlor_core::files::reading::make_folder(folder)
        .map_err(|cause| RunFolderError::Io { path: folder.to_owned(), cause })?;
    let path = folder.join(shard.file_name());
    write_file(&path, bytes)?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_read_and_refused_with_a_sentence() {
        assert_eq!("3/64".parse(), Ok(Shard { number: 3, of: 64 }));
        assert_eq!(Shard::new(3, 64).unwrap().to_string(), "3/64");
        assert_eq!(Shard::new(3, 64).unwrap().file_name(), "3-of-64.shard");
        assert_eq!("64/64".parse::<Shard>().unwrap_err(), "64 shards have the numbers 0 to 63");
        assert_eq!("0/0".parse::<Shard>().unwrap_err(), "the number of shards is from 1 to 1000000");
        for wrong in ["", "3", "3/", "/4", "a/b", "-1/4", "1/4/2", "1.5/4"] {
            assert!(wrong.parse::<Shard>().unwrap_err().starts_with("a number and"), "{wrong}");
        }
    }

    #[test]
    fn shards_cover_every_unit_once_and_keep_groups_together() {
        for (units, of, group) in [(10, 3, 1), (10, 10, 1), (3, 7, 1), (100, 7, 8), (0, 2, 1), (64, 64, 5)] {
            let mut next = 0;
            for number in 0..of {
                let range = Shard::new(number, of).unwrap().range(units, |unit| unit - unit % group);
                assert_eq!(range.start, next);
                assert!(range.start.is_multiple_of(group) || range.start == units);
                next = range.end;
            }
            assert_eq!(next, units);
        }
    }
}
