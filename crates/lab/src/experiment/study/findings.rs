//! What a study's numbers say of hypotheses and of printed figures.

use parlor_stats::compare::holm;
use serde::Serialize;

use super::evidence::{Key, Number, StudyEvidence};
use crate::experiment::claims::Verdict;
use crate::experiment::estimate::Limits;
use crate::experiment::verdicts::{ALPHA, Finding, confidence};

/// A sentence about a number of a study.
#[derive(Clone, PartialEq, Debug)]
pub struct StudyHypothesis {
    /// Its short name.
    pub id: String,
    /// The sentence.
    pub says: String,
    /// What it means in numbers.
    pub claim: StudyClaim,
    /// What the source found.
    pub found: Option<Verdict>,
    /// Why our verdict may differ.
    pub explain: Option<String>,
}

/// A number, and what is claimed of it.
#[derive(Clone, PartialEq, Debug)]
pub struct StudyClaim {
    /// The number.
    pub key: Key,
    /// What is claimed.
    pub test: StudyTest,
}

/// What is claimed of a number.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum StudyTest {
    /// It is above a value.
    Above(f64),
    /// It is below a value.
    Below(f64),
    /// It is nearer to a value than a margin.
    Near {
        /// The value.
        value: f64,
        /// Above 0.
        margin: f64,
    },
}

/// A figure that a source printed.
#[derive(Clone, PartialEq, Debug)]
pub struct StudyFigure {
    /// Where.
    pub place: String,
    /// What of ours it is compared with.
    pub key: Key,
    /// What was printed.
    pub value: f64,
    /// How far it may be off for reasons other than chance.
    pub within: f64,
}

/// A printed figure beside ours.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FigureFinding {
    /// Where.
    pub place: String,
    /// The player.
    pub player: String,
    /// The player that it is compared with.
    pub than: Option<String>,
    /// The target.
    pub target: String,
    /// The measure.
    pub measure: String,
    /// The place on the horizontal axis.
    pub at: Option<f64>,
    /// What was printed.
    pub published: f64,
    /// What we have.
    pub ours: Option<f64>,
    /// Its 95 % interval.
    pub interval: Option<Limits>,
    /// How far the printed figure may be off for reasons other than chance.
    pub within: f64,
    /// Whether the printed figure could be one more run of ours, give or take `within`.
    pub reproduced: Option<bool>,
}

impl FigureFinding {
    /// Compares a printed figure with ours. The source's run had as many games as ours, so its error is as large.
    #[must_use]
    pub fn of(figure: &StudyFigure, evidence: &StudyEvidence) -> FigureFinding {
        let ours = evidence.difference(&figure.key);
        let Key { player, than, target, place, measure } = figure.key.clone();
        let interval = ours.and_then(|ours| ours.interval());
        let reproduced = ours.zip(interval).map(|(ours, ends)| {
            let chance = (ends.high - ends.low) / 2.0 * std::f64::consts::SQRT_2;
            (figure.value - ours.mean).abs() <= figure.within + chance
        });
        FigureFinding {
            place: figure.place.clone(),
            player,
            than,
            target,
            measure,
            at: place,
            published: figure.value,
            ours: ours.map(|ours| ours.mean),
            interval,
            within: figure.within,
            reproduced,
        }
    }
}

/// Returns what is found of each hypothesis, in their order.
#[must_use]
pub fn verdicts(hypotheses: &[StudyHypothesis], evidence: &StudyEvidence) -> Vec<Finding> {
    let numbers: Vec<Option<Number>> =
        hypotheses.iter().map(|hypothesis| evidence.difference(&hypothesis.claim.key)).collect();
    // p-values of the denial of each hypothesis and of the denial of its opposite.
    let sides: Vec<Option<[f64; 2]>> = hypotheses
        .iter()
        .zip(&numbers)
        .map(|(hypothesis, number)| test(hypothesis.claim.test, number.as_ref()?))
        .collect();
    let p_values: Vec<f64> = sides
        .iter()
        .map(|sides| sides.map_or(1.0, |[holds, fails]| (2.0 * holds.min(fails)).min(1.0)))
        .collect();
    let corrected = holm(&p_values);
    let all = hypotheses.iter().zip(numbers).zip(sides).zip(p_values.into_iter().zip(corrected));
    all.map(|(((hypothesis, number), sides), p_values)| finding(hypothesis, number, sides, p_values))
        .collect()
}

fn test(claim: StudyTest, number: &Number) -> Option<[f64; 2]> {
    Some(match claim {
        StudyTest::Above(value) => {
            let sides = number.sides(value)?;
            [sides.above, sides.below]
        }
        StudyTest::Below(value) => {
            let sides = number.sides(value)?;
            [sides.below, sides.above]
        }
        StudyTest::Near { value, margin } => {
            let (lower, upper) = (number.sides(value - margin)?, number.sides(value + margin)?);
            [lower.above.max(upper.below), (2.0 * lower.below.min(upper.above)).min(1.0)]
        }
    })
}

fn finding(
    hypothesis: &StudyHypothesis,
    number: Option<Number>,
    sides: Option<[f64; 2]>,
    (p_value, corrected): (f64, f64),
) -> Finding {
    let verdict = match sides {
        Some([holds, fails]) if corrected < ALPHA => {
            if holds < fails {
                Verdict::Holds
            } else {
                Verdict::DoesNotHold
            }
        }
        _ => Verdict::Undecided,
    };
    let known = sides.is_some();
    let exact = number.is_some_and(|number| number.exact);
    let mut remarks = Vec::new();
    if exact {
        remarks.push("an exact number: there is no chance in it".to_owned());
    }
    if !known {
        remarks.push("not measured in this run".to_owned());
    }
    Finding {
        id: hypothesis.id.clone(),
        says: hypothesis.says.clone(),
        quantity: words(&hypothesis.claim.key),
        claim: match hypothesis.claim.test {
            StudyTest::Above(value) => format!("above {value}"),
            StudyTest::Below(value) => format!("below {value}"),
            StudyTest::Near { value, margin } => format!("within {margin} of {value}"),
        },
        verdict,
        found: hypothesis.found,
        explain: hypothesis
            .explain
            .clone()
            .filter(|_| known && hypothesis.found.is_some_and(|found| found != verdict)),
        trainings: number.map_or(0, |number| number.n as usize),
        unit: "",
        estimate: number.map(|number| number.mean),
        interval: number.filter(|_| !exact).and_then(|number| number.interval()),
        p_value: known.then_some(p_value),
        corrected: known.then_some(corrected),
        signs: None,
        confidence: match (known, exact) {
            (false, _) => "not tested",
            (true, true) => "exact",
            (true, false) => confidence(corrected),
        },
        remarks,
    }
}

/// Returns a key in words.
fn words(key: &Key) -> String {
    let mut text = format!("{}; {}", key.measure, key.player);
    if let Some(than) = &key.than {
        text += &format!(" minus {than}");
    }
    if !key.target.is_empty() {
        text += &format!(" against {}", key.target);
    }
    if let Some(place) = key.place {
        text += &format!(" at {place}");
    }
    text
}
