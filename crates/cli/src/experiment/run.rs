//! `parlor experiment run`: trainings on all cores, rows as they finish.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;
use parlor_lab::experiment::PUBLISHED;
use parlor_lab::format::shell;
use parlor_lab::log;
use parlor_lab::run::experiments::Changes;
use parlor_lab::run::{Event, ExperimentRun, StopReason};

use super::args::RunArgs;
use super::{Text, in_file, print};
use crate::run_support::{open, silence_agents, stop_on_ctrl_c, threads};
use crate::terminal::{progress, say, say_json};

pub fn run(args: &RunArgs) -> anyhow::Result<()> {
    let out = match &args.out {
        Some(folder) => folder.clone(),
        None => at_home(args.experiment.as_deref().unwrap_or("all"))?,
    };
    let names: Vec<(String, PathBuf)> = match &args.experiment {
        Some(name) => vec![(name.clone(), out.clone())],
        None => PUBLISHED.iter().map(|(id, _)| ((*id).to_owned(), out.join(id))).collect(),
    };
    // Everything is opened before anything is played: a misspelt word is reported at once.
    let runs: Vec<ExperimentRun> =
        names.iter().map(|(name, folder)| prepare(name, folder, args)).collect::<Result<_, _>>()?;
    let cancel = stop_on_ctrl_c()?;
    silence_agents();
    let total: u64 = runs.iter().map(ExperimentRun::units).sum();
    let all = runs.len();
    let bar = progress(runs.iter().map(ExperimentRun::matches).sum(), "matches");
    let (mut trainings, mut matches) = (0, 0);
    let mut reports = Vec::new();
    for run in runs {
        let id = run.experiment().id.clone();
        let [next_trainings, next_matches] = [trainings + run.units(), matches + run.matches()];
        bar.set_message(format!("{id}, {trainings}/{total} trainings"));
        let ended = run.run(threads(args.threads), &cancel, &mut |event| match event {
            Event::Started { done, .. } | Event::Progress { done } => bar.set_position(matches + done),
            Event::ExperimentUnit { unit, .. } => {
                bar.set_message(format!("{id}, {}/{total} trainings", trainings + unit + 1));
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
    let summary = if args.all { Some(print::summarise(&out, false)?) } else { None };
    match (&summary, reports.first()) {
        (Some(summary), _) if args.json => say_json(&print::many(summary, &out))?,
        (Some(summary), _) => print::tell_summary(summary, &out)?,
        (None, Some(ended)) if args.json => say_json(&print::one(&ended.report, &ended.folder))?,
        (None, _) => {}
    }
    if !complete {
        let words = format!("stopped; what was finished is kept; go on with: {}", again(args, &out));
        if args.json {
            anstream::eprintln!("{words}");
        } else {
            say(words)?;
        }
    }
    Ok(())
}

/// Returns the call that resumes a run.
fn again(args: &RunArgs, out: &Path) -> String {
    let what = args.experiment.as_deref().map_or_else(|| "--all".to_owned(), shell);
    let quick = if args.quick { " --quick" } else { "" };
    format!("parlor experiment run {what}{quick} --out {} --resume", shell(&out.display().to_string()))
}

fn prepare(name: &str, folder: &Path, args: &RunArgs) -> anyhow::Result<ExperimentRun> {
    let text = Text::find(name)?;
    if args.resume && ExperimentRun::is_in(folder) {
        let run = ExperimentRun::resume(&text.text, args.quick, folder, &open);
        return run.map_err(|error| in_file(error, &folder.display().to_string()));
    }
    let changes = Changes { quick: args.quick, trainings: args.trainings, seed: args.seed };
    ExperimentRun::new(&text.text, changes, folder, &open).map_err(|error| in_file(error, &text.place))
}

fn at_home(name: &str) -> anyhow::Result<PathBuf> {
    let home = log::home().context("there is no home folder; say with --out where the run is to be kept")?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let stem = Path::new(name)
        .file_stem()
        .map_or_else(|| name.to_owned(), |stem| stem.to_string_lossy().into_owned());
    Ok(home.join("experiments").join(format!(
        "{}-{}-{}",
        stem.to_lowercase(),
        now.as_secs(),
        std::process::id()
    )))
}
