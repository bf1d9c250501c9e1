//! What a classifier is worth on rows that it was not fitted to.

use crate::classifier::{Classifier, most_likely};
use crate::dataset::Dataset;

/// Number of bins of a reliability table.
pub const BINS: usize = 10;

/// A probability of 0 for the true class would cost an infinite logarithm, so none is taken to be smaller than this.
const LEAST: f64 = 1e-15;

/// How often rows of each class were predicted to be of each class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Confusion {
    classes: usize,
    /// Rows are actual classes, columns predicted ones.
    counts: Vec<u64>,
}

impl Confusion {
    /// Returns a matrix of zeros.
    #[must_use]
    pub fn new(classes: usize) -> Confusion {
        Confusion { classes, counts: vec![0; classes * classes] }
    }

    /// Counts one row.
    pub fn add(&mut self, actual: usize, predicted: usize) {
        self.counts[actual * self.classes + predicted] += 1;
    }

    /// Returns the matrix: for each actual class the number of rows by predicted class.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[u64]> {
        self.counts.chunks_exact(self.classes)
    }

    /// Returns the number of rows that were counted.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Returns the number of rows that were predicted rightly.
    #[must_use]
    pub fn right(&self) -> u64 {
        (0..self.classes).map(|class| self.at(class, class)).sum()
    }

    /// Returns the share of rows that were predicted rightly; `None` without rows.
    #[must_use]
    pub fn accuracy(&self) -> Option<f64> {
        ratio(self.right(), self.total())
    }

    /// Returns the share of right ones among the rows predicted to be of a class; `None` if none were.
    #[must_use]
    pub fn precision(&self, class: usize) -> Option<f64> {
        ratio(self.at(class, class), (0..self.classes).map(|actual| self.at(actual, class)).sum())
    }

    /// Returns the share of right ones among the rows of a class; `None` if there are none.
    #[must_use]
    pub fn recall(&self, class: usize) -> Option<f64> {
        ratio(self.at(class, class), (0..self.classes).map(|predicted| self.at(class, predicted)).sum())
    }

    fn at(&self, actual: usize, predicted: usize) -> u64 {
        self.counts[actual * self.classes + predicted]
    }
}

fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// The rows whose predicted class had a probability within one tenth.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub struct Bin {
    /// How many there are.
    pub rows: u64,
    /// How many of them were predicted rightly.
    pub right: u64,
    /// The sum of the probabilities.
    pub sum: f64,
}

impl Bin {
    /// Returns the mean probability of the predicted class; `None` without rows.
    #[must_use]
    pub fn confidence(&self) -> Option<f64> {
        (self.rows > 0).then(|| self.sum / self.rows as f64)
    }

    /// Returns the share of right predictions; `None` without rows.
    #[must_use]
    pub fn accuracy(&self) -> Option<f64> {
        ratio(self.right, self.rows)
    }
}

/// The measures of a classifier on some rows.
#[derive(Clone, PartialEq, Debug)]
pub struct Scores {
    /// Predicted against actual classes.
    pub confusion: Confusion,
    /// The predicted class of each row.
    pub predictions: Vec<u32>,
    /// Rows by the probability of the predicted class: below 0.1, below 0.2 and so on.
    pub bins: [Bin; BINS],
    brier: f64,
    log_loss: f64,
}

impl Scores {
    /// Returns the measures before any row.
    #[must_use]
    pub fn new(classes: usize) -> Scores {
        Scores {
            confusion: Confusion::new(classes),
            predictions: Vec::new(),
            bins: Default::default(),
            brier: 0.0,
            log_loss: 0.0,
        }
    }

    /// Returns the measures of a classifier on all rows.
    ///
    /// # Panics
    /// If the rows have another number of features or classes.
    #[must_use]
    pub fn of(model: &dyn Classifier, data: &Dataset) -> Scores {
        let mut scores = Scores::new(model.classes());
        let mut probabilities = vec![0.0; model.classes()];
        for (row, class) in data.iter() {
            model.probabilities(row, &mut probabilities);
            scores.add(&probabilities, class);
        }
        scores
    }

    /// Counts one row.
    pub fn add(&mut self, probabilities: &[f64], actual: usize) {
        let predicted = most_likely(probabilities);
        self.confusion.add(actual, predicted);
        self.predictions.push(predicted as u32);
        let confidence = probabilities[predicted];
        let bin = &mut self.bins[((confidence * BINS as f64) as usize).min(BINS - 1)];
        bin.rows += 1;
        bin.right += u64::from(predicted == actual);
        bin.sum += confidence;
        let off = |class: usize| probabilities[class] - f64::from(u8::from(class == actual));
        self.brier += (0..probabilities.len()).map(|class| off(class) * off(class)).sum::<f64>();
        self.log_loss -= libm::log(probabilities[actual].max(LEAST));
    }

    /// Returns the mean over rows of Σ (probability − 1 or 0)² over the classes, 0 … 2; `None` without rows.
    #[must_use]
    pub fn brier(&self) -> Option<f64> {
        self.mean(self.brier)
    }

    /// Returns the mean of −log(probability of the true class); `None` without rows. No probability counts as less than 10⁻¹⁵.
    #[must_use]
    pub fn log_loss(&self) -> Option<f64> {
        self.mean(self.log_loss)
    }

    /// Returns the mean distance between confidence and accuracy over the bins, weighted by their rows; `None` without rows.
    #[must_use]
    pub fn calibration_error(&self) -> Option<f64> {
        self.mean(self.bins.iter().map(|bin| (bin.sum - bin.right as f64).abs()).sum())
    }

    fn mean(&self, sum: f64) -> Option<f64> {
        let rows = self.confusion.total();
        (rows > 0).then(|| sum / rows as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_of_three_rows() {
        let mut scores = Scores::new(3);
        assert_eq!(
            (scores.brier(), scores.confusion.accuracy(), scores.confusion.recall(0)),
            (None, None, None)
        );
        scores.add(&[0.5, 0.3, 0.2], 0);
        scores.add(&[0.0, 1.0, 0.0], 1);
        scores.add(&[0.25, 0.5, 0.25], 2);
        assert_eq!(scores.predictions, [0, 1, 1]);
        let confusion = &scores.confusion;
        assert_eq!(
            confusion.rows().map(<[u64]>::to_vec).collect::<Vec<_>>(),
            [[1, 0, 0], [0, 1, 0], [0, 1, 0]]
        );
        assert_eq!(confusion.accuracy(), Some(2.0 / 3.0));
        assert_eq!([0, 1, 2].map(|class| confusion.precision(class)), [Some(1.0), Some(0.5), None]);
        assert_eq!([0, 1, 2].map(|class| confusion.recall(class)), [Some(1.0), Some(1.0), Some(0.0)]);
        // (0.25 + 0.09 + 0.04 + 0 + 0.0625 + 0.25 + 0.5625) / 3, and −(log ½ + log 1 + log ¼) / 3.
        assert!((scores.brier().unwrap() - 1.255 / 3.0).abs() < 1e-15);
        assert!((scores.log_loss().unwrap() - std::f64::consts::LN_2).abs() < 1e-15);
        assert_eq!(scores.bins[5], Bin { rows: 2, right: 1, sum: 1.0 });
        assert_eq!(scores.bins[9], Bin { rows: 1, right: 1, sum: 1.0 });
        assert_eq!(scores.calibration_error(), Some(0.0));
        scores.add(&[0.0, 1.0, 0.0], 0);
        assert!(scores.log_loss().unwrap() < 10.0, "a certain error costs much, but not everything");
    }
}
