//! Charts of differences between arms, training by training.

use super::{ANYWHERE, Around, At, Drawing, title, trained, x_axis};
use crate::chart::{LineChart, Reference, Scale, Series};
use crate::experiment::claims::Claim;
use crate::experiment::estimate::Estimate;
use crate::experiment::measure::{Measure, Quantity};
use crate::experiment::{Evidence, Experiment};

/// Returns the pairs of arms that hypotheses and facts compare by a measure, each once.
fn compared(experiment: &Experiment, measure: Measure) -> Vec<[usize; 2]> {
    let mut pairs: Vec<[usize; 2]> = Vec::new();
    let mut add = |pair: [usize; 2]| {
        let [a, b] = pair;
        if a != b && !pairs.contains(&pair) && !pairs.contains(&[b, a]) {
            pairs.push(pair);
        }
    };
    let mut from = |quantity: &Quantity| {
        if let Some((than, _)) = quantity.minus.filter(|_| quantity.measure == measure) {
            add([quantity.arm, than]);
        }
    };
    for hypothesis in &experiment.hypotheses {
        match &hypothesis.claim {
            Claim::Above(quantity, _)
            | Claim::Below(quantity, _)
            | Claim::Same { quantity, .. }
            | Claim::Within { quantity, .. } => from(quantity),
            Claim::Order(_) | Claim::Steadier { .. } => {}
        }
    }
    experiment.facts.iter().filter_map(|fact| fact.ours.as_ref()).for_each(from);
    pairs
}

/// Draws differences training by training: what the trainings of one number share falls out.
pub(super) fn differences(
    evidence: &Evidence<'_>,
    arms: &[usize],
    measure: Measure,
) -> Option<(LineChart, String)> {
    let experiment = evidence.experiment;
    let unit = if measure.is_percent() { ", percentage points" } else { "" };
    let words = format!("difference in {}{unit}", measure.words().trim_end_matches(", %"));
    let drawing = Drawing { factor: 1.0, scale: Scale::new(words.as_str()), range: ANYWHERE };
    let curves = compared(experiment, measure).into_iter().filter(|[arm, _]| arms.contains(arm));
    let series: Vec<Series> = curves
        .filter_map(|pair| {
            let [own, other] = pair.map(|arm| &experiment.arms[arm]);
            let points = differing(evidence, pair, measure);
            let name = format!("{} minus {}", own.name, other.name);
            (!points.is_empty()).then(|| drawing.series(name, &points, Around::Mean))
        })
        .collect();
    (!series.is_empty()).then(|| {
        let chart = LineChart {
            title: title(experiment, words.trim_end_matches(unit), arms),
            x: x_axis(),
            y: drawing.scale,
            series,
            published: Vec::new(),
            references: vec![Reference { value: 0.0, name: "no difference".to_owned() }],
        };
        let caption =
            format!("Means of the differences between trainings of equal number. {}", Around::Mean.words());
        (chart, caption)
    })
}

fn differing(evidence: &Evidence<'_>, [arm, than]: [usize; 2], measure: Measure) -> Vec<At> {
    let experiment = evidence.experiment;
    let curves: Vec<[Vec<(u32, f64)>; 2]> = (0..experiment.trainings)
        .map(|training| [arm, than].map(|arm| evidence.curve(arm, training, measure)))
        .collect();
    let rounds = experiment.arms[arm].test.after.iter();
    rounds
        .filter_map(|&round| {
            let at =
                |curve: &[(u32, f64)]| curve.iter().find(|(at, _)| *at == round).map(|(_, value)| *value);
            let values: Vec<f64> =
                curves.iter().filter_map(|[own, other]| Some(at(own)? - at(other)?)).collect();
            Some(At { matches: trained(experiment, arm, round), estimate: Estimate::of(&values)? })
        })
        .collect()
}
