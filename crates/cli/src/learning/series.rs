//! `parlor train --trainings`: several trainings at once, and what they say together.

use anyhow::bail;
use parlor_core::files::knowledge::About;
use parlor_lab::format::{counted, grouped, shell};
use parlor_lab::run::series::chart;
use parlor_lab::run::{Event, SeriesReport, TrainingSeries};
use serde_json::json;

use super::args::TrainArgs;
use super::train::{draw, explained, request};
use super::{opponent, spread};
use crate::run_support::{silence_agents, stop_on_ctrl_c, threads};
use crate::terminal::{grid, progress, say, say_json};

pub fn run(args: &TrainArgs, trainings: u32) -> anyhow::Result<()> {
    let (Some(game), Some(learner), Some(out)) = (&args.game, &args.learner, &args.out) else {
        bail!("--trainings needs a game, a learner and -o FILE, from which the files get their names");
    };
    let game = parlor_catalog::open(game)?;
    let training = request(args, &*game, learner)?;
    let threads = threads(args.threads);
    let series = TrainingSeries { training, trainings, out: out.clone(), overwrite: args.force, threads };
    let cancel = stop_on_ctrl_c()?;
    silence_agents();
    let mut bar = None;
    let report = series.run(&*game, &cancel, &mut |event| match event {
        Event::Started { done, total, .. } => {
            let fresh = progress(*total, "matches");
            fresh.set_position(*done);
            fresh.reset_eta();
            bar = Some(fresh);
        }
        Event::Progress { done } => {
            if let Some(bar) = &bar {
                bar.set_position(*done);
                bar.set_message(format!("{:.0} matches/s", bar.per_sec()));
            }
        }
        _ => {}
    });
    let report = report.map_err(explained)?;
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    if let Some(file) = &args.curve {
        draw(&chart(&report.curve), file)?;
    }
    if args.json {
        return say_json(&as_json(&report));
    }
    tell(&report, trainings)
}

fn as_json(report: &SeriesReport) -> serde_json::Value {
    let trainings: Vec<_> = report
        .trainings
        .iter()
        .map(|(file, about)| {
            json!({"file": file, "seed": about.seed, "matches": about.matches, "finished": !about.is_unfinished()})
        })
        .collect();
    let finished = !report.stop.is_early();
    json!({"finished": finished, "trainings": trainings, "curve": report.curve})
}

fn tell(report: &SeriesReport, planned: u32) -> anyhow::Result<()> {
    let mut rows =
        vec![["matches", "tested", "trainings", "mean score", "95 %", "SD"].map(str::to_owned).to_vec()];
    let number = |number: f64| format!("{number:.1}");
    for at in spread(report.curve.len()) {
        let point = &report.curve[at];
        let ends = point.score.interval;
        rows.push(vec![
            grouped(point.matches),
            opponent(&point.against),
            point.score.trainings.to_string(),
            format!("{} %", number(point.score.mean)),
            ends.map_or_else(
                || "–".to_owned(),
                |ends| format!("{} … {}", number(ends.low.max(0.0)), number(ends.high.min(100.0))),
            ),
            point.score.deviation.map_or_else(|| "–".to_owned(), number),
        ]);
    }
    for line in grid(&rows, &[1]) {
        say(line)?;
    }
    say("")?;
    for (file, about) in &report.trainings {
        say(format!("{}: seed {}, {}", file.display(), about.seed, last(about)))?;
    }
    if report.stop.is_early() {
        let done = report.trainings.iter().filter(|(_, about)| !about.is_unfinished()).count();
        say(format!(
            "stopped early, {done} of {} are finished; the same call continues",
            counted(planned.into(), "training")
        ))?;
        return Ok(());
    }
    let first = report.trainings.first().map(|(file, _)| shell(&file.display().to_string()));
    say(format!("look into one with: parlor inspect {}", first.unwrap_or_default()))?;
    Ok(())
}

/// Returns how the last tests of a training came out.
fn last(about: &About) -> String {
    let from = about.curve.len().saturating_sub(about.testers.len());
    let tests = about.curve[from..].iter().map(|test| {
        let score =
            test.results.score().map_or_else(|| "–".to_owned(), |score| format!("{:.1} %", 100.0 * score));
        format!("{score} {}", opponent(&test.against))
    });
    let tests: Vec<String> = tests.collect();
    if tests.is_empty() { "no tests".to_owned() } else { tests.join(", ") }
}
