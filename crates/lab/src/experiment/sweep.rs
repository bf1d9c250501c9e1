//! Sweeps: one arm with every combination of values of some keys, and which of the keys matter.

use serde::Serialize;

use super::estimate::Estimate;
use super::measure::{Measure, Quantity, Statistic, Window};
use super::reading::measure_named;
use super::{Arm, Evidence};
use crate::chart::{ForestChart, ForestRow, Scale};
use crate::stages::{setting, with_settings};
use crate::toml_reader::{FileError, Keys, Place, Placed, Section, Source, Value, did_you_mean};

pub(super) const SWEEP: &Keys = &[
    ("arm", "\"td\", the arm that is varied"),
    ("keys", "{ step = [0.01, 0.1], lambda = [0.5, 0.9] }, values for keys of its learner"),
    ("measure", "\"score_percent\""),
];

/// The most arms that a sweep may have.
const MOST_ARMS: usize = 1000;

/// An arm with every combination of values of some keys of its learner.
#[derive(Clone, PartialEq, Debug)]
pub struct Sweep {
    /// The keys, each with its values as a spec has them.
    pub keys: Vec<(String, Vec<String>)>,
    /// The arms, by their place in the experiment, each with the place of its value of each key.
    pub arms: Vec<(usize, Vec<usize>)>,
    /// What is compared, after the last test.
    pub measure: Measure,
}

/// What one value of a key gives, averaged over all values of the other keys.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ValueEffect {
    /// The value.
    pub value: String,
    /// The mean over trainings.
    pub estimate: Estimate,
}

/// What a key matters.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct KeyEffect {
    /// The key.
    pub key: String,
    /// What its values give.
    pub values: Vec<ValueEffect>,
    /// Its share of the variance between the means of the arms: 1 if nothing else matters.
    pub share: Option<f64>,
}

/// What a sweep has found.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SweepFinding {
    /// What was measured.
    pub measure: Measure,
    /// What each key matters.
    pub keys: Vec<KeyEffect>,
    /// The arms, the best first.
    pub arms: Vec<ValueEffect>,
}

/// Reads a sweep; its arms are added to the others.
pub(super) fn sweep<'i>(
    source: Source<'_>,
    value: &Value<'i>,
    arms: &mut Vec<Arm>,
) -> Result<Sweep, FileError> {
    let section = Section::within(source, value, "[sweep]", SWEEP)?;
    let wanted = section.text("arm")?.text;
    let Some(base) = arms.iter().find(|arm| arm.name == wanted).cloned() else {
        let names: Vec<&str> = arms.iter().map(|arm| arm.name.as_str()).collect();
        let meant = did_you_mean(&wanted, names.iter().copied());
        let wrong = format!("there is no arm `{wanted}`{meant}; arms: {}", names.join(", "));
        return Err(section.wrong("arm", wrong));
    };
    let keys = keys(&section)?;
    let count = keys.iter().fold(1_usize, |count, (_, values)| count.saturating_mul(values.len()));
    if count > MOST_ARMS {
        return Err(
            section.wrong("keys", format!("these are {count} combinations; {MOST_ARMS} is the limit"))
        );
    }
    let mut combinations: Vec<Vec<usize>> = vec![Vec::new()];
    for (_, values) in &keys {
        combinations = combinations
            .iter()
            .flat_map(|begun| (0..values.len()).map(move |value| [&begun[..], &[value]].concat()))
            .collect();
    }
    let mut of_sweep = Vec::new();
    for combination in combinations {
        let chosen = || keys.iter().zip(&combination).map(|((key, values), &value)| (key, &values[value]));
        let name: Vec<String> = chosen().map(|(key, value)| format!("{key} {value}")).collect();
        let fits = |c: char| if c.is_alphanumeric() || "-_.+ ".contains(c) { c } else { '-' };
        let name: String = name.join(", ").chars().map(|c| if c == ',' { c } else { fits(c) }).collect();
        let settings = chosen().map(|(key, value)| (key.clone(), value.clone())).collect();
        let text = with_settings(&base.learner.text, &settings)
            .map_err(|error| FileError { at: base.learner.at, wrong: error.to_string() })?;
        let at: Place = base.learner.at;
        of_sweep.push((arms.len(), combination));
        arms.push(Arm { name, learner: Placed { text, at }, ..base.clone() });
    }
    let measure = measure_named(&section)?.unwrap_or(Measure::ScorePercent);
    Ok(Sweep { keys, arms: of_sweep, measure })
}

/// Reads the keys with their values.
fn keys(section: &Section<'_, '_>) -> Result<Vec<(String, Vec<String>)>, FileError> {
    let value = section.need("keys")?;
    let toml::de::DeValue::Table(table) = value.get_ref() else { return Err(section.unfit("keys", value)) };
    let mut typed: Vec<_> = table.iter().collect();
    // A table is sorted by name; the file's order is the one that was meant.
    typed.sort_by_key(|(key, _)| key.span().start);
    if typed.is_empty() {
        return Err(section.unfit("keys", value));
    }
    typed
        .into_iter()
        .map(|(key, value)| {
            let values = section.list("keys", value)?;
            if values.is_empty() {
                return Err(section.unfit("keys", value));
            }
            let values = values.into_iter().map(|value| Ok(setting(section, "keys", value)?.text));
            Ok((key.get_ref().to_string(), values.collect::<Result<_, FileError>>()?))
        })
        .collect()
}

impl Sweep {
    /// Returns what the trainings say so far; `None` if an arm has no training with its last test.
    #[must_use]
    pub fn finding(&self, evidence: &Evidence<'_>) -> Option<SweepFinding> {
        let of_arm = |arm: usize| {
            let last = *evidence.experiment.arms[arm].test.after.last()?;
            let quantity = Quantity {
                measure: self.measure,
                statistic: Statistic::Mean,
                arm,
                window: Window::at(last),
                minus: None,
            };
            Some(evidence.values(&quantity))
        };
        let values: Option<Vec<Vec<(u32, f64)>>> = self.arms.iter().map(|&(arm, _)| of_arm(arm)).collect();
        let values = values?;
        let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / numbers.len() as f64;
        let numbers = |arm: usize| values[arm].iter().map(|&(_, value)| value).collect::<Vec<f64>>();
        let means: Vec<f64> = (0..values.len()).map(|arm| mean(&numbers(arm))).collect();
        if means.iter().any(|mean| !mean.is_finite()) {
            return None;
        }
        let all = mean(&means);
        let total: f64 = means.iter().map(|mean| (mean - all) * (mean - all)).sum();
        let keys = self.keys.iter().enumerate().map(|(key, (name, options))| {
            let mut between = 0.0;
            let of_value = |(option, text): (usize, &String)| {
                let with: Vec<usize> =
                    (0..self.arms.len()).filter(|&arm| self.arms[arm].1[key] == option).collect();
                let level = mean(&with.iter().map(|&arm| means[arm]).collect::<Vec<_>>());
                between += with.len() as f64 * (level - all) * (level - all);
                // One number a training: arms of one training share their deals.
                let trainings = 0..evidence.experiment.trainings;
                let each = trainings.filter_map(|training| {
                    let of_one = |&arm: &usize| values[arm].iter().find(|(number, _)| *number == training);
                    let all: Option<Vec<f64>> =
                        with.iter().map(|arm| of_one(arm).map(|&(_, value)| value)).collect();
                    all.map(|all| mean(&all))
                });
                let estimate = Estimate::of(&each.collect::<Vec<_>>())?;
                Some(ValueEffect { value: text.clone(), estimate })
            };
            let values: Option<Vec<ValueEffect>> = options.iter().enumerate().map(of_value).collect();
            Some(KeyEffect {
                key: name.clone(),
                values: values?,
                share: (total > 0.0).then(|| between / total),
            })
        });
        let keys: Option<Vec<KeyEffect>> = keys.collect();
        let arms = self.arms.iter().enumerate().map(|(number, &(arm, _))| {
            let value = evidence.experiment.arms[arm].name.clone();
            Some(ValueEffect { value, estimate: Estimate::of(&numbers(number))? })
        });
        let mut arms: Vec<ValueEffect> = arms.collect::<Option<_>>()?;
        arms.sort_by(|a, b| b.estimate.mean.total_cmp(&a.estimate.mean));
        Some(SweepFinding { measure: self.measure, keys: keys?, arms })
    }
}

impl SweepFinding {
    /// Returns the chart: each value of each key with its interval; the keys that matter most stand first.
    #[must_use]
    pub fn chart(&self) -> ForestChart {
        let mut keys: Vec<&KeyEffect> = self.keys.iter().collect();
        let share = |key: &KeyEffect| key.share.unwrap_or(0.0);
        keys.sort_by(|a, b| share(b).total_cmp(&share(a)));
        let factor = if self.measure.is_percent() { 0.01 } else { 1.0 };
        let rows = keys.into_iter().flat_map(|key| {
            key.values.iter().map(move |effect| ForestRow {
                label: format!("{} = {}", key.key, effect.value),
                estimate: Some(factor * effect.estimate.mean),
                interval: effect.estimate.interval.map(|ends| [factor * ends.low, factor * ends.high]),
                published: None,
            })
        });
        let words = self.measure.words();
        let x = if self.measure.is_percent() {
            Scale::percent(words.trim_end_matches(", %"))
        } else {
            Scale::new(words)
        };
        ForestChart {
            title: "What matters".to_owned(),
            x,
            rows: rows.collect(),
            estimates: "mean over all values of the other keys, 95 % interval over trainings".to_owned(),
            ..ForestChart::default()
        }
    }
}
