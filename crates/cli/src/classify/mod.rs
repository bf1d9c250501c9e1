//! `parlor classify`: fit, test and cross-validate classifiers of labelled rows.

pub mod args;
mod print;

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, bail};
use parlor_catalog::{Ability, GameEntry};
use parlor_core::SpecError;
use parlor_core::files::check_writable;
use parlor_lab::classify::{
    FitPlan, HeldOut, LabelledRows, Measures, Model, Scores, cross_validate, fit, hold_out, model_file,
    open_model,
};
use parlor_lab::format::{bytes, grouped};
use serde::Serialize;

use crate::run_support::{stop_on_ctrl_c, threads};
use crate::terminal::{progress, say, say_json};
use args::{ClassifyCommand, CrossArgs, FitArgs, TestArgs, TrainArgs};

pub fn run(command: &ClassifyCommand) -> anyhow::Result<()> {
    match command {
        ClassifyCommand::Train(args) => train(args),
        ClassifyCommand::Test(args) => test(args),
        ClassifyCommand::Cross(args) => cross(args),
    }
}

/// Reads the rows. Their classes have the names of a game's styles if they have its features.
fn read(path: &Path, args: &FitArgs) -> anyhow::Result<(LabelledRows, Option<String>)> {
    if let Some(game) = &args.game {
        let opened = parlor_catalog::open(game)?;
        let rows = LabelledRows::read_of(path, opened.name(), opened.features()?)?;
        return Ok((rows, Some(opened.spec())));
    }
    let with_features = |entry: &&GameEntry| entry.has(Ability::Features);
    let games =
        parlor_catalog::GAMES.iter().filter(with_features).map(|entry| parlor_catalog::open(entry.name));
    let games = games.collect::<Result<Vec<_>, SpecError>>()?;
    let games = games.iter().map(|game| game.features()).collect::<Result<Vec<_>, _>>()?;
    Ok((LabelledRows::read_of_any(path, games)?, None))
}

fn plan(args: &FitArgs) -> FitPlan {
    FitPlan { kind: args.kind, forest: args.forest(), seed: args.seed, threads: threads(args.threads) }
}

/// What was fitted, as scripts read it.
#[derive(Serialize)]
struct Trained<'a> {
    kind: &'static str,
    rows: u64,
    features: &'a [String],
    classes: &'a [String],
    /// The number of rows of each class.
    class_rows: &'a [u64],
    game: &'a Option<String>,
    seed: Option<u64>,
    settings: &'a str,
    /// A forest's importance of each feature; of discriminant analysis, each axis's part of the variance between classes.
    #[serde(skip_serializing_if = "Option::is_none")]
    importance: Option<Vec<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explained: Option<&'a [f64]>,
    bytes: usize,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    holdout: Option<Measures<'a>>,
}

fn train(args: &TrainArgs) -> anyhow::Result<()> {
    let unwritable = || format!("cannot write {}", args.out.display());
    check_writable(&args.out).with_context(unwritable)?;
    let (mut rows, game) = read(&args.rows, &args.fit)?;
    let plan = plan(&args.fit);
    let stop = stop_on_ctrl_c()?;
    let bar = progress(plan.steps(), "trees");
    let started = Instant::now();
    let mut step = || bar.inc(1);
    let fitted = match args.holdout {
        None => fit(&rows.data, &plan, &stop, &mut step).map(|model| model.map(|model| (model, None))),
        Some(share) => hold_out(&rows.data, share, &plan, &stop, &mut step)
            .map(|held| held.map(|HeldOut { model, fitted, scores, .. }| (model, Some((fitted, scores))))),
    };
    let seconds = started.elapsed().as_secs_f64();
    bar.finish_and_clear();
    let Some((model, held)) = fitted.map_err(|error| rows.explain(error))? else {
        bail!("interrupted; no classifier was written");
    };
    let mut scores: Option<Scores> = None;
    if let Some((fitted, measured)) = held {
        rows.data = fitted;
        scores = Some(measured);
    }
    let file = model_file(&model, &rows, &plan, game);
    let size = file.to_bytes().len();
    file.write(&args.out).with_context(unwritable)?;
    let about = &file.about;
    if args.json {
        return say_json(&Trained {
            kind: model.kind().name(),
            rows: rows.data.rows() as u64,
            features: &about.features,
            classes: &about.classes,
            class_rows: &about.rows,
            game: &about.game,
            seed: about.seed,
            settings: &about.settings,
            importance: if let Model::Forest(forest) = &model { Some(forest.importance()) } else { None },
            explained: if let Model::Mda(model) = &model { Some(model.explained()) } else { None },
            bytes: size,
            seconds,
            holdout: scores.as_ref().map(|scores| Measures::new(scores, &about.classes, None)),
        });
    }
    say(format!(
        "{} fitted to {} rows of {} features and {} classes in {}",
        print::title(&model),
        grouped(rows.data.rows() as u64),
        about.features.len(),
        about.classes.len(),
        print::time(seconds)
    ))?;
    print::inside(&model, &about.features)?;
    if let Some(scores) = &scores {
        say("")?;
        say(format!("On the {} rows that were held out:", grouped(scores.confusion.total())))?;
        print::measures(scores, &about.classes)?;
    }
    say(format!("{} ({})", args.out.display(), bytes(size as u64)))?;
    Ok(())
}

fn test(args: &TestArgs) -> anyhow::Result<()> {
    let (about, model) = open_model(&args.model)?;
    let rows = LabelledRows::read_for(&args.rows, &about)?;
    let started = Instant::now();
    let scores = Scores::of(&model, &rows.data);
    let seconds = started.elapsed().as_secs_f64();
    if args.json {
        let measures = Measures::new(&scores, &about.classes, Some(seconds));
        return say_json(&measures.with_predictions(args.predictions));
    }
    say(format!(
        "{}, fitted to {} rows, on {} rows in {}",
        print::title(&model),
        grouped(about.rows.iter().sum()),
        grouped(rows.data.rows() as u64),
        print::time(seconds)
    ))?;
    print::measures(&scores, &about.classes)
}

fn cross(args: &CrossArgs) -> anyhow::Result<()> {
    let (rows, _) = read(&args.rows, &args.fit)?;
    let plan = plan(&args.fit);
    let stop = stop_on_ctrl_c()?;
    let bar = progress(u64::from(args.folds) * plan.steps(), "fits");
    let started = Instant::now();
    let crossed = cross_validate(&rows.data, args.folds, &plan, &stop, &mut || bar.inc(1));
    let seconds = started.elapsed().as_secs_f64();
    bar.finish_and_clear();
    let Some(crossed) = crossed.map_err(|error| rows.explain(error))? else { bail!("interrupted") };
    if args.json {
        let mut measures = Measures::new(&crossed.scores, &rows.classes, Some(seconds));
        measures.folds = Some(&crossed.accuracies);
        return say_json(&measures.with_predictions(args.predictions));
    }
    say(format!(
        "{} folds of {} rows, {} in {}",
        args.folds,
        grouped(rows.data.rows() as u64),
        plan.kind,
        print::time(seconds)
    ))?;
    let each: Vec<String> = crossed.accuracies.iter().map(|rate| format!("{:.1}", 100.0 * rate)).collect();
    say(format!("accuracy of each fold: {} %", each.join(", ")))?;
    print::measures(&crossed.scores, &rows.classes)
}
