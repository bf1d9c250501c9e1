//! `--shard I/N` and `parlor merge`: a run in parts that any machines play.

use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::bail;
use parlor_lab::format::shell;
use parlor_lab::run::shards::{Merged, merge as merge_shards, write};
use parlor_lab::run::{Event, RunOptions, Shard, ShardRun};
use serde::Serialize;

use crate::args::{MergeArgs, is_nowhere};
use crate::experiment;
use crate::matches::{self, Document};
use crate::run_support::{open, options, silence_agents, stop_on_ctrl_c, tell_recorded, warn};
use crate::terminal::{progress, say, say_aside, say_json};
use crate::tournament;

/// Returns the options under which a run is prepared that is played in shards: it keeps nothing but its shards.
pub fn no_folder(threads: usize) -> RunOptions {
    RunOptions { threads, ..RunOptions::default() }
}

/// Plays a shard and keeps it in a folder, unless it is there already.
pub fn play(mut run: ShardRun, shard: Shard, folder: Option<&Path>, json: bool) -> anyhow::Result<()> {
    let Some(folder) = folder.filter(|folder| !is_nowhere(folder)) else {
        bail!("--shard needs a folder for the shards: --out DIR");
    };
    let Range { start: from, end: to } = run.range(shard);
    let file = folder.join(shard.file_name());
    let is_known = run.is_in(folder, shard)?;
    if !is_known {
        let cancel = stop_on_ctrl_c()?;
        silence_agents();
        let bar = progress(to - from, "units");
        let bytes = run.play(shard, &cancel, &mut |event| {
            if let Event::Progress { done } = event {
                bar.set_position(*done);
            }
        });
        bar.finish_and_clear();
        write(folder, shard, &bytes?)?;
    }
    if json {
        return say_json(&ShardDocument {
            shard: shard.number(),
            of: shard.of(),
            from,
            to,
            played: !is_known,
            file,
        });
    }
    let words = if is_known { "is there already" } else { "is written" };
    say(format!("shard {shard}, units {from} to {to} of {}, {words}: {}", run.units(), file.display()))?;
    say(format!("when all are there: parlor merge {}", shell(&folder.display().to_string())))?;
    Ok(())
}

/// What `--shard --json` prints.
#[derive(Serialize)]
struct ShardDocument {
    shard: u64,
    of: u64,
    from: u64,
    to: u64,
    played: bool,
    file: PathBuf,
}

/// Merges the shards of a folder.
pub fn merge(args: &MergeArgs) -> anyhow::Result<()> {
    let out = args.out.clone().unwrap_or_else(|| args.folder.join("run"));
    let options = options(Some(&out), true, Some(1), None, args.record.as_deref())?;
    let cancel = stop_on_ctrl_c()?;
    let bar = progress(0, "units");
    let merged = merge_shards(&args.folder, options, &open, &cancel, &mut |event| match event {
        Event::Warning(warning) => warn(warning),
        Event::Started { done, total, .. } => {
            bar.set_length(*total);
            bar.set_position(*done);
        }
        Event::MatchPair { .. } | Event::TournamentPair { .. } => bar.inc(1),
        Event::ExperimentUnit { .. } => bar.tick(),
        _ => {}
    });
    bar.finish_and_clear();
    let merged = merged?;
    if cancel.is_cancelled() {
        say_aside("interrupted; the same call goes on");
    }
    match &merged {
        Merged::Match(report) => {
            tell_recorded(report.recorded.as_ref());
            if args.json {
                return say_json(&Document { result: &report.verdict, stopped: report.stop.early_word() });
            }
            matches::tell(report)
        }
        Merged::Tournament(report) => {
            tell_recorded(report.recorded.as_ref());
            if args.json {
                return say_json(&Document { result: &report.standings, stopped: report.stop.early_word() });
            }
            tournament::tell(report)
        }
        Merged::Experiment(ended) => experiment::tell(&ended.report, &ended.folder, args.json),
    }
}
