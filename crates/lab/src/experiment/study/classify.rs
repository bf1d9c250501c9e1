//! Classifiers of styles of play: how well they tell the targets apart, by the number of rows that they have seen.
//!
//! A unit is one number of rows and one kind of classifier. Larger numbers contain the rows of smaller ones. Rows are split as in
//! Myers 2014: a share is held out, and the rest is fitted.

use std::time::{Duration, Instant};

use parlor_core::api::{AnyGame, ApiError};
use parlor_core::{Cancel, Unsolved};
use parlor_ml::{Dataset, ForestParams, Kind, Scores};
use parlor_stats::samples::Sample;

use super::times::{ALL, CLASSIFICATION, PublishedTime, TRAINING};
use super::{OpenedStudy, Participant, StudyRow, StudyTime, StudyUnit, at};
use crate::classify::{FitPlan, hold_out};
use crate::samples::SamplePlan;
use crate::toml_reader::{FileError, Placed};

/// The share of held-out rows whose class was predicted.
pub const ACCURACY: &str = "accuracy";
/// The same on a fold of the rows that are not held out, fitted to the other folds: how the source scored its forests.
pub const FOLD_ACCURACY: &str = "accuracy on one fold";
/// The same on the rows that were fitted.
pub const FITTED_ACCURACY: &str = "accuracy on fitted rows";

/// The name of the measure "predicted as this class".
#[must_use]
pub fn predicted_as(class: &str) -> String {
    format!("predicted as {class}")
}

/// The share of rows that is held out.
const HELD_OUT: f64 = 0.2;

/// Kinds of classifiers and numbers of rows.
#[derive(Clone, PartialEq, Debug)]
pub struct Classify {
    /// The classifiers: `mda`, `forest`.
    pub players: Vec<Participant>,
    /// The classes, which are the game's styles of play.
    pub targets: Vec<Participant>,
    /// The numbers of rows, ascending.
    pub sizes: Vec<u64>,
    /// The number of trees of a forest.
    pub trees: usize,
    /// How long the source took.
    pub published: Vec<PublishedTime>,
    /// The numbers of rows and trees in the smaller version.
    pub smaller: (Option<Vec<u64>>, Option<usize>),
}

impl Classify {
    pub(super) fn shrink(&mut self) {
        let (sizes, trees) = self.smaller.clone();
        self.sizes = sizes.unwrap_or_else(|| std::mem::take(&mut self.sizes));
        self.trees = self.trees.min(trees.unwrap_or(usize::MAX));
    }
}

/// Classifiers whose game has styles of play.
pub struct OpenedClassify {
    plan: Classify,
    kinds: Vec<Kind>,
    game: Box<dyn AnyGame>,
    seed: u64,
}

impl OpenedClassify {
    pub(super) fn new(
        plan: &Classify,
        (game, place): (Box<dyn AnyGame>, &Placed),
        seed: u64,
    ) -> Result<OpenedClassify, FileError> {
        let mut kinds = Vec::new();
        for player in &plan.players {
            let kind = player.agent.text.parse();
            kinds.push(kind.map_err(|wrong| FileError { at: player.agent.at, wrong })?);
        }
        let styles = game.sampling().map_err(|error| at(place, error))?.styles();
        for (number, target) in plan.targets.iter().enumerate() {
            if styles.get(number) != Some(&target.agent.text.as_str()) || styles.len() != plan.targets.len() {
                let wrong = format!(
                    "the classes are the game's styles of play, in this order: {}",
                    styles.join(", ")
                );
                return Err(FileError { at: target.agent.at, wrong });
            }
        }
        Ok(OpenedClassify { plan: plan.clone(), kinds, game, seed })
    }

    fn place(&self, unit: u64) -> (usize, usize) {
        let sizes = self.plan.sizes.len();
        (unit as usize / sizes, unit as usize % sizes)
    }

    fn measure(&self, unit: u64, cancel: &Cancel) -> Result<Option<StudyUnit>, ApiError> {
        let (kind, size) = self.place(unit);
        let (player, size) = (&self.plan.players[kind].name, self.plan.sizes[size]);
        let Some(data) = self.data(size, cancel)? else { return Ok(None) };
        let forest = ForestParams { trees: self.plan.trees, ..ForestParams::default() };
        let plan = FitPlan { kind: self.kinds[kind], forest, seed: self.seed, threads: 1 };
        let few = |error: parlor_ml::DataError| ApiError::from(Unsolved::OutOfReach(error.to_string()));
        let begun = Instant::now();
        let Some(found) = hold_out(&data, HELD_OUT, &plan, cancel, &mut || ()).map_err(few)? else {
            return Ok(None);
        };
        let fitted = Scores::of(found.model.classifier(), &found.fitted);
        // A fifth of the rows that are not held out, as the source scored its forests.
        let Some(fold) = hold_out(&found.fitted, HELD_OUT, &plan, cancel, &mut || ()).map_err(few)? else {
            return Ok(None);
        };
        let all = begun.elapsed();
        let time = |step: &str, took: Duration| StudyTime {
            unit: 0,
            player: player.clone(),
            place: size as f64,
            step: step.to_owned(),
            seconds: took.as_secs_f64(),
        };
        let times =
            vec![time(TRAINING, found.fit_time), time(CLASSIFICATION, found.test_time), time(ALL, all)];
        let at = |row: StudyRow| row.at(size as f64);
        let mut rows = Vec::new();
        for (measure, scores) in
            [(ACCURACY, &found.scores), (FOLD_ACCURACY, &fold.scores), (FITTED_ACCURACY, &fitted)]
        {
            let sample = share(scores.confusion.right(), scores.confusion.total());
            rows.push(at(StudyRow::sampled(player, "", measure, &sample)));
        }
        for (actual, counts) in self.plan.targets.iter().zip(found.scores.confusion.rows()) {
            let total = counts.iter().sum();
            for (predicted, &count) in self.plan.targets.iter().zip(counts) {
                let measure = predicted_as(&predicted.name);
                rows.push(at(StudyRow::sampled(player, &actual.name, &measure, &share(count, total))));
            }
        }
        Ok(Some(StudyUnit { rows, times }))
    }

    /// Plays games between the styles until there are enough rows.
    fn data(&self, size: u64, cancel: &Cancel) -> Result<Option<Dataset>, ApiError> {
        let game = self.game.sampling()?;
        let plan = SamplePlan { game, rows: size as usize, seed: self.seed, threads: 1, keep_games: false };
        let (mut values, mut labels) = (Vec::new(), Vec::new());
        plan.each_row(cancel, |row| {
            values.extend_from_slice(&row.features);
            labels.push(row.style as u32);
        })?;
        if cancel.is_cancelled() {
            return Ok(None);
        }
        let data = Dataset::new(game.features().len(), game.styles().len(), values, labels);
        Ok(Some(data.map_err(|error| Unsolved::OutOfReach(error.to_string()))?))
    }
}

/// Returns the sample of a share: ones and zeros.
pub(super) fn share(part: u64, whole: u64) -> Sample {
    let mean = part as f64 / whole.max(1) as f64;
    Sample { n: whole as usize, mean, squares: whole as f64 * mean * (1.0 - mean) }
}

impl OpenedStudy for OpenedClassify {
    fn units(&self) -> u64 {
        (self.plan.players.len() * self.plan.sizes.len()) as u64
    }

    fn steps(&self, unit: u64) -> u64 {
        let (kind, size) = self.place(unit);
        let trees = if self.kinds[kind] == Kind::Forest { self.plan.trees as u64 } else { 1 };
        self.plan.sizes[size] * trees
    }

    fn specs(&self) -> Vec<(String, String)> {
        let forest = ForestParams { trees: self.plan.trees, ..ForestParams::default() };
        let words = |kind: Kind| {
            let plan = FitPlan { kind, forest, seed: self.seed, threads: 1 };
            format!("{kind}({})", plan.settings())
        };
        self.plan
            .players
            .iter()
            .zip(&self.kinds)
            .map(|(who, kind)| (who.name.clone(), words(*kind)))
            .collect()
    }

    fn play(
        &self,
        unit: u64,
        cancel: &Cancel,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Option<StudyUnit>, ApiError> {
        let measured = self.measure(unit, cancel)?;
        if measured.is_some() {
            progress(self.steps(unit));
        }
        Ok(measured)
    }
}
