//! What the rows say of each hypothesis.
//!
//! For every hypothesis two one-sided p-values are found, of its denial and of its opposite's denial. The smaller of them, doubled
//! because both sides are asked, is its p-value. The p-values of a file are corrected for their number (Holm), and a
//! hypothesis holds, or does not hold, if its corrected p-value is below 5 %; else it is undecided.

use parlor_stats::compare::{holm, means};
use parlor_stats::distributions::f_above;
use serde::Serialize;

use super::claims::{Claim, Hypothesis, Verdict};
use super::estimate::{Estimate, Limits, Sides, Signs, sides, signs};
use super::evidence::Evidence;
use super::measure::{Quantity, Statistic, Window};

/// The probability of any false verdict in a file that we accept.
pub const ALPHA: f64 = 0.05;

/// What is found of a hypothesis.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Finding {
    /// Its short name.
    pub id: String,
    /// The sentence.
    pub says: String,
    /// What was estimated, in words.
    pub quantity: String,
    /// What it was compared with, in words: `above 50`.
    pub claim: String,
    /// What we find.
    pub verdict: Verdict,
    /// What the source found.
    pub found: Option<Verdict>,
    /// Why our verdict differs, where it does and the file says why.
    pub explain: Option<String>,
    /// How many trainings it rests on.
    pub trainings: usize,
    /// What the estimate counts: `%`, `points`, `rounds`, `bytes`, or nothing for plain numbers.
    pub unit: &'static str,
    /// The estimate, and its 95 % interval (not corrected for the number of hypotheses).
    pub estimate: Option<f64>,
    /// The interval.
    pub interval: Option<Limits>,
    /// The two-sided p-value by itself.
    pub p_value: Option<f64>,
    /// The p-value corrected for the number of hypotheses in the file.
    pub corrected: Option<f64>,
    /// In how many trainings it is so; not for hypotheses of "no difference".
    pub signs: Option<Signs>,
    /// How sure the verdict is, in words.
    pub confidence: &'static str,
    /// What else there is to say.
    pub remarks: Vec<String>,
}

/// The tests of one hypothesis, before the correction.
#[derive(Default)]
struct Tested {
    trainings: usize,
    estimate: Option<f64>,
    interval: Option<Limits>,
    /// p-values of the denial of the hypothesis and of the denial of its opposite.
    p_values: Option<[f64; 2]>,
    signs: Option<Signs>,
    remarks: Vec<String>,
}

/// Returns what is found of each hypothesis, in their order.
#[must_use]
pub fn verdicts(evidence: &Evidence<'_>) -> Vec<Finding> {
    let hypotheses = &evidence.experiment.hypotheses;
    let tested: Vec<Tested> = hypotheses.iter().map(|hypothesis| test(evidence, &hypothesis.claim)).collect();
    let double = |[holds, fails]: [f64; 2]| (2.0 * holds.min(fails)).min(1.0);
    let p_values: Vec<f64> = tested.iter().map(|t| t.p_values.map_or(1.0, double)).collect();
    let corrected = holm(&p_values);
    let all = hypotheses.iter().zip(tested).zip(p_values.into_iter().zip(corrected));
    all.map(|((hypothesis, tested), p_values)| finding(evidence, hypothesis, tested, p_values)).collect()
}

fn finding(
    evidence: &Evidence<'_>,
    hypothesis: &Hypothesis,
    mut tested: Tested,
    (p_value, corrected): (f64, f64),
) -> Finding {
    let verdict = match tested.p_values {
        Some([holds, fails]) if corrected < ALPHA => {
            if holds < fails {
                Verdict::Holds
            } else {
                Verdict::DoesNotHold
            }
        }
        _ => Verdict::Undecided,
    };
    if tested.trainings < 2 {
        tested.remarks.push("fewer than two trainings have what this asks for".to_owned());
    }
    let (quantity, claim) = words(evidence, &hypothesis.claim);
    let known = tested.p_values.is_some();
    Finding {
        id: hypothesis.id.clone(),
        says: hypothesis.says.clone(),
        quantity,
        claim,
        verdict,
        found: hypothesis.found,
        explain: hypothesis
            .explain
            .clone()
            .filter(|_| known && hypothesis.found.is_some_and(|found| found != verdict)),
        trainings: tested.trainings,
        unit: unit(&hypothesis.claim),
        estimate: tested.estimate,
        interval: tested.interval,
        p_value: known.then_some(p_value),
        corrected: known.then_some(corrected),
        signs: tested.signs,
        confidence: if known { confidence(corrected) } else { "not tested" },
        remarks: tested.remarks,
    }
}

/// Returns how sure a corrected p-value is, in words.
#[must_use]
pub fn confidence(corrected: f64) -> &'static str {
    match corrected {
        p if p < 0.001 => "very strong evidence",
        p if p < 0.01 => "strong evidence",
        p if p < ALPHA => "evidence",
        p if p < 0.2 => "no more than a hint",
        _ => "no evidence",
    }
}

fn test(evidence: &Evidence<'_>, claim: &Claim) -> Tested {
    match claim {
        Claim::Above(quantity, value) => direction(evidence, quantity, *value, true),
        Claim::Below(quantity, value) => direction(evidence, quantity, *value, false),
        Claim::Same { quantity, value, margin } => {
            let values = numbers(evidence, quantity);
            Tested { p_values: near(&values, *value, *margin), ..described(&values, |x| x) }
        }
        Claim::Within { quantity, value, factor } => {
            // On the scale of logarithms a factor is a margin.
            let values = numbers(evidence, quantity);
            if values.iter().any(|value| *value <= 0.0) {
                let remarks = vec!["a training has none at all, so there is no factor".to_owned()];
                return Tested { remarks, ..described(&values, |x| x) };
            }
            let logs: Vec<f64> = values.into_iter().map(libm::log).collect();
            Tested {
                p_values: near(&logs, libm::log(*value), libm::log(*factor)),
                ..described(&logs, libm::exp)
            }
        }
        Claim::Order(chain) => order(evidence, chain),
        Claim::Steadier { arm, than, window } => steadier(evidence, *arm, *than, *window),
    }
}

fn numbers(evidence: &Evidence<'_>, quantity: &Quantity) -> Vec<f64> {
    evidence.values(quantity).into_iter().map(|(_, value)| value).collect()
}

/// Returns estimate and interval of the values, on the scale that people read.
fn described(values: &[f64], readable: impl Fn(f64) -> f64) -> Tested {
    let estimate = Estimate::of(values);
    Tested {
        trainings: values.len(),
        estimate: estimate.as_ref().map(|estimate| readable(estimate.mean)),
        interval: estimate
            .and_then(|estimate| estimate.interval)
            .map(|limits| limits.map(readable))
            .filter(|limits| limits.high.is_finite()),
        ..Tested::default()
    }
}

fn direction(evidence: &Evidence<'_>, quantity: &Quantity, value: f64, upwards: bool) -> Tested {
    let values = numbers(evidence, quantity);
    let mut tested = described(&values, |x| x);
    tested.p_values = sides(&values, value).map(
        |Sides { above, below }| {
            if upwards { [above, below] } else { [below, above] }
        },
    );
    let turned: Vec<f64> = values.iter().map(|number| if upwards { *number } else { -number }).collect();
    tested.signs = signs(&turned, if upwards { value } else { -value });
    tested.remarks.extend(as_independent(evidence, quantity));
    tested
}

/// Returns what a comparison of two arms would say if trainings of equal number had nothing in common (Welch).
fn as_independent(evidence: &Evidence<'_>, quantity: &Quantity) -> Option<String> {
    let (than, window) = quantity.minus.filter(|(than, _)| *than != quantity.arm)?;
    let own = Quantity { minus: None, ..quantity.clone() };
    let other = Quantity { arm: than, window, ..own.clone() };
    let welch = means(&numbers(evidence, &own), &numbers(evidence, &other))?;
    Some(format!("as independent samples (Welch): p = {}", p_words(welch.p_value)))
}

fn p_words(p: f64) -> String {
    if p < 0.0001 { "below 0.0001".to_owned() } else { format!("{p:.4}") }
}

/// Returns the p-values of "nearer than the margin" (two one-sided tests, both must reject) and of "farther than the
/// margin" (either may reject, so the smaller one counts twice).
fn near(values: &[f64], value: f64, margin: f64) -> Option<[f64; 2]> {
    let (lower, upper) = (sides(values, value - margin)?, sides(values, value + margin)?);
    Some([lower.above.max(upper.below), (2.0 * lower.below.min(upper.above)).min(1.0)])
}

/// A chain holds if every step does: the largest p-value counts. It does not if any step is reversed: the smallest one
/// counts, as often as there are steps.
fn order(evidence: &Evidence<'_>, chain: &[Quantity]) -> Tested {
    let steps: Vec<Tested> = chain
        .array_windows()
        .map(|[better, worse]| {
            let step = Quantity { minus: Some((worse.arm, worse.window)), ..better.clone() };
            direction(evidence, &step, 0.0, true)
        })
        .collect();
    let p_values: Option<Vec<[f64; 2]>> = steps.iter().map(|step| step.p_values).collect();
    let smallest = steps
        .iter()
        .filter(|step| step.estimate.is_some())
        .min_by(|a, b| a.estimate.unwrap_or(f64::INFINITY).total_cmp(&b.estimate.unwrap_or(f64::INFINITY)));
    let name = |quantity: &Quantity| evidence.experiment.arms[quantity.arm].name.as_str();
    let mut remarks = vec!["the estimate is the smallest step of the chain".to_owned()];
    remarks.extend(chain.array_windows().zip(&steps).filter_map(|([better, worse], step)| {
        let [holds, _] = step.p_values?;
        let difference = step.estimate?;
        Some(format!("{} over {}: {difference:+.2}, p = {}", name(better), name(worse), p_words(holds)))
    }));
    let all: Vec<Vec<(u32, f64)>> = chain.iter().map(|quantity| evidence.values(quantity)).collect();
    let of_training = |training: u32| -> Option<Vec<f64>> {
        all.iter()
            .map(|values| values.iter().find(|(at, _)| *at == training).map(|(_, value)| *value))
            .collect()
    };
    let complete: Vec<Vec<f64>> = (0..evidence.experiment.trainings).filter_map(of_training).collect();
    let falling = complete.iter().filter(|values| values.is_sorted_by(|a, b| a > b)).count();
    remarks.push(format!("{falling} of {} trainings have the whole order", complete.len()));
    Tested {
        trainings: complete.len(),
        estimate: smallest.and_then(|step| step.estimate),
        interval: smallest.and_then(|step| step.interval),
        p_values: p_values.map(|steps| {
            let holds = steps.iter().map(|[holds, _]| *holds).fold(0.0, f64::max);
            let fails = steps.iter().map(|[_, fails]| *fails).fold(1.0, f64::min);
            [holds, (fails * steps.len() as f64).min(1.0)]
        }),
        signs: None,
        remarks,
    }
}

/// The unit is the training here, too: the logarithm of the ratio of the variances, averaged over the rounds. The F tests of
/// the source are remarks.
fn steadier(evidence: &Evidence<'_>, arm: usize, than: usize, window: Window) -> Tested {
    let freedom = |arm: usize| f64::from(evidence.experiment.arms[arm].test.repeats) - 1.0;
    let (mut logs, mut sums) = (Vec::new(), [0.0; 2]);
    let (mut tests, mut significant, mut without_spread) = (0_u32, 0_u32, 0_u32);
    for training in 0..evidence.experiment.trainings {
        let other = evidence.variances(than, training, window);
        let mut of_training = Vec::new();
        for (round, own) in evidence.variances(arm, training, window) {
            let Some(&(_, other)) = other.iter().find(|(at, _)| *at == round) else { continue };
            sums = [sums[0] + own, sums[1] + other];
            tests += 1;
            if own == 0.0 || other == 0.0 {
                without_spread += 1;
                continue;
            }
            let larger = f_above(other / own, freedom(than), freedom(arm));
            significant += u32::from(larger.is_some_and(|p| p < ALPHA));
            of_training.push(libm::log(own / other));
        }
        logs.extend(Estimate::of(&of_training).map(|estimate| estimate.mean));
    }
    let mut tested = described(&logs, libm::exp);
    tested.p_values = sides(&logs, 0.0).map(|Sides { above, below }| [below, above]);
    let turned: Vec<f64> = logs.iter().map(|log| -log).collect();
    tested.signs = signs(&turned, 0.0);
    let count = f64::from(tests);
    if let Some(p) = f_above(sums[1] / sums[0], count * freedom(than), count * freedom(arm)) {
        let ratio = sums[0] / sums[1];
        let text = format!("all variances pooled: ratio {ratio:.3}, F test p = {} (one-sided)", p_words(p));
        tested.remarks.push(text);
    }
    let by_chance = ALPHA * count;
    tested.remarks.push(format!(
        "{significant} of {tests} single F tests are significant at 5 %, where chance alone gives {by_chance:.1}"
    ));
    if without_spread > 0 {
        tested.remarks.push(format!("{without_spread} tests without any spread are left out"));
    }
    tested
}

/// Returns the unit of a claim's estimate.
fn unit(claim: &Claim) -> &'static str {
    match claim {
        Claim::Above(quantity, _)
        | Claim::Below(quantity, _)
        | Claim::Same { quantity, .. }
        | Claim::Within { quantity, .. } => quantity.unit(),
        // The estimate of a chain is a difference.
        Claim::Order(chain) => match chain.first().map_or("", Quantity::unit) {
            "%" => "points",
            unit => unit,
        },
        Claim::Steadier { .. } => "",
    }
}

/// Returns what is estimated, and what is claimed of it.
fn words(evidence: &Evidence<'_>, claim: &Claim) -> (String, String) {
    let of = |quantity: &Quantity| quantity.words(evidence);
    match claim {
        Claim::Above(quantity, value) => (of(quantity), format!("above {value}")),
        Claim::Below(quantity, value) => (of(quantity), format!("below {value}")),
        Claim::Same { quantity, value, margin } => (of(quantity), format!("within {margin} of {value}")),
        Claim::Within { quantity, value, factor } => {
            (of(quantity), format!("{value} within a factor of {factor}"))
        }
        Claim::Order(chain) => {
            let names: Vec<&str> =
                chain.iter().map(|q| evidence.experiment.arms[q.arm].name.as_str()).collect();
            let first = chain.first().map_or_else(String::new, |q| {
                let window = q.window.asked(&evidence.experiment.arms[q.arm].test.after);
                format!("{} {window}", q.measure.words())
            });
            (first, names.join(" > "))
        }
        Claim::Steadier { arm, than, window } => {
            let [arm, than] = [arm, than].map(|arm| &evidence.experiment.arms[*arm].name);
            (
                format!("variance of the wins over the tests, {arm} over {than}, {window}"),
                "below 1".to_owned(),
            )
        }
    }
}

impl Quantity {
    /// Returns the quantity in words.
    #[must_use]
    pub fn words(&self, evidence: &Evidence<'_>) -> String {
        let name = |arm: usize| evidence.experiment.arms.get(arm).map_or("?", |arm| arm.name.as_str());
        let levels = |levels: &[f64]| {
            let levels: Vec<String> = levels.iter().map(f64::to_string).collect();
            levels.join(", ")
        };
        let measure = self.measure.words();
        let what = match &self.statistic {
            Statistic::Mean => measure.to_owned(),
            Statistic::Deviation => format!("standard deviation over rounds of: {measure}"),
            Statistic::Peak => format!("largest {measure}"),
            Statistic::Lowest => format!("smallest {measure}"),
            Statistic::Change => format!("change of: {measure}"),
            Statistic::RoundsTo(list) => format!("rounds until {measure} is above {}", levels(list)),
            Statistic::LastAbove(list) => format!("last round with {measure} above {}", levels(list)),
            Statistic::Fit(number) => format!("{}: {measure}", number.words()),
        };
        let arms = &evidence.experiment.arms;
        let asked =
            |arm: usize, window: Window| arms.get(arm).map_or(window, |arm| window.asked(&arm.test.after));
        let own = asked(self.arm, self.window);
        match self.minus.map(|(than, window)| (than, asked(than, window))) {
            None => format!("{what}; {} {own}", name(self.arm)),
            Some((than, window)) if window == own => {
                format!("{what}; {} minus {} {window}", name(self.arm), name(than))
            }
            Some((than, window)) => {
                format!("{what}; {} {own} minus {} {window}", name(self.arm), name(than))
            }
        }
    }
}
