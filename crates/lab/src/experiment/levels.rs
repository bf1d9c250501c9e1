//! Levels that a curve is compared with: exact values from elsewhere, and the asymptote of a fitted curve.

use parlor_stats::saturating_curve::Fitted;
use serde::Serialize;

use super::claims::Claim;
use super::estimate::Estimate;
use super::evidence::Evidence;
use super::findings::{curve, estimate};
use super::measure::{Measure, Quantity, Statistic, Window, fitted};

/// Our curves are compared with exact values over the last of this many parts of the tested rounds.
const PARTS: usize = 10;

/// The confidence of intervals.
const LEVEL: f64 = 0.95;

/// An exact value beside the end of our curve.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ReferenceFinding {
    /// What it is: `perfect play`.
    pub says: String,
    /// How it is known.
    pub place: Option<String>,
    /// The arm's place in the list.
    pub arm: usize,
    /// The arm's name.
    pub name: String,
    /// Of which measure.
    pub measure: Measure,
    /// The exact value.
    pub value: f64,
    /// The rounds over which ours is taken: the last tenth of those tested.
    pub over: Window,
    /// What we have.
    pub ours: Option<Estimate>,
    /// The exact value minus ours. For perfect play this is the regret.
    pub distance: Option<Estimate>,
}

/// The curve a(b − e^(−cx)) that is fitted to the means over trainings, x being the round.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FitFinding {
    /// The arm's place in the list.
    pub arm: usize,
    /// The arm's name.
    pub name: String,
    /// What is measured.
    pub measure: Measure,
    /// The scale.
    pub a: FittedNumber,
    /// The asymptote divided by the scale.
    pub b: FittedNumber,
    /// The rate, per round.
    pub c: FittedNumber,
    /// The asymptote a·b.
    pub asymptote: FittedNumber,
    /// The standard deviation of the means about the curve.
    pub deviation: f64,
    /// The correlation of the means with the curve.
    pub correlation: f64,
}

/// A number of a fitted curve with its 95 % interval.
#[derive(Copy, Clone, PartialEq, Debug, Serialize)]
pub struct FittedNumber {
    /// The estimate.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// Returns the exact values of the file beside ours, arm by arm.
pub(super) fn references(evidence: &Evidence<'_>) -> Vec<ReferenceFinding> {
    let experiment = evidence.experiment;
    let all = experiment.references.iter().flat_map(|exact| exact.arms.iter().map(move |&arm| (exact, arm)));
    all.map(|(exact, arm)| {
        let after = &experiment.arms[arm].test.after;
        let from = after.len() - after.len().div_ceil(PARTS);
        let over = Window { from: after[from], to: after[after.len() - 1] };
        let quantity =
            Quantity { measure: exact.measure, statistic: Statistic::Mean, arm, window: over, minus: None };
        let distances: Vec<f64> =
            evidence.values(&quantity).into_iter().map(|(_, ours)| exact.value - ours).collect();
        ReferenceFinding {
            says: exact.says.clone(),
            place: exact.place.clone(),
            arm,
            name: experiment.arms[arm].name.clone(),
            measure: exact.measure,
            value: exact.value,
            over,
            ours: estimate(evidence, &quantity),
            distance: Estimate::of(&distances),
        }
    })
    .collect()
}

/// Returns the fits of the curves whose fit the file speaks of; a curve without a bend has none.
pub(super) fn fits(evidence: &Evidence<'_>) -> Vec<FitFinding> {
    wanted(evidence).into_iter().filter_map(|(arm, measure)| fit(evidence, arm, measure)).collect()
}

fn fit(evidence: &Evidence<'_>, arm: usize, measure: Measure) -> Option<FitFinding> {
    let means = curve(evidence, arm, measure);
    let points: Vec<(u32, f64)> =
        means.points.iter().map(|point| (point.round, point.estimate.mean)).collect();
    let fit = fitted(&points)?;
    let number = |number: Fitted| {
        let interval = number.interval(LEVEL, fit.freedom)?;
        Some(FittedNumber { value: number.value, low: interval.low, high: interval.high })
    };
    Some(FitFinding {
        arm,
        name: means.name,
        measure,
        a: number(fit.a)?,
        b: number(fit.b)?,
        c: number(fit.c)?,
        asymptote: number(fit.asymptote)?,
        deviation: fit.deviation,
        correlation: fit.correlation,
    })
}

impl FitFinding {
    /// Returns the curve's value after a round.
    #[must_use]
    pub fn at(&self, round: u32) -> f64 {
        self.a.value * (self.b.value - libm::exp(-self.c.value * f64::from(round)))
    }
}

/// Returns the arms and measures of which a hypothesis or a printed figure asks for a fit, each once.
fn wanted(evidence: &Evidence<'_>) -> Vec<(usize, Measure)> {
    let experiment = evidence.experiment;
    let claimed = experiment.hypotheses.iter().flat_map(|hypothesis| match &hypothesis.claim {
        Claim::Above(quantity, _)
        | Claim::Below(quantity, _)
        | Claim::Same { quantity, .. }
        | Claim::Within { quantity, .. } => std::slice::from_ref(quantity).iter(),
        Claim::Order(chain) => chain.iter(),
        Claim::Steadier { .. } => [].iter(),
    });
    let printed = experiment.facts.iter().filter_map(|fact| fact.ours.as_ref());
    let mut all = Vec::new();
    for quantity in claimed.chain(printed).filter(|quantity| matches!(quantity.statistic, Statistic::Fit(_)))
    {
        all.push((quantity.arm, quantity.measure));
        all.extend(quantity.minus.map(|(than, _)| (than, quantity.measure)));
    }
    all.sort_unstable();
    all.dedup();
    all
}
