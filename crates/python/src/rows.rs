//! Labelled rows of games between known styles, and classifiers of them.

use std::path::PathBuf;

use numpy::{PyArray1, PyReadonlyArray1};
use parlor_catalog::Ability;
use parlor_lab::classify::{
    Dataset, FitPlan, ForestParams, Kind, LabelledRows, Measures, Model, Scores, cross_validate, fit,
    hold_out, model_file, open_model,
};
use parlor_lab::samples::{ORIGIN, RowFormat, SamplePlan};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use serde_json::json;

use crate::errors::{self, ParlorError};
use crate::long::{self, Tell, Update};

type Whole<'py> = Bound<'py, PyArray1<u32>>;

/// What `samples` hands back: a document, the features row by row, the styles, and the game, turn and seat of each row.
type Sampled<'py> = (String, Bound<'py, PyArray1<f64>>, Whole<'py>, [Whole<'py>; 3]);

fn other(error: impl std::error::Error + 'static) -> PyErr {
    errors::other(&error)
}

/// Plays games between styles and returns a row a turn.
#[pyfunction]
#[pyo3(signature = (game, *, rows, seed, threads, out, games, progress))]
#[expect(clippy::too_many_arguments, reason = "keywords in Python")]
pub fn samples<'py>(
    py: Python<'py>,
    game: &str,
    rows: usize,
    seed: u64,
    threads: usize,
    out: Option<PathBuf>,
    games: Option<PathBuf>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Sampled<'py>> {
    let opened = parlor_catalog::open(game).map_err(errors::spec)?;
    if let Some(path) = &out {
        RowFormat::of(path).map_err(other)?;
    }
    let (document, values, labels, origin) = long::run(py, progress.as_ref(), |cancel, tell| {
        let game = opened.features().map_err(other)?;
        let plan = SamplePlan { game, rows, seed, threads, keep_games: games.is_some() };
        let done = |done| tell(Update::Done { done: done as u64, total: rows as u64 });
        let samples = plan.run(cancel, done).map_err(other)?;
        if cancel.is_cancelled() {
            return Err(PyKeyboardInterrupt::new_err(()));
        }
        if let Some(path) = &out {
            samples.write(path).map_err(other)?;
        }
        if let Some(path) = &games {
            samples.write_games(path).map_err(other)?;
        }
        let found = LabelledRows::of(&samples, game).map_err(other)?;
        let values: Vec<f64> = found.data.iter().flat_map(|(row, _)| row.iter().copied()).collect();
        let origin = ORIGIN.map(|name| {
            let numbers = samples.sheet.wholes(name).unwrap_or_default();
            numbers.iter().map(|number| number.unwrap_or(0) as u32).collect::<Vec<_>>()
        });
        let document = json!({
            "game": opened.spec(),
            "seed": seed,
            "features": found.features,
            "classes": found.classes,
            "file": out,
        });
        Ok((document.to_string(), values, found.data.labels().to_vec(), origin))
    })?;
    let whole = |numbers| PyArray1::from_vec(py, numbers);
    Ok((document, PyArray1::from_vec(py, values), whole(labels), origin.map(whole)))
}

/// Rows that a classifier is fitted to or tested on: a file, or names and numbers.
#[pyclass(frozen, module = "parlor._native")]
pub struct Rows(Source);

enum Source {
    File(PathBuf),
    Here(LabelledRows),
}

#[pymethods]
impl Rows {
    #[new]
    fn new(
        features: Vec<String>,
        classes: Vec<String>,
        values: PyReadonlyArray1<'_, f64>,
        labels: PyReadonlyArray1<'_, u32>,
    ) -> PyResult<Rows> {
        let (values, labels) = (values.as_slice()?.to_vec(), labels.as_slice()?.to_vec());
        let data = Dataset::new(features.len(), classes.len(), values, labels).map_err(other)?;
        Ok(Rows(Source::Here(LabelledRows { features, classes, data })))
    }

    #[staticmethod]
    fn of_file(path: PathBuf) -> Rows {
        Rows(Source::File(path))
    }
}

impl Rows {
    /// Reads the rows. Classes of a file have the names of a game's styles if it has that game's features.
    fn read(&self, game: Option<&str>) -> PyResult<(LabelledRows, Option<String>)> {
        let path = match &self.0 {
            Source::Here(rows) => {
                let game = game.map(parlor_catalog::open).transpose().map_err(errors::spec)?;
                return Ok((rows.clone(), game.map(|game| game.spec())));
            }
            Source::File(path) => path,
        };
        if let Some(game) = game {
            let opened = parlor_catalog::open(game).map_err(errors::spec)?;
            let rows = LabelledRows::read_of(path, opened.name(), opened.features().map_err(other)?);
            return Ok((rows.map_err(other)?, Some(opened.spec())));
        }
        let entries = parlor_catalog::GAMES.iter().filter(|entry| entry.has(Ability::Features));
        let games = entries.map(|entry| parlor_catalog::open(entry.name)).collect::<Result<Vec<_>, _>>();
        let games = games.map_err(errors::spec)?;
        let games = games.iter().map(|game| game.features()).collect::<Result<Vec<_>, _>>().map_err(other)?;
        Ok((LabelledRows::read_of_any(path, games).map_err(other)?, None))
    }
}

/// How a classifier is fitted.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct FitAsked {
    kind: String,
    trees: usize,
    min_leaf: u32,
    depth: Option<u32>,
    tried: Option<usize>,
    seed: u64,
    threads: usize,
}

impl FitAsked {
    fn plan(&self) -> PyResult<FitPlan> {
        let kind: Kind = self.kind.parse().map_err(ParlorError::new_err)?;
        let FitAsked { trees, min_leaf, depth, tried, seed, threads, .. } = *self;
        Ok(FitPlan { kind, forest: ForestParams { trees, min_leaf, depth, tried }, seed, threads })
    }
}

/// Counts the steps of a fit.
fn steps(tell: Tell<'_>, total: u64) -> impl FnMut() {
    let mut done = 0;
    move || {
        done += 1;
        tell(Update::Done { done, total });
    }
}

/// Ends what Ctrl-C has interrupted.
fn unless_stopped<T>(found: Option<T>) -> PyResult<T> {
    found.ok_or_else(|| PyKeyboardInterrupt::new_err(()))
}

fn measures(scores: &Scores, classes: &[String]) -> serde_json::Value {
    json!(Measures::new(scores, classes, None).with_predictions(true))
}

/// Fits a classifier and writes its file.
#[pyfunction]
#[pyo3(signature = (rows, asked, out, *, game, holdout, progress))]
pub fn fit_classifier(
    py: Python<'_>,
    rows: &Rows,
    asked: FitAsked,
    out: PathBuf,
    game: Option<String>,
    holdout: Option<f64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let plan = asked.plan()?;
    long::run(py, progress.as_ref(), |cancel, tell| {
        let (mut rows, game) = rows.read(game.as_deref())?;
        let mut step = steps(tell, plan.steps());
        let mut scores = None;
        let model = match holdout {
            None => fit(&rows.data, &plan, cancel, &mut step).map_err(|error| other(rows.explain(error)))?,
            Some(share) => {
                let held = hold_out(&rows.data, share, &plan, cancel, &mut step);
                held.map_err(|error| other(rows.explain(error)))?.map(|held| {
                    rows.data = held.fitted;
                    scores = Some(held.scores);
                    held.model
                })
            }
        };
        let model = unless_stopped(model)?;
        let file = model_file(&model, &rows, &plan, game);
        file.write(&out).map_err(other)?;
        Ok(json!({
            "about": about(&file.about),
            "importance": if let Model::Forest(forest) = &model { Some(forest.importance()) } else { None },
            "explained": if let Model::Mda(model) = &model { Some(model.explained()) } else { None },
            "holdout": scores.as_ref().map(|scores| measures(scores, &rows.classes)),
        })
        .to_string())
    })
}

fn about(about: &parlor_core::files::model::AboutModel) -> serde_json::Value {
    json!({
        "kind": about.kind,
        "game": about.game,
        "features": about.features,
        "classes": about.classes,
        "rows": about.rows,
        "settings": about.settings,
    })
}

/// Returns what the file of a classifier says about it.
#[pyfunction]
pub fn open_classifier(path: PathBuf) -> PyResult<String> {
    let (found, _) = open_model(&path).map_err(other)?;
    Ok(json!({ "about": about(&found), "importance": null, "explained": null, "holdout": null }).to_string())
}

/// Tests a classifier.
#[pyfunction]
pub fn test_classifier(py: Python<'_>, model: PathBuf, rows: &Rows) -> PyResult<String> {
    long::run(py, None, |_, _| {
        let (about, model) = open_model(&model).map_err(other)?;
        let read;
        let rows = match &rows.0 {
            Source::File(path) => {
                read = LabelledRows::read_for(path, &about).map_err(other)?;
                &read
            }
            Source::Here(rows) => {
                let (features, classes) = (&rows.features, &rows.classes);
                let fits =
                    about.check(features.iter().map(String::as_str), classes.iter().map(String::as_str));
                fits.map_err(other)?;
                rows
            }
        };
        Ok(measures(&Scores::of(&model, &rows.data), &about.classes).to_string())
    })
}

/// Cross-validates a kind of classifier.
#[pyfunction]
#[pyo3(signature = (rows, asked, *, folds, game, progress))]
pub fn cross_classifier(
    py: Python<'_>,
    rows: &Rows,
    asked: FitAsked,
    folds: u32,
    game: Option<String>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let plan = asked.plan()?;
    long::run(py, progress.as_ref(), |cancel, tell| {
        let (rows, _) = rows.read(game.as_deref())?;
        let mut step = steps(tell, u64::from(folds) * plan.steps());
        let crossed = cross_validate(&rows.data, folds, &plan, cancel, &mut step);
        let crossed = unless_stopped(crossed.map_err(|error| other(rows.explain(error)))?)?;
        let mut measures = Measures::new(&crossed.scores, &rows.classes, None);
        measures.folds = Some(&crossed.accuracies);
        Ok(json!(measures.with_predictions(true)).to_string())
    })
}
