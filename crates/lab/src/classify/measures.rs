//! What a classifier is worth, as one document.

use parlor_ml::{BINS, Scores};
use serde::Serialize;

/// What a classifier is worth, as scripts read it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Measures<'a> {
    accuracy: Option<f64>,
    /// Rows are actual classes, columns predicted ones.
    confusion: Vec<&'a [u64]>,
    classes: &'a [String],
    rows: u64,
    precision: Vec<Option<f64>>,
    recall: Vec<Option<f64>>,
    brier: Option<f64>,
    log_loss: Option<f64>,
    calibration_error: Option<f64>,
    calibration: Vec<Reliability>,
    /// The accuracy of each fold of a cross-validation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folds: Option<&'a [f64]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    predictions: Option<&'a [u32]>,
    #[serde(skip)]
    all_predictions: &'a [u32],
}

/// The rows whose predicted class had a probability between two bounds.
#[derive(Clone, PartialEq, Debug, Serialize)]
struct Reliability {
    low: f64,
    high: f64,
    rows: u64,
    confidence: Option<f64>,
    accuracy: Option<f64>,
}

impl<'a> Measures<'a> {
    /// Returns the measures of predictions; `seconds` is how long those took.
    #[must_use]
    pub fn new(scores: &'a Scores, classes: &'a [String], seconds: Option<f64>) -> Self {
        let confusion = &scores.confusion;
        let numbers = 0..classes.len();
        let bound = |bin: usize| bin as f64 / BINS as f64;
        Measures {
            accuracy: confusion.accuracy(),
            confusion: confusion.rows().collect(),
            classes,
            rows: confusion.total(),
            precision: numbers.clone().map(|class| confusion.precision(class)).collect(),
            recall: numbers.map(|class| confusion.recall(class)).collect(),
            brier: scores.brier(),
            log_loss: scores.log_loss(),
            calibration_error: scores.calibration_error(),
            calibration: scores
                .bins
                .iter()
                .enumerate()
                .map(|(at, bin)| Reliability {
                    low: bound(at),
                    high: bound(at + 1),
                    rows: bin.rows,
                    confidence: bin.confidence(),
                    accuracy: bin.accuracy(),
                })
                .collect(),
            folds: None,
            seconds,
            predictions: None,
            all_predictions: &scores.predictions,
        }
    }

    /// Lists the predicted class of each row, too, if that is wanted.
    #[must_use]
    pub fn with_predictions(self, wanted: bool) -> Self {
        Measures { predictions: wanted.then_some(self.all_predictions), ..self }
    }
}
