//! Measures of classifiers on the screen and as JSON.

use parlor_lab::classify::{BINS, Model, Scores};
use parlor_lab::format::{grouped, percent, rate_and_interval};

use crate::terminal::{grid, say};

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
