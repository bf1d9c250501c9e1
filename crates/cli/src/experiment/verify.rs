//! `parlor experiment verify`: some trainings again, compared row by row.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use anyhow::bail;
use parlor_core::Rng;
use parlor_lab::experiment::TestRow;
use parlor_lab::experiment::folder::RunFolder;
use parlor_lab::experiment::run::Opened;
use serde_json::json;

use super::Text;
use super::args::VerifyArgs;
use crate::run_support::{silence_agents, stop_on_ctrl_c, threads};
use crate::terminal::{No, progress, say, say_json};

pub fn run(args: &VerifyArgs) -> anyhow::Result<()> {
    let manifest = RunFolder::manifest(&args.folder)?;
    let text = Text { text: manifest.text.clone(), place: args.folder.display().to_string() };
    let opened = text.open(manifest.experiment()?)?;
    let rows = RunFolder::rows(&args.folder)?;
    let units = sample(&opened, &rows, args.trainings);
    if units.is_empty() {
        bail!("{} has no finished training yet", args.folder.display());
    }
    let stop = stop_on_ctrl_c()?;
    silence_agents();
    let bar = progress(units.len() as u64, "trainings");
    bar.tick();
    let next = AtomicUsize::new(0);
    let differences = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads(args.threads).min(units.len()))
            .map(|_| {
                scope.spawn(|| -> anyhow::Result<Vec<String>> {
                    let mut wrong = Vec::new();
                    while let Some(&unit) = units.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let Some(again) = opened.play(unit, &stop, &|_| ())? else { bail!("stopped") };
                        wrong.extend(compare(&opened, unit, &rows, &again));
                        bar.inc(1);
                    }
                    Ok(wrong)
                })
            })
            .collect();
        let found: anyhow::Result<Vec<Vec<String>>> =
            workers.into_iter().map(|worker| worker.join().expect("a worker does not panic")).collect();
        found.map(|lists| lists.concat())
    })?;
    bar.finish_and_clear();
    let compared: usize = units.iter().map(|&unit| opened.rows_of(unit)).sum();
    if args.json {
        say_json(&json!({
            "trainings": units.len(), "of": opened.units(), "rows": compared, "different": differences.len(),
        }))?;
    } else {
        say(format!("{} of {} trainings replayed, {compared} rows compared", units.len(), opened.units()))?;
        for difference in differences.iter().take(10) {
            say(difference)?;
        }
        say(if differences.is_empty() {
            "every row is the same"
        } else {
            "the rows are not what this program makes"
        })?;
    }
    if differences.is_empty() { Ok(()) } else { Err(No.into()) }
}

/// Returns some of the finished units, drawn with a fixed seed.
fn sample(opened: &Opened, rows: &[TestRow], wanted: u32) -> Vec<u64> {
    let finished = |unit: &u64| rows_of(opened, *unit, rows).count() == opened.rows_of(*unit);
    let mut units: Vec<u64> = (0..opened.units()).filter(finished).collect();
    Rng::new(opened.experiment().seed).shuffle(&mut units);
    units.truncate(wanted as usize);
    units.sort_unstable();
    units
}

fn rows_of<'r>(opened: &Opened, unit: u64, rows: &'r [TestRow]) -> impl Iterator<Item = &'r TestRow> {
    let (arm, training) = opened.unit(unit);
    rows.iter().filter(move |row| (row.arm as usize, row.training) == (arm, training))
}

fn compare(opened: &Opened, unit: u64, rows: &[TestRow], again: &[TestRow]) -> Vec<String> {
    let pairs = rows_of(opened, unit, rows).zip(again);
    pairs
        .filter(|(kept, new)| kept != new)
        .map(|(kept, new)| {
            let arm = &opened.experiment().arms[kept.arm as usize].name;
            format!(
                "arm {arm}, training {}, round {}, repeat {}: {} wins and {} entries kept, {} and {} replayed",
                kept.training, kept.round, kept.repeat, kept.results.wins, kept.entries, new.results.wins, new.entries
            )
        })
        .collect()
}
