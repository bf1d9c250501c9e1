//! `parlor experiment run`: trainings on all cores, rows as they finish.

use parlor_core::Cancel;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail};
use indicatif::ProgressBar;
use parlor_lab::experiment::folder::{RunFolder, RunManifest};
use parlor_lab::experiment::run::Opened;
use parlor_lab::experiment::{PUBLISHED, Report};
use parlor_lab::format::shell;
use parlor_lab::log;

use super::args::RunArgs;
use super::{Text, print};
use crate::run_support::{silence_agents, stop_on_ctrl_c, threads};
use crate::terminal::{progress, say, say_json};

/// One experiment that is to be run, and where.
struct Job {
    opened: Opened,
    folder: RunFolder,
    /// How many units are known already.
    known: u64,
}

pub fn run(args: &RunArgs) -> anyhow::Result<()> {
    let out = match &args.out {
        Some(folder) => folder.clone(),
        None => at_home(args.experiment.as_deref().unwrap_or("all"))?,
    };
    let names: Vec<(String, PathBuf)> = match &args.experiment {
        Some(name) => vec![(name.clone(), out.clone())],
        None => PUBLISHED.iter().map(|(id, _)| ((*id).to_owned(), out.join(id))).collect(),
    };
    // Everything is opened before anything is played: a misspelt word is told at once.
    let jobs: Vec<Job> =
        names.iter().map(|(name, folder)| prepare(name, folder, args)).collect::<Result<_, _>>()?;
    let stop = stop_on_ctrl_c()?;
    silence_agents();
    let total: u64 = jobs.iter().map(|job| job.opened.units()).sum();
    let matches: u64 = jobs.iter().map(|job| job.opened.experiment().matches().iter().sum::<u64>()).sum();
    let bar = progress(matches, "matches");
    let mut finished = 0;
    let mut reports = Vec::new();
    for mut job in jobs {
        let id = job.opened.experiment().id.clone();
        bar.set_message(format!("{id}, {finished}/{total} trainings"));
        let before = finished;
        work(&mut job, args, &stop, &bar, &mut |units| {
            bar.set_message(format!("{id}, {}/{total} trainings", before + units));
        })?;
        finished += job.opened.units();
        job.folder.write_parquet()?;
        let place = job.folder.folder().to_owned();
        // From what is at hand: some systems let nobody read a file that is locked, not even its holder.
        let report = Report::of(RunFolder::manifest(&place)?, &job.folder.known())?;
        report.write(&place)?;
        if !args.json {
            bar.suspend(|| print::tell(&report, &place))?;
        }
        reports.push((report, place));
        if stop.is_cancelled() {
            break;
        }
    }
    bar.finish_and_clear();
    let stopped = stop.is_cancelled();
    // A run that was asked to stop when its last training was in is finished all the same.
    let complete = reports.iter().all(|(report, _)| report.progress.is_complete()) && finished == total;
    let summary = if args.all { Some(print::summarise(&out, false)?) } else { None };
    match (&summary, reports.first()) {
        (Some(summary), _) if args.json => say_json(&print::many(summary, &out))?,
        (Some(summary), _) => print::tell_summary(summary, &out)?,
        (None, Some((report, place))) if args.json => say_json(&print::one(report, place))?,
        (None, _) => {}
    }
    if stopped && !complete {
        let words = format!("stopped; what was finished is kept; go on with: {}", again(args, &out));
        if args.json {
            anstream::eprintln!("{words}");
        } else {
            say(words)?;
        }
    }
    Ok(())
}

/// Returns the call that goes on with a run.
fn again(args: &RunArgs, out: &Path) -> String {
    let what = args.experiment.as_deref().map_or_else(|| "--all".to_owned(), shell);
    let quick = if args.quick { " --quick" } else { "" };
    format!("parlor experiment run {what}{quick} --out {} --resume", shell(&out.display().to_string()))
}

fn prepare(name: &str, folder: &Path, args: &RunArgs) -> anyhow::Result<Job> {
    if args.resume && folder.join("run.json").exists() {
        let manifest = RunFolder::manifest(folder)?;
        if manifest.quick != args.quick {
            bail!(
                "{} holds the {} version",
                folder.display(),
                if manifest.quick { "--quick" } else { "full" }
            );
        }
        if Text::find(name)?.text != manifest.text {
            bail!(
                "{} holds a run of `{}` with another text; it goes on only with its own",
                folder.display(),
                manifest.id
            );
        }
        let text = Text { text: manifest.text.clone(), place: folder.display().to_string() };
        let opened = text.open(manifest.experiment()?)?;
        if opened.specs() != manifest.arms {
            bail!("{}: written by a program whose agents have other keys; it cannot go on", folder.display());
        }
        let (run, known) = RunFolder::resume(folder, &opened)?;
        return Ok(Job { opened, folder: run, known });
    }
    let text = Text::find(name)?;
    let mut experiment = text.read()?;
    if args.quick {
        experiment = experiment.quick();
    }
    experiment.trainings = args.trainings.unwrap_or(experiment.trainings);
    experiment.seed = args.seed.unwrap_or(experiment.seed);
    let opened = text.open(experiment)?;
    let manifest = RunManifest::new(&opened, &text.text, args.quick);
    let folder = RunFolder::create(folder, &manifest)?;
    Ok(Job { opened, folder, known: 0 })
}

fn work(
    job: &mut Job,
    args: &RunArgs,
    stop: &Cancel,
    bar: &ProgressBar,
    on_units: &mut dyn FnMut(u64),
) -> anyhow::Result<()> {
    let Job { opened, folder, known } = job;
    let all: u64 = opened.experiment().matches().iter().sum();
    bar.inc(all * *known / opened.units().max(1));
    let mut trouble = None;
    opened.run(
        *known,
        threads(args.threads),
        stop,
        &|matches| bar.inc(matches),
        |unit, rows| match folder.append(&rows) {
            Ok(()) => {
                on_units(unit + 1);
                ControlFlow::Continue(())
            }
            Err(error) => {
                trouble = Some(error);
                ControlFlow::Break(())
            }
        },
    )?;
    trouble.map_or(Ok(()), |error| Err(error.into()))
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
