//! Merging shards: the runner reads their rows where it would play.

use std::path::Path;

use parlor_core::Cancel;

use super::file::ShardSet;
use super::{Listener, Open, RunError, RunOptions, RunPlan};
use crate::pairs::PairPlan;
use crate::run::Keep;
use crate::run::experiments::{ExperimentReport, ExperimentRun};
use crate::run::matches::{MatchReport, MatchRun};
use crate::run::tournaments::{TournamentReport, TournamentRun};

/// The result of a merged run.
#[derive(Debug)]
pub enum Merged {
    /// A match.
    Match(Box<MatchReport>),
    /// A tournament.
    Tournament(Box<TournamentReport>),
    /// An experiment.
    Experiment(Box<ExperimentReport>),
}

/// Merges the shards in a folder into the run folder that `options` keeps the run in, as if it had been played there at once. An
/// interrupted merge resumes.
///
/// A sequential test is read in order: what was played behind its decision is dropped, and shards behind it may be missing.
///
/// # Errors
/// If a shard is damaged or of another run, two differ, one is missing, or the run folder cannot be written.
pub fn merge(
    folder: &Path,
    options: RunOptions,
    open: Open<'_>,
    cancel: &Cancel,
    listener: Listener<'_>,
) -> Result<Merged, RunError> {
    let set = ShardSet::read(folder)?;
    Ok(match set.plan.clone() {
        RunPlan::Match(plan) => {
            let set = set.with_units(plan.rows());
            if plan.sprt.is_none() {
                set.check_whole()?;
            }
            Merged::Match(Box::new(MatchRun::of_shards(plan, set, open, options)?.run(cancel, listener)?))
        }
        RunPlan::Tournament(plan) => {
            let set = set.with_units(plan.rows());
            set.check_whole()?;
            let run = TournamentRun::of_shards(plan, set, open, options)?;
            Merged::Tournament(Box::new(run.run(cancel, listener)?))
        }
        RunPlan::Experiment(manifest) => {
            let Keep::In(out) = &options.keep else { unreachable!("an experiment has a folder") };
            let run = ExperimentRun::of_shards(&manifest, set, out, open)?;
            Merged::Experiment(Box::new(run.run(options.threads, cancel, listener)?))
        }
    })
}
