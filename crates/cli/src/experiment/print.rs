//! What a run says when it ends, and `parlor experiment report`.

use std::path::Path;

use parlor_core::files::reading::read_folder;
use parlor_lab::experiment::Verdict;
use parlor_lab::experiment::folder::ExperimentManifest;
use parlor_lab::experiment::report::summary::{SUMMARY_PAGE, Summary, line};
use parlor_lab::experiment::report::{PAGE, Report};
use parlor_lab::run::RunFolder;
use serde_json::Value;

use super::args::ReportArgs;
use crate::terminal::{columns, say, say_json};

/// Writes reports again: of a run, or of all runs in a folder with a summary.
pub fn report(args: &ReportArgs) -> anyhow::Result<()> {
    let folder = &args.folder;
    if folder.join("run.json").exists() || !holds_runs(folder) {
        // Told as a run's folder, so that an empty one gets the sentence about what is missing.
        RunFolder::manifest::<ExperimentManifest>(folder)?;
        let report = written(folder)?;
        return if args.json { say_json(&one(&report, folder)) } else { tell(&report, folder) };
    }
    let summary = summarise(folder, true)?;
    if args.json {
        return say_json(&many(&summary, folder));
    }
    for run in &summary.runs {
        tell(&run.report, &folder.join(&run.folder))?;
        say("")?;
    }
    tell_summary(&summary, folder)
}

fn holds_runs(folder: &Path) -> bool {
    read_folder(folder).is_ok_and(|paths| paths.iter().any(|path| path.join("run.json").is_file()))
}

/// Writes the report of a run and returns it.
fn written(folder: &Path) -> anyhow::Result<Report> {
    let report = Report::read(folder)?;
    report.write(folder)?;
    Ok(report)
}

/// Writes the summary of all runs in a folder, and their reports if they are wanted, too.
pub fn summarise(folder: &Path, reports: bool) -> anyhow::Result<Summary> {
    let summary = Summary::read(folder)?;
    for run in summary.runs.iter().filter(|_| reports) {
        run.report.write(&folder.join(&run.folder))?;
    }
    summary.write(folder)?;
    Ok(summary)
}

/// Returns a run's numbers and its folder as JSON.
pub fn one(report: &Report, folder: &Path) -> Value {
    let mut whole = report.json();
    whole["folder"] = folder.display().to_string().into();
    whole
}

/// Returns the numbers of many runs and their folder as JSON.
pub fn many(summary: &Summary, folder: &Path) -> Value {
    let mut whole = summary.json();
    whole["folder"] = folder.display().to_string().into();
    whole
}

/// Prints a line for each hypothesis, what it comes to, and where the report is.
pub fn tell(report: &Report, folder: &Path) -> anyhow::Result<()> {
    say(format!("\x1b[1m{}: {}\x1b[0m", report.experiment.id, report.experiment.title))?;
    let progress = report.progress;
    if !progress.is_complete() {
        say(format!("not finished: {} of {} {}", progress.finished, progress.planned, report.units()))?;
    }
    let findings = &report.findings.hypotheses;
    let rows: Vec<[String; 4]> = findings.iter().map(line).collect();
    // Colours are put in when widths are known.
    for (text, finding) in columns(&rows, "").into_iter().zip(findings) {
        let width = rows.iter().map(|row| row[0].chars().count()).max().unwrap_or(0) + 2;
        let at = text.char_indices().nth(width).map_or(text.len(), |(at, _)| at);
        let (id, rest) = text.split_at(at);
        let word = finding.verdict.words();
        let colour = match finding.verdict {
            Verdict::Holds => "\x1b[32m",
            Verdict::DoesNotHold => "\x1b[31m",
            Verdict::Undecided => "\x1b[33m",
        };
        say(format!("{id}{colour}{word}\x1b[0m{}", rest.strip_prefix(word).unwrap_or(rest)))?;
    }
    say(report.score().words())?;
    say(format!("report in {}", folder.join(PAGE).display()))?;
    Ok(())
}

/// Prints what all runs come to, and where the summary is.
pub fn tell_summary(summary: &Summary, folder: &Path) -> anyhow::Result<()> {
    say(summary.words())?;
    say(format!("summary in {}", folder.join(SUMMARY_PAGE).display()))?;
    Ok(())
}
