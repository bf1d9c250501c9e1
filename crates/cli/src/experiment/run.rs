//! `parlor experiment run`: trainings on all cores, rows as they finish.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail};
use parlor_lab::experiment::{PUBLISHED, library};
use parlor_lab::format::shell;
use parlor_lab::log;
use parlor_lab::run::experiments::Changes;
use parlor_lab::run::{Event, ExperimentRun, Shard, ShardRun, StopReason};

use super::args::RunArgs;
use super::{Text, in_file, print};
use crate::run_support::{open, silence_agents, stop_on_ctrl_c, threads};
use crate::shards;
use crate::terminal::{progress, say, say_aside, say_json};

pub fn run(args: &RunArgs) -> anyhow::Result<()> {
    let names = if args.all {
        PUBLISHED.iter().map(|(id, _)| (*id).to_owned()).collect()
    } else {
        without_groups(&args.experiments)
    };
    if let Some(shard) = args.shard {
        let [name] = &names[..] else {
            bail!("--shard divides one experiment, and these are {}", names.len())
        };
        return play_shard(name, shard, args);
    }
    let out = match &args.out {
        Some(folder) => folder.clone(),
        None => at_home(args.experiments.first().map_or("all", String::as_str))?,
    };
    let is_many = names.len() > 1;
    let place = |name: &String| if is_many { out.join(stem(name).to_lowercase()) } else { out.clone() };
    let names: Vec<(String, PathBuf)> = names.into_iter().map(|name| (name.clone(), place(&name))).collect();
    // Everything is opened before anything is played: a misspelt word is reported at once.
    let runs: Vec<ExperimentRun> =
        names.iter().map(|(name, folder)| prepare(name, folder, args)).collect::<Result<_, _>>()?;
    let cancel = stop_on_ctrl_c()?;
    silence_agents();
    let total: u64 = runs.iter().map(ExperimentRun::units).sum();
    let all = runs.len();
    let unit = |run: &ExperimentRun| if run.experiment().study.is_some() { "parts" } else { "trainings" };
    let bar = progress(runs.iter().map(ExperimentRun::matches).sum(), "matches");
    let (mut trainings, mut matches) = (0, 0);
    let mut reports = Vec::new();
    for run in runs {
        let id = run.experiment().id.clone();
        let [next_trainings, next_matches] = [trainings + run.units(), matches + run.matches()];
        let unit = unit(&run);
        bar.set_message(format!("{id}, {trainings}/{total} {unit}"));
        let ended = run.run(threads(args.threads), &cancel, &mut |event| match event {
            Event::Started { done, .. } | Event::Progress { done } => bar.set_position(matches + done),
            Event::ExperimentUnit { unit: number, .. } => {
                bar.set_message(format!("{id}, {}/{total} {unit}", trainings + number + 1));
            }
            _ => {}
        })?;
        (trainings, matches) = (next_trainings, next_matches);
        if !args.json {
            bar.suspend(|| print::tell(&ended.report, &ended.folder))?;
        }
        reports.push(ended);
        if cancel.is_cancelled() {
            break;
        }
    }
    bar.finish_and_clear();
    let complete = reports.len() == all && reports.iter().all(|ended| ended.stop == StopReason::Finished);
    let summary = if is_many { Some(print::summarise(&out, false)?) } else { None };
    match (&summary, reports.first()) {
        (Some(summary), _) if args.json => say_json(&print::many(summary, &out))?,
        (Some(summary), _) => print::tell_summary(summary, &out)?,
        (None, Some(ended)) if args.json => say_json(&print::one(&ended.report, &ended.folder))?,
        (None, _) => {}
    }
    if !complete {
        let words = format!("stopped; what was finished is kept; go on with: {}", again(args, &out));
        if args.json {
            say_aside(words);
        } else {
            say(words)?;
        }
    }
    Ok(())
}

/// Plays a part of an experiment.
fn play_shard(name: &str, shard: Shard, args: &RunArgs) -> anyhow::Result<()> {
    let text = Text::find(name)?;
    let run = ShardRun::of_experiment(&text.text, changes(args), threads(args.threads), &open);
    let run = run.map_err(|error| in_file(error, &text.place))?;
    shards::play(run, shard, args.out.as_deref(), args.json)
}

fn changes(args: &RunArgs) -> Changes {
    Changes { quick: args.quick, trainings: args.trainings, seed: args.seed }
}

/// Returns the call that resumes a run.
fn again(args: &RunArgs, out: &Path) -> String {
    let names: Vec<String> = args.experiments.iter().map(|name| shell(name)).collect();
    let what = if args.all { "--all".to_owned() } else { names.join(" ") };
    let quick = if args.quick { " --quick" } else { "" };
    format!("parlor experiment run {what}{quick} --out {} --resume", shell(&out.display().to_string()))
}

fn prepare(name: &str, folder: &Path, args: &RunArgs) -> anyhow::Result<ExperimentRun> {
    let text = Text::find(name)?;
    if args.resume && ExperimentRun::is_in(folder) {
        let run = ExperimentRun::resume(&text.text, args.quick, folder, &open);
        return run.map_err(|error| in_file(error, &folder.display().to_string()));
    }
    ExperimentRun::new(&text.text, changes(args), folder, &open).map_err(|error| in_file(error, &text.place))
}

fn at_home(name: &str) -> anyhow::Result<PathBuf> {
    let home = log::home().context("there is no home folder; say with --out where the run is to be kept")?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let name = format!("{}-{}-{}", stem(name).to_lowercase(), now.as_secs(), std::process::id());
    Ok(home.join("experiments").join(name))
}

/// Returns an experiment's name, or that of its file without folder and ending.
fn stem(name: &str) -> String {
    let path = Path::new(name);
    if path.extension().is_none_or(|ending| ending != "toml") {
        return name.to_owned();
    }
    path.file_stem().map_or_else(|| name.to_owned(), |stem| stem.to_string_lossy().into_owned())
}

/// Replaces the names of groups by those of their experiments.
fn without_groups(typed: &[String]) -> Vec<String> {
    let members = |name: &String| match library::group(name) {
        Some(members) => members.iter().map(|&id| id.to_owned()).collect(),
        None => vec![name.clone()],
    };
    typed.iter().flat_map(members).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_have_the_whole_id() {
        assert_eq!(stem("A2.1.1"), "A2.1.1");
        assert_eq!(stem("a1"), "a1");
        assert_eq!(stem("mine/My-own.toml"), "My-own");
        assert_eq!(stem("g4.1"), "g4.1");
    }
}
