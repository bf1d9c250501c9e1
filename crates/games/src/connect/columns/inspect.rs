//! What the weights are, and how they got there.

use parlor_core::KnowledgeTable;

use super::features::INFO;
use super::saved::Saved;

/// How many characters a curve is wide.
const WIDTH: usize = 32;

const STEPS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

const NOTE: &str = "A column's value is the sum of weight × count over its features, and discounted sums of the plies predicted to follow. “three” and “two” are discs in a window of four through the first free cell of the column; each curve goes from the least to the most that the weight has been.";

/// Returns the weights with their course over the epochs.
pub(super) fn tables(saved: &Saved, rows: usize) -> Vec<KnowledgeTable> {
    let row = |at: usize| {
        let course = || saved.epochs.iter().map(move |(_, weights)| weights[at]);
        let [start, weight] =
            [saved.epochs.first().map_or(saved.weights[at], |(_, weights)| weights[at]), saved.weights[at]];
        vec![
            INFO[at].name.to_owned(),
            INFO[at].summary.to_owned(),
            format!("{weight:?}"),
            format!("{start:?}"),
            curve(&course().chain([weight]).collect::<Vec<_>>()),
        ]
    };
    let epochs = saved.epochs.last().map_or(0, |&(epoch, _)| epoch);
    vec![KnowledgeTable {
        title: format!("weights after {epochs} epochs"),
        columns: vec!["feature", "counts", "weight", "at the start", "over the epochs"],
        rows: (0..INFO.len()).take(rows.max(INFO.len())).map(row).collect(),
        note: NOTE,
    }]
}

/// Returns a curve in characters, at most [`WIDTH`] wide.
fn curve(values: &[f64]) -> String {
    let (least, most) = values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), &value| {
        (least.min(value), most.max(value))
    });
    let width = values.len().min(WIDTH);
    (0..width)
        .map(|at| {
            let value = values[if width > 1 { at * (values.len() - 1) / (width - 1) } else { 0 }];
            let share = if most > least { (value - least) / (most - least) } else { 0.0 };
            STEPS[(share * 7.0).round() as usize]
        })
        .collect()
}
