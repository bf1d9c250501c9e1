//! Fitting on several threads, hold-out and cross-validation.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use parlor_core::parallel::in_order;
use parlor_core::rng::fork;
use parlor_core::{Cancel, Rng};
use parlor_ml::forest::{Grower, Presorted};
use parlor_ml::{
    Classifier, DataError, Dataset, Discriminant, Forest, ForestParams, Kind, Model, Scores, folds,
};

/// The branch of the seed that splits rows. Trees have the branches from 0 on.
const SPLITTING: u64 = u64::MAX;

/// What is fitted, and how.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct FitPlan {
    /// The kind of classifier.
    pub kind: Kind,
    /// How a forest is grown.
    pub forest: ForestParams,
    /// Tree *i* draws from `fork(seed, i)`.
    pub seed: u64,
    /// The number of threads; the result does not depend on it.
    pub threads: usize,
}

impl FitPlan {
    /// Returns what can be chosen about the fit, as text for the model's file.
    #[must_use]
    pub fn settings(&self) -> String {
        let ForestParams { trees, min_leaf, depth, tried } = self.forest;
        let or = |number: Option<String>, default: &str| number.unwrap_or_else(|| default.to_owned());
        match self.kind {
            Kind::Mda => String::new(),
            Kind::Forest => format!(
                "trees={trees}, min_leaf={min_leaf}, depth={}, tried={}",
                or(depth.map(|depth| depth.to_string()), "none"),
                or(tried.map(|tried| tried.to_string()), "root"),
            ),
        }
    }

    /// Returns the number of steps that [`fit`] reports.
    #[must_use]
    pub fn steps(&self) -> u64 {
        match self.kind {
            Kind::Mda => 1,
            Kind::Forest => self.forest.trees as u64,
        }
    }
}

/// Fits a model; `on_step` is called after each tree. Returns `None` if `stop` was raised before the end.
///
/// # Errors
/// If a class has no rows, or there are too few rows.
pub fn fit(
    data: &Dataset,
    plan: &FitPlan,
    stop: &Cancel,
    on_step: &mut dyn FnMut(),
) -> Result<Option<Model>, DataError> {
    match plan.kind {
        Kind::Mda => {
            let model = Discriminant::fit(data)?;
            on_step();
            Ok((!stop.is_cancelled()).then_some(Model::Mda(model)))
        }
        Kind::Forest => {
            let data = Presorted::new(data)?;
            let growers =
                vec![Grower::new(&data, plan.forest); plan.threads.clamp(1, plan.forest.trees.max(1))];
            let mut trees = Vec::with_capacity(plan.forest.trees);
            let grow = |grower: &mut Grower<'_>, tree: u64| {
                let mut rng = Rng::forked(plan.seed, tree);
                Some(grower.grow(|bound| rng.below(bound)))
            };
            in_order(growers, 0..plan.forest.trees as u64, stop, grow, |tree| {
                trees.push(tree);
                on_step();
                ControlFlow::Continue(())
            });
            let whole = trees.len() == plan.forest.trees;
            Ok(whole.then(|| Model::Forest(Forest::new(&data, trees))))
        }
    }
}

/// A model that was fitted to a part of the rows, and its measures on the rest.
#[derive(Clone, PartialEq, Debug)]
pub struct HeldOut {
    /// The model.
    pub model: Model,
    /// The rows that it was fitted to.
    pub fitted: Dataset,
    /// Its measures on the others.
    pub scores: Scores,
    /// How long fitting took.
    pub fit_time: Duration,
    /// How long predicting the others took.
    pub test_time: Duration,
}

/// Fits a model to all but a share of the rows of each class, and tests it on those. Returns `None` if `stop` was raised before the
/// end.
///
/// # Errors
/// If a class has fewer than 2 rows, or there are too few rows.
pub fn hold_out(
    data: &Dataset,
    share: f64,
    plan: &FitPlan,
    stop: &Cancel,
    on_step: &mut dyn FnMut(),
) -> Result<Option<HeldOut>, DataError> {
    let mut rng = Rng::forked(plan.seed, SPLITTING);
    let held = folds::hold_out(data, share, |bound| rng.below(bound))?;
    let fitted = data.filter(|row| !held[row])?;
    let rest = data.filter(|row| held[row])?;
    let begun = Instant::now();
    let Some(model) = fit(&fitted, plan, stop, on_step)? else { return Ok(None) };
    let fit_time = begun.elapsed();
    let scores = Scores::of(&model, &rest);
    let test_time = begun.elapsed() - fit_time;
    Ok(Some(HeldOut { model, fitted, scores, fit_time, test_time }))
}

/// The measures of cross-validation.
#[derive(Clone, PartialEq, Debug)]
pub struct CrossValidation {
    /// All rows, each predicted by the model that was not fitted to it; predictions are in the order of the rows.
    pub scores: Scores,
    /// The accuracy in each fold.
    pub accuracies: Vec<f64>,
}

/// Fits one model a fold to the other folds and tests it on the fold. Returns `None` if `stop` was raised before the end.
///
/// # Errors
/// If a class has fewer than 2 rows, or there are too few rows for so many folds.
pub fn cross_validate(
    data: &Dataset,
    folds: u32,
    plan: &FitPlan,
    stop: &Cancel,
    on_step: &mut dyn FnMut(),
) -> Result<Option<CrossValidation>, DataError> {
    let mut rng = Rng::forked(plan.seed, SPLITTING);
    let fold_of = folds::stratified(data, folds, |bound| rng.below(bound))?;
    let classes = data.classes();
    let mut probabilities = vec![0.0; data.rows() * classes];
    let mut accuracies = Vec::new();
    for fold in 0..folds {
        let fitted = data.filter(|row| fold_of[row] != fold)?;
        // Every fold has trees of its own.
        let plan = FitPlan { seed: fork(plan.seed, u64::from(fold)), ..*plan };
        let Some(model) = fit(&fitted, &plan, stop, on_step)? else { return Ok(None) };
        let mut scores = Scores::new(classes);
        for row in (0..data.rows()).filter(|&row| fold_of[row] == fold) {
            let out = &mut probabilities[row * classes..][..classes];
            model.probabilities(data.row(row), out);
            scores.add(out, data.labels()[row] as usize);
        }
        accuracies.extend(scores.confusion.accuracy());
    }
    let mut scores = Scores::new(classes);
    for (out, &label) in probabilities.chunks_exact(classes).zip(data.labels()) {
        scores.add(out, label as usize);
    }
    Ok(Some(CrossValidation { scores, accuracies }))
}
