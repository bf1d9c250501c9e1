//! All that a run says: curves with their spread, printed figures beside ours, verdicts.
//!
//! **Two kinds of spread.** Trainings differ from each other, and tests of one training differ. The variance of a point between trainings
//! is the sum of both: *between* (how different the learners have become) and *test noise* (how inexact the tests are). They
//! are shown apart, because more tests shrink only the second.
//!
//! **When is a printed figure reproduced?** A source that trained once printed one draw from all trainings there could be. So the
//! question is whether its figure could be one more of ours: whether it lies in the 95 % *prediction* interval for a single training. The interval of
//! our mean would be the wrong yardstick: it shrinks with every training that we add, and in the end excludes nearly every
//! single training, the next one of ours included. Printed figures are rounded, so half a unit of the last digit is allowed.

use parlor_stats::curves::{Spread, benefit, deviation, still_moving};
use parlor_stats::samples::Sample;
use serde::Serialize;

use super::claims::{Claim, Said};
use super::estimate::{Estimate, Limits};
use super::evidence::Evidence;
use super::levels::{FitFinding, ReferenceFinding, fits, references};
use super::measure::{Measure, Quantity, Statistic, Window};
use super::verdicts::{ALPHA, Finding, verdicts};

/// Everything that is found, for reports and for JSON.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Findings {
    /// The experiment's short name.
    pub id: String,
    /// Every hypothesis, in the order of the file.
    pub hypotheses: Vec<Finding>,
    /// The printed tables and curves beside ours.
    pub published: Vec<Comparison>,
    /// The printed single figures beside ours.
    pub facts: Vec<FactFinding>,
    /// The source's summary metrics, for every arm that has been tested.
    pub summaries: Vec<Summary>,
    /// The curves of all measures that the file speaks of, and always of the won matches.
    pub curves: Vec<Curve>,
    /// Exact values beside ours, where the file has any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub references: Vec<ReferenceFinding>,
    /// Fitted curves, where the file speaks of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fits: Vec<FitFinding>,
}

/// The summary metrics of *Dominating Dominoes* over all tests of a training, then over trainings.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Summary {
    /// The arm's place in the list.
    pub arm: usize,
    /// The arm's name.
    pub name: String,
    /// The gain of the last test.
    pub last_gain: Option<Estimate>,
    /// The mean of all gains.
    pub benefit: Estimate,
    /// The deviation of the margins, from 0 to 100, with the standard deviation of the sample. The other's gain is the own one with the
    /// other sign, so margins are gains.
    pub deviation: Option<Estimate>,
    /// How many trainings still move: the analysis of variance of the last fifteen gains, three groups of five, is significant at 5 %.
    pub still_moving: usize,
    /// Of how many with at least fifteen tests; one of twenty moves by chance.
    pub of: usize,
}

/// A measure of an arm over the training.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Curve {
    /// The arm's place in the list.
    pub arm: usize,
    /// The arm's name.
    pub name: String,
    /// What is measured.
    pub measure: Measure,
    /// The tested rounds that at least one training has reached.
    pub points: Vec<Point>,
}

/// One tested round of an arm, over its trainings. All deviations are standard deviations of one training's value.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Point {
    /// The round.
    pub round: u32,
    /// Mean, interval and deviation over trainings.
    #[serde(flatten)]
    pub estimate: Estimate,
    /// Test noise as the repeats show it; `None` where there is one repeat only.
    pub test_noise: Option<f64>,
    /// Test noise if matches were independent with fixed chances (binomial).
    pub pure_noise: Option<f64>,
    /// What is left of the deviation between trainings without test noise: how different the learners are. The noise is the one of the
    /// repeats; the pure one where there is one repeat only.
    pub between: Option<f64>,
}

/// A printed table or curve beside ours.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Comparison {
    /// Where it is printed.
    pub place: Option<String>,
    /// The arm's place in the list.
    pub arm: usize,
    /// The arm's name.
    pub name: String,
    /// What is measured.
    pub measure: Measure,
    /// Round by round.
    pub points: Vec<ComparedPoint>,
}

/// One printed figure beside ours.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ComparedPoint {
    /// The round.
    pub round: u32,
    /// What was printed.
    pub published: f64,
    /// The printed standard deviation over the repeats.
    pub published_spread: Option<f64>,
    /// What we have; `None` if no training has been tested there.
    pub ours: Option<Estimate>,
    /// Our mean standard deviation over the repeats, where one is printed.
    pub our_spread: Option<f64>,
    /// Whether the printed figure could be one more training of ours; `None` for fewer than two trainings.
    pub reproduced: Option<bool>,
}

/// A printed single figure or statement beside ours.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FactFinding {
    /// What it is.
    pub says: String,
    /// Where it is printed.
    pub place: Option<String>,
    /// What was printed.
    pub published: Said,
    /// What we compare it with, in words.
    pub quantity: Option<String>,
    /// What we have.
    pub ours: Option<Estimate>,
    /// Whether the printed figure could be one more training of ours.
    pub reproduced: Option<bool>,
}

impl Findings {
    /// Returns everything that the rows say.
    #[must_use]
    pub fn of(evidence: &Evidence<'_>) -> Findings {
        Findings {
            id: evidence.experiment.id.clone(),
            hypotheses: verdicts(evidence),
            published: comparisons(evidence),
            facts: facts(evidence),
            summaries: (0..evidence.experiment.arms.len()).filter_map(|arm| summary(evidence, arm)).collect(),
            curves: spoken_of(evidence)
                .into_iter()
                .map(|(arm, measure)| curve(evidence, arm, measure))
                .collect(),
            references: references(evidence),
            fits: fits(evidence),
        }
    }
}

/// Returns the curve of an arm over its trainings.
#[must_use]
pub fn curve(evidence: &Evidence<'_>, arm: usize, measure: Measure) -> Curve {
    let each: Vec<_> = evidence
        .trainings(arm)
        .into_iter()
        .map(|training| evidence.measured(arm, training, measure))
        .collect();
    let Some(settings) = evidence.experiment.arms.get(arm) else {
        return Curve { arm, name: String::new(), measure, points: Vec::new() };
    };
    let point = |round: u32| {
        let here: Vec<_> =
            each.iter().filter_map(|curve| curve.iter().find(|at| at.round == round)).collect();
        let values: Vec<f64> = here.iter().map(|at| at.value).collect();
        let estimate = Estimate::of(&values)?;
        let mean = |noises: Option<Vec<f64>>| Some(Sample::of(&noises?)?.mean);
        let test_noise = mean(here.iter().map(|at| at.seen_noise).collect());
        let pure_noise = mean(here.iter().map(|at| at.pure_noise).collect());
        let noise = test_noise.or(pure_noise);
        let between = estimate.deviation.zip(noise).map(|(all, noise)| (all * all - noise).max(0.0).sqrt());
        let [test_noise, pure_noise] = [test_noise, pure_noise].map(|noise| noise.map(f64::sqrt));
        Some(Point { round, estimate, test_noise, pure_noise, between })
    };
    let points = settings.test.after.iter().filter_map(|&round| point(round)).collect();
    Curve { arm, name: settings.name.clone(), measure, points }
}

/// Returns the summary metrics of an arm; `None` if no training has been tested after its last round.
fn summary(evidence: &Evidence<'_>, arm: usize) -> Option<Summary> {
    let settings = evidence.experiment.arms.get(arm)?;
    let finished = |gains: &Vec<f64>| gains.len() == settings.test.after.len();
    let curves: Vec<Vec<f64>> = evidence
        .trainings(arm)
        .into_iter()
        .map(|training| {
            evidence.curve(arm, training, Measure::Gain).into_iter().map(|(_, gain)| gain).collect()
        })
        .filter(finished)
        .collect();
    let estimate = |metric: &dyn Fn(&[f64]) -> Option<f64>| {
        let values: Option<Vec<f64>> = curves.iter().map(|gains| metric(gains)).collect();
        Estimate::of(&values?)
    };
    let moving: Vec<bool> =
        curves.iter().filter_map(|gains| Some(still_moving(gains)?.p_value < ALPHA)).collect();
    Some(Summary {
        arm,
        name: settings.name.clone(),
        last_gain: estimate(&|gains| gains.last().copied()),
        benefit: estimate(&|gains| benefit(gains).last().copied())?,
        deviation: estimate(&|gains| deviation(gains, Spread::Sample)),
        still_moving: moving.iter().filter(|moving| **moving).count(),
        of: moving.len(),
    })
}

/// Returns the arms and measures that a report should draw, each once, by arm.
fn spoken_of(evidence: &Evidence<'_>) -> Vec<(usize, Measure)> {
    let experiment = evidence.experiment;
    let mut all: Vec<(usize, Measure)> =
        (0..experiment.arms.len()).map(|arm| (arm, Measure::WinPercent)).collect();
    let mut add = |quantity: &Quantity| {
        all.push((quantity.arm, quantity.measure));
        all.extend(quantity.minus.map(|(than, _)| (than, quantity.measure)));
    };
    for hypothesis in &experiment.hypotheses {
        match &hypothesis.claim {
            Claim::Above(quantity, _)
            | Claim::Below(quantity, _)
            | Claim::Same { quantity, .. }
            | Claim::Within { quantity, .. } => add(quantity),
            Claim::Order(chain) => chain.iter().for_each(&mut add),
            Claim::Steadier { arm, than, window } => {
                for arm in [*arm, *than] {
                    let measure = Measure::DeviationOfRepeats;
                    add(&Quantity { measure, statistic: Statistic::Mean, arm, window: *window, minus: None });
                }
            }
        }
    }
    experiment.facts.iter().filter_map(|fact| fact.ours.as_ref()).for_each(&mut add);
    all.extend(experiment.published.iter().map(|figure| (figure.arm, figure.measure)));
    let exact = experiment.references.iter();
    all.extend(exact.flat_map(|exact| exact.arms.iter().map(|&arm| (arm, exact.measure))));
    all.sort_unstable();
    all.dedup();
    all
}

/// Returns what all trainings say of a quantity.
#[must_use]
pub fn estimate(evidence: &Evidence<'_>, quantity: &Quantity) -> Option<Estimate> {
    let values: Vec<f64> = evidence.values(quantity).into_iter().map(|(_, value)| value).collect();
    Estimate::of(&values)
}

/// Returns whether a printed figure, which is rounded, could be one more training of ours.
fn reproduced(ours: Option<&Estimate>, printed: f64) -> Option<bool> {
    let Limits { low, high } = ours?.prediction?;
    let text = printed.to_string();
    let decimals = text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let half_a_unit = 0.5 * libm::pow(0.1, decimals as f64);
    Some(Limits { low: low - half_a_unit, high: high + half_a_unit }.contain(printed))
}

fn comparisons(evidence: &Evidence<'_>) -> Vec<Comparison> {
    let experiment = evidence.experiment;
    experiment
        .published
        .iter()
        .map(|figure| {
            let arm = &experiment.arms[figure.arm];
            let at = |measure: Measure, round: u32| {
                // Another round cannot be compared, however near.
                let quantity = Quantity {
                    measure,
                    statistic: Statistic::Mean,
                    arm: figure.arm,
                    window: Window::at(round),
                    minus: None,
                };
                arm.test.after.contains(&round).then(|| estimate(evidence, &quantity)).flatten()
            };
            let points = figure.points.iter().enumerate().map(|(index, &(round, published))| {
                let ours = at(figure.measure, round);
                let published_spread = figure.spread.get(index).copied();
                ComparedPoint {
                    round,
                    published,
                    published_spread,
                    our_spread: published_spread
                        .and_then(|_| at(Measure::DeviationOfRepeats, round))
                        .map(|spread| spread.mean),
                    reproduced: reproduced(ours.as_ref(), published),
                    ours,
                }
            });
            Comparison {
                place: figure.place.clone(),
                arm: figure.arm,
                name: arm.name.clone(),
                measure: figure.measure,
                points: points.collect(),
            }
        })
        .collect()
}

fn facts(evidence: &Evidence<'_>) -> Vec<FactFinding> {
    let facts = evidence.experiment.facts.iter();
    facts
        .map(|fact| {
            let ours = fact.ours.as_ref().and_then(|quantity| estimate(evidence, quantity));
            FactFinding {
                says: fact.says.clone(),
                place: fact.place.clone(),
                published: fact.said.clone(),
                quantity: fact.ours.as_ref().map(|quantity| quantity.words(evidence)),
                reproduced: match fact.said {
                    Said::Number(printed) => reproduced(ours.as_ref(), printed),
                    Said::Text(_) => None,
                },
                ours,
            }
        })
        .collect()
}
