//! Measures of classifiers on the screen and as JSON.

use parlor_lab::classify::{BINS, Model, Scores};
use parlor_lab::format::{grouped, percent, rate_and_interval};
use serde::Serialize;

use crate::terminal::{grid, say};

/// What a classifier is worth, as scripts read it.
#[derive(Serialize)]
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
#[derive(Serialize)]
struct Reliability {
    low: f64,
    high: f64,
    rows: u64,
    confidence: Option<f64>,
    accuracy: Option<f64>,
}

impl<'a> Measures<'a> {
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
    pub fn with_predictions(self, wanted: bool) -> Self {
        Measures { predictions: wanted.then_some(self.all_predictions), ..self }
    }
}

/// Prints accuracy, the confusion matrix with precision and recall, and the calibration.
pub fn measures(scores: &Scores, classes: &[String]) -> anyhow::Result<()> {
    let confusion = &scores.confusion;
    let (rate, ends) = rate_and_interval(confusion.right(), confusion.total());
    say(format!(
        "accuracy {rate} [{ends}], {} of {} rows",
        grouped(confusion.right()),
        grouped(confusion.total())
    ))?;
    say("")?;

    let mut table = vec![vec!["actual \\ predicted".to_owned()]];
    table[0].extend(classes.iter().cloned());
    table[0].push("recall".to_owned());
    for (class, counts) in confusion.rows().enumerate() {
        let mut row = vec![classes[class].clone()];
        row.extend(counts.iter().map(|&count| grouped(count)));
        row.push(percent(confusion.recall(class)));
        table.push(row);
    }
    let mut last = vec!["precision".to_owned()];
    last.extend((0..classes.len()).map(|class| percent(confusion.precision(class))));
    table.push(last);
    for line in grid(&table, &[0]) {
        say(line)?;
    }
    say("")?;

    let mut table = vec![["probability", "rows", "mean", "right"].map(str::to_owned).to_vec()];
    for (at, bin) in scores.bins.iter().enumerate().filter(|(_, bin)| bin.rows > 0) {
        let bounds = format!("{:.1} … {:.1}", at as f64 / BINS as f64, (at + 1) as f64 / BINS as f64);
        table.push(vec![bounds, grouped(bin.rows), percent(bin.confidence()), percent(bin.accuracy())]);
    }
    for line in grid(&table, &[0]) {
        say(line)?;
    }
    let number = |number: Option<f64>| number.map_or_else(|| "–".to_owned(), |number| format!("{number:.4}"));
    say(format!(
        "Brier score {}, log loss {}, calibration error {}",
        number(scores.brier()),
        number(scores.log_loss()),
        number(scores.calibration_error())
    ))?;
    Ok(())
}

/// Prints what a model makes of its features.
pub fn inside(model: &Model, features: &[String]) -> anyhow::Result<()> {
    match model {
        Model::Mda(model) => {
            let parts: Vec<String> = model.explained().iter().map(|&part| percent(Some(part))).collect();
            let axes = if parts.is_empty() {
                "no axis separates the classes".to_owned()
            } else {
                format!("axes and their part of the variance between classes: {}", parts.join(", "))
            };
            say(axes)?;
        }
        Model::Forest(forest) => {
            say(format!(
                "{} trees, {} leaves",
                grouped(forest.trees() as u64),
                grouped(forest.leaves() as u64)
            ))?;
            let importance = forest.importance();
            let mut order: Vec<usize> = (0..features.len()).collect();
            order.sort_by(|&one, &other| importance[other].total_cmp(&importance[one]));
            let each = order.iter().map(|&at| format!("{} {}", features[at], percent(Some(importance[at]))));
            say(format!("importance: {}", each.collect::<Vec<_>>().join(", ")))?;
        }
    }
    Ok(())
}

/// Returns a model's kind as people call it.
pub fn title(model: &Model) -> &'static str {
    match model {
        Model::Mda(_) => "discriminant analysis",
        Model::Forest(_) => "random forest",
    }
}

/// Returns seconds as people write them.
pub fn time(seconds: f64) -> String {
    if seconds < 1.0 { format!("{:.0} ms", 1000.0 * seconds) } else { format!("{seconds:.1} s") }
}
