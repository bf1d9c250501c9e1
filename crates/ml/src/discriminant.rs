//! Multiple discriminant analysis: classes are Gaussian with one common covariance, so borders between them are linear.
//!
//! R. A. Fisher 1936, C. R. Rao 1948; R. O. Duda, P. E. Hart, D. G. Stork, *Pattern Classification*, 2nd edition, sections 3.8 and 2.6.2.
//! The data are projected on at most (classes − 1) axes, which separate the classes best in relation to the spread within them; there the
//! common covariance is the identity, and a row belongs to the nearest centroid, corrected for the class's share.

use crate::bytes::{DecodeError, Reader, Writer};
use crate::classifier::Classifier;
use crate::dataset::{DataError, Dataset};
use crate::symmetric::eigen;

/// Directions whose spread within classes is below this share of a standard deviation say nothing: constant columns, and columns that
/// follow from others.
const TOLERANCE: f64 = 1e-4;

/// Deviations below this share of a feature's size are rounding errors.
const ROUNDING: f64 = 1e-12;

/// A fitted discriminant analysis.
#[derive(Clone, PartialEq, Debug)]
pub struct Discriminant {
    features: usize,
    classes: usize,
    /// The mean of all rows.
    mean: Vec<f64>,
    /// The axes one after the other, each with one number for each feature.
    axes: Vec<f64>,
    /// For each axis its part of the variance between the classes.
    explained: Vec<f64>,
    /// For each class its share of the rows.
    priors: Vec<f64>,
    /// For each class its weights of the features, then those of the next class.
    weights: Vec<f64>,
    /// For each class its constant.
    constants: Vec<f64>,
}

impl Discriminant {
    /// Fits the model; the classes' shares are those among the rows.
    ///
    /// # Errors
    /// If a class has no rows, or there are not more rows than classes.
    pub fn fit(data: &Dataset) -> Result<Discriminant, DataError> {
        data.check_classes()?;
        let (features, classes, rows) = (data.features(), data.classes(), data.rows());
        if rows <= classes {
            return Err(DataError::TooFewRows { rows, classes });
        }
        let counts = data.class_rows();
        let priors: Vec<f64> = counts.iter().map(|&count| count as f64 / rows as f64).collect();
        let means = class_means(data, &counts);
        let mean: Vec<f64> = (0..features)
            .map(|feature| priors.iter().zip(&means).map(|(prior, mean)| prior * mean[feature]).sum())
            .collect();

        // Step 1. The spread within classes, in units of each feature's deviation.
        let (deviations, within) = spread_within(data, &means);
        // Step 2. Directions in which that spread is 1.
        let whitening: Vec<Vec<f64>> = eigen(within, features)
            .into_iter()
            .filter(|(value, _)| value.max(0.0).sqrt() > TOLERANCE)
            .map(|(value, vector)| {
                // A feature without spread has no part in a direction with spread.
                let part = |(part, deviation): (&f64, &f64)| {
                    if *part == 0.0 { 0.0 } else { part / deviation / value.sqrt() }
                };
                vector.iter().zip(&deviations).map(part).collect()
            })
            .collect();
        // Step 3. Among them, the axes on which the classes' centres lie apart.
        let project = |axes: &[Vec<f64>], point: &[f64]| -> Vec<f64> {
            let from_mean: Vec<f64> = point.iter().zip(&mean).map(|(value, mean)| value - mean).collect();
            axes.iter().map(|axis| dot(axis, &from_mean)).collect()
        };
        let size = whitening.len();
        let mut between = vec![0.0; size * size];
        for (mean, prior) in means.iter().zip(&priors) {
            let centre = project(&whitening, mean);
            for row in 0..size {
                for column in 0..size {
                    between[row * size + column] += prior * centre[row] * centre[column];
                }
            }
        }
        let found = eigen(between, size);
        let most = found.first().map_or(0.0, |(value, _)| value.max(0.0).sqrt());
        let apart: Vec<(f64, Vec<f64>)> = found
            .into_iter()
            .take(classes - 1)
            .filter(|(value, _)| value.max(0.0).sqrt() > TOLERANCE * most)
            .collect();
        let axes: Vec<Vec<f64>> = apart
            .iter()
            .map(|(_, turn)| {
                (0..features)
                    .map(|feature| turn.iter().zip(&whitening).map(|(part, axis)| part * axis[feature]).sum())
                    .collect()
            })
            .collect();
        let total: f64 = apart.iter().map(|(value, _)| value).sum();
        let explained = apart.iter().map(|(value, _)| value / total).collect();

        // Step 4. The logarithm of a class's density and share is linear, up to a part that all classes have in common.
        let mut weights = Vec::with_capacity(classes * features);
        let mut constants = Vec::with_capacity(classes);
        for (class_mean, prior) in means.iter().zip(&priors) {
            let centroid = project(&axes, class_mean);
            let own: Vec<f64> = (0..features)
                .map(|feature| centroid.iter().zip(&axes).map(|(part, axis)| part * axis[feature]).sum())
                .collect();
            constants.push(libm::log(*prior) - 0.5 * dot(&centroid, &centroid) - dot(&own, &mean));
            weights.extend(own);
        }
        Ok(Discriminant {
            features,
            classes,
            mean,
            axes: axes.concat(),
            explained,
            priors,
            weights,
            constants,
        })
    }

    /// Returns the number of axes: at most the number of classes less one.
    #[must_use]
    pub fn axes(&self) -> usize {
        self.explained.len()
    }

    /// Returns for each axis its part of the variance between the classes, the largest first.
    #[must_use]
    pub fn explained(&self) -> &[f64] {
        &self.explained
    }

    /// Returns each class's share of the rows of the training.
    #[must_use]
    pub fn priors(&self) -> &[f64] {
        &self.priors
    }

    /// Writes where a row lies on each axis, in standard deviations within a class from the mean of all rows.
    ///
    /// # Panics
    /// If `features` or `out` has another length than there are features or axes.
    pub fn project(&self, features: &[f64], out: &mut [f64]) {
        assert_eq!((features.len(), out.len()), (self.features, self.axes()), "one place for each");
        for (place, axis) in out.iter_mut().zip(self.axes.chunks_exact(self.features)) {
            let parts = features.iter().zip(&self.mean).zip(axis);
            *place = parts.map(|((value, mean), part)| (value - mean) * part).sum();
        }
    }

    pub(crate) fn write(&self, to: &mut Writer) {
        to.whole(self.features as u64);
        to.whole(self.classes as u64);
        to.whole(self.explained.len() as u64);
        for part in [&self.mean, &self.axes, &self.explained, &self.priors, &self.weights, &self.constants] {
            to.reals(part);
        }
    }

    pub(crate) fn read(from: &mut Reader<'_>) -> Result<Discriminant, DecodeError> {
        let (features, classes) = from.shape()?;
        let axes = from.at_most(classes - 1)?;
        Ok(Discriminant {
            features,
            classes,
            mean: from.reals(features)?,
            axes: from.reals(axes * features)?,
            explained: from.reals(axes)?,
            priors: from.reals(classes)?,
            weights: from.reals(classes * features)?,
            constants: from.reals(classes)?,
        })
    }
}

impl Classifier for Discriminant {
    fn features(&self) -> usize {
        self.features
    }

    fn classes(&self) -> usize {
        self.classes
    }

    fn probabilities(&self, features: &[f64], out: &mut [f64]) {
        assert_eq!((features.len(), out.len()), (self.features, self.classes), "one place for each");
        let weights = self.weights.chunks_exact(self.features);
        for ((place, weights), constant) in out.iter_mut().zip(weights).zip(&self.constants) {
            *place = constant + dot(weights, features);
        }
        let most = out.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut sum = 0.0;
        for place in &mut *out {
            *place = libm::exp(*place - most);
            sum += *place;
        }
        out.iter_mut().for_each(|place| *place /= sum);
    }
}

#[inline]
fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(a, b)| a * b).sum()
}

fn class_means(data: &Dataset, counts: &[u64]) -> Vec<Vec<f64>> {
    let mut means = vec![vec![0.0; data.features()]; data.classes()];
    for (row, class) in data.iter() {
        means[class].iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
    }
    for (mean, &count) in means.iter_mut().zip(counts) {
        mean.iter_mut().for_each(|sum| *sum /= count as f64);
    }
    means
}

/// Returns each feature's deviation from its class's mean, and the covariance within classes in these units; a feature without spread has
/// none. Sums are divided by the number of rows, the maximum-likelihood estimate.
fn spread_within(data: &Dataset, means: &[Vec<f64>]) -> (Vec<f64>, Vec<f64>) {
    let size = data.features();
    let mut products = vec![0.0; size * size];
    let mut off = vec![0.0; size];
    for (row, class) in data.iter() {
        for (place, (value, mean)) in off.iter_mut().zip(row.iter().zip(&means[class])) {
            *place = value - mean;
        }
        for (at, part) in off.iter().enumerate() {
            let line = &mut products[at * size..(at + 1) * size];
            line[at..].iter_mut().zip(&off[at..]).for_each(|(sum, other)| *sum += part * other);
        }
    }
    let rows = data.rows() as f64;
    let deviations: Vec<f64> = (0..size).map(|at| (products[at * size + at] / rows).sqrt()).collect();
    // The mean of equal numbers can be off by a rounding error, which is no spread.
    let largest = |at: usize| means.iter().map(|mean| mean[at].abs()).fold(0.0, f64::max);
    let varies: Vec<bool> = (0..size).map(|at| deviations[at] > ROUNDING * largest(at)).collect();
    let mut within = vec![0.0; size * size];
    for row in 0..size {
        for column in 0..size {
            if varies[row] && varies[column] {
                let product = products[row.min(column) * size + row.max(column)];
                within[row * size + column] = product / rows / (deviations[row] * deviations[column]);
            }
        }
    }
    (deviations, within)
}
